"""Interpreted and compiled rules are the same rules: two processes play the same games and compare every move."""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import numpy as np

from lampion.engine import rules
from lampion.engine.rng import new_rng
from lampion.games import registry
from lampion.games.core import CHANCE, Game
from lampion.play import Position, compiled_calls
from lampion.testing.playing import Bench, movers, viewers, wander

SELDOM = 8
"""The number of moves after which the twins also compare what takes long without a compiler."""


def check_interpreted(game: Game, players: int, options: Mapping[str, Any] | None, seed: int) -> None:
    """Check that interpreted rules give the same states, rows, lists, worlds, scores and features, move by move."""
    here = list(trace(game, players, options, seed))
    there = _trace_of_the_twin(game, players, options, seed)
    for number, (mine, theirs) in enumerate(zip(here, there, strict=False)):
        differ = [name for name in mine if mine[name] != theirs.get(name)]
        assert not differ, (
            f"{game.name}, {players} players, {options}, seed {seed}: interpreted and compiled rules differ "
            f"in {', '.join(differ)} at move {number}: {mine['move']}"
        )
    assert len(here) == len(there), f"{game.name}: one game has {len(here)} moves, its twin {len(there)}"


def _trace_of_the_twin(game: Game, players: int, options: Mapping[str, Any] | None, seed: int) -> list[dict[str, str]]:
    """Return the trace from a process that compiles if this one interprets, and the reverse."""
    environment = os.environ | {
        "NUMBA_DISABLE_JIT": "0" if inspect.isfunction(compiled_calls.actor_at) else "1",
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }
    asked = json.dumps([game.name, players, msgspec.to_builtins(dict(options or {})), seed])
    command = [
        sys.executable,
        "-W",
        "error::RuntimeWarning",
        "-c",
        "from lampion.testing import interpreted_equals_compiled; interpreted_equals_compiled.main()",
    ]
    done = subprocess.run(command, input=asked, env=environment, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, f"{game.name}: the twin process fails:\n{done.stderr[-2000:]}"
    traced: list[dict[str, str]] = json.loads(done.stdout)
    return traced


def trace(game: Game, players: int, options: Mapping[str, Any] | None, seed: int) -> Iterator[dict[str, str]]:
    """Yield short digests of all results of the rules at every move of a random game."""
    bench = Bench(game)
    before: Position | None = None
    for position in wander(game, players, options, seed):
        states = bench.state(position)
        move, rows = "set-up", b""
        if before is not None:
            seat, id = position.played[-1]
            move = f"{'chance' if seat == CHANCE else seat} {id}"
            rows = before.push_rows(id, seat).tobytes()
        lists, picks, codes = [], [], []
        for seat in movers(position):
            lists.append((bench.moves(states, seat), bench.weights.tolist() if seat == CHANCE else []))
            picks.append(int(rules.pick(bench.box, states[0], seat, new_rng(position.ply), bench.ids, bench.weights)))
            codes.append([bench.seen(states, seat, picks[-1], viewer) for viewer in viewers(position)])
        digests = {
            "move": move,
            "the state": _digest(states.tobytes()),
            "the rows of the log": _digest(rows),
            "the lists": _digest([bench.actor(states), bench.pending(states), bench.source(states), lists]),
            "pick": _digest(picks),
            "seen": _digest(codes),
        }
        if position.ply % SELDOM == 0 or position.is_over:
            looking = position.ply // SELDOM % players
            digests |= {
                "conceal": _digest(bench.concealed(states, looking, position.ply).tobytes()),
                "the score": _digest(msgspec.to_builtins(position.count())),
                "the features": _digest(np.round(position.features(looking).astype(np.float64), 5).tobytes()),
                "the inputs of nets": _digest(np.round(position.net_inputs(looking).astype(np.float64), 4).tobytes()),
                "holds": _digest(bench.broken_fact(states)),
            }
        yield digests
        before = position.copy()


def _digest(what: Any) -> str:
    data = what if isinstance(what, bytes) else json.dumps(what).encode()
    return hashlib.sha256(data).hexdigest()[:12]


def main() -> None:
    """Trace the game that is named on stdin."""
    name, players, options, seed = json.load(sys.stdin)
    json.dump(list(trace(registry.game(name), players, options, seed)), sys.stdout)
