"""Our search against OpenSpiel's search over information sets, at equal simulations.

    python benchmarks/ismcts_match.py --game lumens --games 200 --sims 1000

Every deal is played once from each seat: games 2k and 2k + 1 have the same chance and exchanged seats. OpenSpiel's
`ISMCTSBot` is its own, in Python, and plays through our adapter; its random playouts run in compiled code, which
changes its speed and nothing else (`--python-rollouts`: in Python too). Needs the extra `openspiel`.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import sys
import time
from typing import Any, NamedTuple

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from lampion.adapters import openspiel as adapter
from lampion.bots import named
from lampion.engine.rng import game_seed
from lampion.games.core import CHANCE
from lampion.play import Position, Seeded, Sight


class Match(NamedTuple):
    """What is played."""

    game: str
    players: int
    sims: int
    ours: str
    exploration: float
    seed: int
    python_rollouts: bool


def rival(match: Match, game: Any, seed: int) -> Any:
    """OpenSpiel's bot, as it is, with seeded dice."""
    dice = np.random.RandomState(seed % 2**32)
    rollouts = mcts.RandomRolloutEvaluator(1, dice) if match.python_rollouts else adapter.RandomRollouts(1, seed)
    bot = ismcts.ISMCTSBot(game, rollouts, match.exploration, match.sims, random_state=dice)
    bot.set_resampler(lambda state, seat: state.resample_from_infostate(seat, dice.random_sample))
    return bot


def play(job: tuple[Match, int]) -> tuple[int, float, float, float]:
    """One game: its number, our share of the victory, and the seconds we and they thought."""
    match, number = job
    deal, ours_at = number // match.players, number % match.players
    chance = Seeded(int(game_seed(np.uint64(match.seed), deal, 0)))
    position = Position(match.game, match.players)
    game = pyspiel.load_game(f"lampion_{match.game}", {"players": match.players})
    seeds = [int(game_seed(np.uint64(match.seed), number, 1 + seat)) for seat in range(match.players)]
    sight = Sight(position, ours_at)
    bot = named(match.ours).sit(sight, seeds[ours_at])
    rivals = {seat: rival(match, game, seeds[seat]) for seat in range(match.players) if seat != ours_at}
    spent = [0.0, 0.0]
    while not position.is_over:
        seat = position.actor
        if seat == CHANCE:
            position.push_chance_rows(chance)
            continue
        began = time.process_time()
        move = bot.choose(sight) if seat == ours_at else int(rivals[seat].step(game.state_of(position)))
        spent[seat != ours_at] += time.process_time() - began
        position.push_rows(move, seat)
    return number, position.count().shares[ours_at], spent[0], spent[1]


def interval(shares: list[float], players: int) -> tuple[float, float, float]:
    """The mean share and its 95 % interval, by deals, since the games of one deal are not independent."""
    deals = [sum(shares[i : i + players]) / players for i in range(0, len(shares), players)]
    mean = sum(deals) / len(deals)
    if len(deals) < 2:
        return mean, 0.0, 1.0
    spread = math.sqrt(sum((deal - mean) ** 2 for deal in deals) / (len(deals) - 1) / len(deals))
    return mean, max(0.0, mean - 1.96 * spread), min(1.0, mean + 1.96 * spread)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="lumens")
    parser.add_argument("--players", type=int, default=2, help="one seat is ours, the others are theirs")
    parser.add_argument("--games", type=int, default=40, help="rounded up to whole deals")
    parser.add_argument("--sims", type=int, default=1000, help="simulations a decision, for both")
    parser.add_argument("--bot", default="sun", help="the level of ours that searches")
    parser.add_argument("--exploration", type=float, default=1.0, help="theirs (uct_c); returns are from 0 to 1")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--python-rollouts", action="store_true", help="their playouts in Python: slow")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    ours = f"{asked.bot}:sims={asked.sims}"
    match = Match(asked.game, asked.players, asked.sims, ours, asked.exploration, asked.seed, asked.python_rollouts)
    games = -(-asked.games // asked.players) * asked.players
    jobs = [(match, number) for number in range(games)]
    shares, thought, done, won = [0.0] * games, [0.0, 0.0], 0, 0.0
    with multiprocessing.get_context("spawn").Pool(min(asked.processes, games)) as pool:
        for number, share, we, they in pool.imap_unordered(play, jobs):
            shares[number] = share
            thought = [thought[0] + we, thought[1] + they]
            done += 1
            won += share
            print(f"\r{done}/{games} games, {won:g} ours ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    mean, low, high = interval(shares, asked.players)
    even = 1 / asked.players
    found = {
        **match._asdict(),
        "games": games,
        "share": mean,
        "interval": [low, high],
        "scaled": mean / (mean + (1 - mean) / (asked.players - 1)),  # even is 0.5 for any number of players
        "seconds_ours": thought[0],
        "seconds_theirs": thought[1],
    }
    if asked.json:
        print(json.dumps(found))
        return
    print(f"{match.game}, {match.players} players, {games} games, {match.sims} simulations a decision each")
    print(f"our share {mean:.1%} (95 %: {low:.1%} to {high:.1%}); even would be {even:.1%}")
    print(f"thinking: ours {thought[0]:.1f} s, theirs {thought[1]:.1f} s")


if __name__ == "__main__":
    main()
