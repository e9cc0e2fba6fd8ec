"""OpenSpiel's own search over information sets plays one of our games against a random player.

    python examples/openspiel_ismcts.py --game iles --sims 200

The bots of OpenSpiel that are written in C++ crash on any game written in Python; this one is in Python.
"""

from __future__ import annotations

import argparse
import random

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot

from lampion.adapters.openspiel import RandomRollouts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="lumens")
    parser.add_argument("--sims", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    game = pyspiel.load_game(f"lampion_{asked.game}")
    dice, chance = np.random.RandomState(asked.seed), random.Random(asked.seed)
    bot = ISMCTSBot(game, RandomRollouts(1, asked.seed), 1.0, asked.sims, random_state=dice)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            actions, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(actions, odds)[0])
        elif state.current_player() == 0:
            action = int(bot.step(state))
            print(state.action_to_string(0, action), end=" ", flush=True)
            state.apply_action(action)
        else:
            state.apply_action(chance.choice(state.legal_actions()))
    print(f"\nits share of the victory: {state.returns()[0]:g}")


if __name__ == "__main__":
    main()
