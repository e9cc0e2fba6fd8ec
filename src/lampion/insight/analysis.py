"""The analysis of a finished game: everybody's chances after every move, what each decision cost, and luck apart.

For every seat: result = chances at the start + luck + costs of all + what the estimate had not foreseen. The luck of
a draw is what is expected after it less what was expected before it, over all its outcomes by their weights. The cost
of a decision is what the best move is worth less what the played one is, both followed in the same worlds that the seat
thought possible; what lies within the noise costs nothing. Between decisions everybody's chances follow from luck and
costs; at a decision they are those of its best move, and the difference is listed separately, as unforeseen: what was
hidden and came to light, and what the estimate had wrong. docs/analysis.md has all formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from queue import SimpleQueue
from typing import Any, NamedTuple, TypeVar

from lampion.engine.target import HAS_THREADS
from lampion.games.core import CHANCE
from lampion.insight.analysis_types import Analysis, Change, Decision, MoveFigures, Step, figure, figures
from lampion.insight.decision_positions import judged_positions
from lampion.insight.evaluator import Evaluator, Judged, Progress, Standing, Stop, Stopped, never_stop, no_progress
from lampion.insight.hindsight import Figures, Verdict, minus, plus, verdicts
from lampion.insight.moments import players_of, turning_points
from lampion.insight.reasons import reasons_for
from lampion.insight.settings import STANDARD, VERSION, Settings
from lampion.locale import Problem
from lampion.play.position import Position
from lampion.play.record import Record

THREADS = 2 if HAS_THREADS else 1
LONGEST_WAIT = 0.1
"""Seconds between two checks of whether to stop."""

Result = TypeVar("Result")


class CannotAnalyse(Problem):
    """A record that cannot be analysed."""


def analyse(
    record: Record,
    settings: Settings = STANDARD,
    *,
    stop: Stop = never_stop,
    progress: Progress = no_progress,
    threads: int = THREADS,
) -> Analysis:
    """Return the analysis of a finished game.

    The same record, settings and version of Lampion give the same figures, whatever the number of threads. Raise
    CannotAnalyse where the game is not finished, and Stopped when `stop` says so.
    """
    position = record.check()
    if not position.is_over:
        raise CannotAnalyse("analysis.unfinished")
    if not position.played:
        raise CannotAnalyse("analysis.empty")
    plies = judged_positions(position)
    evaluators: SimpleQueue[Evaluator] = SimpleQueue()
    for _ in range(threads):
        evaluators.put(Evaluator(position.edition, position.players, settings))

    def standing(ply: int) -> Standing:
        evaluator = evaluators.get()
        try:
            return evaluator.standing(position.at(ply).state)
        finally:
            evaluators.put(evaluator)

    def judged(ply: int) -> Judged:
        evaluator = evaluators.get()
        try:
            seen, id = plies[ply]
            return evaluator.judge(seen.state, position.played[ply].seat, id, stop=stop)
        finally:
            evaluators.put(evaluator)

    draws = [ply for ply, (seat, _) in enumerate(position.played) if seat == CHANCE or ply == 0]
    tasks: list[Callable[[], Any]] = [lambda ply=ply: judged(ply) for ply in plies]  # type: ignore[misc]
    tasks += [lambda ply=ply: standing(ply) for ply in [*draws, position.ply]]  # type: ignore[misc]
    done = list(_run_tasks(tasks, threads, stop, progress))
    all_judged = dict(zip(plies, done, strict=False))
    found = _Found(
        position,
        seen=plies,
        judged=all_judged,
        verdicts=verdicts(plies, {ply: position.played[ply].seat for ply in plies}, all_judged),
        standings=dict(zip([*draws, position.ply], done[len(plies) :], strict=True)),
    )
    return _assembled(record, settings, evaluators.get().source, found)


def _run_tasks(tasks: Sequence[Callable[[], Result]], threads: int, stop: Stop, progress: Progress) -> Iterator[Result]:
    """Yield the results of the tasks in their order; raise Stopped when `stop` says so.

    With one thread the tasks run in this one, since a page has no other.
    """
    if threads == 1:
        for number, task in enumerate(tasks):
            progress(number, len(tasks))
            if stop():
                raise Stopped
            yield task()
        progress(len(tasks), len(tasks))
        return
    with ThreadPoolExecutor(threads) as pool:
        futures: list[Future[Result]] = [pool.submit(task) for task in tasks]
        try:
            left = set(futures)
            progress(0, len(futures))
            while left:
                finished, left = wait(left, LONGEST_WAIT, FIRST_COMPLETED)
                for future in finished:
                    future.result()
                if finished:
                    progress(len(futures) - len(left), len(futures))
                if stop():
                    raise Stopped
        except BaseException:
            for future in futures:
                future.cancel()
            raise
    yield from (future.result() for future in futures)


class _Found(NamedTuple):
    """All that was evaluated of a game, by ply."""

    position: Position
    seen: dict[int, tuple[Position, int]]
    judged: dict[int, Judged]
    verdicts: dict[int, Verdict]
    standings: dict[int, Standing]
    """At the start, before every draw and at the end."""


def _anchor(found: _Found, ply: int) -> Figures | None:
    """Return everybody's figures after `ply` moves where evaluated; None where they follow from those before.

    Before a decision they are those of its best move, unless an earlier move was hidden from its seat.
    """
    if ply in found.verdicts:
        if found.seen[ply][0].bytes() != found.position.at(ply).bytes():
            return None
        return found.verdicts[ply].best
    if ply in (0, found.position.ply):
        standing = found.standings[ply]
        return [standing.shares, standing.margins]
    return None


def _luck(before: Standing, id: int) -> Figures:
    """Return what a draw brought everybody, against what was expected before it."""
    assert before.outcomes is not None
    at = before.outcomes.ids.index(id)
    return minus([before.outcomes.shares[at], before.outcomes.margins[at]], [before.shares, before.margins])


def _steps(found: _Found) -> tuple[Figures, list[Step]]:
    """Return how everybody stood at the start, and every move with why that changed."""
    position = found.position
    steps = []
    anchor = _anchor(found, 0)
    assert anchor is not None
    start = now = anchor
    for ply, (seat, id) in enumerate(position.played):
        luck = change = [[0.0] * position.players] * 2
        decision = None
        if seat == CHANCE:
            luck = _luck(found.standings[ply], id)
        elif ply in found.judged:
            change = found.verdicts[ply].change(seat)
            decision = _decision(found, ply, seat)
        expected = plus(plus(now, luck), change)
        anchor = _anchor(found, ply + 1)
        after = expected if anchor is None else anchor
        steps.append(
            Step(
                ply=ply + 1,
                seat=None if seat == CHANCE else seat,
                shares=figures(after[0]),
                margins=figures(after[1]),
                luck=Change.of(*luck),
                cost=Change.of(*change),
                unforeseen=Change.of(*minus(after, expected)),
                decision=decision,
            )
        )
        now = after
    return start, steps


def _assembled(record: Record, settings: Settings, source: str, found: _Found) -> Analysis:
    """Return the analysis from all that was evaluated."""
    position = found.position
    start, steps = _steps(found)
    return Analysis(
        version=VERSION,
        game=record.game,
        rules=position.game.version,
        edition=record.edition.hash,
        names=[seat.name for seat in record.seats],
        settings=settings,
        source=source,
        start=Change.of(*start),
        steps=steps,
        scores=position.count().scores,
        result=Change(steps[-1].shares, steps[-1].margins),
        players=players_of(steps, position.players),
        turning_points=turning_points(steps, position.players),
    )


def _decision(found: _Found, ply: int, seat: int) -> Decision:
    """Return a decision with the compared moves."""
    (seen, asked), judged, verdict = found.seen[ply], found.judged[ply], found.verdicts[ply]
    played = judged.ids.index(asked)
    moves = []
    for i, id in enumerate(judged.ids):
        values = verdict.played if i == played else [judged.shares[i], judged.margins[i]]
        moves.append(
            MoveFigures(
                id=id,
                move=seen.move(id),
                share=figure(values[0][seat]),
                margin=figure(values[1][seat]),
                ahead=figure(verdict.ahead[i]),
                sure=figure(judged.ahead_sure[i]),
            )
        )
    return Decision(
        options=judged.options,
        played=played,
        moves=moves,
        cost=figure(verdict.cost),
        sure=figure(judged.ahead_sure[0]) if played else 0.0,
        stake=figure(judged.stake),
        simulations=judged.simulations,
        reasons=[] if verdict.is_best else reasons_for(seen, seat, judged.ids[0], asked),
    )
