"""Step thousands of games at once: one compiled call steps them all and writes what the next actors see.

It needs only NumPy. All arrays are made once and written in place: copy what you want to keep, and write nothing into
the masks, where only changes are written. Chance is resolved inside; a game that ends is followed by the next in the
same call. Game k of row i is played with the chance of `Seeded(game_seed(seed, k * count + i, 0))`, so a seed names the
whole run, whatever the number of threads.

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
from itertools import pairwise
from typing import Any

import numpy as np

from lampion.adapters import vector_compiled
from lampion.adapters.setting import FEATURES, RETURNS, REWARDS, BadEnvironment, Components, Setting, whole
from lampion.adapters.vector_compiled import ALL_LEGAL, Shown
from lampion.engine.constants import NOTES
from lampion.games.core import ROW, Game, IllegalMove
from lampion.locale import written
from lampion.play.chance import MOST_SEED, Seeded

LEAST_ROWS_PER_THREAD = 64
"""With fewer rows a thread costs more time than it saves."""


def at_least_one(what: str, number: Any) -> int:
    """Return a whole number from 1 on; raise BadEnvironment, which names `what`, for anything else."""
    found = whole(number)
    if found is None or found < 1:
        raise BadEnvironment("error.at_least_one", what=what, number=written(number))
    return found


class VectorEnv:
    """Many games with the same players, options and edition, one in each row.

    `observations` (rows, size) and `masks` (rows, ids) are what the seats in `actors` see and may do. In a
    simultaneous step the lowest seat is asked first, and no seat sees a decision before all are taken. `rewards` (rows,
    players) are zeros except where the game of the row has just ended, which `terminated` says; the other arrays then
    show the next game of the row.
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
        observation: str = FEATURES,
    ) -> None:
        self.setting = Setting.read(game, players, options, components, reward, observation)
        count, threads = at_least_one("count", count), at_least_one("threads", threads)
        played = self.setting.game
        self.game, self.players, self.count = played, self.setting.players, count
        self.observations = np.zeros((count, self.setting.observation_size), dtype=np.float32)
        self.masks = np.zeros((count, played.ids), dtype=np.bool_)
        self.actors = np.zeros(count, dtype=np.int32)
        self.rewards = np.zeros((count, self.players), dtype=np.float32)
        self.terminated = np.zeros(count, dtype=np.bool_)
        self.truncated = np.zeros(count, dtype=np.bool_)
        """Always False: every game ends."""
        self.info: dict[str, Any] = {"action_mask": self.masks, "actor": self.actors}
        self.threads = max(1, min(threads, count // LEAST_ROWS_PER_THREAD))
        self._states = played.new_states(count + 1)
        self._rows = np.zeros(count, dtype=vector_compiled.row_type(played))
        self._parts = self._new_parts()
        self._options = played.code_options(self.setting.options)
        self._log = np.zeros((0, ROW), dtype=np.int32)
        self._actions = np.zeros(count, dtype=np.int64)
        self._pool = self._new_pool()
        self._seeds = np.random.default_rng()
        self._has_begun = False

    def _new_parts(self) -> list[np.ndarray[Any, Any]]:
        """Return the parts of the rows, one for each thread."""
        bounds = [self.count * part // self.threads for part in range(self.threads + 1)]
        parts = []
        for first, last in pairwise(bounds):
            part = np.zeros(1, dtype=vector_compiled.part_type(self.game))
            part["first"], part["last"], part["players"] = first, last, self.players
            part["reward"] = REWARDS.index(self.setting.reward)
            parts.append(part)
        return parts

    def __getstate__(self) -> dict[str, Any]:
        """Return all attributes but the threads."""
        return {**vars(self), "_pool": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._pool = self._new_pool()

    def _new_pool(self) -> ThreadPoolExecutor | None:
        return ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    def reset(self, seed: int | None = None) -> tuple[np.ndarray[Any, np.dtype[np.float32]], dict[str, Any]]:
        """Begin a new game in every row; without a seed, one is drawn that follows from the last seed, if any."""
        if seed is not None:
            stream = Seeded(seed).stream
            self._seeds = np.random.default_rng(seed)
        else:
            stream = self._seeds.integers(MOST_SEED, dtype=np.uint64, endpoint=True)
        self.masks[:] = False
        self.rewards[:] = 0.0
        self.terminated[:] = False
        for part in self._parts:
            part["seed"] = stream
        self._run(vector_compiled.start_rows)
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
        """Take the action of every row's actor; where any is illegal, raise IllegalMove and change nothing."""
        if not self._has_begun:
            raise BadEnvironment("error.no_reset")
        given = np.asarray(actions)
        if given.shape != (self.count,) or given.dtype.kind not in "iu":
            raise BadEnvironment("error.actions_form", count=self.count)
        if given is not self._actions:
            self._actions[:] = given
        row = int(vector_compiled.store_actions(self._rows, self._actions))
        if row != ALL_LEGAL:
            seat = int(self._rows[row]["actor"])
            raise IllegalMove("error.row_action", row=row, action=int(given[row]), seat=seat)
        self._run(vector_compiled.step_rows, self.rewards, self.terminated)
        return self.observations, self.rewards, self.terminated, self.truncated, self.info

    def random_actions(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Return a legal action for every row, all equally likely, drawn in compiled code from the seed."""
        if not self._has_begun:
            raise BadEnvironment("error.no_reset")
        vector_compiled.draw_actions(self._rows, self._actions)
        return self._actions

    def _run(self, function: Callable[..., None], *out: np.ndarray[Any, Any]) -> None:
        """Call a compiled function for every part of the rows, each on a thread of its own, and publish the actors."""
        boxes = self.setting.edition.boxes

        def run(part: np.ndarray[Any, Any]) -> None:
            notes = None if self.setting.observation == FEATURES else np.zeros(NOTES, dtype=np.int64)
            shown = Shown(self.masks, self.observations, notes)
            function(boxes, self._states, self._rows, part, self._options, self._log, shown, *out)

        if self._pool is None:
            run(self._parts[0])
        else:
            list(self._pool.map(run, self._parts))
        self.actors[:] = self._rows["actor"]
