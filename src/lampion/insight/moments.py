"""What stands out of a game: each player's figures and moments, and the turning points."""

from __future__ import annotations

from collections.abc import Sequence

from lampion.insight.analysis_types import Change, Moment, PlayerFigures, Step, figure

MOST_TURNING_POINTS = 6
LEAST_SWING = 0.02
"""The smallest change of somebody's chances that is a turning point."""


def moments(steps: Sequence[Step], players: int) -> list[Moment]:
    """Return every decision that cost something, and every run of draws, with what it changed for each seat."""
    found: list[Moment] = []
    run: list[Step] = []

    def end_run() -> None:
        for seat in range(players):
            change = sum(step.luck.shares[seat] for step in run)
            if run:
                found.append(Moment(run[0].ply, run[-1].ply, "luck", None, seat, figure(change)))
        run.clear()

    for step in steps:
        if step.seat is None:
            run.append(step)
            continue
        end_run()
        if any(step.cost.shares):
            for seat in range(players):
                change = figure(step.cost.shares[seat])
                found.append(Moment(step.ply, step.ply, "decision", step.seat, seat, change))
    end_run()
    return found


def turning_points(steps: Sequence[Step], players: int) -> list[Moment]:
    """Return the moments that changed somebody's chances most, in the order of the game, each for one seat."""
    largest: dict[int, Moment] = {}
    for moment in moments(steps, players):
        known = largest.get(moment.first)
        if known is None or abs(moment.change) > abs(known.change):
            largest[moment.first] = moment
    worthy = [moment for moment in largest.values() if abs(moment.change) >= LEAST_SWING]
    worthy.sort(key=lambda moment: (-abs(moment.change), moment.first))
    return sorted(worthy[:MOST_TURNING_POINTS], key=lambda moment: moment.first)


def accuracy(steps: Sequence[Step], seat: int) -> float | None:
    """Return how well a seat decided: 100 where nothing was lost, 0 where as much was lost as by random moves.

    It is 100 * (1 - all costs / all stakes), not below 0, and None where nothing was at stake.
    """
    decisions = [step.decision for step in steps if step.seat == seat and step.decision is not None]
    stake = sum(decision.stake for decision in decisions)
    if stake <= 0.0:
        return None
    lost = sum(decision.cost for decision in decisions)
    return round(100.0 * max(0.0, 1.0 - lost / stake), 1)


def _sum(changes: Sequence[Change], seat: int) -> tuple[float, float]:
    """Return what changes came to for a seat: in chances, and in points of margin."""
    shares = sum(change.shares[seat] for change in changes)
    return figure(shares), figure(sum(change.margins[seat] for change in changes))


def players_of(steps: Sequence[Step], players: int) -> list[PlayerFigures]:
    """Return the figures of every player."""
    every = moments(steps, players)
    found = []
    for seat in range(players):
        luck, luck_margin = _sum([step.luck for step in steps], seat)
        unforeseen, unforeseen_margin = _sum([step.unforeseen for step in steps], seat)
        cost, cost_margin = _sum([step.cost for step in steps if step.seat == seat], seat)
        gifts, gifts_margin = _sum([step.cost for step in steps if step.seat not in (seat, None)], seat)
        own = [step for step in steps if step.seat == seat and step.decision is not None]
        mine = [moment for moment in every if moment.seat == seat]
        best = max(mine, key=lambda moment: moment.change, default=None)
        worst = min(mine, key=lambda moment: moment.change, default=None)
        found.append(
            PlayerFigures(
                seat=seat,
                accuracy=accuracy(steps, seat),
                decisions=len(own),
                costly=sum(step.decision is not None and step.decision.cost > 0 for step in own),
                luck=luck,
                unforeseen=unforeseen,
                cost=cost,
                gifts=gifts,
                luck_margin=luck_margin,
                unforeseen_margin=unforeseen_margin,
                cost_margin=cost_margin,
                gifts_margin=gifts_margin,
                best=best if best is not None and best.change > 0 else None,
                worst=worst if worst is not None and worst.change < 0 else None,
            )
        )
    return found
