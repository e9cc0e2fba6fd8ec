"""How the bots judge a sheet of Lanternes Dice, and the moves that their playouts make."""

from __future__ import annotations

import json
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
from lampion.engine.rng import new_rng
from lampion.games import core
from lampion.games.core import CHANCE, MOST_KEYS, OVER
from lampion.games.dice.state import ACTING, DIE, LAUNCH, NOTHING, SHADING
from lampion.games.editions import standard
from lampion.games.registry import game
from lampion.play import Position, Seeded, Sight

PLAYERS = (2, 3, 4)
DRAWN = {"fireworks": "random", "sides": "random"}


class Table:
    """A game that goes on as the guide says, or at random."""

    def __init__(self, players: int, options: dict[str, Any], seed: int) -> None:
        dice = game("dice")
        self.players, self.box = players, standard("dice").boxes[0]
        self.states = dice.new_states(1)
        self.state = self.states[0]
        self.ids, self.weights = np.zeros(dice.most + 1, np.int32), np.zeros(dice.most + 1, np.int32)
        self.log, self.keys = np.zeros((0, core.ROW), np.int32), np.zeros(MOST_KEYS, np.int64)
        self.rng = new_rng(seed)
        chosen = dice.code_options(dice.read_options(players, options))
        rules.setup(self.box, self.state, players, chosen[0], self.log)

    @property
    def actor(self) -> int:
        return int(rules.actor(self.box, self.state))

    def worth(self, seat: int) -> float:
        return float(rules.estimate(self.box, self.state, seat, self.keys))

    def move(self, guided: bool) -> int:
        """Make a move; its id."""
        who = self.actor
        choose = rules.playout_move if guided and who != CHANCE else rules.pick
        found = int(choose(self.box, self.state, who, self.rng, self.ids, self.weights))
        if who != CHANCE:
            n = rules.legal(self.box, self.state, who, self.ids)
            assert found in self.ids[:n], f"seat {who} at step {self.state.at[who]} may not make move {found}"
        rules.apply(self.box, self.state, who, found, self.log)
        return found


def played(players: int, seed: int, guided_of_ten: int = 10) -> list[list[float]]:
    """The moves of a game and what the mover's sheet was worth after each."""
    table = Table(players, DRAWN, seed)
    found: list[Any] = []
    while (who := table.actor) != OVER:
        move = table.move(guided=len(found) * 7 % 10 < guided_of_ten)
        found.append([move, round(table.worth(max(who, 0)), 6)])
    return found


@pytest.mark.parametrize("players", daily(PLAYERS, 4))
def test_playouts_make_legal_moves_in_all_games(players: int) -> None:
    for seed in range(60):
        played(players, seed, guided_of_ten=10 if seed % 2 else 5)


def test_playout_moves_and_estimates_are_the_same_without_a_compiler() -> None:
    code = "import json, test_dice_estimate as t; print(json.dumps([t.played(n, n) for n in t.PLAYERS]))"
    path = os.pathsep.join([str(Path(__file__).parent), *(path for path in sys.path if path)])
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path}
    command = [sys.executable, "-W", "error::RuntimeWarning", "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout) == [played(players, players) for players in PLAYERS]


@pytest.mark.parametrize("players", PLAYERS)
def test_an_ended_game_is_worth_its_score(players: int) -> None:
    for seed in range(20):
        table = Table(players, DRAWN, seed)
        while table.actor != OVER:
            table.move(guided=True)
        for seat in range(players):
            rules.key(table.box, table.state, seat, table.keys)
            score = table.keys[0]
            assert table.worth(seat) == score > 0


def test_what_others_shade_is_not_worth_anything_to_a_sheet() -> None:
    table = Table(2, {}, 5)
    while table.state.turn < 9 or table.actor != 1:
        table.move(guided=True)
    before = table.worth(0), table.worth(1)
    table.state.shaded[1, :] = 0
    assert table.worth(0) == before[0]
    assert table.worth(1) != before[1]


def sheet(ponds: tuple[int, ...] = (), half: tuple[int, ...] = (), *, turn: int = 10, step: int = NOTHING) -> Table:
    """Seat 0 of two has these ponds complete, and these half-shaded, in its turn."""
    table = Table(2, {}, 0)
    state = table.state
    state.stage, state.turn, state.at[0], state.owing = SHADING, turn, step, 1
    state.dice[:] = 0
    for pond in ponds + half:
        state.shaded[0, 0] |= 1 << pond
    for pond in ponds:
        state.shaded[0, 1] |= 1 << pond
    return table


def test_ponds_together_are_worth_more_than_ponds_apart() -> None:
    assert sheet((0, 1, 9)).worth(0) > sheet((0, 6, 27)).worth(0)


def test_a_boat_that_is_nearly_surrounded_is_worth_more_until_its_pond_is_shaded() -> None:
    boat = 10
    begun, closed = sheet((boat - 1, boat + 1), (boat - 9,)), sheet((boat - 1, boat + 1, boat - 9))
    assert closed.worth(0) > begun.worth(0) + 0.5
    before = closed.worth(0)
    closed.state.shaded[0, 0] |= 1 << boat
    assert closed.worth(0) < before - 0.5


def test_a_gift_is_worth_something_while_it_can_be_spent() -> None:
    for turn, step, useful in ((2, NOTHING, True), (19, DIE, True), (19, LAUNCH, False)):
        table = sheet(turn=turn, step=step)
        table.state.first = turn % 2
        before = table.worth(0)
        table.state.gifts[0] += 1
        assert (table.worth(0) > before) == useful


def test_an_action_that_was_paid_is_worth_its_gift() -> None:
    waiting, acting = sheet(turn=10, step=NOTHING), sheet(turn=10, step=ACTING)
    acting.state.gifts[0] -= 1
    acting.state.left[0] = 1
    assert acting.worth(0) > waiting.worth(0)


def test_a_firework_that_is_ready_counts_its_points_at_the_end() -> None:
    """On the last turn a square that is ready is worth the points on its tile."""
    together, apart = (sheet(ponds, turn=19, step=LAUNCH) for ponds in ((0, 1, 9, 10), (0, 2, 18, 20)))
    together.state.first = apart.state.first = 1
    assert together.worth(0) - apart.worth(0) == pytest.approx(5 - 1)  # four single ponds have a second group of one


def test_greedy_beats_random_by_far() -> None:
    scores: dict[str, list[int]] = {"greedy": [], "random": []}
    for seed in range(6):
        position = Position("dice", 2)
        sights = [Sight(position, seat) for seat in range(2)]
        names = ["greedy", "random"] if seed % 2 else ["random", "greedy"]
        bots = [named(name).sit(sights[seat], seed) for seat, name in enumerate(names)]
        chance = Seeded(seed)
        while True:
            position.push_chances(chance)
            if position.is_over:
                break
            position.push_rows(bots[position.actor].choose(sights[position.actor]), position.actor)
        for seat, name in enumerate(names):
            scores[name].append(position.count().scores[seat])
    assert min(scores["greedy"]) > 12 > max(scores["random"])
