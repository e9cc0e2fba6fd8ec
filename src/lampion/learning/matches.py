"""How strong a net is one step ahead: compiled games against fixed opponents, every deal from every seat."""

from __future__ import annotations

from typing import Any

import numpy as np

from lampion.bots.net_values import judge
from lampion.bots.one_step import greedy_choice
from lampion.bots.search import GIVEN, WORLD
from lampion.engine import rules
from lampion.engine.compile import compiled
from lampion.engine.constants import CHANCE, OVER
from lampion.engine.playout import draw_chance
from lampion.engine.rng import game_seed
from lampion.learning.selfplay import noisy_choice

HERO = 5
"""The part of a deal's seed that the players draw from, by the seat of the first of them."""


@compiled
def play_deals(
    hero: Any, other: Any, selfish: int, options: Any, empty: Any, drawn: Any, seed: int, first: int, shares: Any
) -> None:  # fmt: skip
    """Play one deal for each of `shares`: `hero` in one seat, `other` in the rest, from every seat.

    Write the hero's share of the victories of each deal. Both workspaces have the same states.
    """
    box, state, rng, players = hero.boxes[0], hero.states[GIVEN], hero.rng, hero.players
    for deal in range(len(shares)):
        stream = game_seed(np.uint64(seed), first + deal, 0)
        shares[deal] = 0.0
        for seat in range(players):
            for i in range(len(drawn)):
                drawn[i] = 0
            spare = game_seed(np.uint64(seed), first + deal, HERO + seat)
            rules.copy(state, empty[0])
            rules.setup(box, state, players, options[0], hero.log)
            actor = int(rules.actor(box, state))
            while actor != OVER:
                if actor == CHANCE:
                    move = int(draw_chance(box, state, stream, drawn, rng, hero.ids, hero.weights))
                else:
                    rng[0] = spare
                    n = int(rules.legal(box, state, actor, hero.ids))
                    if actor == seat:
                        move = noisy_choice(hero, hero.net, state, actor, n, 0.0)
                    elif selfish:
                        move = greedy_choice(other, state, other.states[WORLD], actor, n)
                    else:
                        move = noisy_choice(other, None, state, actor, n, 0.0)
                    spare = rng[0]
                rules.apply(box, state, actor, move, hero.log)
                actor = int(rules.actor(box, state))
            judge(hero, state, seat)
            shares[deal] += hero.learned.answers[0] / players
