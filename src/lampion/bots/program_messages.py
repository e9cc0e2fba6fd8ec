"""Messages to and from a program that plays, one JSON object in each line; docs/bots.md is their manual.

It gets what its seat knows and nothing else: no chance, no other seat. Every question is complete in itself, so a
program needs no memory.
"""

from __future__ import annotations

from typing import Any

import msgspec

from lampion.games.move_types import Event, Plain, notation
from lampion.play.outcome import Outcome
from lampion.play.record import EditionInfo
from lampion.play.sight import Sight


class Listed(Plain, frozen=True):
    """A move in all the ways to write it; any of them is an answer."""

    id: int
    notation: str
    move: Any


class Asked(Plain, frozen=True, tag_field="ask"):
    """A line to the program."""


class AskNew(Asked, frozen=True, tag="new"):
    """A game begins. It is not answered."""


class AskMove(Asked, frozen=True, kw_only=True, tag="move"):
    """Choose one of `moves`. `events` are what happened since the last question of this game, as the seat knows it."""

    game: str
    players: int
    seat: int
    options: dict[str, Any]
    edition: EditionInfo
    view: Any
    events: list[Event]
    moves: list[Listed]
    ms: int
    """Milliseconds to answer in."""


class AskEnd(Asked, frozen=True, tag="end"):
    """The game has ended; null where it was broken off. It is not answered."""

    result: Outcome | None


Ask = AskNew | AskMove | AskEnd


class Answered(msgspec.Struct, frozen=True):
    """What the program answers: a move by its id, in notation or as data. Other names are its own business."""

    move: int | str | dict[str, Any]


def question(sight: Sight, since: int, ms: int) -> AskMove:
    """Return the question for a program whose seat owes a decision."""
    return AskMove(
        game=sight.game.name,
        players=sight.players,
        seat=sight.seat,
        options=dict(sight.options),
        edition=EditionInfo(sight.edition.hash, dict(sight.edition.data)),
        view=sight.view(),
        events=sight.events(since),
        moves=[Listed(id, notation(move), move) for id, move in zip(sight.ids.tolist(), sight.moves, strict=True)],
        ms=ms,
    )


def line(ask: Ask) -> bytes:
    """Return a message as the bytes of a line."""
    return msgspec.json.encode(ask) + b"\n"
