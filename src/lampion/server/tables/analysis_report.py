"""An analysis for people: its figures with sentences, and its decisions as they can be shown on a board."""

from __future__ import annotations

from typing import Literal, cast

import msgspec

from lampion.insight.analysis_types import Analysis, Moment
from lampion.insight.words import MOST_DRAWS, AnalysisWords
from lampion.play.position import Position
from lampion.play.record import Record
from lampion.server.protocol.analysis_types import (
    DecisionScenes,
    Report,
    ReportDecision,
    ReportMoment,
    ReportPlayer,
)
from lampion.server.protocol.messages import SeatView
from lampion.server.tables.replay import names_of
from lampion.server.tables.update_builder import outlook, standing


def report(record: Record, analysis: Analysis) -> Report:
    """Return what decided a game, in the language in use."""
    analysis = msgspec.structs.replace(analysis, names=names_of(record))
    words = AnalysisWords(record, analysis)
    return Report(
        game=analysis.game,
        names=analysis.names,
        bots=[seat.kind == "bot" for seat in record.seats],
        shares=[analysis.start.shares, *(step.shares for step in analysis.steps)],
        movers=[-1 if step.seat is None else step.seat for step in analysis.steps],
        players=players_of(words),
        turning_points=[moment_of(words, one) for one in analysis.turning_points],
        decisions=decisions_of(words),
        source=cast(Literal["net", "estimate"], analysis.source),
        simulations=analysis.settings.simulations,
    )


def moment_of(words: AnalysisWords, moment: Moment) -> ReportMoment:
    """Return a moment with what happened, in words."""
    better = ""
    if moment.kind == "luck":
        draws = [words.played(ply)[0] for ply in range(moment.first, moment.last + 1)]
        what = " ".join(draws[:MOST_DRAWS]) + (" …" if len(draws) > MOST_DRAWS else "")
    else:
        what, better = words.choice(moment.first)
    return ReportMoment(
        first=moment.first,
        last=moment.last,
        kind=cast(Literal["decision", "luck"], moment.kind),
        mover=moment.mover,
        seat=moment.seat,
        change=moment.change,
        told=what,
        better=better,
    )


def players_of(words: AnalysisWords) -> list[ReportPlayer]:
    """Return the figures of all players."""
    analysis = words.analysis
    return [
        ReportPlayer(
            seat=one.seat,
            points=analysis.scores[one.seat],
            accuracy=one.accuracy,
            decisions=one.decisions,
            costly=one.costly,
            start=analysis.start.shares[one.seat],
            luck=one.luck,
            cost=one.cost,
            gifts=one.gifts,
            unforeseen=one.unforeseen,
            end=analysis.result.shares[one.seat],
            best=None if one.best is None else moment_of(words, one.best),
            worst=None if one.worst is None else moment_of(words, one.worst),
        )
        for one in analysis.players
    ]


def decisions_of(words: AnalysisWords) -> list[ReportDecision]:
    """Return the decisions that cost their maker some chance to win, in the order of the game."""
    found = []
    for step in words.analysis.steps:
        if step.seat is None or step.decision is None or step.cost.shares[step.seat] >= 0:
            continue
        played, better = words.choice(step.ply)
        found.append(
            ReportDecision(
                ply=step.ply,
                seat=step.seat,
                cost=-step.cost.shares[step.seat],
                sure=step.decision.sure,
                options=step.decision.options,
                played=played,
                better=better,
                why=words.why(step.ply),
            )
        )
    return found


def scenes(position: Position, ply: int, seat: int, moves: tuple[int, int], names: list[str]) -> DecisionScenes:
    """Return a decision as its seat knew it, and what the played and the best move did, up to the next draw."""
    before = SeatView(
        seat=seat,
        view=position.view(seat),
        asked=position.asked(seat),
        moves=list(position.legal_moves_of(seat)),
        standing=standing(position),
    )
    played, best = (outlook(position, seat, position.move(id), names, True) for id in moves)
    return DecisionScenes(ply=ply, seat=seat, pending=list(position.pending), before=before, played=played, best=best)
