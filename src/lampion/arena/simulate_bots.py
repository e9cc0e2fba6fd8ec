"""Simulate many games with the same bots in the same seats."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence

from lampion.arena.match import Conditions, Result, play_one, warm_up
from lampion.arena.simulate_random import Simulation
from lampion.arena.workers import Crew
from lampion.bots import BadBot, Maker


class BotSimulation(Simulation, frozen=True):
    """The figures of a run with bots, by seat; scores and lengths are of the games that no bot broke off."""

    bots: list[str]
    failures: list[dict[str, int]]
    """By seat, how often its bot failed for each reason."""


def seat_bots(makers: Sequence[Maker], players: int) -> list[Maker]:
    """Return a maker for each seat, from one for each player or one for all."""
    if len(makers) not in (1, players):
        raise BadBot("arena.seats", bots=len(makers), players=players)
    return list(makers) * players if len(makers) == 1 else list(makers)


def simulate_bots(
    conditions: Conditions,
    makers: Sequence[Maker],
    games: int,
    crew: Crew,
    *,
    progress: Callable[[int], None] = lambda done: None,
) -> BotSimulation:
    """Play `games` deals once and return the figures; game i has the chance of random game i of this seed."""
    seats = seat_bots(makers, conditions.players)
    warm_up(conditions, seats)
    began = time.perf_counter()
    played: dict[int, Result] = {}
    for deal, result in crew.results((deal, play_one, (conditions, seats, deal)) for deal in range(games)):
        played[deal] = result
        progress(1)
    seconds = max(time.perf_counter() - began, 1e-9)
    results = [played[deal] for deal in range(games)]
    whole = [result for result in results if result.failed is None]
    lengths = [result.moves for result in whole] or [0]
    wins = [sum(result.shares[seat] for result in results) for seat in range(conditions.players)]
    reasons: list[Counter[str]] = [Counter() for _ in seats]
    for result in results:
        if result.failed is not None:
            reasons[result.failed][result.reason] += 1
    return BotSimulation(
        game=conditions.game,
        players=conditions.players,
        games=games,
        seed=conditions.seed,
        options=dict(conditions.options),
        edition=conditions.edition.hash,
        seconds=seconds,
        threads=crew.workers,
        games_per_second=games / seconds,
        moves_per_second=sum(result.moves for result in results) / seconds,
        decisions_per_second=sum(result.decisions for result in results) / seconds,
        mean_scores=[sum(r.scores[seat] for r in whole) / max(1, len(whole)) for seat in range(conditions.players)],
        wins_by_seat=wins,
        win_share_by_seat=[win / games for win in wins],
        mean_length=sum(lengths) / len(lengths),
        shortest=min(lengths),
        longest=max(lengths),
        bots=[maker.name for maker in seats],
        failures=[dict(counter) for counter in reasons],
    )
