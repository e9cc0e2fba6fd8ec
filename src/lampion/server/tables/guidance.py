"""The guidance of a table: which script it follows, where the learner stands in it, and what follows from a wish."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from lampion.games.core import CHANCE
from lampion.play.position import Position
from lampion.play.tutorial import (
    Step,
    Tutorial,
    answer_with,
    is_right,
    make_moves,
    push_draws,
    reply,
    shown_move,
    spoken,
    tutorial,
)
from lampion.server.protocol import stored_events as stored
from lampion.server.protocol.refusals import Refused, Stale
from lampion.server.protocol.table_info import Guide


class Guidance:
    """A script and the step that has been reached; there is none where the script is through."""

    def __init__(self, script: Tutorial, number: int = 0) -> None:
        self.script, self.number = script, number

    @classmethod
    def of(cls, made: stored.Made) -> Guidance | None:
        """Return the guidance of a table that was made; None where it has none, or its script is not this one."""
        script = None if made.tutorial is None else tutorial(made.game)
        return cls(script) if script is not None and script.hash == made.tutorial else None

    def at(self, number: int) -> Guidance | None:
        """Return the guidance at a step; None after the last."""
        return Guidance(self.script, number) if number < len(self.script.steps) else None

    @property
    def step(self) -> Step:
        """The step that has been reached."""
        return self.script.steps[self.number]

    def events_of_start(self, at: int, ahead: Position) -> list[Any]:
        """Return the draws and moves before the first step is read; advances the position."""
        before = ahead.ply
        push_draws(ahead, self.script, iter(self.script.draws))
        make_moves(ahead, self.script, self.step)
        return list(moved(at, before, ahead))

    def events_of_move(self, at: int, position: Position, seat: int, move: Any, names: list[str]) -> list[Any]:
        """Return what follows from the learner's legal move; refuse one that was not asked for, with what to say."""
        script, step = self.script, self.step
        if seat != script.seat or step.ask is None:
            raise Refused("table.guide_reads")
        if not is_right(position, seat, step, move):
            words = reply(position, seat, step, move) or script.otherwise
            raise Refused("table.guide_says", words=spoken(words, names))
        ahead = position.copy()
        answer_with(ahead, script, step, move)
        return [*moved(at, position.ply, ahead, seat), *self._next(at, ahead)]

    def events_of_reading(self, at: int, position: Position, seat: int, number: int) -> list[Any]:
        """Return what follows when the learner has read a step."""
        if number != self.number:
            raise Stale("table.stale", seq=0)
        if seat != self.script.seat:
            raise Refused("table.not_yours", seat=seat + 1)
        if self.step.ask is not None:
            raise Refused("table.guide_asks")
        return self._next(at, position.copy())

    def _next(self, at: int, ahead: Position) -> list[Any]:
        """Return what brings the next step; advances the position."""
        number, before = self.number + 1, ahead.ply
        reached = stored.Guided(at, seat=self.script.seat, step=number)
        following = self.at(number)
        if following is not None:
            make_moves(ahead, self.script, following.step)
        end = [stored.Ended(at, result=ahead.count())] if ahead.is_over else []
        return [reached, *moved(at, before, ahead), *end]

    def shown(self, position: Position, names: list[str]) -> Guide:
        """Return the step for the browser, in the language in use."""
        script, step = self.script, self.step
        return Guide(
            step=self.number,
            steps=len(script.steps),
            seat=script.seat,
            say=spoken(step.say, names),
            ask=None if step.ask is None else spoken(step.ask, names),
            point=step.point,
            move=None if step.ask is None else shown_move(position, script.seat, step),
        )


def fold_guided(table: Any, event: stored.Guided) -> None:
    """Apply to a table that its learner has come to a step."""
    table.guidance = table.guidance and table.guidance.at(event.step)


def moved(at: int, since: int, position: Position, learner: int = CHANCE) -> Iterator[stored.Moved]:
    """Yield the moves that were made after `since` moves, as events."""
    for seat, move in position.moves[since:]:
        by: Any = "player" if seat in (learner, CHANCE) else "bot"
        yield stored.Moved(at, seat=seat, move=msgspec.to_builtins(move), by=by)
