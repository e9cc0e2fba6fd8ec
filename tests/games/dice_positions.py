"""Positions of Lanternes Dice as tests write them: sheets by the names of ponds and zones, seats at their steps."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

import naive_dice as naive

from lampion.games.core import CHANCE, EVERYTHING
from lampion.games.dice.notation import Launch, Pass, Reroll, Roll, Shade, Turn
from lampion.games.editions import standard
from lampion.play import Position, Seeded

DATA = standard("dice").data
PLAYERS = (2, 3, 4)
TURNS = {2: 10, 3: 8, 4: 6}
FIRST_GAME = ["corner", "tee", "square", "cup"]


def pond(name: str) -> int:
    """Return the number of a pond."""
    return (int(name[1]) - 1) * 9 + "abcdefghi".index(name[0])


def ponds(names: str) -> list[int]:
    """Return the numbers of ponds."""
    return [pond(name) for name in names.split()]


def zone(name: str) -> int:
    """Return the number of a zone."""
    return pond(name) * 2 + "ab".index(name[2])


def zones(names: str) -> list[int]:
    """Return the numbers of zones; a pond's name alone means both of its zones."""
    found = []
    for name in names.split():
        found += [zone(name)] if len(name) == 3 else [pond(name) * 2, pond(name) * 2 + 1]
    return sorted(found)


def all_zones() -> list[str]:
    """Return the names of all zones of the lake."""
    return [f"{column}{row}{half}" for row in range(1, 7) for column in "abcdefghi" for half in "ab"]


def zone_colour(number: int) -> str:
    """Return the colour of a zone."""
    return naive.colour(DATA, (divmod(number // 2, 9), number % 2))


def firework(shape: str, where: str, tile: int) -> dict[str, Any]:
    """Return a firework on these ponds."""
    return {"shape": shape, "ponds": ponds(where), "tile": tile}


def seat(shaded: str = "", *, gifts: int = 1, step: str | None = None, **more: Any) -> dict[str, Any]:
    """Return a sheet with these zones shaded whose player is at a step."""
    given = {"gifts": gifts, "shaded": zones(shaded), "fireworks": [], "step": step, "platform": None, "action": None}
    return given | more


def table(
    *seats: dict[str, Any],
    dice: str = "WORP",
    step: str = "shade",
    turn: int = 0,
    sides: str = "AAA",
    fireworks: list[str] = FIRST_GAME,
    components: Any = None,
    sheets: str = "ABCD",
) -> Position:
    """Return a position with these players at their steps; the tiles of their fireworks are gone from the stacks."""
    edition_data = components or DATA
    given = [one | {"sheet": sheets[i]} for i, one in enumerate(seats)]
    gone = Counter(f["shape"] for one in given for f in one["fireworks"])
    view = {
        "players": len(given),
        "step": step,
        "turn": turn,
        "sides": list(sides),
        "dice": list(dice) if step in ("turn", "shade") else [None] * 4,
        "stacks": [{"shape": s, "left": edition_data["fireworks"][s]["values"][gone[s] :]} for s in fireworks],
        "seats": given,
    }
    return Position.from_view("dice", len(given), None, view, components=components)


def named(position: Position, who: int | None = None) -> set[str]:
    """Return what a seat may do, in notation."""
    ids = position.legal_ids(position.actor if who is None else who)
    return {position.notation(id) for id in ids}


def rolled(position: Position, letters: str) -> Position:
    """Return the position after the dice have shown these colours."""
    for letter in letters:
        position.push(Roll(letter))  # type: ignore[arg-type]
    return position


def scored(shaded: str) -> dict[str, int]:
    """Return what a sheet with these zones shaded scores at the end."""
    return table(seat(shaded, gifts=0), seat(), step="ended", turn=22).count().categories[0]


def as_naive(move: Any) -> Any:
    """Return a move as the naive rules name it."""
    match move:
        case Shade(number):
            return divmod(number // 2, 9), number % 2
        case Launch(shape, laid):
            return shape, frozenset(divmod(p, 9) for p in laid)
        case Turn(r):
            return r
        case Pass():
            return "pass"
        case Reroll():
            return "reroll"
    return "emperor", move.card


def keen(position: Position, who: int, rng: random.Random) -> Any:
    """Return a random move that likes to complete ponds and to launch, so that games have something to score."""
    moves = list(position.legal_moves_of(who))
    shaded = set(position.view(EVERYTHING).seats[who].shaded)
    launches = [move for move in moves if isinstance(move, Launch)]
    completing = [move for move in moves if isinstance(move, Shade) and move.zone ^ 1 in shaded]
    useful = [move for move in moves if not isinstance(move, (Pass, Reroll))]
    return rng.choice(launches or (completing if rng.random() < 0.8 else None) or useful or moves)


def play_on(position: Position, seed: int, *, keenly: bool = True) -> Iterable[Position]:
    """Yield every position of a game that goes on from here, any pending seat moving next."""
    rng, chance = random.Random(seed), Seeded(seed)
    while not position.is_over:
        yield position
        if position.actor == CHANCE:
            position.push_chance(chance)
        else:
            who = rng.choice(position.pending)
            position.push(keen(position, who, rng) if keenly else rng.choice(position.legal_moves_of(who)), who)
    yield position
