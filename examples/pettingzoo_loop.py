"""Learns Lumens by playing against itself through PettingZoo: a policy gradient, one game at a time.

    python examples/pettingzoo_loop.py

The policy is one number a move, as in train_vector.py; both seats use it and both learn. In the end it plays against a
random player.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from lampion.adapters.pettingzoo import lumens_v0

Array = np.ndarray[Any, Any]


def odds_of(liking: Array, moves: Array) -> Array:
    """How likely the policy makes each of these moves."""
    odds = np.exp(liking[moves] - liking[moves].max())
    return odds / odds.sum()


def play(env: Any, likings: dict[str, Array], dice: np.random.Generator) -> tuple[dict[str, float], list[Any]]:
    """One game, in the loop that PettingZoo's own pages show: the margins, and who drew which of which moves."""
    env.reset(seed=int(dice.integers(2**31)))
    margins, steps = {}, []
    for agent in env.agent_iter():
        observation, reward, termination, _truncation, _info = env.last()
        if termination:
            margins[agent] = reward
            env.step(None)
            continue
        moves = np.flatnonzero(observation["action_mask"])
        odds = odds_of(likings[agent], moves)
        drawn = int(dice.choice(len(moves), p=odds))
        steps.append((agent, moves, drawn, odds))
        env.step(int(moves[drawn]))
    return margins, steps


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1500, help="against itself")
    parser.add_argument("--trials", type=int, default=200, help="games against a random player, in the end")
    parser.add_argument("--rate", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    env, dice = lumens_v0.env(reward="margin"), np.random.default_rng(asked.seed)
    random_liking = np.zeros(env.action_space(env.possible_agents[0]).n)
    liking = random_liking.copy()
    us, them = env.possible_agents
    play(env, {us: liking, them: liking}, dice)  # compiled before the clock starts
    began = time.monotonic()
    for _ in range(asked.games):
        margins, steps = play(env, {us: liking, them: liking}, dice)
        for agent, moves, drawn, odds in steps:
            better = np.tanh(margins[agent] / 8)
            liking[moves] -= asked.rate * better * odds
            liking[moves[drawn]] += asked.rate * better
    print(f"{asked.games:,} games against itself in {time.monotonic() - began:.0f} s")
    won = 0.0
    for number in range(asked.trials):
        seats = {us: liking, them: random_liking} if number % 2 else {us: random_liking, them: liking}
        margins, _ = play(env, seats, dice)
        margin = margins[us if number % 2 else them]
        won += 1.0 if margin > 0 else 0.5 if margin == 0 else 0.0
    print(f"then won {won / asked.trials:.0%} of {asked.trials} games against a random player")


if __name__ == "__main__":
    main()
