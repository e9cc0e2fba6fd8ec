"""How the bots judge Lanternes: the estimate of a position, and the moves that playouts follow."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiers import daily

from lampion.bots import named
from lampion.engine import rules
from lampion.engine.compile import compiled
from lampion.engine.rng import new_rng
from lampion.games import core
from lampion.games.core import MOST_KEYS, MOST_SEATS
from lampion.games.lanternes.state import EXCHANGE, PASS
from lampion.games.registry import game
from lampion.play import Position, Seeded
from lampion.play.sight import sights
from lampion.testing import wander

GAME = game("lanternes")


@compiled
def worth_at(boxes: Any, states: Any, i: int, seat: int, keys: Any) -> float:
    return float(rules.estimate(boxes[0], states[i], seat, keys[seat]))


@compiled
def guide_at(boxes: Any, states: Any, i: int, seat: int, rng: Any, ids: Any, weights: Any) -> int:
    return int(rules.playout_move(boxes[0], states[i], seat, rng, ids, weights))


def worth(position: Position, seat: int) -> float:
    """What a position is worth to a seat."""
    states = GAME.new_states(1)
    states[0] = position.state
    return worth_at(position.edition.boxes, states, 0, seat, np.zeros((MOST_SEATS, MOST_KEYS), dtype=np.int64))


def guided(position: Position, seat: int, rng: Any) -> int:
    """The move that a playout would make."""
    states = GAME.new_states(1)
    states[0] = position.state
    ids = np.zeros(GAME.most + 1, dtype=np.int32)
    return guide_at(position.edition.boxes, states, 0, seat, rng, ids, ids.copy())


def play(names: list[str], seed: int) -> tuple[float, ...]:
    """The shares of the victory in one game of these bots."""
    position, chance = Position("lanternes", len(names)), Seeded(seed)
    seen = sights(position)
    bots = [named(name).sit(sight, seed * 8 + sight.seat) for name, sight in zip(names, seen, strict=True)]
    while not position.is_over:
        if position.actor == core.CHANCE:
            position.push_chances(chance)
        else:
            position.push_rows(bots[position.actor].choose(seen[position.actor]), position.actor)
    outcome = position.outcome()
    assert outcome is not None
    return tuple(outcome.shares)


@pytest.mark.parametrize("players", GAME.players)
def test_an_ended_game_is_worth_its_points(players: int) -> None:
    *_, last = wander(GAME, players, None, 5)
    outcome = last.outcome()
    assert outcome is not None
    assert [worth(last, seat) for seat in range(players)] == list(outcome.scores)
    assert max(outcome.scores) > 0


@pytest.mark.parametrize("players", GAME.players)
def test_what_a_seat_hopes_for_does_not_lean_on_what_it_cannot_see(players: int) -> None:
    looked = 0
    for position in wander(GAME, players, None, 6):
        if position.actor == core.CHANCE:
            continue
        states, rng = GAME.new_states(1), new_rng(position.ply)
        sights(position)[position.actor].world(states, 0, rng)
        keys = np.zeros((MOST_SEATS, MOST_KEYS), dtype=np.int64)
        for seat in range(players):
            assert worth_at(position.edition.boxes, states, 0, seat, keys) == worth(position, seat)
        looked += 1
    assert looked > 20


@pytest.mark.parametrize("players", daily(GAME.players, 4))
def test_playouts_make_only_legal_moves(players: int) -> None:
    kinds = set()
    for seed in range(12):
        for position in wander(GAME, players, None, seed):
            if position.actor != core.CHANCE and not position.is_over:
                legal = set(position.legal_ids(position.actor).tolist())
                for number in range(3):
                    move = guided(position, position.actor, new_rng(position.ply * 3 + number))
                    assert move in legal, f"seed {seed}, ply {position.ply}: {move}"
                    kinds.add(type(position.move(move)).__name__)
    assert kinds >= {"Exchange", "Reward", "Place", "Discard", "Pass"}


@pytest.mark.parametrize("players", daily(GAME.players, 4))
def test_playouts_exchange_what_leaves_the_most(players: int) -> None:
    rng, exchanges = new_rng(1), 0
    for seed in range(30):
        for position in wander(GAME, players, None, seed):
            if position.is_over or position.actor < 0 or position.state["step"] != EXCHANGE:
                continue
            seat = position.actor
            left = {}
            for id in position.legal_ids(seat).tolist():
                position.push_rows(id, seat)
                left[id] = worth(position, seat)
                position.pop()
            chosen = guided(position, seat, rng)
            exchanges += chosen != PASS
            if not position.state["final"]:  # there the guide looks at what can be paid, worth at ties as well
                assert left[chosen] == pytest.approx(max(left.values())), position.text()
    assert exchanges > 10


def test_playouts_play_the_same_moves_interpreted() -> None:
    script = (
        "from test_lanternes_estimate import *\n"
        "for position in wander(GAME, 3, None, 2):\n"
        "    if position.actor >= 0: print(guided(position, position.actor, new_rng(position.ply)),"
        " [round(worth(position, seat), 9) for seat in range(3)])\n"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "NUMBA_DISABLE_JIT": without, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for without in "01"
    ]
    assert told[0] == told[1]
    assert len(told[0].splitlines()) > 20


def test_greedy_beats_random_in_every_game_of_a_few() -> None:
    shares = [play(["greedy", "random"], seed)[0] + play(["random", "greedy"], seed)[1] for seed in range(1, 7)]
    assert sum(shares) >= 11


@pytest.mark.parametrize(
    ("sun", "least"), [("sun:sims=60", 4), pytest.param("sun:sims=300", 8, marks=pytest.mark.deep)]
)
def test_the_search_beats_greedy_in_most_games_of_a_few(sun: str, least: int) -> None:
    seeds = range(1, 1 + least * 3 // 4)
    shares = [play([sun, "greedy"], seed)[0] + play(["greedy", sun], seed)[1] for seed in seeds]
    assert sum(shares) >= least
