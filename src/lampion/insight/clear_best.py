"""Whether one move is clearly the best: every legal move is followed beside it, those that come near it at length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lampion.engine.arrays import np
from lampion.insight import estimate
from lampion.insight.evaluator import Evaluator, Numbers, Stop, Stopped, Tally, figures_by_seat, never_stop
from lampion.play import compiled_calls

CHUNK = 64
"""Worlds in which moves are followed between two checks of whether to stop."""
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
    """By move, by how much it is worth less to its mover; 0 for the move itself."""
    sure: Numbers
    """Half of the 95 % interval of that."""
    shares: Numbers
    """By move, the mover's chance to win."""
    simulations: int
    """Moves followed."""

    @property
    def others(self) -> list[int]:
        """The places of all moves but the one they are compared with, those that come nearest to it first."""
        order = sorted(range(len(self.behind)), key=self.behind.__getitem__)
        return [place for place in order if place != self.best]

    @property
    def second(self) -> int:
        """The place of the move that comes nearest to the one they are compared with."""
        return self.others[0]

    def leads_by(self, lead: float) -> bool:
        """Return whether all other moves are worth at least `lead` less, each by more than its interval."""
        return all(self.behind[other] >= max(lead, self.sure[other]) for other in self.others)


def promised_move(evaluator: Evaluator, state: Any, seat: int) -> int:
    """Return the move of a seat that promises most one step ahead, by what the seat knows."""
    work, settings = evaluator.work, evaluator.settings
    work.states[estimate.GIVEN] = state
    evaluator.roll([], [], settings.worlds, seat, evaluator.seed(state, seat))
    n = int(compiled_calls.moves_at(work.boxes, work.states, estimate.GIVEN, seat, work.ids, work.weights))
    ids, promises = work.ids[:n].tolist(), work.promises[:n].tolist()
    return int(ids[promises.index(max(promises))])


def compare_all(
    evaluator: Evaluator, state: Any, seat: int, best: int, lead: float, *, worlds: int, stop: Stop = never_stop
) -> Comparison:
    """Follow every legal move of a seat in at least `worlds` worlds beside one move, by what the seat knows.

    Those that are not clearly worse by `lead` are followed on, and the nearest few in any case, until the effort of
    the evaluator's settings is spent. The evaluator must have room for all legal moves (`Settings.wide`). Raise
    Stopped when `stop` says so.
    """
    work = evaluator.work
    seed = evaluator.seed(state, seat)
    work.states[estimate.GIVEN] = state
    n = int(compiled_calls.moves_at(work.boxes, work.states, estimate.GIVEN, seat, work.ids, work.weights))
    ids = work.ids[:n].tolist()
    moves = [best, *(id for id in ids if id != best)]
    work.tallies[:], work.sums[:] = 0.0, 0.0
    chosen, done, number = list(range(n)), 0, 0
    while True:
        if stop():
            raise Stopped
        times = worlds if number == 0 else CHUNK
        evaluator.roll(moves, chosen, times, seat, seed + np.uint64(number))
        done += times * len(chosen)
        number += times
        tallies = evaluator.tallies(n)
        if done >= evaluator.follows:
            break
        chosen = _near(tallies, lead)
    shares, _ = figures_by_seat(work.sums[:n], seat + 1)
    order = sorted(range(n), key=moves.__getitem__)
    return Comparison(
        ids=ids,
        best=ids.index(best),
        behind=[-tallies[i].ahead for i in order],
        sure=[tallies[i].ahead_sure for i in order],
        shares=[shares[i][seat] / tallies[i].times for i in order],
        simulations=done,
    )


def _near(tallies: list[Tally], lead: float) -> list[int]:
    """Return the places of the moves that are followed on: the first, those near it, and the nearest few."""
    nearest = sorted(range(len(tallies)), key=lambda i: -tallies[i].ahead)[: NEAREST + 1]
    near = (i for i, tally in enumerate(tallies) if -tally.ahead - 2.0 * tally.ahead_sure < lead)
    return sorted({0, *nearest, *near})
