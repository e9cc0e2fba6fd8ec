"""Our speed beside that of others: ratios taken in one run, medians of several rounds, because machines are noisy.

A move is one `apply`, chance included; the peers are counted the same way. The peers themselves live in the folder
`benchmarks` of a clone.
"""

from __future__ import annotations

import importlib.util
import os
import random
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from lampion.arena.simulate_random import MOVES, Runner, copy_often, simulate
from lampion.bots.searcher import SearchWorkspace
from lampion.bots.workspace import settings_for
from lampion.games import registry
from lampion.games.core import CHANCE, OVER, Game
from lampion.games.editions import components_file, standard
from lampion.games.move_types import Plain
from lampion.locale import say
from lampion.play.chance import Seeded
from lampion.play.position import Position
from lampion.play.sight import Sight

SECONDS = 0.6
SIMULATIONS = 40_000
"""The simulations a second that a search must reach on one core."""
BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"


class Row(Plain, frozen=True):
    """One line of the table; `bar` is what `ratio` (or, without a peer, `ours`) must reach."""

    what: str
    ours: float
    peer: float | None
    ratio: float | None
    bar: str | None
    ok: bool | None
    note: str = ""


def peers_module() -> ModuleType | None:
    """Return the module of peers, or None where there is none."""
    path = BENCHMARKS / "peers" / "__init__.py"
    spec = importlib.util.spec_from_file_location("lampion_peers", path) if path.exists() else None
    if spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def moves_per_second(runner: Runner, seconds: float = SECONDS) -> float:
    """Return the moves a second of random games on one core, measured for about `seconds` seconds."""
    games, done = 64, 0
    began = time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        done += int(runner.play(0, games)[MOVES])
        games = max(64, int(games * min(4.0, seconds / 4 / max(spent, 1e-3))))
    return done / spent


def python_moves_per_second(game: Game, players: int, seconds: float = SECONDS) -> float:
    """Return the moves a second of a Python loop that lists the moves, chooses one and pushes it."""
    choose, done, number = random.Random(0), 0, 0
    began = time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        number += 1
        chance, position = Seeded(number), Position(game, players)
        while (actor := position.actor) != OVER:
            if actor == CHANCE:
                position.push_chance_rows(chance)
            else:
                ids = position.legal_ids(actor)
                position.push_rows(int(ids[int(choose.random() * len(ids))]), actor)
            done += 1
    return done / spent


def simulations_per_second(game: Game, seconds: float = SECONDS) -> float:
    """Return the simulations a second of a search with random playouts from the start position, on one core."""
    position = Position(game, game.players[0])
    position.push_chances(Seeded(1))
    sight = Sight(position, position.actor)
    workspace = SearchWorkspace(sight, settings_for(game, {"guided": 0, "horizon": -1}), 1_000_000)
    workspace.look_at(sight, 1)
    workspace.survey()
    began = time.perf_counter()
    done = workspace.think_until(began + seconds)
    return done / (time.perf_counter() - began)


def copy_microseconds(game: Game) -> float:
    """Return the microseconds of one copy of a position."""
    states = game.new_states(4)
    copy_often(states, 1)
    began = time.perf_counter()
    copy_often(states, 200_000)
    return (time.perf_counter() - began) / 200_000 * 1e6


def measure(rounds: int, *, peers: bool = True, tell: Callable[[str], None] = lambda text: None) -> list[Row]:
    """Return all rows; ours and the peers are measured by turns in every round."""
    games = list(registry.games().values())
    most = {game.name: game.players[-1] for game in games}
    runners = {g.name: Runner(standard(g.name), most[g.name], g.read_options(most[g.name]), 1) for g in games}
    for game in games:
        runners[game.name].play(0, 1)
        python_moves_per_second(game, most[game.name], 0.01)
        simulations_per_second(game, 0.01)
    hearts, loops, why = find_peers(peers)
    environments, why_no_environments = find_environments(peers, most)
    ours: dict[str, list[float]] = {}
    theirs: dict[str, list[float]] = {}

    def note(book: dict[str, list[float]], key: str, value: float) -> None:
        book.setdefault(key, []).append(value)

    for number in range(1, rounds + 1):
        tell(say("bench.round", number=number, rounds=rounds))
        if hearts:
            for key, value in hearts().items():
                note(theirs, key, value)
        for game in games:
            name = game.name
            note(ours, f"rollouts {name}", moves_per_second(runners[name]))
            for kind, loop in loops.get(name, {}).items():
                note(theirs, f"{kind} {name}", loop(most[name], number))
                note(ours, f"{kind} {name}", moves_per_second(runners[name]))
            if name in environments:
                all_at_once, one_by_one = environments[name]
                note(ours, f"vector {name}", all_at_once(SECONDS))
                note(theirs, f"vector {name}", one_by_one(SECONDS))
            note(ours, f"search {name}", simulations_per_second(game))
            note(ours, f"copy {name}", copy_microseconds(game))
            note(ours, f"python {name}", python_moves_per_second(game, most[name]))
            note(ours, f"one {name}", moves_per_second(runners[name], 2 * SECONDS))
            count = int(ours[f"one {name}"][-1] / 60 * 2 * SECONDS)
            note(ours, f"all {name}", simulate(standard(name), most[name], max(count, 100)).moves_per_second)
    why = "; ".join(filter(None, [why, why_no_environments]))
    rows = [row for game in games for row in game_rows(game, ours, theirs, why)]
    return rows


