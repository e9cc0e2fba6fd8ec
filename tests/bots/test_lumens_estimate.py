"""Lumens: what bots think of a position."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lampion.bots import named
from lampion.engine import rules
from lampion.engine.rng import new_rng
from lampion.games import core
from lampion.games.core import MOST_KEYS, MOST_SEATS
from lampion.play import Position, Seeded, Sight

PLAYERS = (2, 3, 4)


def worths(position: Position) -> list[float]:
    keys = np.zeros(MOST_KEYS, dtype=np.int64)
    box, state = position.edition.box, position.state
    return [float(rules.estimate(box, state, seat, keys)) for seat in range(position.players)]


def played(players: int, seed: int, moves: int = 1000) -> tuple[Position, list[float]]:
    """A game at random, and what the position was worth to everybody at every decision."""
    position, chance, choose = Position("lumens", players=players), Seeded(seed), random.Random(seed)
    found: list[float] = []
    for _ in range(moves):
        position.push_chances(chance)
        if position.is_over:
            break
        found += worths(position)
        position.push(choose.choice(list(position.legal_moves)))
    return position, found


def trace(players: int) -> Any:
    """What a game was worth, as plain data."""
    return [round(value, 6) for value in played(players, players)[1]]


def share(position_of: str, against: str, players: int, deals: int) -> float:
    """The win share of a bot in one seat against another in the rest, every deal from every seat."""
    total = 0.0
    for deal in range(deals):
        for mine in range(players):
            position, chance = Position("lumens", players=players), Seeded(deal)
            sights = [Sight(position, seat) for seat in range(players)]
            makers = [named(position_of if seat == mine else against) for seat in range(players)]
            bots = [maker.sit(sight, deal) for maker, sight in zip(makers, sights, strict=True)]
            position.push_chances(chance)
            while not position.is_over:
                seat = position.actor
                position.push(bots[seat].choose(sights[seat]))
                position.push_chances(chance)
            total += position.count().shares[mine]
    return total / (players * deals)


@pytest.mark.parametrize("players", PLAYERS)
def test_end_is_worth_the_score(players: int) -> None:
    for seed in range(10):
        position, _ = played(players, seed)
        assert position.is_over
        assert worths(position) == position.count().scores


@pytest.mark.parametrize("players", PLAYERS)
def test_all_seats_at_once_are_judged_as_one_by_one(players: int) -> None:
    keys, out = np.zeros((MOST_SEATS, MOST_KEYS), dtype=np.int64), np.zeros(MOST_SEATS)
    for moves in (0, 3, 11 * players, 1000):
        position, _ = played(players, 2, moves)
        rules.estimates(position.edition.box, position.state, players, keys, out)
        assert out[:players].tolist() == pytest.approx(worths(position))


@pytest.mark.parametrize("players", PLAYERS)
def test_worth_does_not_depend_on_what_is_hidden(players: int) -> None:
    position, _ = played(players, 3, moves=10 * players)
    position.push_chances(Seeded(5))
    before = worths(position)
    for seed in range(10):
        assert worths(position.concealed(core.SPECTATOR, new_rng(seed))) == before


@pytest.mark.parametrize("players", PLAYERS)
def test_worth_stays_between_nothing_and_every_room(players: int) -> None:
    _, found = played(players, 7)
    assert len(found) > 20 * players
    assert min(found) > 0
    assert max(found) < 4 * (9 if players == 2 else 11)


def after(*moves: str) -> list[float]:
    """What a game for two is worth after these moves."""
    position = Position("lumens", players=2, options={"first": 0})
    for move in ("+1", "+1", "face:5", "face:5", "+0", "+0", *moves):
        position.push(move)
    return worths(position)


def test_even_start_is_worth_the_same_to_both() -> None:
    mine, theirs = after()
    assert mine == pytest.approx(theirs)
    assert mine == pytest.approx(9 * 4 / 2)


def test_larger_number_in_a_room_is_worth_more_and_to_the_other_less() -> None:
    small, large = after("1@5,8"), after("6@5,8")
    assert large[1] < small[1]
    assert large[0] + large[1] == pytest.approx(36)


def test_token_that_nobody_can_cover_is_worth_more() -> None:
    position = Position("lumens", players=2, options={"first": 0})
    for move in (
        "+1",
        "+1",
        "face:5",
        "face:5",
        "+0",
        "+0",
        "1@5,8",
        "+0",
        "1@7,0",
        "+0",
        "6@5,8",
        "+1",
        "1@7,1",
        "+0",
    ):
        position.push(move)
    covered = worths(position)
    position.state.closed[:] = 0  # as if all could be covered again
    assert worths(position)[0] < covered[0]


def test_room_with_a_line_into_it_is_worth_more_than_one_without() -> None:
    position = Position("lumens", players=2, options={"first": 0})
    for move in ("+1", "+1", "face:5", "face:5", "+0", "+0"):
        position.push(move)
    reached = worths(position)
    position.state.closed[8 * 16 + 5 >> 6] |= 1 << (8 * 16 + 5 & 63)  # the end of the line to the east
    assert worths(position)[0] < reached[0]
    assert worths(position)[1] > reached[1]


@pytest.mark.parametrize("players", [2, 4])
def test_interpreted_worth_is_the_compiled_one(players: int) -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-W", "error::RuntimeWarning", str(Path(__file__).resolve()), str(players)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout) == trace(players)


def test_greedy_beats_random() -> None:
    assert share("greedy", "random", 2, 5) >= 0.9
    assert share("greedy", "random", 4, 2) >= 0.8


@pytest.mark.parametrize("sun", ["sun:sims=60", pytest.param("sun:sims=300", marks=pytest.mark.deep)])
def test_search_beats_greedy(sun: str) -> None:
    assert share(sun, "greedy", 2, 3) >= 0.6


if __name__ == "__main__":
    print(json.dumps(trace(int(sys.argv[1]))))
