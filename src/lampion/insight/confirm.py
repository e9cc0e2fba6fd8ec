"""Whether one move is clearly the best: every legal move is followed beside it, those that come near it at length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lampion.engine.arrays import np
from lampion.insight import estimate, follow
from lampion.insight.evaluator import Evaluator, Numbers, Stop, Stopped, error, go_on
from lampion.play import compiled_calls

CHUNK = 64
"""Worlds in which moves are followed between two looks at whether to stop."""
NEAREST = 4
"""Moves beside the best that are followed to the end at least."""


@dataclass(frozen=True)
class Comparison:
    """All legal moves of a seat beside one of them."""

    ids: list[int]
    """All legal moves, ascending."""
    best: int
    """The place of the move that the others are compared with."""
    behind: Numbers
    """By move, what it is worth less to its mover; 0 for the move itself."""
    sure: Numbers
    """Half of the 95 % interval of that."""
    shares: Numbers
    """By move, the mover's chance to win."""
    simulations: int
    """Moves followed."""

    @property
    def others(self) -> Numbers:
        """The places of all moves but the one they are compared with, those that come nearest to it first."""
        order = np.argsort(self.behind, kind="stable")
        return order[order != self.best]

    @property
    def second(self) -> int:
        """The place of the move that comes nearest to the one they are compared with."""
        return int(self.others[0])

    def leads_by(self, lead: float) -> bool:
        """Return whether all other moves are worth at least so much less, each by more than its interval."""
        others = self.others
        return bool((self.behind[others] >= np.maximum(lead, self.sure[others])).all())


def promised_move(evaluator: Evaluator, state: Any, seat: int) -> int:
    """Return the move of a seat that promises most one step ahead, by what the seat knows."""
    work, settings = evaluator.work, evaluator.settings
    work.states[estimate.GIVEN] = state
    none = np.zeros(0, dtype=np.int64)
    follow.roll(work, seat, none, none, 0, settings.worlds, evaluator.seed(state, seat), settings.looks)
    n = int(compiled_calls.moves_at(work.boxes, work.states, estimate.GIVEN, seat, work.ids, work.weights))
    return int(work.ids[:n][work.promises[:n].argmax()])


def compare_all(
    evaluator: Evaluator, state: Any, seat: int, best: int, lead: float, *, worlds: int, stop: Stop = go_on
) -> Comparison:
    """Follow every legal move of a seat in at least `worlds` worlds beside one move, by what the seat knows.

    Those that are not clearly worse by `lead` are followed on, and the nearest few in any case, until the effort of
    the evaluator's settings is spent. The evaluator must have room for all legal moves (`Settings.wide`). Raise
    Stopped when `stop` says so.
    """
    work, settings = evaluator.work, evaluator.settings
    seed = evaluator.seed(state, seat)
    work.states[estimate.GIVEN] = state
    n = int(compiled_calls.moves_at(work.boxes, work.states, estimate.GIVEN, seat, work.ids, work.weights))
    ids = work.ids[:n].tolist()
    moves = np.array([best, *(id for id in ids if id != best)], dtype=np.int64)
    work.tallies[:], work.sums[:] = 0.0, 0.0
    chosen, done, number = np.arange(n, dtype=np.int64), 0, 0
    while True:
        if stop():
            raise Stopped
        times = worlds if number == 0 else CHUNK
        follow.roll(work, seat, moves, chosen, len(chosen), times, seed + np.uint64(number), settings.looks)
        done += times * len(chosen)
        number += times
        if done >= settings.simulations:
            break
        chosen = _near(work.tallies[:n], lead)
    tallies = work.tallies[:n]
    counted = tallies[:, follow.TIMES]
    behind = -tallies[:, follow.MORE] / counted
    sure = error(counted, behind, tallies[:, follow.MORE_SQUARED])
    shares = work.sums[:n, seat, 0] / counted
    order = np.argsort(moves, kind="stable")
    return Comparison(ids, ids.index(best), behind[order], sure[order], shares[order], done)


def _near(tallies: Numbers, lead: float) -> Any:
    """Return the places of the moves that are followed on: the first, those near it, and the nearest few."""
    times = tallies[:, follow.TIMES]
    behind = -tallies[:, follow.MORE] / times
    sure = error(times, behind, tallies[:, follow.MORE_SQUARED])
    near = behind - 2.0 * sure < lead
    near[np.argsort(behind, kind="stable")[: NEAREST + 1]] = True
    near[0] = False
    return np.array([0, *np.flatnonzero(near)], dtype=np.int64)
