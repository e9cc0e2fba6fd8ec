"""The moves of Lanternes: each with its fields, its short notation and its ids, declared in one place."""

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
from lampion.games.move_types import Typed, unreadable
from lampion.locale import short

Colour = Literal["W", "O", "R", "P", "B", "G", "K"]
TRIPLES_OF_COLOURS = tuple(combinations(range(COLOURS), 3))
"""Three different colours, in the order of the ids of three pairs."""


class First(Typed, frozen=True, tag="first"):
    """Chance: who is first."""

    seat: int

    PATTERN = re.compile(r"first:(\d)", re.ASCII)

    @classmethod
    def read(cls, found: re.Match[str]) -> First:
        return cls(int(found[1]))

    @classmethod
    def at(cls, box: Any, state: Any, id: int) -> First:
        return cls(id - FIRSTS)

    def notation(self) -> str:
        return f"first:{self.seat}"

    def id(self, box: Any, state: Any) -> int:
        if not 0 <= self.seat < SEATS:
            raise unknown_number(self)
        return FIRSTS + self.seat


class Draw(Typed, frozen=True, tag="draw"):
    """Chance: a tile from the pile."""

    tile: int

    PATTERN = re.compile(r"\+(\d{1,2})", re.ASCII)

    @classmethod
    def read(cls, found: re.Match[str]) -> Draw:
        return cls(int(found[1]))

    @classmethod
    def at(cls, box: Any, state: Any, id: int) -> Draw:
        return cls(id - DRAWS)

    def notation(self) -> str:
        return f"+{self.tile}"

    def id(self, box: Any, state: Any) -> int:
        if not 0 <= self.tile < TILES:
            raise unknown_number(self)
        return DRAWS + self.tile


class Exchange(Typed, frozen=True, tag="exchange"):
    """Two boats and a card for a card of another colour."""

    give: Colour
    take: Colour

    PATTERN = re.compile(rf"([{LETTERS}])>([{LETTERS}])")

    @classmethod
    def read(cls, found: re.Match[str]) -> Exchange:
        return cls(found[1], found[2])  # type: ignore[arg-type]

    @classmethod
    def at(cls, box: Any, state: Any, id: int) -> Exchange:
        give, take = divmod(id - EXCHANGES, COLOURS)
        return cls(LETTERS[give], LETTERS[take])  # type: ignore[arg-type]

    def notation(self) -> str:
        return f"{self.give}>{self.take}"

    def id(self, box: Any, state: Any) -> int:
        return EXCHANGES + LETTERS.index(self.give) * COLOURS + LETTERS.index(self.take)


class Reward(Typed, frozen=True, tag="reward"):
    """A combination of cards for the top card of its stack; `colours` names those paid, each once."""

    combination: Literal["four", "pairs", "seven"]
    colours: str | list[Colour]

    PATTERN = re.compile(rf"([{LETTERS}])\1\1\1|([{LETTERS}])\2([{LETTERS}])\3([{LETTERS}])\4|{LETTERS}")

    @classmethod
    def read(cls, found: re.Match[str]) -> Reward:
        if found[1]:
            return cls("four", found[1])
        return cls("pairs", found[2] + found[3] + found[4]) if found[2] else cls("seven", LETTERS)

    @classmethod
    def at(cls, box: Any, state: Any, id: int) -> Reward:
        if id == SEVENS:
            return cls("seven", LETTERS)
        if id >= PAIRS_OF:
            return cls("pairs", "".join(LETTERS[colour] for colour in TRIPLES_OF_COLOURS[id - PAIRS_OF]))
        return cls("four", LETTERS[id - FOURS])

    def notation(self) -> str:
        if self.combination == "four":
            return self.colours[0] * 4
        return "".join(colour * 2 for colour in self.colours) if self.combination == "pairs" else LETTERS

    def id(self, box: Any, state: Any) -> int:
        """Accept each colour once, or once for every card."""
        chosen = sorted(LETTERS.find(colour) for colour in "".join(self.colours))
        kinds = sorted(set(chosen))
        if self.combination == "seven" and chosen in ([], list(range(COLOURS))):
            return SEVENS
        if -1 not in kinds:
            if self.combination == "four" and len(kinds) == 1 and chosen in (kinds, kinds * 4):
                return FOURS + kinds[0]
            if self.combination == "pairs" and len(kinds) == 3 and chosen in (kinds, sorted(kinds * 2)):
                return PAIRS_OF + TRIPLES_OF_COLOURS.index(tuple(kinds))
        raise IllegalMove("lanternes.illegal.combination", colours=short("".join(self.colours)))


