"""Positions that tests begin from, kept as records of unfinished games: each is looked for once, here.

    python tests/write_positions.py [NAME ...]

plays games by machine until one of them comes to a position that is named, and writes the game as far as it went into
tests/fixtures/positions. Without names it writes those that are missing. Do it for a position that is new, or that the
rules do not allow any more; it stands in the table of its game, with what must be true of it. Aline has the first seat,
and it is her turn.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import conftest
import msgspec
from browser.positions import CHOICES, Choice, anything, completing, kinds, two_ways
from server.people import POSITIONS

from lampion.bots import named
from lampion.engine.rng import new_rng
from lampion.games.core import CHANCE
from lampion.games.registry import games
from lampion.play import Position, Record, SeatInfo, Seeded, Sight

DATE = "2025-12-24T18:00:00+00:00"
TRIES = 400
LEVEL = "spark"
NAMES = ("Aline", "Lola", "Rose")
ROUNDS = 16
CHOSEN_FIRST = ("lanternes", "lumens", "iles")
"""The games in which it can be said who is first."""
FEW = 40
"""Moves that a short search can look at one by one."""


class Wanted(NamedTuple):
    """A position to come to: who sits there, what is true of it, and how people play before."""

    seats: tuple[str, ...]
    is_met: Callable[[Position], bool]
    choose: Choice | None = None
    is_first: bool = True
    """Whether Aline is first, where that can be said."""


def alone(bots: int) -> tuple[str, ...]:
    """Aline and bots."""
    return (NAMES[0], *[LEVEL] * bots)


def seen(position: Position, seat: int = 0) -> dict[str, Any]:
    """Return what a seat sees and what it may do, as at a table."""
    moves = [msgspec.to_builtins(move) for move in position.legal_moves_of(seat)]
    return {"view": msgspec.to_builtins(position.view(seat)), "moves": moves, "seat": seat}


def viewed(is_met: Callable[[dict[str, Any]], bool], *, after: int = 0) -> Callable[[Position], bool]:
    """Return what is true where Aline's view is so, after more than some moves."""
    return lambda position: position.ply > after and is_met(seen(position))


def past(ply: int) -> Callable[[Position], bool]:
    """Return what is true after that many moves."""
    return lambda position: position.ply >= ply


def offers(kind: str, *, after: int = 0) -> Callable[[Position], bool]:
    """Return what is true where Aline may make a kind of move."""
    return viewed(lambda view: kind in kinds(view), after=after)


# Lanternes


def is_full(position: Position) -> bool:
    """A tile is to be placed on a full lake, and everything has happened before: exchanges, rewards."""
    done = {move.kind for seat, move in position.moves if seat != CHANCE}
    return position.ply > 60 and {"exchange", "reward"} <= done and "place" in kinds(seen(position))


def is_first_reward(position: Position) -> bool:
    """Late in a game Aline can pay a set for the first time, and has not too many cards."""
    if position.ply <= 36 or any(seat == 0 and move.kind == "reward" for seat, move in position.moves):
        return False
    return "reward" in (now := kinds(seen(position))) and "discard" not in now


def is_last_reward(position: Position) -> bool:
    """In the last turn of a close game a set can be paid: nothing but its points counts."""
    view = position.view(0)
    points = [sum(seat.points.values()) for seat in view.seats]
    return bool(position.state.final and view.step == "reward" and abs(points[0] - points[1]) <= 3)


# Lanternes Dice


def both_choose(view: dict[str, Any]) -> bool:
    """In Aline's turn both players are asked for the zone of their die; she may also pass."""
    seats = view["view"]["seats"]
    return (
        all(seat["step"] == "die" and seat["platform"] is None for seat in seats)
        and kinds(view) >= {"pass", "shade"}
        and view["view"]["active"] == 0
    )


# Lumens


def standing(position: Position, move: Any) -> list[int]:
    """The points of all seats after a move."""
    then = position.copy()
    then.push(move, 0)
    return list(then.count().scores)


