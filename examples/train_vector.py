"""Learns 1001 Îles from nothing, in a minute, with NumPy alone: a policy gradient on a thousand games at once.

    python examples/train_vector.py

The policy is one matrix: features of the seat to preferences for the moves. It plays seat 0 against random players;
its reward is the margin in points. Watch its share of the victories go up.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from lampion.adapters.vector import VectorEnv

Array = np.ndarray[Any, Any]


def choose(weights: Array, features: Array, masks: Array, dice: np.random.Generator) -> tuple[Array, Array]:
    """An action a row, drawn by preference among the legal ones, and all odds."""
    preferences = np.where(masks, features @ weights, -np.inf)
    odds = np.exp(preferences - preferences.max(axis=1, keepdims=True))
    odds /= odds.sum(axis=1, keepdims=True)
    drawn = np.argmax(preferences + dice.gumbel(size=odds.shape).astype(np.float32), axis=1)
    return drawn, odds


def play(env: VectorEnv, weights: Array, seed: int, dice: np.random.Generator) -> tuple[Array, Array]:
    """One game a row; the margins of seat 0, and how to move the weights for more of them."""
    env.reset(seed=seed)
    going, margins = np.ones(env.count, dtype=bool), np.zeros(env.count, dtype=np.float32)
    steps: list[tuple[Array, Array, Array]] = []
    while going.any():
        actions = env.random_actions()
        mine = np.flatnonzero(going & (env.actors == 0))
        if len(mine):
            features = env.observations[mine]
            drawn, odds = choose(weights, features, env.masks[mine], dice)
            odds[np.arange(len(mine)), drawn] -= 1.0
            steps.append((mine, features, -odds))
            actions[mine] = drawn
        _, rewards, terminated, _, _ = env.step(actions)
        margins[terminated & going] = rewards[terminated & going, 0]
        going &= ~terminated
    advantage = (margins - margins.mean()) / (margins.std() + 1e-6)
    gradient = np.zeros_like(weights)
    for mine, features, direction in steps:
        gradient += features.T @ (direction * advantage[mine, None])
    return margins, gradient / env.count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="iles")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rows", type=int, default=512)
    parser.add_argument("--rate", type=float, default=0.02)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    env, dice = VectorEnv(asked.game, asked.rows, reward="margin"), np.random.default_rng(asked.seed)
    shape = env.observations.shape[1], env.masks.shape[1]
    weights, mean, square = (np.zeros(shape, dtype=np.float32) for _ in range(3))
    began, number = time.monotonic(), 0
    while time.monotonic() - began < asked.seconds:
        margins, gradient = play(env, weights, asked.seed + number, dice)
        number += 1
        mean += 0.1 * (gradient - mean)
        square += 0.01 * (gradient**2 - square)
        weights += asked.rate * mean / (1 - 0.9**number) / (np.sqrt(square / (1 - 0.99**number)) + 1e-4)
        if number == 1 or number % 5 == 0:
            won = (margins > 0).mean() + (margins == 0).mean() / 2
            spent = time.monotonic() - began
            print(f"{spent:5.0f} s, {number * env.count:7,} games: won {won:.0%}, margin {margins.mean():+.1f}", flush=True)


if __name__ == "__main__":
    main()
