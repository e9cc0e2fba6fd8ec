"""What can be changed of a position of Lumens by hand: the tokens in hand, the numbers on the board, and the turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from lampion.games.core import BadPosition
from lampion.games.lumens.components import kind_name
from lampion.games.lumens.events import Event, place
from lampion.games.lumens.state import FACES, KINDS, coordinates
from lampion.games.lumens.view import Cell, Seat, Token, View
from lampion.games.setup_types import Choice, Control, Option, Part, Placing, one_of, parts_of, pieces
from lampion.locale import say

replace = msgspec.structs.replace


def controls(box: Any, view: View, names: Sequence[str]) -> list[Control]:
    """Return what can be changed of a position."""
    view = begun(box, view)
    seats = [Option(str(seat), name) for seat, name in enumerate(names)]
    turn = say("lumens.setup.turn")
    found: list[Control] = [
        Choice(name="turn", seat=None, group="", label=turn, value=str(view.active), options=seats),
        put_control(box, view, names),
        lift_control(box, view, names),
    ]
    for seat, its in enumerate(view.seats):
        if its.hand is not None:
            kinds = [Option(str(kind), faces(box, kind)) for kind in range(KINDS) if its.left[kind]]
            label = say("lumens.setup.hand")
            found.append(
                Choice(name=f"hand:{seat}", seat=seat, group="", label=label, value=str(its.hand), options=kinds)
            )
        found += token_controls(box, view, seat)
    return found


def begun(box: Any, view: View) -> View:
    """Return a position in which tokens are placed; before the game everybody gets one, and the first seat begins."""
    if view.step in ("place", "draw"):
        return view
    wanted = replace(view, first=0, active=0, step="place")
    for seat in range(view.players):
        at = coordinates(int(box.starts[view.players, seat]))
        if not any((cell.x, cell.y) == at for cell in wanted.cells):
            kind = view.seats[seat].hand or 0
            token = Token(seat, int(box.faces[kind, 0]))
            wanted = with_stack(box, wanted, at, [token], token, -1)
    return replace(wanted, seats=[in_hand(its) for its in wanted.seats])


def put_control(box: Any, view: View, names: Sequence[str]) -> Placing:
    """Return the control that puts a token from a player's bag on any cell.

    Cells are counted from the corner of the first seat: the board is turned for others.
    """
    across, away = spans(box, view)
    parts = {
        "whose": (str(view.active), [Option(str(seat), name) for seat, name in enumerate(names)]),
        "number": ("1", [Option(str(face), str(face)) for face in range(1, FACES + 1)]),
        "column": ("1", [Option(str(one), str(one)) for one in across]),
        "row": ("1", [Option(str(one), str(one)) for one in away]),
    }
    return Placing(
        name="put",
        seat=None,
        group=say("lumens.setup.board"),
        label=say("lumens.setup.put"),
        parts=[
            Part(label=say(f"lumens.setup.put.{name}", who=names[0]), value=value, options=options)
            for name, (value, options) in parts.items()
        ],
    )


def lift_control(box: Any, view: View, names: Sequence[str]) -> Choice:
    """Return the control that puts a visible token back into its owner's bag."""
    options = [Option("", say("lumens.setup.none"))]
    for cell in view.cells:
        column, row = counted(box, view, cell.x, cell.y)
        token = cell.tokens[-1]
        words = say("lumens.setup.token", who=names[token.seat], number=token.face, column=column, row=row)
        options.append(Option(f"{cell.x}:{cell.y}", words))
    group, label = say("lumens.setup.board"), say("lumens.setup.lift", who=names[0])
    return Choice(name="lift", seat=None, group=group, label=label, value="", options=options)


def spans(box: Any, view: View) -> tuple[range, range]:
    """Return the numbers of the columns and of the rows of the board."""
    return range(1, int(box.columns[view.players]) + 1), range(1, int(box.rows[view.players]) + 1)


def counted(box: Any, view: View, x: int, y: int) -> tuple[int, int]:
    """Return the column and the row of a cell, counted from the corner that is nearest to the first seat's start."""
    start = coordinates(int(box.starts[view.players, 0]))
    column, row = (
        len(span) - at if 2 * begin >= len(span) else at + 1
        for at, begin, span in zip((x, y), start, spans(box, view), strict=True)
    )
    return column, row


def cell_counted(box: Any, view: View, column: int, row: int) -> tuple[int, int]:
    """Return the cell of a column and a row."""
    x, y = counted(box, view, column - 1, row - 1)  # turned twice is not turned
    return x - 1, y - 1


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
    view = begun(box, view)
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
    elif what == "put":
        seat, face, column, row = pieces(value, range(view.players), range(1, FACES + 1), *spans(box, view))
        at = cell_counted(box, view, column, row)
        below = next((cell.tokens for cell in view.cells if (cell.x, cell.y) == at), [])
        token = Token(seat, face)
        yield from at_turns(with_stack(box, bare, at, [*below, token], token, -1), (seat + 1) % view.players)
    elif what == "lift":
        cell = one_of(value, view.cells, key=lambda cell: f"{cell.x}:{cell.y}")
        token = cell.tokens[-1]
        yield from at_turns(with_stack(box, bare, (cell.x, cell.y), cell.tokens[:-1], token, 1), token.seat)
    else:
        raise BadPosition("explore.no_control")


def with_stack(box: Any, view: View, at: tuple[int, int], tokens: list[Token], moved: Token, more: int) -> View:
    """Return the position with other tokens on a cell; the one that was moved comes from its bag, or goes there."""
    cells = [cell for cell in view.cells if (cell.x, cell.y) != at]
    if tokens:
        cells.append(Cell(*at, tokens))
    seats = list(view.seats)
    left = list(seats[moved.seat].left)
    left[int(box.kinds[moved.face])] += more
    seats[moved.seat] = replace(seats[moved.seat], left=left)
    return replace(view, cells=cells, seats=[in_hand(its) for its in seats], step="place")


def in_hand(its: Seat) -> Seat:
    """Return a player's tokens with one of them in hand, the same as before if it is still there."""
    if its.hand is None or its.left[its.hand] <= 0:
        hand = next((kind for kind in range(KINDS) if its.left[kind] > 0), None)
        return replace(its, hand=hand, holding=hand is not None)
    return its


def at_turns(view: View, active: int) -> Iterator[View]:
    """Yield a position with every player on turn and every player who may have begun, the likeliest first."""
    assert view.first is not None
    order = range(view.players)
    for later in order:
        for other in order:
            yield replace(view, active=(active + later) % view.players, first=(view.first + other) % view.players)


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
