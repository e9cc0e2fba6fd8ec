"""The rules and the search as WebAssembly do, bit by bit, what they do as machine code.

`LAMPION_WASM=chromium` and `--deep` try all games in Chromium: 16,000 games and 96 trees;
without it a few, of one game.
"""

from __future__ import annotations

import copy
import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import lampion
from tiers import IS_DEEP

from lampion.arena import simulate_random
from lampion.bots import search, simulation
from lampion.bots.net_files import shipped
from lampion.bots.searcher import SearchWorkspace
from lampion.bots.workspace import settings_for
from lampion.games.core import ROW, Game
from lampion.games.editions import standard
from lampion.insight import estimate, evaluator, follow

from .outside import Call, run
from .sights import positions

RANDOM_GAMES = 2000 if IS_DEEP else 200
SIMULATIONS = 2000 if IS_DEEP else 500


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["nothing"], "no game called"),
        (["iles", "--target", "x86"], "cannot be built for"),
        (["iles"], "cannot be written"),
    ],
)
def test_what_cannot_be_built_is_refused_with_the_reason(words: list[str], reason: str, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("mine")
    done = lampion("engine", "build", *words, "--out", str(taken))
    assert (done.returncode, reason in done.stderr) == (2, True), done.stderr
    assert taken.read_text() == "mine"


@pytest.mark.deep
@pytest.mark.parametrize("most", [False, True], ids=["two", "most"])
def test_random_games_end_in_the_same_states(module: tuple[Game, Path], most: bool, tmp_path: Path) -> None:
    """Many games: the final state of each, and all that was counted."""
    game, file = module
    players = game.players[-1] if most else 2

    def call() -> Call:
        states = game.new_states(2)
        scratch = np.zeros(1, dtype=simulate_random.scratch_type(game))
        log = np.zeros((game.rows, ROW), dtype=np.int32)
        options = game.code_options(game.read_options(players))
        boxes = standard(game.name).boxes
        given = (boxes, states, players, options, np.uint64(7), 0, 1, None, scratch, log)
        return Call("play_games", given, times=RANDOM_GAMES, step=5, watch=states[:1])

    there, here = call(), call()
    answer = run(file, [there], tmp_path)[0]
    seen = hashlib.sha256()
    given = list(here.arguments)
    for number in range(RANDOM_GAMES):
        given[here.step or 0] = number
        simulate_random.play_games(*given)
        seen.update(here.watch.tobytes())
    assert answer.hash == seen.hexdigest()
    assert there.arguments[8].tobytes() == here.arguments[8].tobytes()


@pytest.mark.deep
@pytest.mark.parametrize("on_net", [False, True], ids=["without a net", "on a net"])
def test_searches_grow_the_same_trees(module: tuple[Game, Path], on_net: bool, tmp_path: Path) -> None:
    """Many simulations from each of several positions: every node, to its last bit."""
    game, file = module
    for number, sight in enumerate(positions(game)):
        found = shipped(game.name, sight.players)
        assert found is not None
        settings = settings_for(game, {"doubts": 0.1, "naive": 0.3}, on_net=on_net)
        workspace = SearchWorkspace(sight, settings, 200 * SIMULATIONS, found.net if on_net else None)
        workspace.tree[:] = np.zeros((), dtype=workspace.tree.dtype)
        workspace.clear_tree()
        workspace.look_at(sight, 1000 + number)
        mine, theirs = copy.deepcopy(workspace.arrays), workspace.arrays
        surveyed = [] if on_net else [Call("survey", (theirs,))]
        run(file, [*surveyed, Call("think_on_net" if on_net else "think", (theirs, SIMULATIONS))], tmp_path)
        if not on_net:
            search.survey(mine)
        simulation.think(mine, SIMULATIONS)
        assert mine.used.tolist() == theirs.used.tolist()
        assert mine.tree.tobytes() == theirs.tree.tobytes()
        assert mine.rng[0] == theirs.rng[0]


@pytest.mark.deep
def test_moves_are_judged_alike(module: tuple[Game, Path], tmp_path: Path) -> None:
    """What a hint or an analysis says of a position: every move one step ahead, three of them followed."""
    game, file = module
    calls: list[Call] = []
    natively: list[tuple[Any, ...]] = []
    for sight in positions(game)[:4]:
        work = evaluator.new_workspace(standard(game.name), sight.players, 8)
        sight.world(work.states, estimate.GIVEN, work.rng)
        moves = np.array(sight.ids[:3], dtype=np.int64)
        given = (work, sight.seat, moves, np.arange(len(moves)), len(moves), 20, np.uint64(5), 4)
        natively.append(copy.deepcopy(given))
        calls.append(Call("roll_on_net", given))
    run(file, calls, tmp_path)
    for mine, call in zip(natively, calls, strict=True):
        follow.roll(*mine)
        assert mine[0].sums.any()
        assert mine[0].sums.tobytes() == call.arguments[0].sums.tobytes()
        assert mine[0].tallies.tobytes() == call.arguments[0].tallies.tobytes()
