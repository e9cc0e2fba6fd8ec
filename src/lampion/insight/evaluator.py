"""Evaluate positions of one table: everybody's chances, the outcomes of a draw, the moves of a seat.

An evaluator belongs to one thread. The same position, settings and version of Lampion give the same figures: the seed
of everything drawn follows from what is seen of the position.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from operator import mul
from typing import Any, NamedTuple

from lampion.bots.net_files import shipped
from lampion.bots.workspace import settings_for
from lampion.engine.arrays import np
from lampion.engine.network import ANSWERS, fixed_point, net_workspace
from lampion.engine.rng import new_rng
from lampion.games.core import EVERYTHING, MOST_KEYS, MOST_SEATS, ROW
from lampion.games.editions import Edition
from lampion.insight import estimate, follow
from lampion.insight.settings import STANDARD, Settings
from lampion.play import compiled_calls

Numbers = list[float]
Rows = list[Numbers]

POINTS = 0.1
"""Part of a position's worth that is for the points: it decides between moves that win equally often."""
SURE = 1.96
"""Standard errors to each side of a mean in an interval of 95 %."""
CLEAR = 1.5
"""Half-intervals by which a move must be worse than the first for it to be dropped."""
CHUNK = 64
"""Followed worlds between two checks of whether to stop."""


class Stopped(Exception):
    """The evaluation was stopped."""


Stop = Callable[[], bool]
"""Says whether to stop."""
Progress = Callable[[int, int], None]
"""Called with how much is done, and of how much."""


def never_stop() -> bool:
    """Return False, for evaluations that nothing stops."""
    return False


def no_progress(done: int, total: int) -> None:
    """Do nothing."""


