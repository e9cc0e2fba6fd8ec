"""Play many games at once: simulations, tournaments, reports and benchmarks."""
