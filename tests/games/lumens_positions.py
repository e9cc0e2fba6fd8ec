"""Positions of Lumens as tests write them: tokens by cell, seats as letters."""

from __future__ import annotations

import copy
import random
from typing import Any

import naive_lumens as naive
import pytest
from plain_data import plain

from lampion.games.core import IllegalMove
from lampion.games.editions import standard
from lampion.play import Position, Seeded

DATA = standard("lumens").data
PLAYERS = (2, 3, 4)
MARKS = "abcd"
KIND = {1: 0, 6: 0, 2: 1, 5: 1, 3: 2, 4: 2}
CORNERS = {
    2: [(0, 8), (12, 0)],
    3: [(0, 0), (14, 0), (7, 12)],
    4: [(0, 0), (14, 0), (14, 14), (0, 14)],
}
PARK = {
    2: [(x, y) for y in (2, 6, 4, 5) for x in range(11, 0, -1)],
    3: [(x, y) for y in (12, 2) for x in range(3, 14)],
    4: [(x, y) for y in (12, 2) for x in range(3, 14)],
}
Place = tuple[int, int]


def table(
    players: int,
    tokens: dict[Place, str],
    *,
    active: int = 0,
    first: int = 0,
    turns: int | None = None,
    hands: dict[int, int] | None = None,
    out: tuple[int, ...] = (),
    **changes: Any,
) -> Position:
    """Return a position in which `active` is to place. Cells are written `a5` or, the covered token first, `a5 b2`.

    A seat without a token on its start marker gets a 1 there. Seats that have placed fewer tokens than the turns ask
    for (by default as few as the cells allow) get the rest in pairs on far cells.
    """
    lying = {
        cell: [(MARKS.index(token[0]), int(token[1])) for token in written.split()] for cell, written in tokens.items()
    }
    for seat, cell in enumerate(CORNERS[players]):
        lying.setdefault(cell, [(seat, 1)])
    left = [[8, 8, 8] for _ in range(players)]
    placed = [0] * players
    for seat, face in (token for stack in lying.values() for token in stack):
        left[seat][KIND[face]] -= 1
        placed[seat] += 1
    ahead = [(seat - first) % players < (active - first) % players for seat in range(players)]
    playing = [seat for seat in range(players) if seat not in out]
    if turns is None:
        turns = max(placed[seat] - 1 - ahead[seat] for seat in playing)
    cells = iter([cell for cell in PARK[players] if cell not in lying])
    for seat in playing:
        stack: list[tuple[int, int]] = []
        for _ in range(turns + ahead[seat] + 1 - placed[seat]):
            if len(stack) in (0, 2):
                stack = lying.setdefault(next(cells), [])
            kind = max(range(3), key=lambda kind: left[seat][kind])
            left[seat][kind] -= 1
            stack.append((seat, kind + 1))
    seats = []
    for seat in range(players):
        given = (hands or {}).get(seat, next((kind for kind in range(3) if left[seat][kind]), None))
        seats.append({"left": left[seat], "holding": given is not None, "hand": given, "out": seat in out})
    view = {
        "players": players,
        "first": first,
        "active": active,
        "step": "place",
        "cells": [
            {"x": x, "y": y, "tokens": [{"seat": seat, "face": face} for seat, face in stack]}
            for (x, y), stack in lying.items()
        ],
        "seats": seats,
    }
    return Position.from_view("lumens", players, None, view | changes)


def targets(position: Position) -> set[Place]:
    """Return the cells where the actor may place."""
    return {(move.x, move.y) for move in position.legal_moves}


def shown_targets(view: Any) -> dict[Place, set[Place]]:
    """Return the targets that a view shows, each with its sources."""
    return {(target.x, target.y): {(spot.x, spot.y) for spot in target.sources} for target in view.targets}


def tokens_at(position: Position, x: int, y: int) -> list[tuple[int, int]]:
    """Return the tokens on a cell, seat and face, the covered one first."""
    return naive.stacks(plain(position)).get((x, y), [])


def weights(position: Position) -> dict[int, int]:
    """Return how likely each kind of token is to be drawn."""
    return {move.token: weight for move, weight in position.chances()}


def refusal(position: Position, move: Any) -> str:
    """Return the key of the refusal of a move, which has changed nothing."""
    before = position.bytes()
    with pytest.raises(IllegalMove) as caught:
        position.push(move)
    assert position.bytes() == before
    return caught.value.key


def tiny() -> Any:
    """Return an edition whose board for two has no room for a line of 3."""
    data = rewritten("boards.two.rows", ["11.", "1..", "..2"])
    data["boards"]["two"]["central"] = "2"
    data["boards"]["two"]["starts"]["2"] = [[0, 2], [2, 0]]
    return data


ROOM_5 = {2: [(5, 3), (6, 3), (7, 3), (5, 4), (6, 4)], 3: [(2, 3), (3, 3), (3, 4), (4, 4), (2, 5)]}


def in_room_5(players: int, *tokens: str) -> list[int]:
    """Return what each seat scores for tokens in room 5."""
    position = table(players, dict(zip(ROOM_5[min(players, 3)], tokens, strict=False)))
    return [seat["room_5"] for seat in position.count().categories]


def opened(players: int = 3, seed: int = 1, moves: int = 12) -> Position:
    """Return a game some moves old."""
    position = Position("lumens", players=players)
    chance, choose = Seeded(seed), random.Random(seed)
    for _ in range(moves + players):
        position.push_chances(chance)
        position.push(choose.choice(list(position.legal_moves)))
    position.push_chances(chance)
    return position


def rewritten(name: str, value: Any) -> Any:
    """Return our edition with one line changed; None removes it."""
    data = copy.deepcopy(dict(DATA))
    *path, last = name.split(".")
    table: Any = data
    for part in path:
        table = table[int(part)] if part.isdigit() and isinstance(table, list) else table[part]
    key: Any = int(last) if isinstance(table, list) else last
    if value is None:
        del table[key]
    else:
        table[key] = value
    return data