def takes_from_another(position: Position) -> bool:
    """A token can be placed by which Aline gains points and the other loses some."""
    if position.ply <= 40:
        return False
    now = position.count().scores
    changes = [
        [after - before for after, before in zip(standing(position, move), now, strict=True)]
        for move in position.legal_moves_of(0)
        if move.kind == "place"
    ]
    return any(mine > 0 > others for mine, others in changes)


def is_just_covered(position: Position) -> bool:
    """Lola has covered a token of Aline since her last turn, and Rose has moved after that."""
    turns = [(ply, seat) for ply, (seat, _) in enumerate(position.moves) if seat != CHANCE][-2:]
    if [seat for _, seat in turns] != [1, 2]:
        return False
    move, before = position.moves[turns[0][0]][1], position.at(turns[0][0])
    tops = {(cell.x, cell.y): cell.tokens[-1].seat for cell in before.view(0).cells}
    return move.kind == "place" and tops.get((move.x, move.y)) == 0


# 1001 Îles


def has_places(position: Position) -> bool:
    """On a full island the last tile on offer lies face up, and can go to more than one place."""
    takes = [move for move in position.legal_moves_of(0) if move.kind == "take"]
    last = max((move.slot for move in takes), default=None)
    return position.ply > 30 and sum(move.slot == last and move.column is not None for move in takes) > 1


def brings_a_third_lamp(position: Position) -> bool:
    """A tile turns others over, not in the last round: after that there is no island to look at, but the end."""
    if sum(pile["rounds"] for pile in seen(position)["view"]["piles"].values()) == ROUNDS:
        return False
    takes = [move for move in position.legal_moves_of(0) if move.kind == "take"]
    return any(event.kind == "flipped" for move in takes for event in position.preview(move, 0))


def has_hidden_tile(view: dict[str, Any]) -> bool:
    """Aline may take a tile that only the lookout has seen."""
    return view["view"]["step"] == "take" and any(
        slot is not None and slot["tile"] is None for slot in view["view"]["table"]
    )


def dreams_of_snakes(view: dict[str, Any]) -> bool:
    """Aline has taken the dream of snakes."""
    return "snake" in view["view"]["seats"][0]["dreams"]


def has_one_move(position: Position) -> bool:
    """There is nothing to decide."""
    return len(position.legal_ids(0)) == 1


# The last decision of a game


def shares_after(position: Position, seat: int) -> dict[int, float] | None:
    """The seat's share of the victory after each of its moves, where each of them ends the game."""
    shares = {}
    for id in position.legal_ids(seat).tolist():
        position.push_rows(id, seat)
        outcome = position.outcome()
        position.pop()
        if outcome is None:
            return None
        shares[id] = outcome.shares[seat]
    return shares


def is_last_choice(position: Position) -> bool:
    """Aline's last decision wins or loses, as she can know."""
    if not 2 <= len(position.legal_ids(0)) <= FEW:
        return False
    shares = shares_after(position, 0)
    if not shares or len(set(shares.values())) == 1:
        return False
    worlds = [position.concealed(0, new_rng(world)) for world in range(4)]
    return all(shares_after(world, 0) == shares for world in worlds)


