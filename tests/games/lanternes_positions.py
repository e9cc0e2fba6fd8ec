"""Positions of Lanternes as tests write them: tiles by their colours, cards as letters, seats by name."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, Unpack

import naive_lanternes as naive

from lampion.games.core import SPECTATOR
from lampion.games.editions import standard
from lampion.play import Position

DATA: Mapping[str, Any] = standard("lanternes").data
CODES: list[str] = [*DATA["tiles"]["lake"], DATA["tiles"]["start"]]
START = 35
TOTAL = {2: 5, 3: 7, 4: 8}
OUT = {2: 13, 3: 8, 4: 3}
ALINE, LOLA, ELLIOT, CORENTIN = range(4)
Cell = tuple[int, int]


def tile(code: str) -> int:
    """Return the number of the tile that the components write like this."""
    return CODES.index(code)


def turned(code: str, side: str, colour: str) -> int:
    """Return how often to turn a tile so that a side shows a colour."""
    return next(turn for turn in range(4) if naive.Tile(code, turn).sides[side] == colour)


class Held(TypedDict, total=False):
    """What the seats have, where it matters; the rest have nothing, and tiles that nobody has asked about."""

    hand: Sequence[str]
    """The tiles of the active seat."""
    cards: Mapping[int, str]
    """Letters, by seat."""
    boats: Mapping[int, int]
    points: Mapping[int, Mapping[str, int]]


def table(
    lake: Mapping[Cell, tuple[str, int]] | None = None,
    *,
    players: int = 4,
    active: int = ALINE,
    first: int = ELLIOT,
    step: str = "place",
    taken: Mapping[str, int] | None = None,
    distribution: str = "first",
    turns: int | None = None,
    final: bool = False,
    **held: Unpack[Held],
) -> Position:
    """Return a position in which `active` is at `step`, with what the test cares about; the rest is filled in to fit.

    Tiles that must lie on the lake for the turns to come out even go south of the start tile, in a line.
    """
    hand = [tile(code) for code in held.get("hand", ())]
    laid = dict(lake or {})
    asked = (active - first) % players if not final else 0
    everything = len(CODES) - 1 - OUT[players]
    number = everything if final else turns if turns is not None else len(laid) + (asked - len(laid)) % players
    used = {tile(code) for code, _ in laid.values()} | set(hand)
    free = [n for n in range(START) if n not in used]
    line_south(laid, number, free)
    facing = naive.SEATED[players][first]
    tiles = [{"tile": START, "x": 0, "y": 0, "turn": turned(CODES[START], facing, "R")}]
    tiles += [{"tile": tile(code), "x": x, "y": y, "turn": turn} for (x, y), (code, turn) in laid.items()]
    stacks = naive.Table(DATA, players, distribution).stacks
    seats = seats_with(held, players, (*stacks, "neutral"))
    rounds, ahead = divmod(number, players)
    for seat, shown in enumerate(seats):
        left = everything // players - rounds - ((seat - first) % players < ahead)
        mine = list(hand) if seat == active else []
        while len(mine) < min(3, left):
            mine.append(free.pop())
        shown |= {"tiles": len(mine), "hand": mine}
    view = {
        "players": players,
        "distribution": distribution,
        "first": first,
        "active": active,
        "step": step,
        "final": final,
        "lake": tiles,
        "supply": {c: TOTAL[players] - sum(shown["cards"][c] for shown in seats) for c in naive.COLOURS},
        "stacks": {name: stack[(taken or {}).get(name, 0) :] for name, stack in stacks.items()},
        "pile": everything - number - sum(shown["tiles"] for shown in seats),
        "unseen": free,
        "seats": seats,
    }
    return Position.from_view("lanternes", players, {"distribution": distribution}, view)


def line_south(laid: dict[Cell, tuple[str, int]], number: int, free: list[int]) -> None:
    """Lay free tiles south of the start tile until `number` tiles lie."""
    spare = ((0, -y) for y in itertools.count(1))
    while len(laid) < number:
        cell = next(spare)
        if cell not in laid:
            laid[cell] = (CODES[free.pop()], 0)


def seats_with(held: Held, players: int, stacks: Sequence[str]) -> list[dict[str, Any]]:
    """Return the seats of a view with their cards, boats and points."""
    cards, boats, points = held.get("cards", {}), held.get("boats", {}), held.get("points", {})
    return [
        {
            "cards": Counter(dict.fromkeys(naive.COLOURS, 0) | Counter(cards.get(seat, ""))),
            "boats": boats.get(seat, 0),
            "points": dict.fromkeys(stacks, 0) | dict(points.get(seat, {})),
        }
        for seat in range(players)
    ]


def cards(position: Position, seat: int) -> str:
    """Return the cards in front of a seat, as letters."""
    return "".join(colour * number for colour, number in position.view(SPECTATOR).seats[seat].cards.items())


def gained(position: Position, move: str) -> tuple[list[str], list[int]]:
    """Make a move and return what everybody gains by it: cards as letters, and boats."""
    before = position.view(SPECTATOR).seats
    position.push(move)
    after = position.view(SPECTATOR).seats
    letters = [
        "".join(colour * (new.cards[colour] - old.cards[colour]) for colour in naive.COLOURS)
        for old, new in zip(before, after, strict=True)
    ]
    return letters, [new.boats - old.boats for old, new in zip(before, after, strict=True)]


def written(position: Position) -> set[str]:
    """Return what the actor may do, in notation."""
    return {position.notation(int(id)) for id in position.legal_ids()}


def kinds(position: Position) -> set[str]:
    """Return the kinds of moves the actor may make."""
    return {type(move).__name__.lower() for move in position.legal_moves}
