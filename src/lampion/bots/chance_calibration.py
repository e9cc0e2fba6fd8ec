"""How well calibrated the chances of analyses are, measured on games that no net was trained on.

`nets/calibration.json` of a game comes from `python -m benchmarks.calibration`: by number of players, by tenths of the
chance that was given, how often it was won.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import msgspec

from lampion.games.registry import game as game_named

FILE = "calibration.json"


class Tenth(msgspec.Struct, frozen=True):
    """Seats of positions whose chances were in the same tenth."""

    given: float
    """The mean of the chances given."""
    won: float
    """The part of the games that they won; shared victories count in part."""
    sure: float
    """Half of the 95 % interval of that."""
    positions: int


class Method(msgspec.Struct, frozen=True):
    """The tenths measured for one way to judge positions."""

    tenths: list[Tenth]


class Methods(msgspec.Struct, frozen=True):
    """The figures of both ways to judge: one step ahead, and with moves followed as analyses do."""

    standing: Method
    judged: Method


class Calibration(msgspec.Struct, frozen=True):
    """What was measured for a game."""

    edition: str
    """The hash of the edition that was played."""
    bot: str
    games: int
    players: dict[int, Methods]

    def tenths(self, players: int) -> list[Tenth]:
        """Return the tenths of chances judged as analyses do, for this number of players."""
        return self.players[players].judged.tenths

    def all_tenths(self) -> list[Tenth]:
        """Return the same for all numbers of players together."""
        by_tenth: dict[int, list[Tenth]] = {}
        for players in self.players:
            for one in self.tenths(players):
                by_tenth.setdefault(min(9, int(10 * one.given)), []).append(one)
        return [together(by_tenth[tenth]) for tenth in sorted(by_tenth)]


def together(groups: Iterable[Tenth]) -> Tenth:
    """Return groups of different games as one."""
    groups = list(groups)
    count = sum(one.positions for one in groups)
    return Tenth(
        given=sum(one.positions * one.given for one in groups) / count,
        won=sum(one.positions * one.won for one in groups) / count,
        sure=sum((one.positions * one.sure) ** 2 for one in groups) ** 0.5 / count,
        positions=count,
    )


@cache
def calibration(game: str) -> Calibration | None:
    """Return what was measured for a game; None where nothing was."""
    path = game_named(game).folder / "nets" / FILE
    return msgspec.json.decode(path.read_bytes(), type=Calibration) if path.is_file() else None
