"""How the bots of 1001 Îles judge a position: what it may bring at the end, and which moves playouts make."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiers import IS_DEEP

from lampion.bots import named
from lampion.engine import rules
from lampion.engine.compile import compiled
from lampion.engine.rng import new_rng
from lampion.games.core import MOST_KEYS
from lampion.games.editions import standard
from lampion.games.iles import estimate
from lampion.games.iles.state import DREAM
from lampion.games.registry import game
from lampion.play import Position, Seeded, Sight

GAME = game("iles")
PLAYERS = (2, 3, 4, 5)


@compiled
def judge(boxes: Any, states: Any, seat: int, keys: Any) -> float:
    """The worth of a position, as the search asks for it."""
    return float(rules.estimate(boxes[0], states[0], seat, keys))


@compiled
def advise(boxes: Any, states: Any, seat: int, rng: Any, ids: Any, weights: Any) -> int:
    """The move of a playout."""
    return int(rules.playout_move(boxes[0], states[0], seat, rng, ids, weights))


def worth(position: Position, seat: int) -> float:
    states = np.array([position.state], dtype=GAME.state)
    return float(judge(position.edition.boxes, states, seat, np.zeros(MOST_KEYS, dtype=np.int64)))


def guided(players: int, seed: int) -> Position:
    """A game in which everybody moves as playouts do, through the door that refuses illegal moves."""
    position, chance, rng = Position("iles", players), Seeded(seed), new_rng(seed)
    ids, weights = np.zeros(GAME.most + 1, dtype=np.int32), np.zeros(GAME.most + 1, dtype=np.int32)
    while not position.is_over:
        position.push_chances(chance)
        if position.is_over:
            break
        states = np.array([position.state], dtype=GAME.state)
        position.push_rows(advise(position.edition.boxes, states, position.actor, rng, ids, weights), position.actor)
    return position


@pytest.mark.parametrize("players", PLAYERS)
def test_playouts_make_legal_moves_to_the_end_where_worth_is_the_score(players: int) -> None:
    for seed in range(40 if IS_DEEP else 10):
        position = guided(players, seed)
        outcome = position.outcome()
        assert outcome is not None
        assert [worth(position, seat) for seat in range(players)] == outcome.scores


def told(players: int) -> str:
    """A guided game and what it was worth on the way."""
    position = guided(players, 7)
    moves = " ".join(f"{seat}:{id}" for seat, id in position.played)
    return moves + "".join(f" {worth(position.at(ply), 0):.2f}" for ply in range(0, position.ply, 9))


def test_playouts_and_worth_are_the_same_interpreted() -> None:
    here = Path(__file__)
    code = f"import {here.stem} as guided; print(*map(guided.told, (2, 5)), sep='\\n')"
    other = "0" if inspect.isfunction(estimate.estimate) else "1"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "NUMBA_DISABLE_JIT": other, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        cwd=here.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split("\n")[:2] == [told(2), told(5)]


def test_what_a_tile_left_face_down_is_does_not_change_what_its_taker_hopes_for() -> None:
    position, chance, rng = Position("iles", 2), Seeded(3), new_rng(3)
    met = 0
    while not position.is_over:
        position.push_chances(chance)
        if position.is_over:
            break
        other = 1 - position.state.lookout
        if position.actor == other and position.state.hidden >= 0 and position.state.pile != DREAM:
            worlds = [position.concealed(other, rng) for _ in range(8)]
            met += len({world.state.tobytes() for world in worlds}) > 1
            assert len({worth(world, other) for world in worlds}) == 1
        position.push_rows(int(position.legal_ids()[0]), position.actor)
    assert met > 4


@pytest.mark.parametrize(("seat", "better"), [(0, "0@0"), (1, "1@0")])
def test_a_tile_is_worth_what_the_dreams_of_its_player_ask_for(seat: int, better: str) -> None:
    tiles = list(standard("iles").data["islands"]["top"])
    position = Position("iles", 3, {"first": 0})
    for move in ("dream", "+elephant", "+genie", "+genie", "0", ">1", "1", "2", "top"):
        position.push(move)
    for tile in ("bre", "pm", "pp"):
        position.push(f"+{tiles.index(tile)}")
    position.push("2@0")
    position.push(f">{seat}")
    values = {}
    for move in ("0@0", "1@0"):
        position.push(move)
        values[move] = worth(position, seat)
        position.pop()
    assert max(values, key=lambda move: values[move]) == better


def test_greedy_beats_random_by_far() -> None:
    makers = [named("greedy"), named("random")]
    won = 0.0
    for deal in range(15):
        for seat in range(2):
            position, chance = Position("iles", 2), Seeded(deal)
            sights = [Sight(position, at) for at in range(2)]
            bots = [makers[at != seat].sit(sights[at], deal) for at in range(2)]
            while not position.is_over:
                position.push_chances(chance)
                if not position.is_over:
                    position.push_rows(bots[position.actor].choose(sights[position.actor]), position.actor)
            won += position.count().shares[seat]
    assert won >= 24


def test_a_box_with_other_dreams_is_judged_by_them() -> None:
    data = {**standard("iles").data}
    data["dreams"] = {**data["dreams"], "camel": {"each": 40, "of": "c"}}
    usual, rich = Position("iles", 2, {"first": 0}), Position("iles", 2, {"first": 0}, components=data)
    assert worth(rich, 0) > worth(usual, 0) + 20
