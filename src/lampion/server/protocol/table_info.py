"""A table as everybody sees it: part of every update, and the answer to a request for a table."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from lampion.play.outcome import Outcome
from lampion.server.protocol.stored_events import Clock


class SeatInfo(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A seat as everybody sees it. `level` of a person: the bot that plays for them."""

    kind: Literal["free", "human", "bot"]
    name: str = ""
    """What the seat is called, a bot in the receiver's language."""
    level: str | None = None
    here: bool = False
    remaining: int | None = None
    """Milliseconds left on the clock; it runs while `thinks`."""
    thinks: bool = False
    commit: str = ""
    """The SHA-256 of the nonce that a person's client will reveal, or has revealed."""
    nonce: str = ""
    """What was revealed. A seat with `commit` and without `nonce` did not reveal it, once the game has begun."""
    hints: int = 0
    """How many hints it was given."""
    undos: int = 0
    """How often draws were taken back because this seat asked for it."""


class Wanted(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A step back that waits for the others."""

    seat: int
    ply: int
    waits_for: list[int]


class Guide(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The present step of a guided game, in the receiver's language."""

    step: int
    steps: int
    """How many steps there are."""
    seat: int
    """The learner's."""
    say: str
    ask: str | None = None
    """What the learner is to do; missing where there is only something to read."""
    point: list[str] = []
    """The parts of the board that it speaks of."""
    move: Any = None
    """A move that is right, for somebody who asks for help."""


class TableInfo(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A table as everybody sees it."""

    id: str
    game: str
    rules: int = 1
    """The version of the rules that it is played by."""
    players: int
    hidden: bool
    """Whether a seat may know what others do not: people who share a screen need a curtain then."""
    options: dict[str, Any]
    edition: str
    standard: bool
    clock: Clock
    absence: int
    """Seconds that somebody must be away before the host may let a bot play for them."""
    promise: str
    """The SHA-256 of the secret."""
    seal: str | None = None
    """The hash of the promise, the terms of the game and all commitments, once they are fixed."""
    status: Literal["open", "playing", "over", "closed"]
    seats: list[SeatInfo]
    ply: int
    pending: list[int]
    paused: bool = False
    undo: Wanted | None = None
    watchers: int = 0
    after: str | None = None
    next: str | None = None
    guide: Guide | None = None
    """Where somebody is being taught the game."""
    tutorial: bool = False
    """Whether it began as a guided game: its chance was in the script."""
    exercises: bool = False
    """Whether it did, and its game brings exercises."""
    broken: str | None = None
    hints: int = 0
    """How many hints each seat may ask for; 1000: as many as one likes."""
    continued: bool = False
    """Whether its first moves are those of another game, or all of them: nothing was promised for their draws."""
    secret: str | None = None
    result: Outcome | None = None
