"""What bots give away in a game, as long searches judge it: python -m benchmarks.given_away GAME PLAYERS BOT [BOT ...].

Games are played by `--by` in every seat. Now and then a decision is looked at: each BOT says what it would play there,
and two judges, bots that search for long, say what every move is worth. What a bot gives away is how much more the best
move is worth than its own. It is measured in two ways. The highest mean of both judges is too high, as the best of
many inexact values always is. What one judge thinks best, valued by the other, is free of that, but too low for a bot
that errs as one of the judges does. The difference from the first bot is the same in both. Bots are named as in
`benchmarks.duel`. Intervals are of 95 %, over games.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from multiprocessing import Pool
from typing import Any, NamedTuple

import numpy as np

from benchmarks.duel import maker
from lampion.bots.searcher import SearchBot
from lampion.play import Position, Seeded
from lampion.play.sight import Sight, sights

JUDGES = ("yardstick:sims=1500000", "learned:sims=250000,doubts=0.1,exploration=0.3")
LEAST = 200
"""Visits below which a judge does not call a move the best."""

Numbers = np.ndarray[Any, np.dtype[np.float64]]


class Task(NamedTuple):
    """A game to play, and what is looked at in it."""

    game: str
    players: int
    deal: int
    by: str
    bots: tuple[str, ...]
    judges: tuple[str, str]
    every: int
    """One of how many decisions is looked at."""


class Found(NamedTuple):
    """What a game brought: its number of decisions, and for each that was looked at what every bot gave away."""

    decisions: int
    given_away: list[Numbers]
    """By bot: by the mean of the judges, by each as the other chooses, and whether a judge would play another move."""


def worth(judge: str, sight: Sight, seed: int) -> dict[int, tuple[int, float]]:
    """Return, by move, how often a judge visited it and what it is worth to it."""
    bot = maker(judge).sit(sight, seed)
    assert isinstance(bot, SearchBot), f"{judge} does not search"
    bot.choose(sight)
    trust = float(bot.workspaces[0].arrays.settings[0]["trust"])
    found = bot.workspaces[0].visits().items()
    return {move: (visits, (value + trust * prior) / (visits + trust)) for move, (visits, value, prior) in found}


def given_away(task: Task, sight: Sight) -> Numbers:
    """Return what each bot gives away in a position; NaN where a judge never tried its move."""
    seed = task.deal * 8
    one, other = (worth(judge, sight, seed) for judge in task.judges)
    tried = [move for move in one if move in other and min(one[move][0], other[move][0]) >= LEAST]
    moves = [maker(bot).sit(sight, seed + 1).choose(sight) for bot in task.bots]
    if not tried:
        return np.full((len(moves), 3), np.nan)
    mean = {move: (one[move][1] + other[move][1]) / 2 for move in one if move in other}
    first, second = max(tried, key=lambda move: one[move][1]), max(tried, key=lambda move: other[move][1])
    best = max(tried, key=mean.__getitem__)

    def row(move: int) -> tuple[float, float, float]:
        if move not in mean:
            return (np.nan, np.nan, np.nan)
        crossed = other[first][1] - other[move][1] + one[second][1] - one[move][1]
        return (mean[best] - mean[move], crossed / 2, float(move != best))

    return np.array([row(move) for move in moves])


def play(task: Task) -> Found:
    """Play one game to its end, and look at some of its decisions."""
    position, chance = Position(task.game, task.players), Seeded(task.deal)
    seen = sights(position)
    bots = [maker(task.by).sit(sight, task.deal * 8 + sight.seat) for sight in seen]
    random = np.random.default_rng(task.deal)
    position.push_chances(chance)
    decisions, found = 0, []
    while not position.is_over:
        chosen = {seat: bots[seat].choose(seen[seat]) for seat in position.pending}  # before any of them is made
        for seat in chosen:
            if len(seen[seat].ids) > 1:
                decisions += 1
                if random.integers(task.every) == 0:
                    found.append(given_away(task, seen[seat]))
        for seat, move in chosen.items():
            position.push_rows(move, seat)
        position.push_chances(chance)
    return Found(decisions, found)


def in_a_game(games: Sequence[Found], values: list[Numbers], players: int) -> tuple[float, float]:
    """Return what a figure of each decision adds up to for a seat in a game, and half of its interval over games."""
    each = sum(game.decisions for game in games) / len(games) / players
    known = [column[~np.isnan(column)] for column in values]
    count = sum(len(column) for column in known)
    if count == 0:
        return np.nan, np.nan
    mean = sum(column.sum() for column in known) / count
    rest = np.array([column.sum() - mean * len(column) for column in known])
    return each * mean, 1.96 * each * float(np.sqrt((rest**2).sum() * len(games) / max(1, len(games) - 1))) / count


def lines(task: Task, games: Sequence[Found]) -> list[str]:
    """Return a line about each bot."""
    looked = [np.array(game.given_away).reshape(-1, len(task.bots), 3) for game in games]
    count = sum(map(len, looked))
    texts = [f"{task.game}, {task.players} players: {count} decisions of {len(games)} games"]
    for i, bot in enumerate(task.bots):
        by = [in_a_game(games, [100 * rows[:, i, way] for rows in looked], task.players) for way in range(2)]
        more = in_a_game(games, [100 * (rows[:, i, 0] - rows[:, 0, 0]) for rows in looked], task.players)
        differs = np.concatenate([rows[:, i, 2] for rows in looked])
        known = differs[~np.isnan(differs)]
        texts.append(
            f"{bot} gives away {by[0][0]:.1f} ± {by[0][1]:.1f} % a game by the mean of the judges, {by[1][0]:.1f} ± "
            f"{by[1][1]:.1f} by each as the other chooses; {more[0]:+.1f} ± {more[1]:.1f} against the first bot; plays "
            f"another move {100 * known.mean():.0f} % of the time, {len(differs) - len(known)} that a judge never tried"
        )
    return texts


def main() -> None:
    """Play, look and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("players", type=int)
    parser.add_argument("bots", nargs="+")
    parser.add_argument("--by", default="yardstick:sims=4000", help="who plays the games")
    parser.add_argument("--judges", nargs=2, default=JUDGES, help="who says what moves are worth")
    parser.add_argument("--every", type=int, default=20, help="one of how many decisions is looked at")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--first", type=int, default=1, help="the seed of the first deal")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after so long, with the games that are done")
    asked = parser.parse_args()
    tasks = [
        Task(asked.game, asked.players, deal, asked.by, tuple(asked.bots), tuple(asked.judges), asked.every)
        for deal in range(asked.first, asked.first + asked.games)
    ]
    until, found = time.monotonic() + asked.seconds, []
    with Pool(asked.processes) as pool:
        for game in pool.imap(play, tasks):
            found.append(game)
            print(f"\r{len(found)} of {len(tasks)} games", end=" ", file=sys.stderr)
            if time.monotonic() > until:
                pool.terminate()
                break
    print(file=sys.stderr)
    print(*lines(tasks[0], found), sep="\n")


if __name__ == "__main__":
    main()
