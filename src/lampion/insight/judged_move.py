"""Judge one move at once, for somebody who tries to find a better one: how good it is, what is best, and why."""

from __future__ import annotations

from typing import Any

from lampion.engine.rng import new_rng
from lampion.games.move_types import Plain
from lampion.insight.analysis_types import figure
from lampion.insight.evaluator import Stop, never_stop
from lampion.insight.hindsight import verdict
from lampion.insight.reasons import reasons_for
from lampion.insight.settings import STANDARD, Settings
from lampion.insight.worth import evaluator_for
from lampion.play.position import Position


class Answer(Plain, frozen=True):
    """The judgement of a move."""

    is_good: bool
    """Whether no compared move is better by more than the noise."""
    share: float
    """The mover's chance to win after it."""
    cost: float
    """By how much the best move is worth more; 0 within the noise."""
    sure: float
    """Half of the 95 % interval of the difference to the best move."""
    best: int
    """The id of the best compared move."""
    best_move: Any
    best_share: float
    reasons: list[Any]
    """What speaks for the best move beside this one; empty where this one is good."""


def answer(
    position: Position, seat: int, move: Any, settings: Settings = STANDARD, *, stop: Stop = never_stop
) -> Answer:
    """Return how good a legal move of a seat is, by what the seat knows.

    Raise IllegalMove or OutOfTurn where it cannot be made, and Stopped when `stop` says so.
    """
    id = position.id_of(move)
    position.preview(id, seat)  # refuses what cannot be made
    known = position.concealed(seat, new_rng())
    evaluator = evaluator_for(position.edition, position.players, settings)
    judged = evaluator.judge(known.state, seat, id, stop=stop)
    found = verdict(judged, seat, id, None)
    best = id if found.is_best else judged.ids[0]
    return Answer(
        is_good=found.is_best,
        share=figure(found.played[0][seat]),
        cost=figure(found.cost),
        sure=figure(judged.ahead_sure[0]),
        best=best,
        best_move=known.move(best),
        best_share=figure(found.best[0][seat]),
        reasons=reasons_for(known, seat, best, id),
    )
