"""Positions of 1001 Îles as tests write them: tiles by their elements, seats by the rows of their islands."""

from __future__ import annotations

import random
from typing import Any

from plain_data import plain

from lampion.games.core import CHANCE, EVERYTHING
from lampion.games.editions import standard
from lampion.play import Position, Seeded

PILES = ("top", "centre", "bottom", "dream")
ROWS = PILES[:3]
DREAMS = ("rokh", "monkey", "fennec", "camel", "elephant", "gem_columns", "gem_rows", "lamp", "snake", "genie")
DATA = standard("iles").data
PLAYERS = (2, 3, 4, 5)


def tile(row: str, code: str) -> int:
    """Return the number of a tile of our edition."""
    return list(DATA["islands"][row]).index(code)


def start(players: int, first: int = 0) -> Position:
    """Return a new game."""
    return Position("iles", players=players, options={"first": first})


def played(position: Position, *moves: str) -> Position:
    """Return the position after moves in notation; `+pD` draws a tile of the open pile by its elements."""
    for move in moves:
        open_pile = position.view(EVERYTHING).open
        if move.startswith("+") and open_pile in ROWS and not move[1:].isdigit():
            move = f"+{tile(open_pile, move[1:])}"
        position.push(move)
    return position


def notations(position: Position) -> list[str]:
    """Return what the actor may do, in notation."""
    return [position.notation(id) for id in position.legal_ids()]


def weights(position: Position) -> dict[Any, int]:
    """Return how likely each tile is to be drawn."""
    return {move.tile: weight for move, weight in position.chances()}


def built(players: int, *given: dict[str, str], step: str = "pile", **changes: Any) -> Position:
    """Return a position between two rounds.

    A seat is its rows by tile codes (an empty cell is `-`, a tile turned over ends with `!`) and its dreams; seats that
    are not given get harmless tiles on the same number of cells.
    """
    seats: list[dict[str, list[str]]] = [{name: each.get(name, "").split() for name in PILES} for each in given]
    used = {name: [code.rstrip("!") for seat in seats for code in seat[name] if code != "-"] for name in PILES}
    for _ in range(players - len(given)):
        seats.append({name: [] for name in PILES})
        for name in PILES:
            box = list(DATA["islands"][name]) if name in ROWS else [dream for dream in DREAMS for _ in range(2)]
            for code in used[name]:
                box.remove(code)
            if name in ROWS:
                box.sort(key=lambda code: (code.count("l"), code.count("b"), code))
            count = sum(code != "-" for code in seats[0][name])
            seats[-1][name] = box[:count]
            used[name] += box[:count]
    view = plain(start(players))
    for seat, shown in zip(seats, view["seats"], strict=True):
        shown["dreams"] = seat["dream"]
        del shown["points"]  # they follow from the islands
        for row, name in enumerate(ROWS):
            for column, code in enumerate(seat[name]):
                if code != "-":
                    shown["island"][row][column] = {"tile": tile(name, code.rstrip("!")), "down": code.endswith("!")}
    for name in PILES:
        pile = view["piles"][name]
        numbers = used[name] if name == "dream" else [tile(name, code) for code in used[name]]
        pile["rounds"] = sum(code != "-" for code in seats[0][name])
        for number in numbers:
            pile["unseen"].remove(number)
        if players == 2:
            pile["away"], pile["unseen"] = pile["unseen"][: pile["rounds"]], pile["unseen"][pile["rounds"] :]
        pile["tiles"] -= pile["rounds"] * max(3, players)
    view["step"] = step
    return Position.from_view("iles", players, {"first": 0}, view | changes)


def revealed(position: Position, pile: str) -> Position:
    """Return the position after a pile is opened and its tiles are drawn."""
    position.push(pile)
    position.push_chances(Seeded(1))
    return position


def columns(position: Position) -> set[int]:
    """Return the columns where the actor may lay a tile."""
    return {move.column for move in position.legal_moves}


def random_game(players: int, seed: int) -> Position:
    """Return a game that is played at random to its end."""
    position, choose, chance = start(players, first=seed % players), random.Random(seed), Seeded(seed)
    while not position.is_over:
        if position.actor == CHANCE:
            position.push_chance(chance)
        else:
            position.push_rows(int(choose.choice(position.legal_ids())))
    return position
