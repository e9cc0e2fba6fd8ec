"""`lampion` with a server whose chance follows from the running test, so that a test meets the same deals every time.

    python seeded.py FILE [--unlimited] [--load-all] [--seconds NAME SECONDS]... WORDS...

FILE holds the name of the running test. Entropy is replaced here, from outside: the program itself cannot be seeded.
Analyses are made with little effort, and what hints need is loaded ahead in tests of hints alone. With --unlimited
nobody is asked to slow down, for tests that play faster than people do. A game is loaded when somebody asks for it;
with --load-all all of them are from the beginning, as in every other server. --seconds sets how long the server waits
for something: a test that must not be overtaken by the time makes it long, one that waits for its end makes it short.
Bots answer at once, unless they are given a `time_to_undo`.
"""

from __future__ import annotations

import hashlib
import itertools
import sys
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

TIMES = {
    "time_to_undo": ("tables.bot_seats", "TIME_TO_UNDO"),
    "time_to_greet": ("http.app", "HELLO_SECONDS"),
    "time_to_read": ("http.connection_limits", "WRITE_SECONDS"),
    "time_to_reveal": ("tables.seal_timer", "SEAL_SECONDS"),
    "time_to_report": ("tables.presence_between_servers", "BEAT"),
}
"""Where the times stand that --seconds sets, by what a test calls them."""


class Entropy:
    """Numbers that follow from the name of the running test and from how many were drawn since it began."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.counts: defaultdict[str, Iterator[int]] = defaultdict(itertools.count)

    @property
    def test(self) -> str:
        """The name of the running test; outside the tests nothing runs."""
        return self.file.read_text(encoding="utf-8") if self.file.exists() else ""

    def token_hex(self) -> str:
        """Return 64 hexadecimal digits."""
        test = self.test
        return hashlib.sha256(f"{test} {next(self.counts[test])}".encode()).hexdigest()

    def randbits(self, count: int) -> int:
        """Return a number of `count` bits."""
        return int(self.token_hex(), 16) >> (256 - count)


def fill(bucket: Any) -> None:
    """Fill a token bucket to its brim."""
    bucket.level = bucket.burst


async def load_none(loader: Any) -> None:
    """Leave every game until it is asked for."""


def main(file: str, *words: str) -> None:
    """Replace the entropy, then become `lampion`."""
    from lampion.cli import main as lampion
    from lampion.insight.settings import QUICK
    from lampion.server.tables import analyses, bot_seats, game_loader, hub, rate_limits

    entropy = Entropy(Path(file))
    setattr(hub, "new_secret", entropy.token_hex)  # noqa: B010
    setattr(bot_seats, "secrets", entropy)  # noqa: B010
    setattr(analyses, "SETTINGS", QUICK)  # noqa: B010
    prepare = analyses.Analyses.prepare

    def prepare_for_hints(self: analyses.Analyses, game: str, players: int) -> None:
        if "hint" in entropy.test:
            prepare(self, game, players)

    setattr(analyses.Analyses, "prepare", prepare_for_hints)  # noqa: B010
    if words[0] == "--unlimited":
        words = words[1:]
        setattr(rate_limits.TokenBucket, "_fill", fill)  # noqa: B010
    if words[0] == "--load-all":
        words = words[1:]
    else:
        setattr(game_loader.GameLoader, "load_all", load_none)  # noqa: B010
    setattr(bot_seats, "TIME_TO_UNDO", 0)  # noqa: B010
    while words[0] == "--seconds":
        name, constant = TIMES[words[1]]
        module = import_module(f"lampion.server.{name}")
        getattr(module, constant)  # one that was renamed would be set in vain
        setattr(module, constant, float(words[2]))
        words = words[3:]
    lampion(list(words))


if __name__ == "__main__":
    del sys.path[0]  # this folder, whose names are not the program's
    main(*sys.argv[1:])
