"""How a game ended: points by category, places, and what decided."""

from __future__ import annotations

from collections.abc import Sequence

from lampion.games.move_types import Plain
from lampion.locale import say


class Outcome(Plain, frozen=True):
    """The result of a finished game."""

    scores: list[int]
    categories: list[dict[str, int]]
    keys: list[list[int]]
    """What orders the places, weightiest first, by seat."""
    ranks: list[int]
    shares: list[float]
    """Everybody's share of the victory: 1 in all."""
    winners: list[int]
    decided_by: str | None
    """The key that set the winners apart from the best of the others; None where all are level."""

    @property
    def by_tie_break(self) -> bool:
        """Whether points alone did not decide."""
        best = max(self.scores)
        return self.scores.count(best) > 1


def deciding_key(keys: Sequence[list[int]], ranks: Sequence[int], names: Sequence[str]) -> str | None:
    """The first key in which the winners differ from the best of the others."""
    others = [key for key, rank in zip(keys, ranks, strict=True) if rank > 1]
    if not others:
        return None
    best = max(others)
    winner = keys[ranks.index(1)]
    return next(name for name, mine, theirs in zip(names, winner, best, strict=False) if mine != theirs)


def sentence(game: str, outcome: Outcome, names: Sequence[str]) -> str:
    """Who won, and by what."""
    who = say("list.and").join(names[seat] for seat in outcome.winners)
    if len(outcome.winners) > 1:
        return say("outcome.shared", who=who, count=outcome.scores[outcome.winners[0]])
    told = "outcome.tie_break" if outcome.by_tie_break else "outcome.won"
    key = say(f"{game}.key.{outcome.decided_by}") if outcome.decided_by else ""
    return say(told, who=who, count=outcome.scores[outcome.winners[0]], key=key)
