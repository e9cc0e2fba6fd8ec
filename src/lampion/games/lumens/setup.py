"""What can be changed of a position of Lumens by hand: the tokens in hand, the numbers on the board, and the turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from lampion.games.core import BadPosition
from lampion.games.lumens.components import kind_name
from lampion.games.lumens.events import Event, place
from lampion.games.lumens.state import KINDS
from lampion.games.lumens.view import Cell, Token, View
from lampion.games.setup_types import Choice, Control, Option, one_of, parts_of
from lampion.locale import say

replace = msgspec.structs.replace


def controls(box: Any, view: View, names: Sequence[str]) -> list[Control]:
    """Return what can be changed while tokens are placed; nothing before."""
    if view.step not in ("place", "draw") or view.active is None:
        return []
    seats = [Option(str(seat), name) for seat, name in enumerate(names)]
    turn = say("lumens.setup.turn")
    found: list[Control] = [Choice(name="turn", seat=None, group="", label=turn, value=str(view.active), options=seats)]
    for seat, its in enumerate(view.seats):
        if its.hand is not None:
            kinds = [Option(str(kind), faces(box, kind)) for kind in range(KINDS) if its.left[kind]]
            label = say("lumens.setup.hand")
            found.append(
                Choice(name=f"hand:{seat}", seat=seat, group="", label=label, value=str(its.hand), options=kinds)
            )
        found += token_controls(box, view, seat)
    return found


def faces(box: Any, kind: int) -> str:
    """Return the two numbers of a kind of token, in words."""
    one, other = kind_name(box, kind).split("/")
    return say("lumens.faces", one=one, other=other)


def token_controls(box: Any, view: View, seat: int) -> list[Control]:
    """Return a control for the number of each visible token of a player; those in one room are counted."""
    found: list[Control] = []
    seen: Counter[str] = Counter()
    spare = sum(view.seats[seat].left[kind] > (view.seats[seat].hand == kind) for kind in range(KINDS))
    for cell in view.cells:
        token = cell.tokens[-1]
        if token.seat != seat or not spare:
            continue
        where = place(Event("", seat, None, 0, "", x=cell.x, y=cell.y), box, view.players)
        seen[where] += 1
        label = where if seen[where] == 1 else say("lumens.setup.again", where=where, number=seen[where])
        numbers = [Option(str(face), str(face)) for face in numbers_for(box, view, token)]
        found.append(
            Choice(
                name=f"token:{cell.x}:{cell.y}", seat=seat, group=say("lumens.setup.tokens"), label=label,
                value=str(token.face), options=numbers,
            )
        )  # fmt: skip
    return found


def numbers_for(box: Any, view: View, token: Token) -> list[int]:
    """Return the numbers that a token on the board can show: of its own kind, and of those in its owner's bag."""
    its = view.seats[token.seat]
    own = int(box.kinds[token.face])
    kinds = [kind for kind in range(KINDS) if kind == own or its.left[kind] > (its.hand == kind)]
    return sorted({int(face) for kind in kinds for face in box.faces[kind]})


def changed(box: Any, view: View, name: str, value: object) -> Iterator[View]:
    """Yield the position with one thing changed; whose turn it is may mean that another player began."""
    what, one, other = parts_of(name, 3)
    if view.step not in ("place", "draw") or view.active is None:
        raise BadPosition("explore.no_control")
    bare = replace(view, rooms={}, targets=[])
    if what == "turn":
        active = one_of(value, range(view.players))
        for first in (active, *range(view.players)):
            yield replace(bare, active=active, first=first)
    elif what == "hand" and not other:
        seat = one_of(one, range(view.players))
        its = view.seats[seat]
        kind = one_of(value, [kind for kind in range(KINDS) if its.left[kind]])
        seats = list(view.seats)
        seats[seat] = replace(its, hand=kind if its.hand is not None else None)
        yield replace(bare, seats=seats)
    elif what == "token":
        cell = next((cell for cell in view.cells if (str(cell.x), str(cell.y)) == (one, other)), None)
        if cell is None:
            raise BadPosition("explore.no_control")
        yield with_number(box, bare, cell, one_of(value, numbers_for(box, view, cell.tokens[-1])))
    else:
        raise BadPosition("explore.no_control")


def with_number(box: Any, view: View, cell: Cell, face: int) -> View:
    """Return the position with another number on a cell: its token goes back to the bag, another comes from there."""
    token = cell.tokens[-1]
    left = list(view.seats[token.seat].left)
    left[int(box.kinds[token.face])] += 1
    left[int(box.kinds[face])] -= 1
    seats = list(view.seats)
    seats[token.seat] = replace(seats[token.seat], left=left)
    tokens = [*cell.tokens[:-1], replace(token, face=face)]
    cells = [replace(cell, tokens=tokens) if one is cell else one for one in view.cells]
    return replace(view, seats=seats, cells=cells)
