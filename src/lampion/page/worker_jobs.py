"""Jobs that are done in another worker of a page: bots' moves, and all that the server's other processes do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from lampion.locale import speaking
from lampion.play.record import Record
from lampion.server.tables.bot_pool import MOST_REMEMBERING, SeatedBot, Thought
from lampion.server.tables.insight_worker import Analyst, InsightJobs
from lampion.server.tables.job_runner import Heard
from lampion.server.tables.sandbox_worker import (
    Answers,
    Failed,
    Finished,
    Job,
    LimitedJobs,
    LoadGame,
    Progressed,
    Ready,
    SendAnswer,
    Worker,
    answered,
    decode_answer,
)


class ThinkOfMove(Job, frozen=True, kw_only=True, tag="think"):
    """Let a bot choose a move where a record ends; the answer is the move's number."""

    level: str
    seed: int
    game_number: int
    record: bytes
    seat: int
    limit: int


_decode_think = msgspec.msgpack.Decoder(ThinkOfMove).decode
_decode_file = msgspec.msgpack.Decoder(LoadGame | LimitedJobs).decode
_kind = msgspec.msgpack.Decoder(dict[str, Any]).decode
_encode = msgspec.msgpack.Encoder().encode
INSIGHT = {one.__struct_config__.tag for one in InsightJobs.__args__}


class JobWorker:
    """Does all kinds of jobs, one after another, in the worker that it runs in."""

    def __init__(self, tell: Callable[[bytes], None]) -> None:
        def send(answer: Answers) -> None:
            tell(_encode(answer))

        say: SendAnswer = send
        self._files, self._analyst = Worker(is_limited=False), Analyst(say)
        self._bots: dict[tuple[int, int], SeatedBot] = {}

    def do(self, body: bytes) -> bytes:
        """Do an encoded job; return its answer, encoded."""
        tag = _kind(body)["do"]
        if tag == "think":
            job = _decode_think(body)
            with speaking(job.language):
                return _encode(answered(lambda: Finished(parts=[str(self._think(job)).encode()])))
        if tag in INSIGHT:
            return _encode(self._analyst.answer(body))
        return _encode(self._files.answer(_decode_file(body)))

    def _think(self, job: ThinkOfMove) -> int:
        key = job.seed, job.game_number
        bot = self._bots.pop(key, None) or SeatedBot(job.level, job.seed)
        self._bots[key] = bot
        while len(self._bots) > MOST_REMEMBERING:
            del self._bots[next(iter(self._bots))]
        return bot.think(Record.from_json(job.record).replay(), job.seat, job.limit)


class Messages(Protocol):
    """The way to another worker and back."""

    async def ask(self, body: bytes, progressed: Callable[[bytes], None]) -> bytes:
        """Send a job; return its answer. Raise OSError where the worker is gone."""

    def stop(self) -> None:
        """Stop the worker at once; the next job starts another."""


class OtherWorker:
    """Another worker, which does jobs as another process would."""

    pid = 0
    is_alive = True

    def __init__(self, messages: Messages) -> None:
        self._messages = messages

    async def exchange(self, job: Job | None = None, heard: Heard | None = None) -> Answers:
        """Send a job, if any, and return the answer."""
        if job is None:
            return Ready()

        def progressed(body: bytes) -> None:
            answer = decode_answer(body)
            if heard is not None and isinstance(answer, Progressed):
                heard(answer.done, answer.total)

        return decode_answer(await self._messages.ask(_encode(job), progressed))

    def kill(self) -> None:
        """Stop it at once."""
        self._messages.stop()

    async def wait_until_stopped(self) -> None:
        """Return at once: `kill` has stopped it already."""

    async def think(self, think: Callable[[int], int], limit: int) -> int:
        """Return the move that a bot chooses in the other worker within `limit` milliseconds."""
        assert isinstance(think, Thought)
        bot, record = think.bot, Record.of(think.position).to_json().encode()
        answer = await self.exchange(
            ThinkOfMove(
                level=bot.level,
                seed=bot.seed,
                game_number=bot.game_number,
                record=record,
                seat=think.seat,
                limit=limit,
            )
        )
        if not isinstance(answer, Finished):
            raise RuntimeError(answer.detail if isinstance(answer, Failed) else repr(answer))
        return int(answer.parts[0])


class InPlace:
    """Does jobs in this very worker; for tests, and where a browser allows no second one."""

    def __init__(self) -> None:
        self._progressed: Callable[[bytes], None] = lambda body: None
        self._worker = JobWorker(lambda body: self._progressed(body))

    async def ask(self, body: bytes, progressed: Callable[[bytes], None]) -> bytes:
        """Do a job."""
        self._progressed = progressed
        await asyncio.sleep(0)
        return self._worker.do(body)

    def stop(self) -> None:
        """Do nothing."""
