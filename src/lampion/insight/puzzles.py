"""Puzzles: positions of strong games with one clearly best move, as data. `puzzles.json` in the folder of a game.

A puzzle holds nothing that its seat could not know: what was hidden from the seat in the game was drawn anew before
the position was written down, and every figure follows from what the seat sees. docs/puzzles.md describes the file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from lampion.games import registry
from lampion.games.core import Game
from lampion.games.editions import standard
from lampion.games.move_types import Plain
from lampion.games.reason_types import Reason, favour
from lampion.insight.settings import Settings
from lampion.locale import Problem, why
from lampion.play.position import Position

FILE = "puzzles.json"
MOST_FILE = 1 << 20
"""Bytes of a file."""
DENIED = "denied"
"""The theme of a move that is best for what it does to the others."""
PARTS = 1000
"""Costs are counted in parts of the chance to win."""


class BadPuzzle(Problem):
    """A file that is not one of puzzles, or a puzzle that is not confirmed."""


class Puzzle(Plain, frozen=True, kw_only=True):
    """A position as a seat knew it, the best move, and what every other move costs."""

    id: str
    """Names the puzzle for ever: it follows from the position and the seat."""
    players: int
    options: dict[str, Any]
    seat: int
    """Whose move it is."""
    theme: str
    """What decides it, from its first reason (see `games.reason_types`), or `denied`."""
    degree: int
    """How hard it is, from 1 to 3: how many weaker judges choose another move."""
    move: dict[str, Any]
    """The best move."""
    instead: dict[str, Any]
    """The move that tempts most: the choice of the greedy bot, or else what comes nearest."""
    share: float
    """The seat's chance to win after the best move."""
    lead: float
    """By how much the best move is worth more than the next, from 0 to 1: mostly the chance to win."""
    sure: float
    """Half of the 95 % interval of that."""
    costs: list[int]
    """By legal move, in the order of their ids, how many thousandths of the chance to win it costs."""
    reasons: list[dict[str, Any]]
    """What speaks for the best move beside `instead`, as data (see `games.reason_types`)."""
    view: dict[str, Any]
    """The whole position; what the seat cannot see is drawn, not what it was in the game."""


class PuzzleFile(Plain, frozen=True, kw_only=True):
    """The puzzles of a game and how they were made."""

    game: str
    rules: int
    """The version of the rules."""
    edition: str
    lampion: str
    """The version that made them."""
    version: int
    """Of how figures are computed."""
    command: str
    seed: int
    games: int
    """Games that were looked through, so that making more goes on from there."""
    found: Settings
    """The effort with which they were found."""
    confirmed: Settings
    """The effort with which they were confirmed."""
    puzzles: list[Puzzle]

    def to_json(self) -> bytes:
        """Return the file: a line a puzzle."""
        head = msgspec.to_builtins(self)
        lines = b",\n".join(msgspec.json.encode(one) for one in head.pop("puzzles"))
        return msgspec.json.encode(head)[:-1] + b',"puzzles":[\n' + lines + b"\n]}\n"


def parsed(data: bytes) -> PuzzleFile:
    """Return the puzzles in a file; raise BadPuzzle with what is wrong with it."""
    try:
        return msgspec.json.decode(data, type=PuzzleFile)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        raise BadPuzzle("puzzles.wrong") from None


def read(path: Path) -> PuzzleFile:
    """Return the puzzles in a file; raise BadPuzzle where it cannot be read or is not one of puzzles."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_FILE + 1)
    except (OSError, ValueError) as error:
        raise BadPuzzle("puzzles.unreadable", file=str(path), detail=why(error)) from None
    if len(data) > MOST_FILE:
        raise BadPuzzle("puzzles.size", most=MOST_FILE)
    return parsed(data)


@cache
def shipped(name: str) -> PuzzleFile | None:
    """Return the puzzles of an installed game; None where it brings none."""
    path = registry.game(name).folder / FILE
    return read(path) if path.is_file() else None


def position_of(game: str, puzzle: Puzzle) -> Position:
    """Return the position of a puzzle, in the standard edition."""
    return Position.from_view(game, puzzle.players, puzzle.options, puzzle.view, components=standard(game))


def name_of(position: Position, seat: int) -> str:
    """Return the id of a puzzle: a few letters that follow from what a seat sees of a position."""
    seen = msgspec.json.encode([position.players, seat, position.view(seat)])
    return hashlib.sha256(seen).hexdigest()[:8]


def theme_of(game: Game, reasons: Sequence[Reason], seat: int) -> str | None:
    """Return the theme of a move: that of the first reason that speaks for it and says more than what the move is.

    None where there is no such reason.
    """
    first = next((reason for reason in reasons if favour(reason, seat) > 0 and not reason.restates), None)
    if first is None:
        return None
    if getattr(first, "seat", seat) != seat:
        return DENIED
    named = getattr(game.reasons, "theme", None)
    return first.kind if named is None else str(named(first))
