"""Learns Lumens against a bot through Gymnasium: a policy gradient, one game at a time.

    python examples/gymnasium_learn.py --opponent random

The policy is one number a move, as in train_vector.py. The bot can be any of ours: random, greedy, spark, candle, ...
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import gymnasium
import numpy as np

import lampion.adapters.gymnasium  # noqa: F401  registers Lampion/Lumens-v0 and its like

Array = np.ndarray[Any, Any]


def play(env: Any, liking: Array, seed: int, dice: np.random.Generator) -> tuple[float, list[Any]]:
    """One game: its margin, and which of which moves were drawn."""
    observation, _ = env.reset(seed=seed)
    steps, reward, over = [], 0.0, False
    while not over:
        moves = np.flatnonzero(observation["action_mask"])
        odds = np.exp(liking[moves] - liking[moves].max())
        odds /= odds.sum()
        drawn = int(dice.choice(len(moves), p=odds))
        steps.append((moves, drawn, odds))
        observation, reward, over, _, _ = env.step(int(moves[drawn]))
    return float(reward), steps


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--rate", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    env = gymnasium.make("Lampion/Lumens-v0", seat=None, opponents=asked.opponent, reward="margin")
    dice = np.random.default_rng(asked.seed)
    liking = np.zeros(env.action_space.n)  # type: ignore[attr-defined]
    play(env, liking, 0, dice)  # compiled before the clock starts
    usual, margins, began = 0.0, [], time.monotonic()
    for number in range(1, asked.games + 1):
        margin, steps = play(env, liking, asked.seed + number, dice)
        margins.append(margin)
        better = np.tanh((margin - usual) / 8)
        usual += 0.02 * (margin - usual)
        for moves, drawn, odds in steps:
            liking[moves] -= asked.rate * better * odds
            liking[moves[drawn]] += asked.rate * better
        if number % 300 == 0:
            last, spent = np.array(margins[-300:]), time.monotonic() - began
            won = (last > 0).mean() + (last == 0).mean() / 2
            print(f"{spent:4.0f} s, {number:6,} games: won {won:.0%} of the last {len(last)}", flush=True)


if __name__ == "__main__":
    main()
