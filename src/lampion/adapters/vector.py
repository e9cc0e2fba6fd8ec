"""Thousands of games at once: one compiled call steps them all and writes what the next actors see.

Needs NumPy alone. All arrays are made once and written in place, never copied: take what you want to keep, and write
nothing into the masks, of which only what changes is written. Chance is resolved inside; a game that ends is begun anew
in the same call. Game k of row i is played with the chance of `Seeded(game_seed(seed, k * count + i, 0))`, so a seed
names the whole run, whatever the number of threads.

>>> from lampion.adapters.vector import VectorEnv
>>> env = VectorEnv("lumens", 64)
>>> observations, info = env.reset(seed=1)
>>> for _ in range(100):
...     observations, rewards, terminated, truncated, info = env.step(env.random_actions())
>>> observations is env.observations, rewards.shape
(True, (64, 2))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from lampion.adapters import batch
from lampion.adapters.batch import FINE
from lampion.adapters.episode import RETURNS, REWARDS, BadEnvironment, Components, Setting, whole
from lampion.engine.rng import new_rng
from lampion.games import core
from lampion.games.core import MOST_KEYS, MOST_SEATS, Game, IllegalMove
from lampion.locale import written
from lampion.play.chance import MOST_SEED, Seeded

LEAST_A_THREAD = 64
"""Rows below which another thread costs more than it brings."""


def at_least_one(what: str, number: Any) -> int:
    """A whole number from 1 on."""
    found = whole(number)
    if found is None or found < 1:
        raise BadEnvironment("error.at_least_one", what=what, number=written(number))
    return found


class _Desk:
    """What one thread works with."""

    def __init__(self, game: Game) -> None:
        self.rng = new_rng()
        self.weights = np.zeros((2, game.most + 1), dtype=np.int32)
        self.log = np.zeros((0, core.ROW), dtype=np.int32)
        self.keys = np.zeros((MOST_SEATS, MOST_KEYS), dtype=np.int64)


class VectorEnv:
    """Many games of one kind, a row each.

    `observations` (rows, features) and `masks` (rows, ids) are what the seats in `actors` see and may do. Of a
    simultaneous step the lowest seat is asked first, and nobody sees a decision before all are taken. `rewards` (rows,
    players) are zeros except where the game of the row has just ended, which `terminated` tells; then the rest of the
    row already belongs to the next game.
    """

    def __init__(
        self,
        game: str | Game,
        count: int,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        components: Components = None,
        reward: str = RETURNS,
        threads: int = 1,
    ) -> None:
        self.setting = Setting.read(game, players, options, components, reward)
        count, threads = at_least_one("count", count), at_least_one("threads", threads)
        played = self.setting.game
        self.game, self.players, self.count = played, self.setting.players, count
        self.observations = np.zeros((count, played.features), dtype=np.float32)
        self.masks = np.zeros((count, played.ids), dtype=np.bool_)
        self.actors = np.zeros(count, dtype=np.int32)
        self.rewards = np.zeros((count, self.players), dtype=np.float32)
        self.terminated = np.zeros(count, dtype=np.bool_)
        self.truncated = np.zeros(count, dtype=np.bool_)
        """Never: no game goes on for ever."""
        self.info: dict[str, Any] = {"action_mask": self.masks, "actor": self.actors}
        self.threads = max(1, min(threads, count // LEAST_A_THREAD))
        self._options = played.code_options(self.setting.options)
        self._states, self._blank = played.new_states(count), played.new_states(1)
        self._games = np.zeros(count, dtype=np.int64)
        self._streams = np.zeros(count, dtype=np.uint64)
        self._rngs = np.zeros((count, 1), dtype=np.uint64)
        self._drawn = np.zeros((count, played.sources), dtype=np.int32)
        self._ids = np.zeros((count, played.most + 1), dtype=np.int32)
        self._counts = np.zeros(count, dtype=np.int64)
        self._actors = np.zeros(count, dtype=np.int32)
        self._actions = np.zeros(count, dtype=np.int64)
        self._held = np.zeros((count, MOST_SEATS), dtype=np.int64)
        self._reward = REWARDS.index(self.setting.reward)
        self._desks = [_Desk(played) for _ in range(self.threads)]
        self._pool = self._new_pool()
        self._seed = np.uint64(0)
        self._seeds = np.random.default_rng()
        self._has_begun = False

    def __getstate__(self) -> dict[str, Any]:
        """All but the threads."""
        return {**vars(self), "_pool": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._pool = self._new_pool()

    def _new_pool(self) -> ThreadPoolExecutor | None:
        return ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    def reset(self, seed: int | None = None) -> tuple[np.ndarray[Any, np.dtype[np.float32]], dict[str, Any]]:
        """Begin all games anew; without a seed, from one that follows from the last, or that nobody can foresee."""
        if seed is not None:
            self._seed = Seeded(seed).stream
            self._seeds = np.random.default_rng(seed)
        else:
            self._seed = self._seeds.integers(MOST_SEED, dtype=np.uint64, endpoint=True)
        self.masks[:] = False
        self.rewards[:] = 0.0
        self.terminated[:] = False
        self._share(self._start)
        self.actors[:] = self._actors
        self._has_begun = True
        return self.observations, self.info

    def step(
        self, actions: Any
    ) -> tuple[
        np.ndarray[Any, np.dtype[np.float32]],
        np.ndarray[Any, np.dtype[np.float32]],
        np.ndarray[Any, np.dtype[np.bool_]],
        np.ndarray[Any, np.dtype[np.bool_]],
        dict[str, Any],
    ]:
        """Make one move of its actor in every game. Where any is illegal, all are refused and nothing is changed."""
        if not self._has_begun:
            raise BadEnvironment("error.no_reset")
        given = np.asarray(actions)
        if given.shape != (self.count,) or given.dtype.kind not in "iu":
            raise BadEnvironment("error.actions_form", count=self.count)
        if given is not self._actions:
            self._actions[:] = given
        row = int(batch.first_illegal(self._ids, self._counts, self._actions))
        if row != FINE:
            raise IllegalMove("error.row_action", row=row, action=int(given[row]), seat=int(self._actors[row]))
        self._share(self._step)
        self.actors[:] = self._actors
        return self.observations, self.rewards, self.terminated, self.truncated, self.info

    def random_actions(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """A legal action for every game, all equally likely; drawn in compiled code, from the seed of the reset."""
        if not self._has_begun:
            raise BadEnvironment("error.no_reset")
        batch.draw_actions(self._ids, self._counts, self._rngs, self._actions)
        return self._actions

    def _share(self, work: Callable[[_Desk, int, int], None]) -> None:
        """Give every thread its part of the rows."""
        if self._pool is None:
            work(self._desks[0], 0, self.count)
            return
        bounds = [self.count * part // self.threads for part in range(self.threads + 1)]
        list(self._pool.map(work, self._desks, bounds[:-1], bounds[1:]))

    def _start(self, desk: _Desk, first: int, last: int) -> None:
        batch.start_rows(
            self.setting.edition.boxes, self._states, self._blank, self.players, self._options, self._seed, first, last,
            self._games, self._streams, self._rngs, self._drawn, self._ids, self._counts, desk.weights, desk.rng,
            desk.log, self.masks, self.observations, self._actors,
        )  # fmt: skip

    def _step(self, desk: _Desk, first: int, last: int) -> None:
        batch.step_rows(
            self.setting.edition.boxes, self._states, self._blank, self.players, self._options, self._seed, first, last,
            self._games, self._streams, self._drawn, self._ids, self._counts, desk.weights, desk.rng, desk.log,
            self.masks, self.observations, self._actors, self._actions, self._held, self._reward, desk.keys,
            self.rewards, self.terminated,
        )  # fmt: skip
