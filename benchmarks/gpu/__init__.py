"""Random games on a graphics card, beside one core, down to the same bytes: `python -m benchmarks.gpu --help`."""