class Discard(Typed, frozen=True, tag="discard"):
    """One card back to the supply."""

    colour: Colour

    PATTERN = re.compile(rf"-([{LETTERS}])")

    @classmethod
    def read(cls, found: re.Match[str]) -> Discard:
        return cls(found[1])  # type: ignore[arg-type]

    @classmethod
    def at(cls, box: Any, state: Any, id: int) -> Discard:
        return cls(LETTERS[id - DISCARDS])  # type: ignore[arg-type]

    def notation(self) -> str:
        return f"-{self.colour}"

    def id(self, box: Any, state: Any) -> int:
        return DISCARDS + LETTERS.index(self.colour)


class Place(Typed, frozen=True, tag="place"):
    """A tile from hand onto the lake, turned by clockwise quarters."""

    tile: int
    x: int
    y: int
    turn: int

    PATTERN = re.compile(r"(\d{1,2})@(-?\d{1,2}),(-?\d{1,2})/([0-3])", re.ASCII)

    @classmethod
    def read(cls, found: re.Match[str]) -> Place:
        return cls(*map(int, found.groups()))

    @classmethod
    def at(cls, box: Any, state: Any, id: int) -> Place:
        code, rank = divmod(id - PLACES, RANKS)
        x, y = coordinates(int(state.border[rank]))
        return cls(code >> 2, x, y, code & 3)

    def notation(self) -> str:
        return f"{self.tile}@{self.x},{self.y}/{self.turn}"

    def id(self, box: Any, state: Any) -> int:
        """Rotations that look the same have one id."""
        if not (0 <= self.tile < TILES and 0 <= self.turn < 4):
            raise unknown_number(self)
        if max(abs(self.x), abs(self.y)) < REACH:
            cell = cell_at(self.x, self.y)
            if has_tile(state, cell):
                raise IllegalMove("lanternes.illegal.occupied", x=self.x, y=self.y)
            for rank in range(state.borders):
                if state.border[rank] == cell:
                    return PLACES + (self.tile * 4 + self.turn % int(box.turns[self.tile])) * RANKS + rank
        raise IllegalMove("lanternes.illegal.apart", x=self.x, y=self.y)


class Pass(Typed, frozen=True, tag="pass"):
    """Nothing in this step."""

    PATTERN = re.compile("pass")

    @classmethod
    def read(cls, found: re.Match[str]) -> Pass:
        return cls()

    @classmethod
    def at(cls, box: Any, state: Any, id: int) -> Pass:
        return cls()

    def notation(self) -> str:
        return "pass"

    def id(self, box: Any, state: Any) -> int:
        return PASS


Move = First | Draw | Exchange | Reward | Discard | Place | Pass
MOVES: tuple[tuple[int, type[Move]], ...] = (
    (FIRSTS, First),
    (DRAWS, Draw),
    (PASS, Pass),
    (DISCARDS, Discard),
    (FOURS, Reward),
    (EXCHANGES, Exchange),
    (PLACES, Place),
)
"""The first id of each kind of move, descending."""


def unknown_number(move: Move) -> IllegalMove:
    """Return the error of a move that names a tile, rotation or seat that no game has."""
    return IllegalMove("lanternes.illegal.number", move=move.notation())


def move(box: Any, state: Any, id: int) -> Move:
    """Return the typed move that an id stands for in this position."""
    kind = next(kind for first, kind in MOVES if id >= first)
    return kind.at(box, state, id)


def id_of(box: Any, state: Any, move: Move) -> int:
    """Return the id of a typed move in this position; raise IllegalMove where it has none."""
    return move.id(box, state)


def notation(move: Move) -> str:
    """Return a move in short notation, for instance `16@-1,2/1`, `P>R`, `WWOORR`, `-R` or `+16`."""
    return move.notation()


def parse(text: str) -> Move:
    """Return the move that a short notation stands for; raise UnreadableMove."""
    for _, kind in MOVES:
        if found := kind.PATTERN.fullmatch(text):
            return kind.read(found)
    raise unreadable("lanternes", text)
