"""What plain HTTP answers, as types; web/src/messages.ts has them in TypeScript."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from lampion.games.move_types import Event
from lampion.play.outcome import Outcome


class Look(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/tables/look: which tables to glance at."""

    tables: Annotated[list[Annotated[str, Meta(max_length=64)]], Meta(max_length=50)]


class SeatGlance(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat of a table at a glance. `level` of a person: the bot that plays for them."""

    kind: Literal["free", "human", "bot"]
    name: str = ""
    level: str | None = None


class Glance(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A table at a glance. `gone`: there is none by that id, or no more."""

    id: str
    status: Literal["open", "playing", "over", "closed", "gone"]
    game: str = ""
    players: int = 0
    made: int = 0
    changed: int = 0
    seq: int = 0
    seats: list[SeatGlance] = []
    pending: list[int] = []
    result: Outcome | None = None
    next: str | None = None
    aborted: bool = False
    """Whether it was closed between the seal of the commitments and the start of the game."""
    broken: str | None = None
    sockets: int = 0


class Step(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A move of a game that is looked at: `seat` -1 is chance; `move` is missing where the viewer could not tell."""

    seat: int
    move: Any = None
    events: list[Event]
    told: list[str]
    """The events in words."""
    milliseconds: int | None = None
    scores: list[int]
    """As they stood after it."""


class Player(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who played, as the record says it."""

    name: str
    kind: Literal["human", "bot"] = "human"
    level: str | None = None
    version: str | None = None


class Story(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A game from its set-up to its last move; the view at a ply is asked for by itself."""

    game: str
    rules: int
    players: int
    options: dict[str, Any]
    edition: str
    standard: bool
    seats: list[Player]
    date: str
    chance: Literal["seeded", "entropy", "manual", "promised"]
    seat: int | None = None
    """Through whose eyes; missing: all is seen."""
    last: int
    opening: list[Event]
    steps: list[Step]
    result: Outcome | None = None


class Scene(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A game that is looked at, after so many moves."""

    ply: int
    last: int
    seat: int | None = None
    view: Any
    pending: list[int]
    count: Outcome
    """The score as it stood."""


class Server(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """GET /api/server: who answers, and the address that an invitation should carry."""

    version: str
    protocol: int
    languages: list[str]
    address: str
    """By which others reach this server; it ends with a slash."""
    alone: bool = False
    """Only this machine can be reached by it."""


REPLIES = (Look, Glance, Story, Scene, Server)