TABLE: dict[str, Wanted] = {
    "lanternes-full": Wanted(alone(2), is_full, anything),
    "lanternes-late": Wanted(alone(1), offers("place", after=40)),
    "lanternes-four": Wanted(alone(3), offers("place", after=40)),
    "lanternes-exchange": Wanted(alone(1), offers("exchange", after=36)),
    "lanternes-reward": Wanted(alone(2), is_first_reward),
    "lanternes-last-reward": Wanted(NAMES[:2], is_last_reward, anything),
    "dice-turn": Wanted(
        NAMES[:2],
        viewed(lambda view: "turn" in kinds(view) and view["view"]["dice"][1] != view["view"]["dice"][3]),
    ),
    "dice-zone": Wanted(NAMES[:2], viewed(both_choose)),
    "dice-pond": Wanted(NAMES[:2], viewed(lambda view: len(completing(view)) > 0)),
    "dice-launch": Wanted(NAMES[:2], viewed(lambda view: len(two_ways(view)) > 0)),
    "dice-emperor": Wanted(NAMES[:2], viewed(lambda view: "emperor" in kinds(view) and view["view"]["active"] == 1)),
    "dice-three": Wanted(NAMES, lambda position: len(position.pending) == 3),
    "dice-near-the-end": Wanted(alone(1), past(130)),
    "lumens-early": Wanted(alone(1), offers("place", after=10), anything),
    "lumens-two": Wanted(alone(1), takes_from_another, anything),
    "lumens-full": Wanted(alone(3), offers("place", after=70)),
    "lumens-covered": Wanted(NAMES, is_just_covered, anything),
    "lumens-two-near-the-end": Wanted(alone(1), past(92)),
    "lumens-three-near-the-end": Wanted(alone(2), past(105)),
    "lumens-four-near-the-end": Wanted(alone(3), past(140)),
    "iles-places": Wanted(alone(2), has_places),
    "iles-third-lamp": Wanted(alone(2), brings_a_third_lamp),
    "iles-hidden": Wanted(alone(1), viewed(has_hidden_tile)),
    "iles-snakes": Wanted(alone(2), viewed(dreams_of_snakes)),
    "iles-one-move": Wanted(alone(2), has_one_move),
    "iles-two-near-the-end": Wanted(alone(1), past(85)),
    "iles-three-near-the-end": Wanted(alone(2), past(85)),
}
"""Every position by its name, which begins with the game."""


LAST_CHOICES = [f"{game}-last-choice-{number}" for game in games() for number in (1, 2, 3)]
TABLE |= {name: Wanted(NAMES[:2], is_last_choice, anything, is_first=False) for name in LAST_CHOICES}


def is_met(name: str, position: Position) -> bool:
    """Whether a position is the one of that name: it is Aline's turn, and what was wanted is true."""
    return not position.is_over and 0 in position.pending and TABLE[name].is_met(position)


def record(name: str) -> Record:
    """Return the record of a position that is kept."""
    return Record.load(POSITIONS / f"{name}.json")


def played(name: str, seed: int) -> Position | None:
    """Play a game until a position is met; None where it ends before."""
    wanted, game = TABLE[name], name.partition("-")[0]
    choose = wanted.choose or CHOICES.get(game, anything)
    options = {"first": 0} if wanted.is_first and game in CHOSEN_FIRST else {}
    position, chance, order = Position(game, len(wanted.seats), options), Seeded(seed), random.Random(seed)
    random.seed(f"{name} {seed}")
    bots = [named(LEVEL).sit(Sight(position, seat), seed + seat) for seat in range(position.players)]
    position.push_chances(chance)
    while not position.is_over:
        if is_met(name, position):
            return position
        seat = order.choice(position.pending)
        if wanted.seats[seat] == LEVEL:
            position.push(bots[seat].choose(Sight(position, seat)), seat)
        else:
            view = seen(position, seat)
            position.push(choose(view, view["moves"]), seat)
        position.push_chances(chance)
    return None


def hunted(name: str) -> Record:
    """Look for a position; return the game so far."""
    number = int(name.rpartition("-")[2]) if name[-1].isdigit() else 0
    for seed in range(number * TRIES, (number + 1) * TRIES):
        if (position := played(name, seed)) is not None:
            seats = [
                SeatInfo(f"{LEVEL.title()} {seat}", "bot", LEVEL, "1") if one == LEVEL else SeatInfo(one)
                for seat, one in enumerate(TABLE[name].seats)
            ]
            return Record.of(position, seats, date=DATE)
    raise SystemExit(f"no position {name} in {TRIES} games")


def main(wanted: list[str]) -> None:
    """Write the positions that are named, or those that are missing."""
    POSITIONS.mkdir(parents=True, exist_ok=True)
    for name in TABLE:
        file = POSITIONS / f"{name}.json"
        if name in wanted or not (wanted or file.exists()):
            hunted(name).save(file)
            print(file.relative_to(conftest.TESTS), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
