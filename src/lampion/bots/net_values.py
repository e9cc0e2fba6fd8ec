"""What a position is worth to a seat by a learned net, for every bot that stands on one."""

from __future__ import annotations

from typing import Any

from lampion.engine import ranking, rules
from lampion.engine.compile import compiled
from lampion.engine.constants import OVER
from lampion.engine.network import MARGIN, evaluate, logistic

POINTS = 0.3
"""Part of a position's worth that is for the points, where a net judges."""
STEEPNESS = 1.25
"""How fast the part for the points grows with a margin in tens."""


@compiled
def mixed(share: float, margin: float, points: float) -> float:
    """Return what a share of the victory and a margin in tens are worth; `points` is the part of the margin."""
    return (1.0 - points) * share + points * logistic(STEEPNESS * margin)


@compiled
def outcome(box: Any, state: Any, players: int, seat: int, keys: Any, answers: Any) -> None:
    """Write a seat's share of the victory and its margin in tens, of a game that has ended."""
    ranking.standing(box, state, players, keys)
    most = -(1 << 40)
    for other in range(players):
        if other != seat:
            most = max(most, int(keys[other, 0]))
    won = ranking.place_of(keys, players, seat) == 1
    answers[0] = 1.0 / ranking.winners(keys, players) if won else 0.0
    answers[1] = (int(keys[seat, 0]) - most) / MARGIN


@compiled
def judge(work: Any, state: Any, seat: int) -> None:
    """Write a seat's share of the victory and its margin in tens to the answers: of the game's end, or by the net."""
    box, learned = work.boxes[0], work.learned
    if int(rules.actor(box, state)) == OVER:
        outcome(box, state, work.players, seat, work.keys, learned.answers)
        return
    rules.net_inputs(box, state, seat, learned.notes, learned.inputs)
    evaluate(work.net, learned, seat)
    learned.answers[0] = logistic(learned.answers[0])


@compiled
def value_to(work: Any, state: Any, seat: int) -> float:
    """Return what a position is worth to a seat, from 0 to 1."""
    judge(work, state, seat)
    return float(mixed(work.learned.answers[0], work.learned.answers[1], work.settings[0].points))
