"""The bot that searches: its memory, its clock, its threads, and the tree that it keeps from move to move."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from lampion.bots import search, simulation
from lampion.bots.net_files import net_for
from lampion.bots.player import Bot
from lampion.bots.search import NODES, NONE, ROOT, SURVEYED
from lampion.bots.workspace import new_workspace, settings_for
from lampion.engine.arrays import np
from lampion.engine.network import Net
from lampion.engine.rng import game_seed
from lampion.games.core import CHANCE
from lampion.play.sight import Sight

TICK = 0.005
"""Seconds between looks at the clock."""
ROOM = {"simulation": 4, "second": 200_000, "least": 1_000}
"""Nodes of a tree: for each simulation, for each second, and at least."""
ROOM_ON_NET = {"simulation": 100, "second": 400_000, "least": 4_000}
"""The same on a net, where every node opens all of its moves."""
MOST_ROOM = 4_000_000
LOST = (NONE, NONE)
"""A move that no tree contains: where moves were taken back, the search starts with an empty tree."""
SLIPS = 0.2
"""The part of its moves in which a player of any kind does not do what is expected of it."""
LEAST_SURE, MOST_SURE = 0.01, 0.99
"""The bounds of the belief that the others are naive: people change."""
MOST_NAIVE = 0.5
"""The part of the simulations in which the others are naive, at most."""


class SearchWorkspace:
    """The tree and the arrays that one thread searches with."""

    def __init__(self, sight: Sight, settings: np.ndarray[Any, Any], room: int, net: Net | None = None) -> None:
        self.seat = sight.seat
        self.arrays = new_workspace(sight.edition, sight.players, sight.seat, settings.copy(), room, net)
        self.tree, self.used = self.arrays.tree, self.arrays.used
        self.belief = float(settings[0]["naive"]) if net else 0.0
        """How likely it is that the others are naive; 0 where nobody is thought to be."""
        self.clear_tree()

    def clear_tree(self) -> None:
        """Start with an empty tree."""
        self.used[NODES] = 0
        self.used[ROOT] = search.new_node(self.tree, self.used, NONE, NONE, NONE, NONE)

    def look_at(self, sight: Sight, seed: int) -> None:
        """Set the position to think about from a sight; all random draws follow from the seed."""
        self.arrays.rng[0] = seed
        sight.world(self.arrays.states, search.GIVEN, self.arrays.rng)
        self.used[SURVEYED] = 0

    def survey(self) -> None:
        """Try every move at the root once, so that the search begins with the best; on a net every node does so."""
        if self.arrays.net is None:
            search.survey(self.arrays)

    def follow(self, heard: list[tuple[int, int]], room: int) -> None:
        """Move the root along the moves that were made; start with an empty tree where they leave it or fill it."""
        for mover, code in heard:
            child = search.child_of(self.tree, int(self.used[ROOT]), mover, code)
            if child == NONE:
                self.clear_tree()
                return
            if mover not in (CHANCE, self.seat):
                self.learn_from(mover, child)
            self.used[ROOT] = child
        if len(self.tree) - self.used[NODES] < room:
            self.clear_tree()

    def learn_from(self, mover: int, chosen: int) -> None:
        """Think the others more naive or less, by a move at the root that one of them made.

        The likelihood of the move for either kind of player is the share of its simulations in which it was chosen,
        with one more for every move: a few simulations prove little.
        """
        if self.belief == 0.0:
            return
        moves = [node for node in self.children() if node["mover"] == mover]
        likelihood = {}
        for count in ("naive_visits", "visits"):
            total = sum(int(node[count]) + 1 for node in moves)
            share = (int(self.tree[chosen][count]) + 1) / total
            likelihood[count] = (1.0 - SLIPS) * share + SLIPS / len(moves)
        naive, thinking = self.belief * likelihood["naive_visits"], (1.0 - self.belief) * likelihood["visits"]
        self.belief = min(max(naive / (naive + thinking), LEAST_SURE), MOST_SURE)
        self.arrays.settings[0]["naive"] = min(self.belief, MOST_NAIVE)

    def children(self) -> Iterator[Any]:
        """Yield the nodes of the moves at the root."""
        child = int(self.tree[self.used[ROOT]]["first"])
        while child != NONE:
            yield self.tree[child]
            child = int(self.tree[child]["next"])

    def think(self, simulations: int) -> int:
        """Run `simulations` simulations; return the number run."""
        simulation.think(self.arrays, simulations)
        return simulations

    def think_until(self, deadline: float, most: int | None = None) -> int:
        """Run simulations until the deadline or until `most` are done, at least one; return the number run."""
        done, chunk = 0, 1
        while (now := time.perf_counter()) < deadline and (most is None or done < most):
            chunk = chunk if most is None else min(chunk, most - done)
            self.think(chunk)
            done += chunk
            spent = max(time.perf_counter() - now, 1e-6)
            left = max(deadline - time.perf_counter(), 0.0)
            chunk = max(1, min(2 * chunk, int(chunk * min(TICK, left) / spent)))
        return done if done or most == 0 else self.think(1)

    def visits(self) -> dict[int, tuple[int, float, float]]:
        """Return, by own move at the root, how often it was tried, the sum of its rewards and what it promised."""
        return {
            int(node["move"]): (int(node["visits"]), float(node["value"]), float(node["prior"]))
            for node in self.children()
            if node["mover"] == self.seat
        }


class SearchBot(Bot):
    """A bot that searches a tree of moves."""

    def __init__(self, maker: Search, sight: Sight, seed: int) -> None:
        net = net_for(sight, maker.net) if maker.learned else None
        if net is not None and maker.sims_on_net:
            maker = replace(maker, sims=maker.sims_on_net)
        self.effort, self.seed = maker, seed
        settings = settings_for(sight.game, dict(maker.settings), on_net=net is not None)
        each = -(-maker.sims // maker.threads)
        room = ROOM if net is None else ROOM_ON_NET
        needed = room["simulation"] * each if maker.sims else int(room["second"] * maker.ms / 1000)
        self.room = min(MOST_ROOM, max(room["least"], needed))
        self.workspaces = [SearchWorkspace(sight, settings, 2 * self.room, net) for _ in range(maker.threads)]
        self.seen_plies = sight.ply
        self.simulations = 0
        """The number of simulations of the last choice."""
        self.most_ms: int | None = None
        """With a fixed number of simulations, the milliseconds after which to stop all the same."""

    def choose(self, sight: Sight) -> int:
        began = time.perf_counter()
        ids = sight.ids
        if len(ids) == 1:
            return int(ids[0])
        heard = sight.heard(self.seen_plies) if self.seen_plies <= sight.ply else [LOST]
        self.seen_plies = sight.ply
        for number, workspace in enumerate(self.workspaces):
            workspace.look_at(sight, int(game_seed(np.uint64(self.seed), sight.ply, number)))
            workspace.follow(heard, self.room)
            workspace.survey()
        self.simulations = self._think(began)
        found = dict.fromkeys(ids.tolist(), (0, 0.0, 0.0))
        for workspace in self.workspaces:
            for move, (count, value, prior) in workspace.visits().items():
                before = found[move]
                found[move] = before[0] + count, before[1] + value, before[2] + prior / len(self.workspaces)
        return self._best(found)

    def _best(self, found: dict[int, tuple[int, float, float]]) -> int:
        """Return the most visited move; on a net, the most valuable of those with at least half as many visits.

        The value of a move with few visits is mostly its first estimate, which is too high while replies are unseen.
        """
        arrays = self.workspaces[0].arrays
        if arrays.net is None:
            return max(found, key=lambda move: found[move][:2])
        trust, most = float(arrays.settings[0]["trust"]), max(visits for visits, _, _ in found.values())

        def worth(move: int) -> float:
            visits, value, prior = found[move]
            return (value + trust * prior) / (visits + trust) if 2 * visits >= most else -1.0

        return max(found, key=worth)

    def _think(self, began: float) -> int:
        effort = self.effort
        each, more = divmod(effort.sims, effort.threads)
        most_ms = self.most_ms if effort.sims else effort.ms
        deadline = None if most_ms is None else began + most_ms / 1000

        def work(number: int) -> int:
            workspace = self.workspaces[number]
            own = each + (number < more)
            if deadline is None:
                return workspace.think(own)
            return workspace.think_until(deadline, own if effort.sims else None)

        if effort.threads == 1:
            return work(0)
        with ThreadPoolExecutor(effort.threads) as pool:
            return sum(pool.map(work, range(effort.threads)))


@dataclass(frozen=True)
class Search:
    """Makes search bots that think for `sims` simulations a move, or else for `ms` milliseconds."""

    name: str = "search"
    sims: int = 0
    ms: int = 0
    threads: int = 1
    settings: tuple[tuple[str, float], ...] = ()
    learned: bool = False
    """Whether a net judges, where there is one for the table."""
    sims_on_net: int = 0
    """With a net, the number of simulations in place of `sims`; 0 for the same number."""
    net: str = ""
    """The file of the net; without one, the net that comes with the game."""

    def sit(self, sight: Sight, seed: int) -> Bot:
        """Return a bot for this seat."""
        return SearchBot(self, sight, seed)
