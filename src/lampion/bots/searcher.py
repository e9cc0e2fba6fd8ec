"""A search that sits at a seat: its memory, its clock, its threads, and what it keeps of one move for the next."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from lampion.bots import search
from lampion.bots.player import Bot
from lampion.bots.search import NODE, NODES, NONE, ROOT, SURVEYED
from lampion.engine.rng import game_seed, new_rng
from lampion.games import core
from lampion.games.core import MOST_KEYS, MOST_SEATS, Game
from lampion.play.sight import Sight

TICK = 0.005
"""Seconds between looks at the clock."""
ROOM_PER_SIMULATION = 4
ROOM_PER_SECOND = 200_000
MOST_ROOM = 4_000_000
LOST = (NONE, NONE)
"""What no tree has: where moves were taken back, the search begins anew."""


def settings_for(game: Game, given: Mapping[str, float] | None = None) -> np.ndarray[Any, Any]:
    """How a search is set for a game: what suits most games, what suits this one, what was asked for."""
    chosen = {**search.SETTINGS, **game.search, **(given or {})}
    return np.array([tuple(chosen[name] for name in search.SETTINGS)], dtype=search.SETTING)


class Desk:
    """The arrays that one thread thinks with."""

    def __init__(self, sight: Sight, settings: np.ndarray[Any, Any], room: int) -> None:
        game = sight.game
        self.edition, self.players, self.seat = sight.edition, sight.players, sight.seat
        self.settings = settings
        self.states = game.new_states(search.STATES)
        self.tree = np.empty(room, dtype=NODE)
        self.used = np.zeros(3, dtype=np.int64)
        self.promises = np.zeros(game.most + 1, dtype=np.float64)
        self.rng = new_rng()
        self.ids = np.zeros(game.most + 1, dtype=np.int32)
        self.spare = np.zeros(game.most + 1, dtype=np.int32)
        self.weights = np.zeros(game.most + 1, dtype=np.int32)
        self.log = np.zeros((0, core.ROW), dtype=np.int32)
        self.path = np.zeros(search.DEEPEST, dtype=np.int32)
        self.rewards = np.zeros(MOST_SEATS + 1, dtype=np.float64)
        self.keys = np.zeros((MOST_SEATS, MOST_KEYS), dtype=np.int64)
        self.out = np.zeros(3, dtype=np.int64)
        self.plant()

    def plant(self) -> None:
        """A fresh tree."""
        self.used[NODES] = 0
        self.used[ROOT] = search.new_node(self.tree, self.used, NONE, NONE, NONE, NONE)

    def look_at(self, sight: Sight, seed: int) -> None:
        """Take a world of the sight as the position to think about; all random draws follow from the seed."""
        self.rng[0] = seed
        sight.world(self.states, search.GIVEN, self.rng)
        self.used[SURVEYED] = 0

    def survey(self) -> None:
        """Try every move at the root once, so that the search begins with the best."""
        search.survey(
            self.edition.boxes, self.states, self.used, self.settings, self.players, self.seat, self.rng,
            self.ids, self.log, self.rewards, self.keys, self.promises,
        )  # fmt: skip

    def follow(self, heard: list[tuple[int, int]], room: int) -> None:
        """Go down the tree to what was seen of the real moves; plant anew where nothing, or no room, is left of it."""
        for mover, code in heard:
            child = search.child_of(self.tree, int(self.used[ROOT]), mover, code)
            if child == NONE:
                self.plant()
                return
            self.used[ROOT] = child
        if len(self.tree) - self.used[NODES] < room:
            self.plant()

    def think(self, simulations: int) -> int:
        """So many simulations; how many."""
        search.think(
            self.edition.boxes, self.states, self.tree, self.used, self.settings, self.players, self.seat, self.rng,
            self.ids, self.weights, self.log, self.path, self.rewards, self.keys, self.out, self.promises,
            self.spare, simulations,
        )  # fmt: skip
        return simulations

    def think_until(self, deadline: float, most: int | None = None) -> int:
        """Simulations until the clock says so, or until there are enough, one at least; how many."""
        done, chunk = 0, 16
        while (now := time.perf_counter()) < deadline and (most is None or done < most):
            chunk = chunk if most is None else min(chunk, most - done)
            self.think(chunk)
            done += chunk
            spent = max(time.perf_counter() - now, 1e-6)
            left = max(deadline - time.perf_counter(), 0.0)
            chunk = max(1, min(2 * chunk, int(chunk * min(TICK, left) / spent)))
        return done if done or most == 0 else self.think(1)

    def visits(self) -> dict[int, tuple[int, float]]:
        """How often each of the seat's own moves was tried at the root, and what it brought in all."""
        found = {}
        child = int(self.tree[self.used[ROOT]]["first"])
        while child != NONE:
            node = self.tree[child]
            if node["mover"] == self.seat:
                found[int(node["move"])] = int(node["visits"]), float(node["value"])
            child = int(node["next"])
        return found


class SearchBot(Bot):
    """Searches a tree for its seat."""

    def __init__(self, maker: Search, sight: Sight, seed: int) -> None:
        self.effort, self.seed = maker, seed
        settings = settings_for(sight.game, dict(maker.settings))
        each = -(-maker.sims // maker.threads)
        room = ROOM_PER_SIMULATION * each if maker.sims else int(ROOM_PER_SECOND * maker.ms / 1000)
        self.room = min(MOST_ROOM, max(1000, room))
        self.desks = [Desk(sight, settings, 2 * self.room) for _ in range(maker.threads)]
        self.told = sight.ply
        self.simulations = 0
        """Of the last choice."""
        self.most_ms: int | None = None
        """Where simulations are counted: when to stop before all are done."""

    def choose(self, sight: Sight) -> int:
        began = time.perf_counter()
        ids = sight.ids
        if len(ids) == 1:
            return int(ids[0])
        heard = sight.heard(self.told) if self.told <= sight.ply else [LOST]
        self.told = sight.ply
        for number, desk in enumerate(self.desks):
            desk.look_at(sight, int(game_seed(np.uint64(self.seed), sight.ply, number)))
            desk.follow(heard, self.room)
            desk.survey()
        self.simulations = self._think(began)
        visits: Counter[int] = Counter()
        values: Counter[int] = Counter()
        for desk in self.desks:
            for move, (count, value) in desk.visits().items():
                visits[move] += count
                values[move] += value  # type: ignore[assignment]
        return max(ids.tolist(), key=lambda move: (visits[move], values[move]))

    def _think(self, began: float) -> int:
        effort = self.effort
        each, more = divmod(effort.sims, effort.threads)
        most_ms = self.most_ms if effort.sims else effort.ms
        deadline = None if most_ms is None else began + most_ms / 1000

        def work(number: int) -> int:
            desk = self.desks[number]
            own = each + (number < more)
            if deadline is None:
                return desk.think(own)
            return desk.think_until(deadline, own if effort.sims else None)

        if effort.threads == 1:
            return work(0)
        with ThreadPoolExecutor(effort.threads) as pool:
            return sum(pool.map(work, range(effort.threads)))


@dataclass(frozen=True)
class Search:
    """Makes search bots: so many simulations a move, or so many milliseconds."""

    name: str = "search"
    sims: int = 0
    ms: int = 0
    threads: int = 1
    settings: tuple[tuple[str, float], ...] = ()

    def sit(self, sight: Sight, seed: int) -> Bot:
        """A bot for this seat."""
        return SearchBot(self, sight, seed)
