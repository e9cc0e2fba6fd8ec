"""Evaluate positions of one table: everybody's chances, the outcomes of a draw, the moves of a seat.

An evaluator belongs to one thread. The same position, settings and version of Lampion give the same figures: the seed
of everything drawn follows from what is seen of the position.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from lampion.bots.net_files import shipped
from lampion.bots.workspace import settings_for
from lampion.engine.network import ANSWERS, fixed_point, net_workspace
from lampion.engine.rng import new_rng
from lampion.games.core import EVERYTHING, MOST_KEYS, MOST_SEATS, ROW
from lampion.games.editions import Edition
from lampion.insight import estimate, follow
from lampion.insight.settings import STANDARD, Settings
from lampion.play import compiled_calls

Numbers = np.ndarray[Any, np.dtype[np.float64]]

POINTS = 0.1
"""Part of a position's worth that is for the points: it decides between moves that win equally often."""
SURE = 1.96
"""Standard errors to each side of a mean in an interval of 95 %."""
CLEAR = 1.5
"""Half-intervals by which a move must be worse than the first for it to be dropped."""
CHUNK = 64
"""Followed worlds between two looks at whether to stop."""


class Stopped(Exception):
    """The evaluation was told to stop."""


Stop = Callable[[], bool]
"""Says whether to stop."""
Progress = Callable[[int, int], None]
"""Is told how much is done, and of how much."""


def go_on() -> bool:
    """Return False: nothing asks to stop."""
    return False


def no_progress(done: int, total: int) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class Judged:
    """What the moves of a seat are worth."""

    ids: list[int]
    """The compared moves, best first."""
    shares: Numbers
    """By compared move and seat, the chance to win."""
    margins: Numbers
    worth: Numbers
    """By compared move, what it is worth to its mover, from 0 to 1."""
    sure: Numbers
    """Half of the interval of the worth."""
    ahead: Numbers
    """By compared move, how much more it is worth to its mover than the move that was asked about."""
    ahead_sure: Numbers
    """Half of the interval of that."""
    stake: float
    """What the best of all legal moves promises more than they do on average, one step ahead."""
    options: int
    """The number of legal moves."""
    simulations: int
    """Moves followed."""


@dataclass(frozen=True)
class Outcomes:
    """What the outcomes of a draw lead to: by outcome, its id, its weight, everybody's chances and margins."""

    ids: list[int]
    weights: Numbers
    """They add up to 1."""
    shares: Numbers
    margins: Numbers


@dataclass(frozen=True)
class Standing:
    """Everybody's chances and margins in a position, by seat."""

    shares: Numbers
    margins: Numbers
    outcomes: Outcomes | None = None
    """Where chance moves."""


def new_workspace(edition: Edition, players: int, wide: int) -> estimate.Workspace:
    """Return the arrays to evaluate positions of a table in; at most `wide` moves are compared."""
    game = edition.game
    found = shipped(game.name, players)
    net = found.net if found is not None and found.about.edition == edition.hash else None
    most = game.most + 1

    def whole(*shape: int) -> Any:
        return np.zeros(shape, dtype=np.int32)

    def real(*shape: int) -> Any:
        return np.zeros(shape, dtype=np.float64)

    return estimate.Workspace(
        boxes=edition.boxes,
        states=game.new_states(estimate.STATES),
        settings=settings_for(game, {"points": POINTS}),
        players=players,
        rng=new_rng(),
        chance=new_rng(),
        drawn=whole(game.sources),
        ids=whole(most),
        spare=whole(most),
        weights=whole(most),
        log=np.zeros((0, ROW), dtype=np.int32),
        keys=np.zeros((MOST_SEATS, MOST_KEYS), dtype=np.int64),
        promises=real(most),
        answers=real(ANSWERS),
        shares=real(MOST_SEATS),
        margins=real(MOST_SEATS),
        levels=np.zeros((estimate.DEEPEST + 1, 3), dtype=np.int64),
        parts=real(estimate.DEEPEST + 1),
        chain_ids=whole(estimate.DEEPEST + 1, most),
        chain_weights=whole(estimate.DEEPEST + 1, most),
        means=real(MOST_SEATS, 2),
        outcomes=real(most, MOST_SEATS, 2),
        tallies=real(wide, follow.TALLIES),
        sums=real(wide, MOST_SEATS, 2),
        net=fixed_point(net) if net else None,
        learned=net_workspace(net, game.inputs, players) if net else None,
    )


