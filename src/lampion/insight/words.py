"""An analysis in words: its figures, moments and decisions as plain sentences, in the language in use."""

from __future__ import annotations

from collections.abc import Sequence

from lampion.games.core import EVERYTHING
from lampion.games.move_types import event, points_of, sentence
from lampion.insight.analysis_types import Analysis, Moment, Step
from lampion.insight.decision_positions import judged_positions
from lampion.insight.reasons import MOST_REASONS, reasons_for, sentences
from lampion.locale import language, say
from lampion.play.position import Position
from lampion.play.record import Record

MOST_SENTENCES = 3
"""The most sentences for what a move did and another did not."""
MOST_DRAWS = 4
"""The most sentences for draws in a row."""


def number(value: float, digits: int = 0) -> str:
    """Return a number as it is written in the language in use, minus zero as zero."""
    text = f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "\u2212")
    return text.replace(".", ",") if language() == "fr" else text


def signed(value: float, digits: int = 0) -> str:
    """Return a number with its sign, plus too; zero has none."""
    text = number(value, digits)
    return f"+{text}" if round(value, digits) > 0 else text


def percent(value: float, digits: int = 0) -> str:
    """Return a part of 1 as percent."""
    return f"{number(100 * value, digits)}\u202f%"


def signed_percent(value: float, digits: int = 0) -> str:
    """Return a part of 1 as percent with its sign."""
    return f"{signed(100 * value, digits)}\u202f%"


def move_sentences(
    position: Position, id: int, seat: int, viewer: int, names: Sequence[str], *, own: bool = False
) -> list[str]:
    """Return what a move does in sentences, as a viewer may know it: first what it scores, or else what it is.

    With `own`, only what it does to its mover, if that is anything.
    """
    game, box = position.game, position.edition.box
    events = [event(game, box, row, viewer) for row in position.copy().push_rows(id, seat)]
    first = next((i for i, one in enumerate(events) if points_of(game, one)), 0)
    events.insert(0, events.pop(first))
    chosen = [one for one in events if one.seat == seat] if own else events
    return [sentence(game, one, names, box=box) for one in chosen or events]


class AnalysisWords:
    """The moves, moments and costs of an analysed game as sentences."""

    def __init__(self, record: Record, analysis: Analysis) -> None:
        self.analysis, self.names = analysis, analysis.names
        self._final = record.replay()
        self._seen = judged_positions(self._final)

    def _sentences(self, position: Position, id: int, seat: int) -> list[str]:
        return move_sentences(position, id, seat, EVERYTHING, self.names)

    def played(self, ply: int) -> list[str]:
        """Return what the move did that was the `ply`-th of the game, counted from 1."""
        seat, id = self._final.played[ply - 1]
        return self._sentences(self._final.at(ply - 1), id, seat)

    def step(self, ply: int) -> Step:
        """Return the step of the `ply`-th move."""
        return self.analysis.steps[ply - 1]

    def choice(self, ply: int) -> tuple[str, str]:
        """Return what was played as the `ply`-th move and what was best, as far as they differ."""
        decision = self.step(ply).decision
        assert decision is not None
        position, asked = self._seen[ply - 1]
        seat = self._final.played[ply - 1].seat
        played = list(dict.fromkeys(self._sentences(position, asked, seat)))
        best = list(dict.fromkeys(self._sentences(position, decision.moves[0].id, seat)))
        apart = [text for text in best if text not in played]
        what = [played[0], *(text for text in played[1:] if text not in best)]
        if not apart:
            return what[0], say("analysis.elsewhere")
        return " ".join(what[:MOST_SENTENCES]), " ".join(apart[:MOST_SENTENCES])

    def why(self, ply: int) -> list[str]:
        """Return why the best move in the place of the `ply`-th was better than the played one, in sentences."""
        decision = self.step(ply).decision
        assert decision is not None
        position, asked = self._seen[ply - 1]
        reasons = reasons_for(position, self._final.played[ply - 1].seat, decision.moves[0].id, asked)
        return sentences(position, reasons[:MOST_REASONS], self.names)

    def moment(self, moment: Moment) -> str:
        """Return a moment in sentences: what happened, what was better, and whose chances it changed."""
        who, change = self.names[moment.seat], signed_percent(moment.change)
        if moment.kind == "luck":
            draws = [self.played(ply)[0] for ply in range(moment.first, moment.last + 1)]
            what = " ".join(draws[:MOST_DRAWS]) + (" …" if len(draws) > MOST_DRAWS else "")
            return say("analysis.moment.luck", what=what, who=who, change=change)
        what, best = self.choice(moment.first)
        return say("analysis.moment.decision", what=what, best=best, who=who, change=change)

    def costliest(self, seat: int, most: int) -> list[Step]:
        """Return a seat's decisions that cost it most, the costliest first."""
        steps = [step for step in self.analysis.steps if step.seat == seat and step.cost.shares[seat] < 0]
        return sorted(steps, key=lambda step: step.cost.shares[seat])[:most]

    def cost(self, step: Step) -> str:
        """Return a costly decision in sentences."""
        assert step.decision is not None
        assert step.seat is not None
        what, best = self.choice(step.ply)
        return say(
            "analysis.cost",
            ply=step.ply,
            what=what,
            best=best,
            change=percent(-step.cost.shares[step.seat], 1),
            sure=percent(step.decision.sure, 1),
            why=" ".join(self.why(step.ply)),
        ).rstrip()