def game_rows(game: Game, ours: dict[str, list[float]], theirs: dict[str, list[float]], why: str) -> list[Row]:
    """Return the rows of one game."""
    name, title, cores = game.name, say(f"{game.name}.name"), os.cpu_count() or 1
    rows = [against(say("bench.row.rollouts", game=title), ours[f"rollouts {name}"], theirs.get("rollouts"), 2.0, why)]
    for kind, bar in (("c", 0.7), ("tuned", None)):
        if f"{kind} {name}" in ours:
            what = say(f"bench.row.{kind}", game=title)
            rows.append(against(what, ours[f"{kind} {name}"], theirs[f"{kind} {name}"], bar, why))
    rows.append(against(say("bench.row.python", game=title), ours[f"python {name}"], theirs.get("python"), 1.0, why))
    if f"vector {name}" in ours:
        what = say("bench.row.vector", game=title)
        rows.append(against(what, ours[f"vector {name}"], theirs[f"vector {name}"], 20.0, why))
    for kind, least in (("ismcts", SIMULATIONS), ("mcts", None)):
        row = against(say(f"bench.row.{kind}", game=title), ours[f"search {name}"], theirs.get(kind), None, why)
        rows.append(row if least is None else msgspec.structs.replace(row, bar=f">= {least:,}", ok=row.ours >= least))
    copying = statistics.median(ours[f"copy {name}"])
    rows.append(Row(say("bench.row.copy", game=title), copying, None, None, "< 1", copying < 1))
    linear = [cores * one for one in ours[f"one {name}"]]
    rows.append(against(say("bench.row.cores", game=title, cores=cores), ours[f"all {name}"], linear, 0.85, ""))
    return rows


def against(what: str, ours: list[float], theirs: list[float] | None, bar: float | None, why: str) -> Row:
    """Return a row beside a peer, with the median of the ratios of the rounds."""
    asked = None if bar is None else f">= {bar:g}"
    if not theirs:
        return Row(what, statistics.median(ours), None, None, asked, None, why)
    ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
    ok = None if bar is None else ratio >= bar
    return Row(what, statistics.median(ours), statistics.median(theirs), ratio, asked, ok)


Hearts = Callable[[], dict[str, float]]
Loops = dict[str, dict[str, Callable[[int, int], float]]]


def find_peers(wanted: bool) -> tuple[Hearts | None, Loops, str]:
    """Return functions that measure OpenSpiel and the C loops once, by game and kind, and why any is missing."""
    module = peers_module() if wanted else None
    if module is None:
        return None, {}, say("bench.no_peers_folder") if wanted else ""
    reasons: list[str] = []
    hearts: Hearts | None = None
    loops: Loops = {}
    try:
        hearts = partial(openspiel_hearts, module, module.openspiel_environment())
    except module.PeerMissing as missing:
        reasons.append(str(missing))
    for kind, makers in (("c", module.LOOPS), ("tuned", module.TUNED_LOOPS)):
        for name, make in makers.items():
            try:
                loop = make(None, components_file(registry.game(name)))
                loops.setdefault(name, {})[kind] = partial(loop_moves_per_second, loop)
            except module.PeerMissing as missing:
                reasons.append(str(missing))
    return hearts, loops, "; ".join(dict.fromkeys(reasons))


Stepping = Callable[[float], float]


def find_environments(wanted: bool, most: dict[str, int]) -> tuple[dict[str, tuple[Stepping, Stepping]], str]:
    """Return functions that measure our vector environment and a PettingZoo loop, by game, or why there are none."""
    module = peers_module() if wanted else None
    if module is None:
        return {}, ""
    try:
        return {name: module.environments(name, players) for name, players in most.items()}, ""
    except module.PeerMissing as missing:
        return {}, str(missing)


def openspiel_hearts(module: Any, python: Path) -> dict[str, float]:
    """Return what OpenSpiel reaches on hearts: moves a second in C++ and from Python, simulations a second."""
    found = module.openspiel(python, SECONDS, 1, ("rollouts_hearts", "python_hearts", "mcts_hearts", "ismcts_hearts"))
    return {
        "rollouts": rate(found["rollouts_hearts"][0]),
        "python": rate(found["python_hearts"][0]),
        "mcts": rate(found["mcts_hearts"][0], "simulations"),
        "ismcts": rate(found["ismcts_hearts"][0], "simulations"),
    }


def loop_moves_per_second(loop: Any, players: int, seed: int) -> float:
    """Return the moves a second of random games in C."""
    return rate(loop(players, 60_000, seed))


def rate(measured: Any, what: str = "moves") -> float:
    """Return the count a second of one measurement."""
    return float(measured[what]) / float(measured["seconds"])
