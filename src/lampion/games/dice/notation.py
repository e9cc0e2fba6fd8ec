"""The moves of Lanternes Dice: typed, as ids, and as short texts such as `c5a`, `E2`, `bar@a1b1c1`, `turn:1`, `+R`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from lampion.games.core import IllegalMove
from lampion.games.dice.lake import HEIGHT, PONDS, WIDTH
from lampion.games.dice.sheet import (
    COLUMNS,
    HALVES,
    pond_name,
    pond_named,
    ponds_under,
    shape_name,
    zone_name,
    zone_named,
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
from lampion.games.move_types import Field, Form, Typed, one_of
from lampion.locale import short

Colour = Literal["W", "O", "R", "P", "B", "G"]
POND = rf"[{COLUMNS}][1-{HEIGHT}]"


def ponds_named(text: str) -> tuple[int, ...]:
    """Return the ponds of a text that names them one after another, ascending."""
    return tuple(sorted(pond_named(text[i : i + 2]) for i in range(0, len(text), 2)))


def names_of(ponds: Iterable[int]) -> str:
    """Return the names of ponds, one after another."""
    return "".join(map(pond_name, ponds))


CARD, COLOUR, SHAPE, SIDE = Field("[1-3]"), one_of(LETTERS), one_of(SHAPE_NAMES), one_of(SIDE_LETTERS)
ZONE = Field(f"{POND}[{HALVES}]", zone_named, zone_name)


class Firework(Typed, frozen=True, tag="firework"):
    """Chance: a firework that is in play."""

    form = Form("+{shape}", shape=SHAPE)
    shape: Shape


class SideUp(Typed, frozen=True, tag="side"):
    """Chance: the side of an emperor card, 1 to 3, that is up."""

    form = Form("+{card}{side}", card=CARD, side=SIDE)
    card: int
    side: Side


class Roll(Typed, frozen=True, tag="roll"):
    """Chance: a die, corner after corner."""

    form = Form("+{colour}", colour=COLOUR)
    colour: Colour


class Reroll(Typed, frozen=True, tag="reroll"):
    """One gift to roll all dice again."""

    form = Form("reroll")


class Turn(Typed, frozen=True, tag="turn"):
    """Turn the tray: the player at corner k faces the die that lay at (k + r) mod 4."""

    form = Form("turn:{r}", r=Field("[0-3]"))
    r: int


class Shade(Typed, frozen=True, tag="shade"):
    """Shade a zone: pond * 2, one more for the lower triangle; a pond is row * 9 + column."""

    form = Form("{zone}", zone=ZONE)
    zone: int


class Emperor(Typed, frozen=True, tag="emperor"):
    """Pay for the action of an emperor card, 1 to 3; its zones follow."""

    form = Form("E{card}", card=CARD)
    card: int


class Launch(Typed, frozen=True, tag="launch"):
    """Lay the top firework of a stack on these ponds."""

    form = Form("{shape}@{ponds}", shape=SHAPE, ponds=Field(f"(?:{POND})+", ponds_named, names_of))
    shape: Shape
    ponds: tuple[int, ...]


class Pass(Typed, frozen=True, tag="pass"):
    """Nothing in this step."""

    form = Form("pass")


Move = Firework | SideUp | Roll | Reroll | Turn | Shade | Emperor | Launch | Pass


def move(box: Any, state: Any, id: int) -> Move:
    """Return the typed move that an id stands for."""
    if id >= SIDES_OF:
        card, side = divmod(id - SIDES_OF, SIDES)
        return SideUp(card + 1, SIDE_LETTERS[side])  # type: ignore[arg-type]
    if id >= FIREWORKS:
        return Firework(SHAPE_NAMES[id - FIREWORKS])
    if id >= ROLLS:
        return Roll(LETTERS[id - ROLLS])  # type: ignore[arg-type]
    if id == PASS:
        return Pass()
    if id >= TURNS:
        return Turn(id - TURNS)
    if id == REROLL:
        return Reroll()
    if id >= LAUNCHES:
        where = id - LAUNCHES
        return Launch(shape_name(box, where), tuple(ponds_under(box, where)))
    return Emperor(id - EMPERORS + 1) if id >= EMPERORS else Shade(id - SHADES)


def id_of(box: Any, state: Any, move: Move) -> int:
    """Return the id of a typed move; raise IllegalMove, which says why it has none."""
    match move:
        case Firework(shape):
            return FIREWORKS + SHAPE_NAMES.index(shape)
        case SideUp(card, side) if 1 <= card <= CARDS:
            return SIDES_OF + (card - 1) * SIDES + SIDE_LETTERS.index(side)
        case Roll(colour):
            return ROLLS + LETTERS.index(colour)
        case Reroll():
            return REROLL
        case Turn(r) if 0 <= r < CORNERS:
            return TURNS + r
        case Shade(zone) if 0 <= zone < ZONES:
            return SHADES + zone
        case Emperor(card) if 1 <= card <= CARDS:
            return EMPERORS + card - 1
        case Launch(shape, ponds):
            return LAUNCHES + where_of(box, shape, ponds)
        case Pass():
            return PASS
    raise IllegalMove("dice.illegal.number")


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
