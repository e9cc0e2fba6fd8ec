"""The moves of Lanternes: typed, as ids, and as short texts such as `16@-1,2/1`, `P>R`, `WWOORR`, `-R` or `+16`."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any, Literal

from lampion.games.core import IllegalMove
from lampion.games.lanternes.state import (
    COLOURS,
    DISCARDS,
    DRAWS,
    EXCHANGES,
    FIRSTS,
    FOURS,
    LETTERS,
    PAIRS_OF,
    PASS,
    PLACES,
    RANKS,
    REACH,
    SEATS,
    SEVENS,
    TILES,
    cell_at,
    coordinates,
    has_tile,
)
from lampion.games.move_types import NUMBER, Field, Form, Typed, one_of
from lampion.locale import short

Colour = Literal["W", "O", "R", "P", "B", "G", "K"]
TRIPLES_OF_COLOURS = tuple(combinations(range(COLOURS), 3))
"""Three different colours, in the order of the ids of three pairs."""


COLOUR = one_of(LETTERS)
COORDINATE = Field("-?[0-9]{1,2}")


class RewardForm(Form):
    """How a combination is written: by its cards."""

    def __init__(self) -> None:
        one = rf"([{LETTERS}])"
        self._pattern = re.compile(rf"{one}\1\1\1|{one}\2{one}\3{one}\4|{LETTERS}")

    def write(self, move: Reward) -> str:
        """Return a move as text."""
        if move.combination == "four":
            return move.colours[0] * 4
        return "".join(colour * 2 for colour in move.colours) if move.combination == "pairs" else LETTERS

    def read(self, text: str) -> dict[str, Any] | None:
        """Return the fields of the move that a text stands for, or None if it is not of this form."""
        found = self._pattern.fullmatch(text)
        if found is None:
            return None
        if found[1]:
            return {"combination": "four", "colours": found[1]}
        if found[2]:
            return {"combination": "pairs", "colours": found[2] + found[3] + found[4]}
        return {"combination": "seven", "colours": LETTERS}


class First(Typed, frozen=True, tag="first"):
    """Chance: who is first."""

    form = Form("first:{seat}")
    seat: int


class Draw(Typed, frozen=True, tag="draw"):
    """Chance: a tile from the pile."""

    form = Form("+{tile}", tile=NUMBER)
    tile: int


class Exchange(Typed, frozen=True, tag="exchange"):
    """Two boats and a card for a card of another colour."""

    form = Form("{give}>{take}", give=COLOUR, take=COLOUR)
    give: Colour
    take: Colour


class Reward(Typed, frozen=True, tag="reward"):
    """A combination of cards for the top card of its stack; `colours` names those paid, each once."""

    form = RewardForm()
    combination: Literal["four", "pairs", "seven"]
    colours: str | list[Colour]


class Discard(Typed, frozen=True, tag="discard"):
    """One card back to the supply."""

    form = Form("-{colour}", colour=COLOUR)
    colour: Colour


class Place(Typed, frozen=True, tag="place"):
    """A tile from hand onto the lake, turned by clockwise quarters."""

    form = Form("{tile}@{x},{y}/{turn}", tile=NUMBER, x=COORDINATE, y=COORDINATE, turn=Field("[0-3]"))
    tile: int
    x: int
    y: int
    turn: int


class Pass(Typed, frozen=True, tag="pass"):
    """Nothing in this step."""

    form = Form("pass")


Move = First | Draw | Exchange | Reward | Discard | Place | Pass


def move(box: Any, state: Any, id: int) -> Move:
    """Return the typed move that an id stands for in this position."""
    if id >= FIRSTS:
        return First(id - FIRSTS)
    if id >= DRAWS:
        return Draw(id - DRAWS)
    if id == PASS:
        return Pass()
    if id >= DISCARDS:
        return Discard(LETTERS[id - DISCARDS])  # type: ignore[arg-type]
    if id == SEVENS:
        return Reward("seven", LETTERS)
    if id >= PAIRS_OF:
        return Reward("pairs", "".join(LETTERS[colour] for colour in TRIPLES_OF_COLOURS[id - PAIRS_OF]))
    if id >= FOURS:
        return Reward("four", LETTERS[id - FOURS])
    if id >= EXCHANGES:
        give, take = divmod(id - EXCHANGES, COLOURS)
        return Exchange(LETTERS[give], LETTERS[take])  # type: ignore[arg-type]
    code, rank = divmod(id - PLACES, RANKS)
    x, y = coordinates(int(state.border[rank]))
    return Place(code >> 2, x, y, code & 3)


def id_of(box: Any, state: Any, move: Move) -> int:
    """Return the id of a typed move in this position; raise IllegalMove, which says why it has none."""
    match move:
        case First(seat) if 0 <= seat < SEATS:
            return FIRSTS + seat
        case Draw(tile) if 0 <= tile < TILES:
            return DRAWS + tile
        case Exchange(give, take):
            return EXCHANGES + LETTERS.index(give) * COLOURS + LETTERS.index(take)
        case Reward(combination, colours):
            return reward_id(combination, "".join(colours))
        case Discard(colour):
            return DISCARDS + LETTERS.index(colour)
        case Place(tile, x, y, turn) if 0 <= tile < TILES and 0 <= turn < 4:
            # Rotations that look the same have one id.
            return PLACES + (tile * 4 + turn % int(box.turns[tile])) * RANKS + rank_of(state, x, y)
        case Pass():
            return PASS
    raise IllegalMove("lanternes.illegal.number")


def reward_id(combination: str, colours: str) -> int:
    """Return the id of a reward; each colour is named once, or once for every card."""
    chosen = sorted(LETTERS.find(colour) for colour in colours)
    kinds = sorted(set(chosen))
    if combination == "seven" and chosen in ([], list(range(COLOURS))):
        return SEVENS
    if -1 not in kinds:
        if combination == "four" and len(kinds) == 1 and chosen in (kinds, kinds * 4):
            return FOURS + kinds[0]
        if combination == "pairs" and len(kinds) == 3 and chosen in (kinds, sorted(kinds * 2)):
            return PAIRS_OF + TRIPLES_OF_COLOURS.index(tuple(kinds))
    raise IllegalMove("lanternes.illegal.combination", colours=short(colours))


def rank_of(state: Any, x: int, y: int) -> int:
    """Return the rank of a place among those where a tile can lie; raise IllegalMove where none can."""
    if max(abs(x), abs(y)) < REACH:
        cell = cell_at(x, y)
        if has_tile(state, cell):
            raise IllegalMove("lanternes.illegal.occupied", x=x, y=y)
        for rank in range(state.border_count):
            if state.border[rank] == cell:
                return rank
    raise IllegalMove("lanternes.illegal.apart", x=x, y=y)
