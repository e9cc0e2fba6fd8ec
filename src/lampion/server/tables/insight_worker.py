"""The process that analyses games, judges moves, finds hints and makes films: work beside all that people wait for.

It talks as `sandbox_worker` does. What it is given comes from tables of this server, but their editions and moves may
be a stranger's, so its processor time and memory are limited too.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import msgspec

from lampion.engine.rng import new_rng
from lampion.insight.analysis import analyse
from lampion.insight.board_worth import board_worth
from lampion.insight.decision_positions import judged_positions
from lampion.insight.hints import hints, hints_in_words
from lampion.insight.judged_move import answer
from lampion.insight.reasons import MOST_REASONS, sentences
from lampion.insight.settings import QUICK, Settings
from lampion.locale import speaking
from lampion.play import film
from lampion.play.chance import Seeded
from lampion.play.position import Position
from lampion.play.record import Record
from lampion.play.sight import Sight
from lampion.server.protocol.analysis_types import Judgement
from lampion.server.protocol.refusals import Refused
from lampion.server.tables.explored_record import worth_wish
from lampion.server.tables.replay import bounded, names_of
from lampion.server.tables.sandbox_worker import (
    Answers,
    Finished,
    Job,
    Progressed,
    SendAnswer,
    answered,
    lift_limits,
    limit,
    memory_in_use,
    run,
)

CPU_SECONDS = 900
"""Processor time of one job: a four-player game takes 40 seconds."""
MOST_MEMORY = 2 << 30
"""Bytes of address space of one job, beyond what the process has at its beginning; much of it is never touched."""
NICENESS = 10
TELL_SECONDS = 0.3
"""Between two reports of how far a job is."""


class AnalyseRecord(Job, frozen=True, kw_only=True, tag="analyse"):
    """Analyse the record of a finished game; the answer is the analysis as JSON."""

    record: bytes
    settings: Settings


class JudgeMove(Job, frozen=True, kw_only=True, tag="judge"):
    """Judge a move in the place of the `ply`-th of a game; the answer is a Judgement as JSON."""

    record: bytes
    ply: int
    move: dict[str, Any]
    settings: Settings


class FindHints(Job, frozen=True, kw_only=True, tag="hints"):
    """Find the best moves of a seat where a record begins, which is all that the seat knows; the answer is a list of
    MoveHint as JSON."""

    record: bytes
    seat: int
    settings: Settings


class MakeFilm(Job, frozen=True, kw_only=True, tag="film"):
    """Make a moving picture of a game, or a page with a slider; the answer is the file."""

    record: bytes
    viewer: int
    kind: Literal["svg", "html"]


class Prepare(Job, frozen=True, kw_only=True, tag="prepare"):
    """Load all that hints in a game need; the answer is nothing."""

    game: str
    players: int


class WorthOfPosition(Job, frozen=True, kw_only=True, tag="worth"):
    """Say what the position is worth that a request has in its body; the answer is a BoardWorth as JSON."""

    body: bytes
    settings: Settings


InsightJobs = AnalyseRecord | JudgeMove | FindHints | MakeFilm | Prepare | WorthOfPosition
_decode = msgspec.msgpack.Decoder(InsightJobs).decode


class Analyst:
    """Does jobs one after another."""

    def __init__(self, send: SendAnswer) -> None:
        self._send = send
        self._sent_at = 0.0
        self._base = memory_in_use()
        self._judged: tuple[bytes, Record, dict[int, tuple[Position, int]]] | None = None
        """The last game in which a move was judged: the next one is often of the same."""

    def answer(self, body: bytes) -> Answers:
        """Do an encoded job; return its answer."""
        job = _decode(body)
        with speaking(job.language):
            return answered(partial(self._do, job))

    def _do(self, job: InsightJobs) -> Answers:
        limit(self._base + MOST_MEMORY, CPU_SECONDS)
        try:
            return Finished(parts=[bounded(self._answer(job))])
        finally:
            lift_limits()

    def _answer(self, job: InsightJobs) -> bytes:
        match job:
            case AnalyseRecord():
                return self._analysed(job)
            case JudgeMove():
                return self._judge(job)
            case FindHints():
                return hints_in(job)
            case MakeFilm():
                return film_of(job)
            case Prepare():
                prepare(job)
                return b""
            case WorthOfPosition():
                record, position, viewer = worth_wish(job.body)
                return msgspec.json.encode(board_worth(position, names_of(record), viewer, job.settings))

    def _analysed(self, job: AnalyseRecord) -> bytes:
        return analyse(Record.from_json(job.record), job.settings, progress=self._progress).to_json()

    def _progress(self, done: int, total: int) -> None:
        """Report how far an analysis is, but not too often."""
        if done in (0, total) or time.monotonic() - self._sent_at > TELL_SECONDS:
            self._sent_at = time.monotonic()
            self._send(Progressed(done=done, total=total))

    def _judge(self, job: JudgeMove) -> bytes:
        if self._judged is None or self._judged[0] != job.record:
            record = Record.from_json(job.record)
            self._judged = job.record, record, judged_positions(record.replay())
        _, record, decisions = self._judged
        if job.ply - 1 not in decisions:
            raise Refused("server.no_decision")
        position, seat = decisions[job.ply - 1][0], record.moves[job.ply - 1][0]
        assert isinstance(seat, int)
        found = answer(position, seat, job.move, job.settings)
        return msgspec.json.encode(
            Judgement(
                is_good=found.is_good,
                share=found.share,
                best_share=found.best_share,
                cost=found.cost,
                sure=found.sure,
                why=sentences(position, found.reasons[:MOST_REASONS], names_of(record)),
            )
        )


def hints_in(job: FindHints) -> bytes:
    """Return the hints for a seat as JSON."""
    record = Record.from_json(job.record)
    sight = Sight(record.replay(), job.seat)
    return msgspec.json.encode(hints_in_words(sight, hints(sight, job.settings), names_of(record)))


def film_of(job: MakeFilm) -> bytes:
    """Return a game as a moving picture or as a page."""
    record = Record.from_json(job.record)
    shown = film.film(record, names_of(record), job.viewer)
    return (film.animated if job.kind == "svg" else film.page)(shown).encode()


def prepare(job: Prepare) -> None:
    """Find a hint in the first position of a game, so that the next one comes at once."""
    position = Position(job.game, job.players)
    position.push_chances(Seeded(1))
    if position.pending:
        seat = position.pending[0]
        record = Record.of(Sight(position, seat).imagined(new_rng()))
        hints_in(FindHints(record=record.to_json().encode(), seat=seat, settings=QUICK))


def answering(send: SendAnswer) -> Callable[[bytes], Answers]:
    """Return a function that answers an encoded job."""
    return Analyst(send).answer


if __name__ == "__main__":
    run(answering, NICENESS)
