"""What a position is worth, to whoever looks at it: everybody's chances, and the best moves with theirs.

>>> from lampion.insight.settings import QUICK
>>> from lampion.insight.worth import worth_to_seat
>>> from lampion.play import Position, Seeded, Sight
>>> position = Position("lumens", players=2)
>>> position.push_chances(Seeded(1))
>>> found = worth_to_seat(Sight(position, position.actor), QUICK)
>>> len(found.seats), found.moves[0].id in position.legal_ids()
(2, True)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import local
from typing import Any

from lampion.engine.rng import new_rng
from lampion.games.editions import Edition
from lampion.games.move_types import Plain
from lampion.insight.analysis_types import figure, figures
from lampion.insight.evaluator import (
    Evaluator,
    Judged,
    Progress,
    Standing,
    Stop,
    Stopped,
    error,
    never_stop,
    no_progress,
)
from lampion.insight.settings import STANDARD, Settings
from lampion.play import compiled_calls
from lampion.play.position import Position
from lampion.play.sight import Sight

WORLDS = 16
"""Worlds over which the chances in a position with hidden things are averaged."""


class SeatWorth(Plain, frozen=True):
    """What a position is worth to a seat."""

    share: float
    """The chance to win; those of all seats add up to 1."""
    margin: float
    """The points by which it will be ahead of the best other."""
    sure: float
    """Half of the 95 % interval of the chance, over the worlds that were drawn; 0 where nothing is hidden."""


class MoveWorth(Plain, frozen=True):
    """What a move is worth."""

    id: int
    move: Any
    shares: list[float]
    """By seat, the chance to win."""
    margins: list[float]
    behind: float
    """How much less it is worth to its mover than the best, 0 to 1: mostly the chance to win, a part for points."""
    sure: float
    """Half of the 95 % interval of what it is worth."""


class Worth(Plain, frozen=True):
    """What a position is worth."""

    seats: list[SeatWorth]
    mover: int | None
    """Whose moves these are; None where nobody's are judged."""
    moves: list[MoveWorth]
    """The best few, best first."""
    options: int
    """The number of legal moves."""
    simulations: int
    """Moves followed."""
    source: str
    """What judges: "net" or "estimate"."""


_evaluators = local()
MOST_EVALUATORS = 4


def evaluator_for(edition: Edition, players: int, settings: Settings) -> Evaluator:
    """Return this thread's evaluator for a table."""
    kept: dict[Any, Evaluator] = _evaluators.__dict__
    key = f"{edition.game.name} {edition.hash} {players} {settings}"
    if key not in kept:
        if len(kept) >= MOST_EVALUATORS:
            kept.pop(next(iter(kept)))
        kept[key] = Evaluator(edition, players, settings)
    return kept[key]


def worth_of(
    position: Position, settings: Settings = STANDARD, *, stop: Stop = never_stop, progress: Progress = no_progress
) -> Worth:
    """Return what a position is worth with nothing hidden, as in the analysis of a finished game.

    The moves are those of the actor, judged by what its seat knows. Raise Stopped when `stop` says so; `progress`
    counts followed moves.
    """
    evaluator = evaluator_for(position.edition, position.players, settings)
    state = position.state
    judged = None
    if position.actor >= 0 and len(position.legal_ids()) > 1:
        judged = evaluator.judge(state, position.actor, stop=stop, progress=progress)
    mover = None if judged is None else position.actor
    return _worth(evaluator, [evaluator.standing(state)], mover, judged, position.move)


def worth_to_seat(
    sight: Sight, settings: Settings = STANDARD, *, stop: Stop = never_stop, progress: Progress = no_progress
) -> Worth:
    """Return what a position is worth by what a seat knows, and the best of its moves where it owes a decision.

    Nothing of what the seat cannot see has any part in it. The sight may be that of SPECTATOR, who has no moves. Raise
    Stopped when `stop` says so; `progress` counts followed moves.
    """
    evaluator = evaluator_for(sight.edition, sight.players, settings)
    known = sight.game.new_states(1)
    sight.world(known, 0, new_rng())  # the same for all positions that look alike to the seat
    standings = []
    rng = new_rng(int(evaluator.seed(known[0], sight.seat)))
    for _ in range(WORLDS if sight.game.hidden else 1):
        if stop():
            raise Stopped
        world = known.copy()
        compiled_calls.conceal_at(sight.edition.boxes, world, 0, sight.seat, rng)
        standings.append(evaluator.standing(world[0]))
    judged = None
    if sight.is_due and len(sight.ids) > 1:
        judged = evaluator.judge(known[0], sight.seat, stop=stop, progress=progress)
    moves = dict(zip(sight.ids.tolist(), sight.moves, strict=True)) if judged else {}
    return _worth(evaluator, standings, sight.seat if judged else None, judged, moves.__getitem__)


def mean(values: Sequence[float]) -> float:
    """Return the mean of some values."""
    return sum(values) / len(values)


def mean_error(values: Sequence[float]) -> float:
    """Return half of the interval of the mean of some values."""
    return error(len(values), mean(values), sum(value * value for value in values))


def _worth(
    evaluator: Evaluator,
    standings: list[Standing],
    mover: int | None,
    judged: Judged | None,
    move: Callable[[int], Any],
) -> Worth:
    shares = zip(*(standing.shares for standing in standings), strict=True)
    margins = zip(*(standing.margins for standing in standings), strict=True)
    seats = [
        SeatWorth(figure(mean(its_shares)), figure(mean(its_margins)), figure(mean_error(its_shares)))
        for its_shares, its_margins in zip(shares, margins, strict=True)
    ]
    moves = []
    for i, id in enumerate(judged.ids if judged else []):
        assert judged is not None
        moves.append(
            MoveWorth(
                id=id,
                move=move(id),
                shares=figures(judged.shares[i]),
                margins=figures(judged.margins[i]),
                behind=figure(max(0.0, judged.ahead[0] - judged.ahead[i])),
                sure=figure(judged.sure[i]),
            )
        )
    return Worth(
        seats=seats,
        mover=mover,
        moves=moves,
        options=judged.options if judged else 0,
        simulations=judged.simulations if judged else 0,
        source=evaluator.source,
    )
