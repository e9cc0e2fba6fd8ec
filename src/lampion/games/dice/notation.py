"""The moves of Lanternes Dice: each with its fields, its short notation and its ids, declared in one place."""

from __future__ import annotations

import re
from typing import Any, Literal

from lampion.games.core import IllegalMove
from lampion.games.dice.lake import HEIGHT, PONDS, WIDTH
from lampion.games.dice.sheet import (
    COLUMNS,
    HALVES,
    firework_name,
    pond_name,
    pond_named,
    ponds_under,
    shape_name,
    zone_name,
)
from lampion.games.dice.state import (
    CARDS,
    CORNERS,
    EMPERORS,
    FIREWORKS,
    LAUNCHES,
    LETTERS,
    PASS,
    REROLL,
    ROLLS,
    SHADES,
    SHAPE_NAMES,
    SIDE_LETTERS,
    SIDES,
    SIDES_OF,
    TURNS,
    ZONES,
    Shape,
    Side,
)
from lampion.games.move_types import Typed, unreadable
from lampion.locale import short

Colour = Literal["W", "O", "R", "P", "B", "G"]
POND = rf"[{COLUMNS}][1-{HEIGHT}]"
SHAPES = "|".join(SHAPE_NAMES)


class Firework(Typed, frozen=True, tag="firework"):
    """Chance: a firework that is in play."""

    shape: Shape

    PATTERN = re.compile(rf"\+({SHAPES})")

    @classmethod
    def read(cls, found: re.Match[str]) -> Firework:
        return cls(found[1])  # type: ignore[arg-type]

    @classmethod
    def at(cls, box: Any, id: int) -> Firework:
        return cls(SHAPE_NAMES[id - FIREWORKS])  # type: ignore[arg-type]

    def notation(self) -> str:
        return f"+{self.shape}"

    def id(self, box: Any) -> int:
        return FIREWORKS + SHAPE_NAMES.index(self.shape)


class SideUp(Typed, frozen=True, tag="side"):
    """Chance: the side of an emperor card, 1 to 3, that is up."""

    card: int
    side: Side

    PATTERN = re.compile(rf"\+([1-3])([{SIDE_LETTERS}])")

    @classmethod
    def read(cls, found: re.Match[str]) -> SideUp:
        return cls(int(found[1]), found[2])  # type: ignore[arg-type]

    @classmethod
    def at(cls, box: Any, id: int) -> SideUp:
        card, side = divmod(id - SIDES_OF, SIDES)
        return cls(card + 1, SIDE_LETTERS[side])  # type: ignore[arg-type]

    def notation(self) -> str:
        return f"+{self.card}{self.side}"

    def id(self, box: Any) -> int:
        if not 1 <= self.card <= CARDS:
            raise unknown_number(self)
        return SIDES_OF + (self.card - 1) * SIDES + SIDE_LETTERS.index(self.side)


class Roll(Typed, frozen=True, tag="roll"):
    """Chance: a die, corner after corner."""

    colour: Colour

    PATTERN = re.compile(rf"\+([{LETTERS}])")

    @classmethod
    def read(cls, found: re.Match[str]) -> Roll:
        return cls(found[1])  # type: ignore[arg-type]

    @classmethod
    def at(cls, box: Any, id: int) -> Roll:
        return cls(LETTERS[id - ROLLS])  # type: ignore[arg-type]

    def notation(self) -> str:
        return f"+{self.colour}"

    def id(self, box: Any) -> int:
        return ROLLS + LETTERS.index(self.colour)


class Reroll(Typed, frozen=True, tag="reroll"):
    """One gift to roll all dice again."""

    PATTERN = re.compile("reroll")

    @classmethod
    def read(cls, found: re.Match[str]) -> Reroll:
        return cls()

    @classmethod
    def at(cls, box: Any, id: int) -> Reroll:
        return cls()

    def notation(self) -> str:
        return "reroll"

    def id(self, box: Any) -> int:
        return REROLL


class Turn(Typed, frozen=True, tag="turn"):
    """Turn the tray: the player at corner k faces the die that lay at (k + r) mod 4."""

    r: int

    PATTERN = re.compile(r"turn:([0-3])")

    @classmethod
    def read(cls, found: re.Match[str]) -> Turn:
        return cls(int(found[1]))

    @classmethod
    def at(cls, box: Any, id: int) -> Turn:
        return cls(id - TURNS)

    def notation(self) -> str:
        return f"turn:{self.r}"

    def id(self, box: Any) -> int:
        if not 0 <= self.r < CORNERS:
            raise unknown_number(self)
        return TURNS + self.r


