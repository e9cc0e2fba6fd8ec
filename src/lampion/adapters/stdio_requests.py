"""What a program may ask for, one JSON object a line, tagged by `do`; docs/stdio.md explains every one."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, UnsetType, field

from lampion.games.move_types import Plain
from lampion.play.record import SeatInfo

Seat = int | Literal["chance"]
Move = int | str | dict[str, Any]
"""A move by its id, in notation, or as data."""
Viewer = int | None | UnsetType
"""A seat, a spectator, or, where the field is left out, somebody who sees everything."""


class Asked(Plain, frozen=True, kw_only=True, tag_field="do", tag=str.lower):
    """A request; its `id`, if any, comes back with the answer."""

    id: int | str | None = None


class Games(Asked, frozen=True, kw_only=True):
    """Which games there are."""


class Start(Asked, frozen=True, kw_only=True):
    """What every game begins with: how many play, by which options, with which box, and where chance comes from."""

    game: str
    players: int
    options: dict[str, Any] = field(default_factory=dict)
    components: dict[str, Any] | None = None
    seed: int | None = None
    chance: Literal["manual", "entropy"] | None = None
    viewer: Viewer = UNSET


class New(Start, frozen=True, kw_only=True):
    """A game from its set-up."""


class Set(Start, frozen=True, kw_only=True):
    """A game from any position, given as the view that sees everything."""

    position: dict[str, Any]


class Load(Asked, frozen=True, kw_only=True):
    """A game from its record, where it stands at the end of it."""

    record: dict[str, Any]
    viewer: Viewer = UNSET


class Legal(Asked, frozen=True, kw_only=True):
    """What a seat, or chance, may do; without a seat, who acts next. `ids` alone are quicker to list."""

    seat: Seat | None = None
    ids: bool = False


class Play(Asked, frozen=True, kw_only=True):
    """Make a move; without a seat, who acts next makes it."""

    move: Move
    seat: Seat | None = None
    viewer: Viewer = UNSET


class Bot(Asked, frozen=True, kw_only=True):
    """Let a bot choose for a seat; without a seat, for who acts next. It plays what it chose unless `play` is false."""

    level: str
    ms: int | None = None
    sims: int | None = None
    seat: int | None = None
    play: bool = True
    viewer: Viewer = UNSET


class Preview(Asked, frozen=True, kw_only=True):
    """What each of these moves would do, one by one, up to the next draw or roll."""

    moves: list[Move]
    seat: Seat | None = None
    viewer: Viewer = UNSET


class Undo(Asked, frozen=True, kw_only=True):
    """One decision back."""


class View(Asked, frozen=True, kw_only=True):
    """What a seat sees, or a spectator (null), or somebody from whom nothing is hidden."""

    seat: int | None = None
    everything: bool = False


class Picture(Asked, frozen=True, kw_only=True):
    """The same as text for people."""

    seat: int | None = None
    everything: bool = False


class Result(Asked, frozen=True, kw_only=True):
    """How the game ended."""


class Record(Asked, frozen=True, kw_only=True):
    """The game so far, as it would be saved; `seats` tells who played."""

    seats: list[SeatInfo] | None = None


REQUESTS = (Games, New, Set, Load, Legal, Play, Bot, Preview, Undo, View, Picture, Result, Record)
Request = Games | New | Set | Load | Legal | Play | Bot | Preview | Undo | View | Picture | Result | Record
