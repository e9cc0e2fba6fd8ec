"""Many games on a graphics card at once: `play_games` itself inside one CUDA kernel, one game a thread.

Our functions are compiled for a core. For the card each is compiled again from the same Python text, and all that it
calls; where it calls a function of the contract, that of the one game the card plays. No rule is written twice.
"""

from __future__ import annotations

import statistics
import time
from types import FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
from numba import cuda
from numba.core.dispatcher import Dispatcher

from benchmarks.gpu.played import Played, as_bytes
from lampion.arena.simulate_random import Runner, play_games, scratch_type
from lampion.engine import bits, dispatch, ranking, rules
from lampion.engine.linking import widened
from lampion.games.core import Game

BLOCK = 128
ROUNDS = 5


def compile_once(dispatcher: Any) -> None:
    """Keep Numba from compiling a function of the card again for every constant and narrow type it is called with."""
    if hasattr(dispatcher, "get_call_template"):
        resolve = dispatcher.get_call_template
        dispatcher.get_call_template = lambda args, kws: resolve(widened(args), kws)


class Translator:
    """Makes functions of one game again, for the card."""

    def __init__(self, game: Game) -> None:
        self.kind = numba.from_dtype(game.state)
        self.made: dict[Any, Any] = {}

    def function(self, compiled: Any) -> Any:
        """A compiled function from the same text, in which every name means what it means on the card."""
        if compiled not in self.made:
            text = compiled.py_func
            meanings: dict[str, Any] = {"__name__": text.__module__}
            self.made[compiled] = cuda.jit(device=True)(FunctionType(text.__code__, meanings, text.__name__))
            compile_once(self.made[compiled])
            meanings |= self.meanings(text.__globals__, text.__code__.co_names)
        return self.made[compiled]

    def meanings(self, module: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
        """What names of a module mean on the card."""
        return {name: self.meaning(module[name], names) for name in names if name in module}

    def meaning(self, value: Any, names: tuple[str, ...]) -> Any:
        """Functions are made again, those of the contract from the game's; all else stays."""
        if isinstance(value, Dispatcher):
            return self.function(value)
        if value in (rules, ranking):
            module = ModuleType(value.__name__)
            vars(module).update(self.meanings(vars(value), names))
            return module
        if isinstance(value, FunctionType) and value.__module__ in (bits.__name__, dispatch.__name__):
            return self.function(self.rule(value.__name__))
        return value

    def rule(self, name: str) -> Any:
        """The game's function of that name in the contract."""
        if name in ON_CARD:
            return ON_CARD[name]
        return dispatch.find_rule(self.kind, name, rules.pick_listed if name == "pick" else None)


@numba.njit
def leave(target: Any, state: Any) -> None:
    """For `copy`, which clears a position before the next game: here every game has one of its own, all zeros."""


@numba.njit
def popcount(bits: int) -> int:
    """For `bits.popcount`, an instruction of the processor: the same on the card."""
    n = 0
    while bits:
        bits &= bits - 1
        n += 1
    return n


@numba.njit
def lowest_bit(bits: int) -> int:
    """For `bits.lowest_bit`, as above."""
    n = 0
    while not (bits >> n) & 1:
        n += 1
    return n


ON_CARD = {"copy": leave, "popcount": popcount, "lowest_bit": lowest_bit}
"""The functions of the engine that are instructions of a processor."""


def kernel_of(game: Game) -> Any:
    """One game of a run for every thread."""
    play = Translator(game).function(play_games)

    @cuda.jit
    def kernel(
        boxes: Any, states: Any, players: int, options: Any, seed: np.uint64, games: int, scratch: Any, log: Any
    ) -> None:
        game = cuda.grid(1)
        if game < games:
            two = states[game :: games - game]  # the game's own and the very last, which nobody plays
            play(boxes, two, players, options, seed, game, 1, 0, scratch[game:], log)

    return kernel


def play_on_card(runner: Runner, game: Game, games: int) -> Played:
    """Games 0 to `games` - 1 of a run in one launch, timed over several; the first, which compiles, is not counted."""
    states = game.new_states(games + 1)
    scratch = np.zeros(games, dtype=scratch_type(game))
    boxes, options, log, states_there, scratch_there = map(
        cuda.to_device, [runner.boxes, runner.options, runner.log, states, scratch]
    )
    launch = kernel_of(game)[-(-games // BLOCK), BLOCK]
    seconds = []
    for _ in range(1 + ROUNDS):
        states_there.copy_to_device(states)
        scratch_there.copy_to_device(scratch)
        cuda.synchronize()
        began = time.perf_counter()
        launch(boxes, states_there, runner.players, options, runner.seed, games, scratch_there, log)
        cuda.synchronize()
        seconds.append(time.perf_counter() - began)
    finals = states_there.copy_to_host()[:games]
    return Played(as_bytes(finals), scratch_there.copy_to_host()["counts"], statistics.median(seconds[1:]))
