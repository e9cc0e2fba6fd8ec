"""Games that were played, and how a core plays them: with `Runner`, as every simulation does."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from lampion.arena.simulate_random import COUNTS, MOVES, Runner
from lampion.games.core import Game


@dataclass(frozen=True)
class Played:
    """Games of a run: a row a game of its final position's bytes and of its counts, and the seconds of them all."""

    finals: np.ndarray[Any, np.dtype[np.uint8]]
    counts: np.ndarray[Any, np.dtype[np.int64]]
    seconds: float

    @property
    def moves(self) -> int:
        """All moves, chance included."""
        return int(self.counts[:, MOVES].sum())


def as_bytes(states: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Positions as rows of bytes, padding and all."""
    return states.view(np.uint8).reshape(len(states), -1)


def play_on_core(runner: Runner, game: Game, games: int) -> Played:
    """Games 0 to `games` - 1 of a run, once in one go for the clock and once one by one for what became of each."""
    runner.play(0, 1)
    began = time.perf_counter()
    runner.play(0, games)
    seconds = time.perf_counter() - began
    finals, counts = as_bytes(game.new_states(games)), np.zeros((games, COUNTS), dtype=np.int64)
    for number in range(games):
        counts[number] = runner.play(number, 1)
        finals[number] = as_bytes(runner.states)[0]
    return Played(finals, counts, seconds)
