"""The bodies of HTTP requests and responses; web/src/messages.ts has them in TypeScript."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from lampion import bounds
from lampion.games.move_types import Event
from lampion.play.outcome import Outcome
from lampion.play.record import Note
from lampion.server.protocol.fields import Digest, Fields, Level, Name, SeatNumber, Token
from lampion.server.protocol.stored_events import MOST_ABSENCE, MOST_HINTS, USUAL_ABSENCE, Clock


class SeatPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A seat of a new table: free, a bot, or somebody at the maker's own screen."""

    kind: Literal["open", "bot", "screen"] = "open"
    name: Name | None = None
    level: Level | None = None
    commit: Digest | None = None
    """Of somebody at the maker's screen: the commitment to a nonce."""


class NewTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """POST /api/tables: make a table."""

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[list[SeatPlan], Meta(min_length=1, max_length=8)]
    options: Fields = {}
    components: msgspec.Raw = msgspec.Raw()
    """An edition as an object, in place of the game's own; left as it was sent, for another process to read."""
    edition: Annotated[str, Meta(max_length=bounds.MOST_EDITION)] | None = None
    """An edition as the text of its file, in place of `components`."""
    clock: Clock = Clock()
    absence: Annotated[int, Meta(ge=0, le=MOST_ABSENCE)] = USUAL_ABSENCE
    hints: Annotated[int, Meta(ge=0, le=MOST_HINTS)] = 0
    """How many hints each seat may ask for in the game; MOST_HINTS: as many as one likes."""
    start: bool = False


class NewTutorial(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """POST /api/tutorials/{game}: a table at which the asker is taught a game."""

    name: Name | None = None


class UnfinishedRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/tables/{table}/unfinished: the game so far as a file, for whoever holds all seats of people."""

    tokens: Annotated[list[Token], Meta(max_length=9)]


class MadeTable(msgspec.Struct, frozen=True, kw_only=True):
    """The answer: where it is, the host's token, and those of the seats at the maker's own screen."""

    table: str
    host: str
    tokens: dict[int, str]
    promise: str


class KickRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/admin/tables/{table}/kick: whose seat to take; during a game a bot of that level plays on."""

    seat: SeatNumber
    level: Level | None = None


class NoteRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/tables/{table}/replay/{ply}/note: what a player writes about a moment; an empty text takes it back."""

    text: Annotated[str, Meta(max_length=bounds.MOST_NOTE, pattern=bounds.VISIBLE)]


class SummaryRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/tables/look: the ids of tables to summarize."""

    tables: Annotated[list[Annotated[str, Meta(max_length=64)]], Meta(max_length=50)]


class SeatSummary(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat in a table's summary. `level` of a person: the bot that plays for them."""

    kind: Literal["free", "human", "bot"]
    name: str = ""
    level: str | None = None


class TableSummary(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The summary of a table. `gone`: there is none with that id, or no longer."""

    id: str
    status: Literal["open", "playing", "over", "closed", "gone"]
    game: str = ""
    players: int = 0
    made: int = 0
    changed: int = 0
    seq: int = 0
    seats: list[SeatSummary] = []
    pending: list[int] = []
    result: Outcome | None = None
    next: str | None = None
    aborted: bool = False
    """Whether it was closed between the seal of the commitments and the start of the game."""
    broken: str | None = None
    sockets: int = 0


class Step(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A move of a replayed game: `seat` -1 is chance; `move` is missing where the viewer could not tell which."""

    seat: int
    move: Any = None
    notation: str | None = None
    events: list[Event]
    told: list[str]
    """The events in words."""
    gains: list[int] = []
    """The points that each event added to the mover's score; missing where no event says such points."""
    milliseconds: int | None = None
    scores: list[int]
    """The scores after the move."""


class Player(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player, as the record names them."""

    name: str
    kind: Literal["human", "bot"] = "human"
    level: str | None = None
    version: str | None = None


class Story(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A game from its set-up to its last move; views are asked for by ply."""

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
    """The viewer's seat; missing where all is seen."""
    last: int
    opening: list[Event]
    steps: list[Step]
    hints: list[int] = []
    """By seat, the hints that it was given; missing where the game was played without hints."""
    notes: list[Note] = []
    """What was written about moments, in their order."""
    result: Outcome | None = None


class Scene(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A replayed game after `ply` moves."""

    ply: int
    last: int
    seat: int | None = None
    view: Any
    pending: list[int]
    count: Outcome
    """The score as it stood."""


class Server(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """GET /api/server: the server's version, and the address for invitations."""

    version: str
    protocol: int
    languages: list[str]
    address: str
    """The address by which others reach this server; it ends with a slash."""
    alone: bool = False
    """Whether that address works on this machine only."""


HTTP_TYPES = (
    NewTable,
    NewTutorial,
    UnfinishedRequest,
    MadeTable,
    NoteRequest,
    SummaryRequest,
    TableSummary,
    Story,
    Scene,
    Server,
)
