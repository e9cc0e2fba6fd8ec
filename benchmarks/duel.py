"""One bot against others, every deal from every seat: python -m benchmarks.duel GAME PLAYERS A B [--deals N].

A sits in one seat, B in all the others. A and B are names of bots, or `search:sims=1000,looks=4,...` with any settings
of the search, or `greedy:selfish=0`, who also weighs what is left to the others: how the settings were chosen. On a
net: `learned:net=FILE,times=2,...`, and `tree:net=FILE,ms=100,...`, the search on it. Prints A's share of the
victories with its 95 % interval, and the same scaled so that even is 50 %.
"""

from __future__ import annotations

import argparse
import sys
import time
from multiprocessing import Pool

import numpy as np

from lampion.bots import Maker, named
from lampion.bots.greedy import Greedy
from lampion.bots.learned import Learned
from lampion.bots.searcher import Search
from lampion.bots.values import POINTS
from lampion.play import Position, Seeded
from lampion.play.outcome import Outcome
from lampion.play.sight import sights

ON_A_NET = {"points": POINTS, "horizon": 0, "trust": 10, "looks": 24, "hunches": 2}


def maker(text: str) -> Maker:
    """A bot by its name, or one with settings of its own."""
    kind, _, given = text.partition(":")
    if kind not in ("search", "greedy", "learned", "tree") or not given:
        return named(text)
    settings = dict(part.split("=") for part in given.split(","))
    net = settings.pop("net", "")
    numbers = {name: float(value) for name, value in settings.items()}
    if kind == "greedy":
        return Greedy(text, numbers.get("overlooks", 0.0), bool(numbers.get("selfish", 1)))
    if kind == "learned":
        whole = {name: int(value) if name in ("times", "wide", "turns") else value for name, value in numbers.items()}
        return Learned(text, net, **whole)  # type: ignore[arg-type]
    sims, ms = int(numbers.pop("sims", 0)), int(numbers.pop("ms", 0))
    if kind == "tree":
        numbers = {**ON_A_NET, **numbers}
    return Search(text, sims=sims, ms=ms, settings=tuple(numbers.items()), learned=kind == "tree", net=net)


def play(game: str, makers: list[Maker], seed: int) -> Outcome:
    """One game of these bots."""
    position, chance = Position(game, len(makers)), Seeded(seed)
    seen = sights(position)
    bots = [maker.sit(sight, seed * 8 + sight.seat) for maker, sight in zip(makers, seen, strict=True)]
    position.push_chances(chance)
    while not position.is_over:
        chosen = {seat: bots[seat].choose(seen[seat]) for seat in position.pending}  # before any of them is made
        for seat, move in chosen.items():
            position.push_rows(move, seat)
        position.push_chances(chance)
    return position.count()


def play_deal(deal: tuple[str, int, str, str, int]) -> float:
    """Return the share of the victories of the first bot in one deal, from every seat."""
    game, players, a, b, seed = deal
    makers = maker(a), maker(b)
    share = 0.0
    for seat in range(players):
        outcome = play(game, [makers[other != seat] for other in range(players)], seed)
        share += outcome.shares[seat] / players
    return share


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("players", type=int)
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--first", type=int, default=1, help="the seed of the first deal")
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    players = given.players
    began = time.process_time()
    deals = [(given.game, players, given.a, given.b, given.first + deal) for deal in range(given.deals)]
    shares = np.zeros(given.deals)
    play_deal((given.game, players, given.a, given.b, given.first))  # compile once, before the others need it
    with Pool(given.processes) as pool:
        for number, share in enumerate(pool.imap(play_deal, deals)):
            shares[number] = share
            print(f"\r{number + 1} of {given.deals} deals, {shares[: number + 1].mean():.3f}", end=" ", file=sys.stderr)
    print(file=sys.stderr)
    share, margin = float(shares.mean()), 1.96 * float(shares.std()) / given.deals**0.5
    scaled = share * (players - 1) / (share * (players - 1) + 1 - share)
    print(
        f"{given.game}, {players} players, {given.a} against {given.b}: {share:.3f} ± {margin:.3f}, "
        f"scaled {scaled:.3f}, {given.deals * players} games, {time.process_time() - began:.0f} s"
    )


if __name__ == "__main__":
    main()