class Evaluator:
    """Evaluates positions of one game, edition and number of players, one at a time."""

    def __init__(self, edition: Edition, players: int, settings: Settings = STANDARD) -> None:
        self.edition, self.players, self.settings = edition, players, settings
        self.work = new_workspace(edition, players, settings.wide + 1)
        self._given = self.work.states[estimate.GIVEN : estimate.GIVEN + 1]

    @property
    def source(self) -> str:
        """What judges: "net", or "estimate" where no net was trained for the table."""
        return "estimate" if self.work.net is None else "net"

    def _look_at(self, state: Any) -> None:
        self._given[0] = state

    def seed(self, state: Any, viewer: int) -> np.uint64:
        """Return a number that follows from what a viewer sees of a position, and from nothing hidden."""
        seen = self.edition.game.new_states(1)
        seen[0] = state
        if viewer != EVERYTHING:
            compiled_calls.conceal_at(self.work.boxes, seen, 0, viewer, new_rng())
        digest = hashlib.sha256(self.edition.hash.encode() + bytes([viewer & 255]) + seen.tobytes()).digest()
        return np.uint64(int.from_bytes(digest[:8], "little") >> 1)  # room to count on from it

    def standing(self, state: Any) -> Standing:
        """Return everybody's chances and margins in a position, each seat judged by what it knows.

        At the end of the game they are its result. Where chance moves, what its outcomes lead to comes with them.
        """
        self._look_at(state)
        work, players = self.work, self.players
        n = int(estimate.expect_outcomes(work, self.settings.ways, self.settings.samples))
        if n == 0:
            return Standing(work.shares[:players].copy(), work.margins[:players].copy())
        weights = work.weights[:n].astype(np.float64)
        weights /= weights.sum()
        outcomes = work.outcomes[:n, :players].copy()
        drawn = Outcomes(work.spare[:n].tolist(), weights, outcomes[:, :, 0], outcomes[:, :, 1])
        return Standing(weights @ drawn.shares, weights @ drawn.margins, drawn)

    def judge(
        self,
        state: Any,
        seat: int,
        asked: int | None = None,
        *,
        stop: Stop = go_on,
        progress: Progress = no_progress,
    ) -> Judged:
        """Return what the moves of a seat that owes a decision are worth, by what the seat knows.

        The best few one step ahead are followed, and `asked` with them; the worse half is dropped again and again.
        Without `asked`, moves are compared with the one that looks best at first. Raise Stopped when `stop` says so;
        `progress` counts followed moves.
        """
        work, settings = self.work, self.settings
        seed = self.seed(state, seat)
        self._look_at(state)
        none = np.zeros(0, dtype=np.int64)
        follow.roll(work, seat, none, none, 0, settings.worlds, seed, settings.looks)
        n = int(compiled_calls.moves_at(work.boxes, work.states, estimate.GIVEN, seat, work.ids, work.weights))
        ids, promises = work.ids[:n].copy(), work.promises[:n].copy()
        stake = float(promises.max() - promises.mean()) if n > 1 else 0.0
        order = np.argsort(-promises, kind="stable")[: settings.wide]
        first = int(ids[order[0]]) if asked is None else asked
        moves = np.array([first, *(int(id) for id in ids[order] if int(id) != first)], dtype=np.int64)
        done = self._compare(moves, seat, seed, stop, progress)
        progress(settings.simulations, settings.simulations)
        return self._judged(moves, n, stake, done)

    def _compare(self, moves: Any, seat: int, seed: np.uint64, stop: Stop, progress: Progress) -> int:
        """Follow the moves, the first of them to the end; return how many were followed.

        The worse half of the others is dropped again and again, and every move as soon as it is clearly worse than the
        first. It ends early where none is left, or where all differences are known well enough.
        """
        work, settings = self.work, self.settings
        work.tallies[:], work.sums[:] = 0.0, 0.0
        chosen = np.arange(len(moves), dtype=np.int64)
        rounds = max(1, int(np.ceil(np.log2(len(chosen)))))
        done = 0
        for number in range(rounds):
            left = -(-settings.simulations // (rounds * len(chosen)))
            while left > 0:
                if stop():
                    raise Stopped
                progress(min(done, settings.simulations), settings.simulations)
                times = min(left, CHUNK)
                follow.roll(work, seat, moves, chosen, len(chosen), times, seed + np.uint64(done), settings.looks)
                done += times * len(chosen)
                left -= times
                more, sure = self._differences(chosen[1:])
                is_open = more + CLEAR * sure >= 0.0
                if (sure[is_open] <= settings.fine).all():
                    return done
                chosen = chosen[[True, *is_open]]
            if number < rounds - 1:
                worth = work.tallies[chosen, follow.WORTH] / work.tallies[chosen, follow.TIMES]
                others = chosen[1:][np.argsort(-worth[1:], kind="stable")]
                chosen = np.array([0, *others[: max(1, len(chosen) // 2)]], dtype=np.int64)
        return done

    def _differences(self, chosen: Any) -> tuple[Numbers, Numbers]:
        """Return how much more each of some moves is worth than the first, and half of the interval of that."""
        tallies = self.work.tallies[chosen]
        times = tallies[:, follow.TIMES]
        more = tallies[:, follow.MORE] / times
        return more, error(times, more, tallies[:, follow.MORE_SQUARED])

    def _judged(self, moves: Any, options: int, stake: float, done: int) -> Judged:
        tallies, players = self.work.tallies[: len(moves)], self.players
        times = tallies[:, follow.TIMES]
        worth, ahead = tallies[:, follow.WORTH] / times, tallies[:, follow.MORE] / times
        sure = error(times, worth, tallies[:, follow.WORTH_SQUARED])
        ahead_sure = error(times, ahead, tallies[:, follow.MORE_SQUARED])
        stayed = [i for i in range(len(moves)) if times[i] == times[0]]
        best = max(stayed, key=lambda i: ahead[i])
        order = [best, *(int(i) for i in np.argsort(-ahead, kind="stable") if i != best)]
        means = self.work.sums[: len(moves), :players] / times[:, None, None]
        return Judged(
            ids=moves[order].tolist(),
            shares=means[order, :, 0],
            margins=means[order, :, 1],
            worth=worth[order],
            sure=sure[order],
            ahead=ahead[order],
            ahead_sure=ahead_sure[order],
            stake=stake,
            options=options,
            simulations=done,
        )


def error(times: Numbers, means: Numbers, squares: Numbers) -> Numbers:
    """Return half of the interval of each mean."""
    spread = np.maximum(squares / times - means * means, 0.0)
    return SURE * np.sqrt(spread / np.maximum(times - 1, 1))