@dataclass(frozen=True)
class Judged:
    """What the moves of a seat are worth."""

    ids: list[int]
    """The compared moves, best first."""
    shares: Rows
    """By compared move and seat, the chance to win."""
    margins: Rows
    worth: Numbers
    """By compared move, what it is worth to its mover, from 0 to 1."""
    sure: Numbers
    """Half of the interval of the worth."""
    ahead: Numbers
    """By compared move, how much more it is worth to its mover than the move that was asked about."""
    ahead_sure: Numbers
    """Half of the interval of that."""
    stake: float
    """By how much the best legal move promises more than the average one, one step ahead."""
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
    shares: Rows
    margins: Rows


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
        hesitation=game.hesitation,
        sharpness=game.sharpness.get(players, 1.0),
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

    @property
    def follows(self) -> int:
        """Most moves that are followed for a decision."""
        return -(-2 * self.settings.simulations // self.players)

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
            return Standing(work.shares[:players].tolist(), work.margins[:players].tolist())
        weights = work.weights[:n].tolist()
        total = sum(weights)
        weights = [weight / total for weight in weights]
        shares, margins = figures_by_seat(work.outcomes[:n], players)
        drawn = Outcomes(work.spare[:n].tolist(), weights, shares, margins)
        return Standing(expected(weights, shares), expected(weights, margins), drawn)

    def judge(
        self,
        state: Any,
        seat: int,
        asked: int | None = None,
        *,
        stop: Stop = never_stop,
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
        self.roll([], [], settings.worlds, seat, seed)
        n = int(compiled_calls.moves_at(work.boxes, work.states, estimate.GIVEN, seat, work.ids, work.weights))
        ids, promises = work.ids[:n].tolist(), work.promises[:n].tolist()
        stake = max(promises) - sum(promises) / n if n > 1 else 0.0
        order = sorted(range(n), key=lambda i: -promises[i])[: settings.wide]
        first = ids[order[0]] if asked is None else asked
        moves = [first, *(ids[i] for i in order if ids[i] != first)]
        done = self._compare(moves, seat, seed, stop, progress)
        progress(self.follows, self.follows)
        return self._judged(moves, n, stake, done)

    def _compare(self, moves: list[int], seat: int, seed: np.uint64, stop: Stop, progress: Progress) -> int:
        """Follow the moves, the first of them to the end; return how many were followed.

        The worse half of the others is dropped again and again, and every move as soon as it is clearly worse than the
        first. It ends early where none is left, or where all differences are known well enough.
        """
        work, settings = self.work, self.settings
        work.tallies[:], work.sums[:] = 0.0, 0.0
        chosen = list(range(len(moves)))
        rounds = max(1, math.ceil(math.log2(len(chosen))))
        done = 0
        for number in range(rounds):
            left = -(-self.follows // (rounds * len(chosen)))
            while left > 0:
                if stop():
                    raise Stopped
                progress(min(done, self.follows), self.follows)
                times = min(left, CHUNK)
                self.roll(moves, chosen, times, seat, seed + np.uint64(done))
                done += times * len(chosen)
                left -= times
                tallies = self.tallies(len(moves))
                others = [i for i in chosen[1:] if tallies[i].ahead + CLEAR * tallies[i].ahead_sure >= 0.0]
                if all(tallies[i].ahead_sure <= settings.fine for i in others):
                    return done
                chosen = [0, *others]
            if number < rounds - 1:
                others.sort(key=lambda i: -tallies[i].worth)
                chosen = [0, *others[: max(1, len(chosen) // 2)]]
        return done

    def roll(self, moves: list[int], chosen: list[int], times: int, seat: int, seed: np.uint64) -> None:
        """Follow each of the chosen moves a number of times and add up what they led to; `seed` names the first world.

        Where none is chosen, all legal moves are tried one step ahead.
        """
        given, places = (np.array(numbers, dtype=np.int64) for numbers in (moves, chosen))
        follow.roll(self.work, seat, given, places, len(chosen), times, seed, self.settings.looks)

    def tallies(self, count: int) -> list[Tally]:
        """Return what the first few moves were worth so far; NaN where one was not followed."""
        return [tally_of(row) for row in self.work.tallies[:count].tolist()]

    def _judged(self, moves: list[int], options: int, stake: float, done: int) -> Judged:
        tallies = self.tallies(len(moves))
        stayed = [i for i, tally in enumerate(tallies) if tally.times == tallies[0].times]
        best = max(stayed, key=lambda i: tallies[i].ahead)
        others = sorted(range(len(moves)), key=lambda i: -tallies[i].ahead)
        order = [best, *(i for i in others if i != best)]
        shares, margins = figures_by_seat(self.work.sums[: len(moves)], self.players)
        return Judged(
            ids=[moves[i] for i in order],
            shares=[[total / tallies[i].times for total in shares[i]] for i in order],
            margins=[[total / tallies[i].times for total in margins[i]] for i in order],
            worth=[tallies[i].worth for i in order],
            sure=[tallies[i].sure for i in order],
            ahead=[tallies[i].ahead for i in order],
            ahead_sure=[tallies[i].ahead_sure for i in order],
            stake=stake,
            options=options,
            simulations=done,
        )


class Tally(NamedTuple):
    """What a followed move was worth on average, how much more than the first one, and half of the interval of each."""

    times: float
    worth: float
    sure: float
    ahead: float
    ahead_sure: float


def tally_of(row: Numbers) -> Tally:
    """Return the means of what was added up for one move."""
    times, worth, worth_squared, more, more_squared = row
    if not times:
        return Tally(0.0, math.nan, math.nan, math.nan, math.nan)
    worth, ahead = worth / times, more / times
    return Tally(times, worth, error(times, worth, worth_squared), ahead, error(times, ahead, more_squared))


def error(times: float, mean: float, squares: float) -> float:
    """Return half of the interval of a mean."""
    spread = max(squares / times - mean * mean, 0.0)
    return SURE * math.sqrt(spread / max(times - 1, 1))


def figures_by_seat(pairs: Any, players: int) -> tuple[Rows, Rows]:
    """Return, by row and seat, the first and the second of two figures."""
    rows = [row[:players] for row in pairs.tolist()]
    return [[first for first, _ in row] for row in rows], [[second for _, second in row] for row in rows]


def expected(weights: Numbers, rows: Rows) -> Numbers:
    """Return the weighted mean of the figures of each seat; the weights add up to 1."""
    return [sum(map(mul, weights, column)) for column in zip(*rows, strict=True)]
