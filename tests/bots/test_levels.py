"""Levels err within bounds, answer in time, and a search on a net is the same wherever it runs."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from tables import decisions

from lampion.bots.greedy import Greedy
from lampion.bots.levels import LEVELS, STRONGEST, Level
from lampion.bots.net_search import about_log
from lampion.bots.searcher import Search, SearchBot
from lampion.games.registry import games
from lampion.play import Sight

HOUSE = ("lanternes", "dice", "lumens", "iles")
TABLES = [(name, players) for name in HOUSE for players in games()[name].players]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_every_level_is_fast_enough_and_errs_less_than_the_one_below(name: str, players: int) -> None:
    game, noise = games()[name], []
    for level in LEVELS:
        limit = 1000 if level == STRONGEST else 100
        assert Level(level, level).milliseconds(game, players) <= limit
        maker = Level(level, level).maker(game, players)
        noise += [maker.noise] if isinstance(maker, Greedy) and not maker.selfish else []
    assert noise == sorted(noise, reverse=True)
    assert isinstance(Level(STRONGEST, STRONGEST).maker(game, players), Search)


@pytest.mark.parametrize("level", ["candle", "lantern", "lighthouse"])
def test_a_level_misjudges_no_move_by_more_than_its_noise(level: str) -> None:
    worse = 0
    for position in decisions("iles", 3, seed=4):
        sight = Sight(position, position.actor)
        if len(sight.ids) < 4:
            continue
        judge = Search(sims=1, learned=True).sit(sight, 1)
        assert isinstance(judge, SearchBot)
        judge.choose(sight)
        worth = {move: prior for move, (_, _, prior) in judge.workspaces[0].visits().items()}
        maker = Level(level, level).maker(sight.game, 3)
        assert isinstance(maker, Greedy)
        for seed in range(5):
            chosen = maker.sit(sight, seed).choose(sight)
            assert worth[chosen] >= max(worth.values()) - 2 * maker.noise
            worse += worth[chosen] < max(worth.values())
    assert worse > 5 or level == "lighthouse", "it errs"


def test_the_logarithm_of_a_count_is_near_that_of_a_library() -> None:
    for count in (1, 2, 3, 7, 64, 1000, 123_456):
        assert about_log(count) == pytest.approx(np.log(count), abs=0.07)


TREE = """
import hashlib
from lampion.bots import searcher, simulation
from lampion.bots.searcher import Search
from lampion.play import Position, Seeded, Sight
judge = simulation.judge
EDIT
position, chance = Position("iles", PLAYERS), Seeded(1)
position.push_chances(chance)
while position.actor == 0 or len(position.legal_moves) < 2:
    position.push(position.legal_moves[0])
    position.push_chances(chance)
sight = Sight(position, position.actor)
settings = ("doubts", 0.2 if position.players == 2 else 0.0), ("naive", 0.4)
bot = Search(sims=40, settings=settings, learned=True).sit(sight, 1)
bot.choose(sight)
workspace = bot.workspaces[0]
tree = workspace.tree[: workspace.used[0]]
print(hashlib.sha256(b"".join(tree[name].tobytes() for name in tree.dtype.names)).hexdigest(), len(tree))
"""


def tree_grown(players: int, *, interpreted: bool, edit: str = "") -> str:
    """Return the hash of a tree and the number of its nodes, of a process that made an `edit` first."""
    run = subprocess.run(
        [sys.executable, "-c", TREE.replace("PLAYERS", str(players)).replace("EDIT", edit)],
        env={
            **os.environ,
            "NUMBA_DISABLE_JIT": "1" if interpreted else "0",
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout


def test_a_search_on_a_net_grows_the_same_tree_interpreted_and_compiled() -> None:
    found = tree_grown(2, interpreted=True)
    assert found == tree_grown(2, interpreted=False)
    assert int(found.split()[1]) > 12


@pytest.mark.parametrize("room", ["", "searcher.ROOM_ON_NET.update(simulation=1, least=40); "], ids=["roomy", "full"])
@pytest.mark.parametrize("players", [2, 5])
def test_a_search_on_a_net_judges_for_everybody_who_learns(players: int, room: str) -> None:
    everybody = "simulation.judge = lambda work, net, seats: judge(work, net, 0b11111)"
    assert tree_grown(players, interpreted=True, edit=room) == tree_grown(
        players, interpreted=True, edit=room + everybody
    )
