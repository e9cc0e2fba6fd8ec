"""Learns Lumens from nothing, in a minute, with NumPy alone: a policy gradient on hundreds of games at once.

    python examples/train_vector.py

The policy is one number a move: how much it is liked, whatever the position. It plays seat 0 against random players for
the margin in points, and finds out which numbers and cells are worth having. Watch its share of the victories go up.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from lampion.adapters.vector import VectorEnv

Array = np.ndarray[Any, Any]


def choose(liking: Array, masks: Array, dice: np.random.Generator) -> tuple[Array, Array, Array, Array]:
    """Draw a move a row by its liking; of all legal (row, move), which were drawn, and how the odds would follow."""
    row, move = np.nonzero(masks)
    first = np.searchsorted(row, np.arange(len(masks)))
    odds = np.exp(liking[move] - np.maximum.reduceat(liking[move], first)[row])
    odds /= np.add.reduceat(odds, first)[row]
    noisy = liking[move] + dice.gumbel(size=len(move))
    drawn = noisy == np.maximum.reduceat(noisy, first)[row]
    return row, move, drawn, drawn - odds


def play(env: VectorEnv, liking: Array, seed: int, dice: np.random.Generator) -> tuple[Array, Array]:
    """One game a row; the margins of seat 0, and which way the likings should go for more."""
    env.reset(seed=seed)
    going, margins = np.ones(env.count, dtype=bool), np.zeros(env.count)
    steps: list[tuple[Array, Array, Array]] = []
    while going.any():
        actions = env.random_actions()
        mine = np.flatnonzero(going & (env.actors == 0))
        if len(mine):
            row, move, drawn, change = choose(liking, env.masks[mine], dice)
            actions[mine] = move[drawn]
            steps.append((mine[row], move, change))
        _, rewards, terminated, _, _ = env.step(actions)
        margins[terminated & going] = rewards[terminated & going, 0]
        going &= ~terminated
    better = (margins - margins.mean()) / (margins.std() + 1e-6)
    gradient = np.zeros_like(liking)
    for rows, moves, change in steps:
        np.add.at(gradient, moves, change * better[rows])
    return margins, gradient / env.count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="lumens")
    parser.add_argument("--rounds", type=int, default=100, help="of as many games as rows, then it learns")
    parser.add_argument("--rows", type=int, default=256)
    parser.add_argument("--rate", type=float, default=2.0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    env, dice = VectorEnv(asked.game, asked.rows, reward="margin"), np.random.default_rng(asked.seed)
    liking = np.zeros(env.masks.shape[1])
    env.reset(seed=0)
    env.step(env.random_actions())  # compiled before the clock starts
    began = time.monotonic()
    for number in range(1, asked.rounds + 1):
        margins, gradient = play(env, liking, asked.seed + number, dice)
        liking += asked.rate * gradient
        if number % 10 == 0 or number == 1:
            won = (margins > 0).mean() + (margins == 0).mean() / 2
            spent, games = time.monotonic() - began, number * env.count
            print(f"{spent:4.0f} s, {games:6,} games: won {won:.0%}, margin {margins.mean():+.1f}", flush=True)


if __name__ == "__main__":
    main()
