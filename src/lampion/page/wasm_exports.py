"""The WebAssembly module of a game: which compiled functions it exports, with which arguments.

The arguments are made by the very code that makes those of the native engine, so a type is declared nowhere twice. A
function that can stand on a net is exported twice, with the net of the game and without one: `roll_on_net` and `roll`.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from lampion.arena import simulate_random
from lampion.bots import one_step, search, simulation
from lampion.bots.net_files import shipped
from lampion.bots.workspace import new_workspace, settings_for
from lampion.engine.constants import NOTES
from lampion.engine.module import variant
from lampion.engine.rng import new_rng
from lampion.engine.wasm import Export, build
from lampion.games.core import MOST_KEYS, ROW, Game
from lampion.games.editions import standard
from lampion.insight import estimate, evaluator, follow
from lampion.play import compiled_calls

CALLS = (
    "set_up", "actor_at", "pending_at", "source_at", "moves_at", "push_at", "deal_at", "pick_at", "play_out_at",
    "seen_at", "conceal_at", "broken_invariant_at", "features_at", "net_inputs_at", "count_at", "tellers_at",
)  # fmt: skip
WIDE = 8


def arguments(game: Game) -> dict[str, Any]:
    """Return a value of its type for every parameter of the functions in `compiled_calls`, by its name."""
    players = game.players[0]
    return {
        "boxes": standard(game.name).boxes,
        "states": game.new_states(2),
        "options": game.code_options(game.read_options(players)),
        "log": np.zeros((game.rows, ROW), dtype=np.int32),
        "ids": np.zeros(game.most + 1, dtype=np.int32),
        "weights": np.zeros(game.most + 1, dtype=np.int32),
        "drawn": np.zeros(game.sources, dtype=np.int32),
        "rng": new_rng(),
        "seed": np.uint64(0),
        "out": np.zeros(1, dtype=np.float32),
        "notes": np.zeros(NOTES, dtype=np.int64),
        "tallies": np.zeros((players, len(game.categories)), dtype=np.int64),
        "keys": np.zeros((players, MOST_KEYS), dtype=np.int64),
        "ranks": np.zeros(players, dtype=np.int64),
        "shares": np.zeros(players, dtype=np.float64),
    }


def export(function: Any, *arguments: Any) -> Export:
    """Return a function as it is exported for such arguments."""
    return Export(variant(function.__name__, arguments[0]), function, arguments)


def play_exports(game: Game) -> Iterator[Export]:
    """Yield what a played game needs, and random games by the thousand."""
    values = arguments(game)
    for name in CALLS:
        function = getattr(compiled_calls, name)
        yield export(function, *(values.get(one, 0) for one in inspect.signature(function).parameters))
    scratch = np.zeros(1, dtype=simulate_random.scratch_type(game))
    given = (values["boxes"], values["states"], 2, values["options"], np.uint64(0), 0, 1, None, scratch, values["log"])
    yield export(simulate_random.play_games, *given)


def search_exports(game: Game) -> Iterator[Export]:
    """Yield what bots need: a search with and without a net, and one step ahead."""
    edition, players = standard(game.name), game.players[0]
    found = shipped(game.name, players)
    plain = new_workspace(edition, players, 0, settings_for(game), 1)
    yield export(search.survey, plain)
    yield export(simulation.think, plain, 1)
    yield export(one_step.best_now, plain, 0.0, 0)
    if found is not None:
        on_net = new_workspace(edition, players, 0, settings_for(game, on_net=True), 1, found.net)
        yield export(simulation.think, on_net, 1)
        yield export(one_step.best_now, on_net, 0.0, 0)


def insight_exports(game: Game) -> Iterator[Export]:
    """Yield what hints and analyses need."""
    work = evaluator.new_workspace(standard(game.name), game.players[0], WIDE)
    ids = np.zeros(1, dtype=np.int64)
    for each in (work, work._replace(net=None, learned=None))[work.net is None :]:
        yield export(estimate.expect_outcomes, each, 1, 1)
        yield export(follow.roll, each, 0, ids, ids, 0, 1, np.uint64(0), 1)


def exports(game: Game) -> list[Export]:
    """Return all functions of the module of a game."""
    return [*play_exports(game), *search_exports(game), *insight_exports(game)]


def write(game: Game, folder: Path) -> Path:
    """Build the module of a game into a folder that exists; return its file."""
    file = folder / f"{game.name}.wasm"
    file.write_bytes(build(exports(game)))
    return file
