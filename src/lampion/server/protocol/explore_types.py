"""The bodies of HTTP requests and responses about positions that are explored and set up by hand."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from lampion.games.setup_types import Choice, Placing, Stepper
from lampion.insight.board_worth import BoardWorth
from lampion.insight.explorer import Explored, ExploredOutlook
from lampion.server.protocol.fields import Fields, SeatNumber

MOST_NODES = 4000
"""Moves of a tree that is kept."""
Given = dict[str, Any]
"""A record as it was sent: another process reads it."""


class NewBoard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """POST /api/explore/new: the record of a game that has not begun, to explore."""

    game: Annotated[str, Meta(max_length=40)]
    players: Annotated[int, Meta(ge=1, le=8)]


class ExploreRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """POST /api/explore: a line, as a record that need not be over, and whose eyes look at it.

    Without `seat` everything is seen. `since` asks for the steps after that many moves; `draw` lets chance move before.
    """

    record: Given
    seat: SeatNumber | None = None
    since: Annotated[int, Meta(ge=0, le=1 << 40)] | None = None
    draw: Literal["one", "all"] | None = None


class ExplorePreview(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """POST /api/explore/preview: what moves would do there."""

    record: Given
    seat: SeatNumber | None = None
    moves: Annotated[list[Fields], Meta(min_length=1, max_length=400)]
    views: bool = False


class ExploreOutlooks(msgspec.Struct, frozen=True):
    """The answer, in the order asked."""

    outlooks: list[ExploredOutlook]


class SetUpRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """POST /api/explore/setup: change a position by hand: a control by its name, or all of it as a view.

    Without a change: what can be changed.
    """

    record: Given
    name: Annotated[str, Meta(max_length=80)] | None = None
    value: int | Annotated[str, Meta(max_length=80)] | None = None
    view: dict[str, Any] | None = None


class SetUpBoard(msgspec.Struct, frozen=True, kw_only=True):
    """The answer: the record of a game that begins at that position, the position as data, and what can be changed."""

    record: Given
    view: Any
    controls: list[Stepper | Choice | Placing]


class WorthRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """POST /api/explore/worth: what a position is worth, by what a seat knows, or without a seat by all there is."""

    record: Given
    seat: SeatNumber | None = None


class BoardNode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move of a tree of variations: after which other it was made, -1 for the first of a line; seat -1 is chance."""

    parent: Annotated[int, Meta(ge=-1, lt=MOST_NODES)]
    seat: Annotated[int, Meta(ge=-1, le=7)]
    move: Fields


class SavedBoard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """POST /api/explore/saved: a tree of variations, and GET /api/explore/saved/{board}: the same again.

    `record` is where it begins, without moves; a node comes after its parent, the main line before its variations;
    `at` is the node that is looked at, -1 for the beginning.
    """

    record: Given
    nodes: Annotated[list[BoardNode], Meta(max_length=MOST_NODES)]
    at: Annotated[int, Meta(ge=-1, lt=MOST_NODES)]


class KeptBoard(msgspec.Struct, frozen=True):
    """The answer: under which id it is kept."""

    board: str


EXPLORE_TYPES: tuple[Any, ...] = (
    NewBoard, ExploreRequest, Explored, ExplorePreview, ExploreOutlooks, SetUpRequest, SetUpBoard, WorthRequest,
    BoardWorth, SavedBoard, KeptBoard,
)  # fmt: skip
