"""The result of a game: points by category, ranks, and what decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lampion.engine.arrays import np
from lampion.games.core import MOST_KEYS, Game
from lampion.games.move_types import Plain
from lampion.locale import say
from lampion.play import compiled_calls


class Outcome(Plain, frozen=True):
    """The result of a finished game."""

    scores: list[int]
    categories: list[dict[str, int]]
    keys: list[list[int]]
    """By seat, the numbers that order the ranks, most important first."""
    ranks: list[int]
    shares: list[float]
    """By seat, the share of the victory; they add up to 1."""
    winners: list[int]
    decided_by: str | None
    """The name of the first key in which the winners differ from the best of the others; None where all are level."""

    @property
    def by_tie_break(self) -> bool:
        """Whether several seats have the most points."""
        best = max(self.scores)
        return self.scores.count(best) > 1


def count_points(game: Game, boxes: Any, states: Any, i: int, players: int) -> Outcome:
    """Return the result of states[i] as if the game ended there."""
    tallies = np.zeros((players, len(game.categories)), dtype=np.int64)
    all_keys = np.zeros((players, MOST_KEYS), dtype=np.int64)
    ranks = np.zeros(players, dtype=np.int64)
    shares = np.zeros(players, dtype=np.float64)
    compiled_calls.count_at(boxes, states, i, players, tallies, all_keys, ranks, shares)
    keys = [key[: len(game.keys)] for key in all_keys.tolist()]
    return Outcome(
        scores=[key[0] for key in keys],
        categories=[dict(zip(game.categories, row, strict=True)) for row in tallies.tolist()],
        keys=keys,
        ranks=ranks.tolist(),
        shares=shares.tolist(),
        winners=[seat for seat, rank in enumerate(ranks) if rank == 1],
        decided_by=deciding_key(keys, ranks.tolist(), game.keys),
    )


def deciding_key(keys: Sequence[list[int]], ranks: Sequence[int], names: Sequence[str]) -> str | None:
    """Return the name of the first key in which the winners differ from the best of the others, or None."""
    others = [key for key, rank in zip(keys, ranks, strict=True) if rank > 1]
    if not others:
        return None
    best = max(others)
    winner = keys[ranks.index(1)]
    return next(name for name, mine, theirs in zip(names, winner, best, strict=False) if mine != theirs)


def sentence(game: str, outcome: Outcome, names: Sequence[str]) -> str:
    """Return the sentence that says who won, and by what."""
    winners = say("list.and").join(names[seat] for seat in outcome.winners)
    if len(outcome.winners) > 1:
        return say("outcome.shared", who=winners, count=outcome.scores[outcome.winners[0]])
    message = "outcome.tie_break" if outcome.by_tie_break else "outcome.won"
    key = say(f"{game}.key.{outcome.decided_by}") if outcome.decided_by else ""
    return say(message, who=winners, count=outcome.scores[outcome.winners[0]], key=key)
