"""One bot against others, every deal from every seat: python -m benchmarks.duel GAME PLAYERS A B [--deals N].

A sits in one seat, B in all the others. A and B are names of bots, or `search:sims=1000,looks=4,...` with any settings
of the search, or `greedy:selfish=0`, who also weighs what is left to the others: how the settings were chosen. Prints
A's share of the victories with its 95 % interval, and the same scaled so that even is 50 %.
"""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np

from lampion.bots import Maker, named
from lampion.bots.greedy import Greedy
from lampion.bots.searcher import Search
from lampion.play import Position, Seeded
from lampion.play.outcome import Outcome
from lampion.play.sight import sights


def maker(text: str) -> Maker:
    """A bot by its name, or one with settings of its own."""
    kind, _, settings = text.partition(":")
    if kind not in ("search", "greedy") or not settings:
        return named(text)
    numbers = {name: float(value) for name, value in (part.split("=") for part in settings.split(","))}
    if kind == "greedy":
        return Greedy(text, numbers.get("overlooks", 0.0), bool(numbers.get("selfish", 1)))
    sims, ms = int(numbers.pop("sims", 0)), int(numbers.pop("ms", 0))
    return Search(text, sims=sims, ms=ms, settings=tuple(numbers.items()))


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


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("players", type=int)
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--first", type=int, default=1, help="the seed of the first deal")
    given = parser.parse_args()
    players, a, b = given.players, maker(given.a), maker(given.b)
    began = time.process_time()
    shares = np.zeros(given.deals)
    for deal in range(given.deals):
        for seat in range(players):
            outcome = play(given.game, [a if other == seat else b for other in range(players)], given.first + deal)
            shares[deal] += outcome.shares[seat] / players
        print(
            f"\r{deal + 1} of {given.deals} deals, {shares[: deal + 1].mean():.3f}",
            end=" ",
            file=sys.stderr,
            flush=True,
        )
    print(file=sys.stderr)
    share, margin = float(shares.mean()), 1.96 * float(shares.std()) / given.deals**0.5
    scaled = share * (players - 1) / (share * (players - 1) + 1 - share)
    print(
        f"{given.game}, {players} players, {given.a} against {given.b}: {share:.3f} ± {margin:.3f}, "
        f"scaled {scaled:.3f}, {given.deals * players} games, {time.process_time() - began:.0f} s"
    )


if __name__ == "__main__":
    main()
