"""Bounded attacks on a server of one's own, with people who play beside them: `python -m benchmarks.attack`."""
