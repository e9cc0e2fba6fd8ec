"""One bot against others, every deal from every seat: python -m benchmarks.duel GAME PLAYERS A B [--deals N].

A sits in one seat, B in all the others; where more than two are named, each plays so against the last. They are names
of bots, or `search:sims=1000,looks=4,...` with any settings of the search, or `greedy:selfish=0`, who also weighs what
is left to the others: how the settings were chosen. On a net of one's own: `learned:net=FILE,ms=5,...`. `yardstick`,
also `yardstick:ms=1000`, is the one that all are measured against; `insight`, also `insight:simulations=200`, plays
what an analysis would think best. Prints A's share of the victories with its 95 % interval, the same scaled so that
even is 50 %, and the processor time of a decision.
"""

from __future__ import annotations

import argparse
import sys
import time
from multiprocessing import Pool
from typing import Any, NamedTuple

import numpy as np

from benchmarks.advisor import Advisor
from benchmarks.yardstick import Yardstick
from lampion.bots import Maker, named
from lampion.bots.greedy import Greedy
from lampion.bots.learned import Learned
from lampion.bots.searcher import Search
from lampion.insight.settings import Settings
from lampion.play import Position, Seeded
from lampion.play.sight import sights


def maker(text: str) -> Maker:
    """A bot by its name, or one with settings of its own."""
    kind, _, given = text.partition(":")
    if kind == "yardstick":
        unit, _, effort = given.partition("=")
        asked = {unit: int(effort)} if given else {}
        return Yardstick(text, Search(sims=asked.get("sims", 0), ms=asked.get("ms", 0)) if given else None)
    if kind == "insight":
        return Advisor(text, Settings(**{name: int(number) for name, number in _settings(given)}))
    if kind not in ("search", "greedy", "learned") or "=" not in given:
        return named(text)
    settings = dict(_settings(given))
    net = settings.pop("net", "")
    numbers = {name: float(value) for name, value in settings.items()}
    if kind == "greedy":
        on_net = bool(numbers.get("learned", 0))
        return Greedy(text, bool(numbers.get("selfish", 1)), numbers.get("noise", 0.0), on_net)
    sims, ms = int(numbers.pop("sims", 0)), int(numbers.pop("ms", 0))
    search = Search(text, sims=sims, ms=ms, settings=tuple(numbers.items()))
    return Learned(text, search, net) if kind == "learned" else search


def _settings(given: str) -> list[list[str]]:
    """The names and values of `name=value,name=value`."""
    return [part.split("=") for part in given.split(",") if part]


class Game(NamedTuple):
    """What is played once: A in one seat, B in all others."""

    game: str
    players: int
    a: str
    b: str
    deal: int
    hero: int
    """The seat of A."""


class Result(NamedTuple):
    """What came of a game: A's share of the victory, and for A and for B the seconds and the number of decisions."""

    share: float
    seconds: np.ndarray[Any, Any]
    decisions: np.ndarray[Any, Any]


def play(game: Game, most: int | None = None) -> Result:
    """Play one game to its end, or for so many decisions."""
    makers = maker(game.a), maker(game.b)
    seconds, decisions = np.zeros(2), np.zeros(2)
    position, chance = Position(game.game, game.players), Seeded(game.deal)
    seen = sights(position)
    bots = [makers[sight.seat != game.hero].sit(sight, game.deal * 8 + sight.seat) for sight in seen]
    position.push_chances(chance)
    while not position.is_over and (most is None or decisions.sum() < most):
        chosen = {}  # before any of them is made
        for seat in position.pending:
            began = time.thread_time()
            chosen[seat] = bots[seat].choose(seen[seat])
            if len(seen[seat].ids) > 1:
                seconds[int(seat != game.hero)] += time.thread_time() - began
                decisions[int(seat != game.hero)] += 1
        for seat, move in chosen.items():
            position.push_rows(move, seat)
        position.push_chances(chance)
    share = position.count().shares[game.hero] if position.is_over else 0.0
    return Result(share, seconds, decisions)


def line(name: str, last: str, asked: argparse.Namespace, results: list[Result]) -> str:
    """Return a line about a match, from the deals that were played from every seat."""
    players, deals = asked.players, len(results) // asked.players
    if not deals:
        return f"{asked.game}, {players} players, {name} against {last}: no deal from every seat"
    results = results[: deals * players]
    shares = np.array([result.share for result in results]).reshape(deals, players).mean(1)
    share, margin = float(shares.mean()), 1.96 * float(shares.std()) / deals**0.5
    scaled = share * (players - 1) / (share * (players - 1) + 1 - share)
    spent: Any = 1000 * sum(result.seconds for result in results) / sum(result.decisions for result in results)
    return (
        f"{asked.game}, {players} players, {name} ({spent[0]:.1f} ms) against {last} ({spent[1]:.1f} ms): "
        f"{share:.3f} ± {margin:.3f}, scaled {scaled:.3f}, {deals * players} games"
    )


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("players", type=int)
    parser.add_argument("bots", nargs="+", help="A and B; more than two: each against the last")
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--first", type=int, default=1, help="the seed of the first deal")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after so long, with the deals that are done")
    asked = parser.parse_args()
    *first, last = asked.bots
    numbers, heroes = range(asked.first, asked.first + asked.deals), range(asked.players)
    games = [Game(asked.game, asked.players, a, last, deal, hero) for deal in numbers for a in first for hero in heroes]
    for game in {game.a: game for game in games}.values():
        play(game, 2 * asked.players)  # compiled once, before the others need it
    results: dict[str, list[Result]] = {a: [] for a in first}
    until = time.monotonic() + asked.seconds
    with Pool(asked.processes) as pool:
        for number, (game, result) in enumerate(zip(games, pool.imap(play, games), strict=True)):
            results[game.a].append(result)
            print(f"\r{number + 1} of {len(games)} games", end=" ", file=sys.stderr)
            if time.monotonic() > until:
                pool.terminate()
                break
    print(file=sys.stderr)
    for name in first:
        print(line(name, last, asked, results[name]), flush=True)


if __name__ == "__main__":
    main()