class Shade(Typed, frozen=True, tag="shade"):
    """Shade a zone: pond * 2, one more for the lower triangle; a pond is row * 9 + column."""

    zone: int

    PATTERN = re.compile(rf"({POND})([{HALVES}])")

    @classmethod
    def read(cls, found: re.Match[str]) -> Shade:
        return cls(pond_named(found[1]) * 2 + HALVES.index(found[2]))

    @classmethod
    def at(cls, box: Any, id: int) -> Shade:
        return cls(id - SHADES)

    def notation(self) -> str:
        return zone_name(self.zone)

    def id(self, box: Any) -> int:
        if not 0 <= self.zone < ZONES:
            raise unknown_number(self)
        return SHADES + self.zone


class Emperor(Typed, frozen=True, tag="emperor"):
    """Pay for the action of an emperor card, 1 to 3; its zones follow."""

    card: int

    PATTERN = re.compile(r"E([1-3])")

    @classmethod
    def read(cls, found: re.Match[str]) -> Emperor:
        return cls(int(found[1]))

    @classmethod
    def at(cls, box: Any, id: int) -> Emperor:
        return cls(id - EMPERORS + 1)

    def notation(self) -> str:
        return f"E{self.card}"

    def id(self, box: Any) -> int:
        if not 1 <= self.card <= CARDS:
            raise unknown_number(self)
        return EMPERORS + self.card - 1


class Launch(Typed, frozen=True, tag="launch"):
    """Lay the top firework of a stack on these ponds."""

    shape: Shape
    ponds: tuple[int, ...]

    PATTERN = re.compile(rf"({SHAPES})@((?:{POND})+)")

    @classmethod
    def read(cls, found: re.Match[str]) -> Launch:
        names = found[2]
        ponds = sorted(pond_named(names[i : i + 2]) for i in range(0, len(names), 2))
        return cls(found[1], tuple(ponds))  # type: ignore[arg-type]

    @classmethod
    def at(cls, box: Any, id: int) -> Launch:
        where = id - LAUNCHES
        return cls(shape_name(box, where), tuple(ponds_under(box, where)))  # type: ignore[arg-type]

    def notation(self) -> str:
        return firework_name(self.shape, self.ponds)

    def id(self, box: Any) -> int:
        return LAUNCHES + where_of(box, self.shape, self.ponds)


class Pass(Typed, frozen=True, tag="pass"):
    """Nothing in this step."""

    PATTERN = re.compile("pass")

    @classmethod
    def read(cls, found: re.Match[str]) -> Pass:
        return cls()

    @classmethod
    def at(cls, box: Any, id: int) -> Pass:
        return cls()

    def notation(self) -> str:
        return "pass"

    def id(self, box: Any) -> int:
        return PASS


Move = Firework | SideUp | Roll | Reroll | Turn | Shade | Emperor | Launch | Pass
MOVES: tuple[tuple[int, type[Move]], ...] = (
    (SIDES_OF, SideUp),
    (FIREWORKS, Firework),
    (ROLLS, Roll),
    (PASS, Pass),
    (TURNS, Turn),
    (REROLL, Reroll),
    (LAUNCHES, Launch),
    (EMPERORS, Emperor),
    (SHADES, Shade),
)
"""The first id of each kind of move, descending."""


def unknown_number(move: Move) -> IllegalMove:
    """Return the error of a move that names a card, rotation or zone that no game has."""
    return IllegalMove("dice.illegal.number", move=move.notation())


def where_of(box: Any, shape: str, ponds: tuple[int, ...]) -> int:
    """Return the form and place of a shape on a set of ponds; raise IllegalMove where it does not fit them."""
    if ponds and len(set(ponds)) == len(ponds) and all(0 <= pond < PONDS for pond in ponds):
        bits = sum(1 << pond for pond in ponds)
        anchor = min(pond // WIDTH for pond in ponds) * WIDTH + min(pond % WIDTH for pond in ponds)
        number = SHAPE_NAMES.index(shape)
        for form in range(box.first_form[number], box.first_form[number + 1]):
            if int(box.forms[form]) << anchor == bits and int(box.anchors[form]) >> anchor & 1:
                return form * PONDS + anchor
    raise IllegalMove("dice.illegal.shape", shape=shape, ponds=short(" ".join(map(pond_name, ponds))))


def move(box: Any, state: Any, id: int) -> Move:
    """Return the typed move that an id stands for."""
    kind = next(kind for first, kind in MOVES if id >= first)
    return kind.at(box, id)


def id_of(box: Any, state: Any, move: Move) -> int:
    """Return the id of a typed move; raise IllegalMove where it has none."""
    return move.id(box)


def notation(move: Move) -> str:
    """Return a move in short notation, for instance `c5a`, `E2`, `bar@a1b1c1`, `turn:1`, `+R` or `+2B`."""
    return move.notation()


def parse(text: str) -> Move:
    """Return the move that a short notation stands for; raise UnreadableMove."""
    for _, kind in MOVES:
        if found := kind.PATTERN.fullmatch(text):
            return kind.read(found)
    raise unreadable("dice", text)
