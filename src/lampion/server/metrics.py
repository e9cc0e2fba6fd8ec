"""The server's metrics, in Prometheus' text format."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Counter:
    """A number that only grows."""

    def __init__(self) -> None:
        self.value = 0

    def add(self, number: int = 1) -> None:
        """Add a number."""
        self.value += number


class Histogram:
    """The number of durations in each of BOUNDS, and their sum."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0

    def observe(self, seconds: float) -> None:
        """Count a duration."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds


class Metrics:
    """The metrics of this process."""

    def __init__(self) -> None:
        self.moves = Counter()
        self.refusals = Counter()
        self.messages = Counter()
        self.sockets_opened = Counter()
        self.tables_made = Counter()
        self.move_seconds = Histogram()
        self.store_seconds = Histogram()
        self.bot_seconds = Histogram()
        self.gauges: dict[str, tuple[str, Callable[[], float]]] = {}

    def text(self) -> str:
        """Return all metrics in Prometheus' text format."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterable[str]:
        for name, help, counter in (
            ("moves", "Moves stored, those of chance and bots included.", self.moves),
            ("refusals", "Messages that were refused.", self.refusals),
            ("messages", "Messages received.", self.messages),
            ("sockets_opened", "Sockets opened.", self.sockets_opened),
            ("tables_made", "Tables made.", self.tables_made),
        ):
            yield f"# HELP lampion_{name}_total {help}"
            yield f"# TYPE lampion_{name}_total counter"
            yield f"lampion_{name}_total {counter.value}"
        for name, (help, read) in self.gauges.items():
            yield f"# HELP lampion_{name} {help}"
            yield f"# TYPE lampion_{name} gauge"
            yield f"lampion_{name} {read()}"
        for name, help, histogram in (
            ("move_seconds", "From a move's arrival to its answer.", self.move_seconds),
            ("store_seconds", "Until an event was durable.", self.store_seconds),
            ("bot_seconds", "What bots thought.", self.bot_seconds),
        ):
            yield f"# HELP lampion_{name} {help}"
            yield f"# TYPE lampion_{name} histogram"
            count = 0
            for bound, number in zip((*BOUNDS, "+Inf"), histogram.counts, strict=True):
                count += number
                yield f'lampion_{name}_bucket{{le="{bound}"}} {count}'
            yield f"lampion_{name}_sum {histogram.total:.6f}"
            yield f"lampion_{name}_count {count}"


METRICS = Metrics()
