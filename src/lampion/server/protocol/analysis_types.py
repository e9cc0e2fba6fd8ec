"""The bodies of HTTP requests and responses about analyses, exercises and games that are played on."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from lampion.server.protocol.fields import Fields, Level, Name, SeatNumber
from lampion.server.protocol.messages import Outlook, SeatView


class AnalysisState(msgspec.Struct, frozen=True, omit_defaults=True):
    """How far the analysis of a game is. `done` of `total` parts are through; both are 0 while it waits."""

    state: Literal["none", "waiting", "making", "done", "failed"]
    done: int = 0
    total: int = 0


class ReportMoment(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A decision, or the draws between two decisions, and by how much it changed a seat's chance to win."""

    first: int
    """The number of moves made with the first move of it."""
    last: int
    kind: Literal["decision", "luck"]
    mover: int | None = None
    seat: int
    change: float
    told: str
    """What happened."""
    better: str = ""
    """Of a decision: what would have been better."""


class ReportPlayer(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A player's game in figures: chances to win from 0 to 1, and what changed them."""

    seat: int
    points: int
    accuracy: float | None = None
    """From 0, no better than random moves, to 100, nothing lost; missing where there was nothing to decide."""
    decisions: int
    costly: int
    start: float
    luck: float
    cost: float
    gifts: float
    """What the others' decisions changed."""
    unforeseen: float
    end: float
    best: ReportMoment | None = None
    worst: ReportMoment | None = None


class ReportDecision(msgspec.Struct, frozen=True, kw_only=True):
    """A decision that cost something."""

    ply: int
    """The number of moves made with it."""
    seat: int
    cost: float
    """How much of the chance to win it cost."""
    sure: float
    """Half of the 95 % interval of that."""
    options: int
    played: str
    better: str
    why: list[str]


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """GET /api/tables/{table}/analysis/report: what decided a game, in the asker's language."""

    game: str
    names: list[str]
    bots: list[bool]
    shares: list[list[float]]
    """Everybody's chance to win, at the start and after every move."""
    movers: list[int]
    """Who made each move; -1 is chance."""
    players: list[ReportPlayer]
    turning_points: list[ReportMoment]
    decisions: list[ReportDecision]
    source: Literal["net", "estimate"]
    simulations: int


class DecisionScenes(msgspec.Struct, frozen=True, kw_only=True):
    """GET /api/tables/{table}/analysis/{ply}: a decision as its seat knew it, and what followed from two moves."""

    ply: int
    seat: int
    pending: list[int]
    before: SeatView
    """With all moves that could be made."""
    played: Outlook
    best: Outlook


class PreviewRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """POST /api/tables/{table}/analysis/{ply}/preview: moves that somebody thinks of in an exercise."""

    moves: Annotated[list[Fields], Meta(min_length=1, max_length=400)]
    views: bool = False


class PreviewAnswer(msgspec.Struct, frozen=True):
    """What they would do, in the order asked."""

    outlooks: list[Outlook]


class TryRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/tables/{table}/analysis/{ply}/try: a move in the place of the one that was played."""

    move: Fields


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """How good that move is, by what the seat knew."""

    is_good: bool
    """Whether no move is better by more than the noise."""
    share: float
    """The chance to win after it."""
    best_share: float
    cost: float
    """By how much the best move is worth more; 0 within the noise."""
    sure: float
    why: list[str]
    """What speaks for the best move beside this one, in words."""


class PlayOnRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """POST /api/tables/{table}/replay/{ply}/play: a new table that begins at that moment, against bots."""

    seat: SeatNumber
    name: Name
    level: Level = "lantern"


ANALYSIS_TYPES: tuple[Any, ...] = (
    AnalysisState, Report, DecisionScenes, PreviewRequest, PreviewAnswer, TryRequest, Judgement, PlayOnRequest,
)  # fmt: skip
