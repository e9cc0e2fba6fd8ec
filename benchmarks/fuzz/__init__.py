"""Odd inputs for every door of the program, as fast as it takes them: `python -m benchmarks.fuzz`."""
