"""OpenSpiel's own search over information sets plays one of our games against a random player.

    python examples/openspiel_ismcts.py --game iles --sims 200
    python examples/openspiel_ismcts.py --game lumens --sims 10 --games 20

The bots of OpenSpiel that are written in C++ crash on any game written in Python; this one is in Python.
"""

from __future__ import annotations

import argparse
import random

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot

from lampion.adapters.openspiel import RandomRollouts


def play(game: pyspiel.Game, sims: int, seed: int, seat: int) -> float:
    """Play one game with the search in a seat, print its moves, and return its share of the victory."""
    dice, chance = np.random.RandomState(seed), random.Random(seed)
    bot = ISMCTSBot(game, RandomRollouts(1, seed), 1.0, sims, random_state=dice)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            actions, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(actions, odds)[0])
        elif state.current_player() == seat:
            action = int(bot.step(state))
            print(state.action_to_string(seat, action), end=" ", flush=True)
            state.apply_action(action)
        else:
            state.apply_action(chance.choice(state.legal_actions()))
    return float(state.returns()[seat])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="lumens")
    parser.add_argument("--sims", type=int, default=100)
    parser.add_argument("--games", type=int, default=1, help="in every other one the search has the second seat")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    game = pyspiel.load_game(f"lampion_{asked.game}")
    shares = [play(game, asked.sims, asked.seed + number, number % 2) for number in range(asked.games)]
    print(f"\nits share of the victory: {sum(shares) / len(shares):g}")


if __name__ == "__main__":
    main()
