"""How far a net carries on editions that it was not trained on: python -m benchmarks.editions GAME PLAYERS.

Editions are drawn near the standard one: some of its whole numbers are one more or one less, where that is still an
edition. On each the net that comes with the game plays one step ahead against the hand-written estimate, which weighs
what it leaves to the others too; every deal from every seat, the net in one seat. The first line is the standard
edition, on the same deals.
"""

from __future__ import annotations

import argparse
import copy
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from lampion.bots.greedy import Greedy
from lampion.bots.learned import Learned
from lampion.bots.searcher import Search
from lampion.games.editions import Edition, edition, standard
from lampion.locale import Problem
from lampion.play import Position, Seeded
from lampion.play.sight import sights

TRIES = 400


def numbers_in(data: Any) -> Iterator[tuple[Any, Any]]:
    """Return where the whole numbers of an edition are: the list or table that holds each, and its place there."""
    places = data.items() if isinstance(data, dict) else enumerate(data)
    for place, value in list(places):
        if isinstance(value, dict | list):
            yield from numbers_in(value)
        elif isinstance(value, int) and not isinstance(value, bool):
            yield data, place


def near(box: Edition, changes: int, draw: random.Random) -> tuple[Edition, int]:
    """Return an edition with up to so many numbers changed by one, and how many were."""
    found, done = box, 0
    for _ in range(TRIES):
        if done == changes:
            break
        data = copy.deepcopy(dict(found.data))
        holder, place = draw.choice(list(numbers_in(data)))
        holder[place] += draw.choice((-1, 1))
        try:
            found, done = edition(box.game, data), done + 1
        except Problem:
            continue
    return found, done


def share(box: Edition, players: int, deals: range) -> tuple[float, float]:
    """Return the net's share of the victories and half of its 95 % interval."""
    path = next(path for path in sorted((box.game.folder / "nets").glob("*.net"), reverse=True))
    makers = Learned(effort=Search(sims=1), net=str(path)), Greedy(selfish=False)
    shares = np.zeros((len(deals), players))
    for number, deal in enumerate(deals):
        for hero in range(players):
            position, chance = Position(box.game, players, components=box), Seeded(deal)
            seen = sights(position)
            bots = [makers[sight.seat != hero].sit(sight, 8 * deal + sight.seat) for sight in seen]
            position.push_chances(chance)
            while not position.is_over:
                for seat, move in [(seat, bots[seat].choose(seen[seat])) for seat in position.pending]:
                    position.push_rows(move, seat)
                position.push_chances(chance)
            shares[number, hero] = position.count().shares[hero]
    by_deal = shares.mean(1)
    return float(by_deal.mean()), 1.96 * float(by_deal.std()) / len(deals) ** 0.5


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("players", type=int)
    parser.add_argument("--editions", type=int, default=8)
    parser.add_argument("--changes", type=int, default=12)
    parser.add_argument("--deals", type=int, default=20)
    asked = parser.parse_args()
    box, deals, found = standard(asked.game), range(1, asked.deals + 1), []
    print("standard edition: {:.3f} ± {:.3f}".format(*share(box, asked.players, deals)), flush=True)
    for seed in range(1, asked.editions + 1):
        other, changes = near(box, asked.changes, random.Random(seed))
        found.append(share(other, asked.players, deals)[0])
        print(f"edition {seed}, {changes} numbers changed: {found[-1]:.3f}", flush=True)
    spread = 1.96 * float(np.std(found)) / len(found) ** 0.5
    print(f"{asked.game}, {asked.players} players, all of these: {np.mean(found):.3f} ± {spread:.3f}")


if __name__ == "__main__":
    main()
