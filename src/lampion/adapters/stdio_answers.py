"""What `lampion stdio` answers, as types: the JSON Schemas are written from them; docs/stdio.md explains every one."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType

from lampion.adapters.stdio_requests import Seat
from lampion.games.move_types import Event, Plain
from lampion.play.outcome import Outcome
from lampion.play.record import Record

Yes = Annotated[bool, Meta(extra_json_schema={"const": True})]
No = Annotated[bool, Meta(extra_json_schema={"const": False})]


class Answered(Plain, frozen=True, kw_only=True):
    """An answer, with the `id` of its request if that had one."""

    ok: Yes
    id: int | str | UnsetType = UNSET


class Refused(Plain, frozen=True, kw_only=True):
    """A request that was refused: a code for programs, a sentence for people."""

    ok: No
    id: int | str | UnsetType = UNSET
    error: str
    reason: str


class Turn(Answered, frozen=True, kw_only=True):
    """Who acts next, and everybody who owes a decision."""

    actor: Seat | None
    pending: list[int]


class OptionTraits(Plain, frozen=True):
    """An option of a game, its default and its choices by number of players."""

    name: str
    default: dict[str, Any]
    choices: dict[str, list[Any]]


class GameTraits(Plain, frozen=True, kw_only=True):
    """What may be known of a game without playing it."""

    name: str
    rules: int
    edition: str
    players: list[int]
    hidden: bool
    simultaneous: bool
    ids: int
    longest: int
    options: list[OptionTraits]


class Games(Answered, frozen=True, kw_only=True):
    """To `games`."""

    games: list[GameTraits]


class Begun(Turn, frozen=True, kw_only=True):
    """To `new`, `set` and `load`."""

    game: str
    players: int
    options: dict[str, Any]
    events: list[Event]


class ListedMove(Plain, frozen=True, kw_only=True):
    """A move in all the ways to write it; with a weight where chance makes it."""

    id: int
    notation: str
    move: dict[str, Any]
    weight: int | UnsetType = UNSET


class Moves(Turn, frozen=True, kw_only=True):
    """To `legal`; `source` is the number of the pile, bag or die that chance draws from."""

    source: int | UnsetType = UNSET
    moves: list[ListedMove]


class Ids(Turn, frozen=True, kw_only=True):
    """To `legal` with `ids`."""

    source: int | UnsetType = UNSET
    ids: list[int]


class Played(Turn, frozen=True, kw_only=True):
    """To `play`."""

    events: list[Event]


class Chosen(Turn, frozen=True, kw_only=True):
    """To `bot`; `events` where it was played."""

    seat: int
    move: dict[str, Any]
    notation: str
    simulations: int
    events: list[Event] | UnsetType = UNSET


class Previews(Answered, frozen=True, kw_only=True):
    """To `preview`."""

    previews: list[list[Event]]


class Undone(Turn, frozen=True, kw_only=True):
    """To `undo`."""

    undone: list[tuple[int | Literal["chance"], dict[str, Any]]]


class View(Answered, frozen=True, kw_only=True):
    """To `view`; what is in it is the game's."""

    view: dict[str, Any]


class Picture(Answered, frozen=True, kw_only=True):
    """To `picture`."""

    picture: str


class Result(Answered, frozen=True, kw_only=True):
    """To `result`."""

    result: Outcome | None


class Recorded(Answered, frozen=True, kw_only=True):
    """To `record`."""

    record: Record


ANSWERS = (Refused, Games, Begun, Moves, Ids, Played, Chosen, Previews, Undone, View, Picture, Result, Recorded)
