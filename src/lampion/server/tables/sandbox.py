"""Does jobs in another process, which is killed when it takes too long: reading files from strangers, analyses.

One process, started when it is first needed and stopped when it has been idle, does one job at a time; those who wait
are served fairly (see `fair_queue`). `sandbox_worker` is what runs in it for files, `insight_worker` for analyses.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import msgspec

from lampion.locale import Problem, language
from lampion.server.protocol.refusals import Refused
from lampion.server.tables.fair_queue import FairQueue
from lampion.server.tables.job_runner import Heard, JobProcess, Program, Start, start_process
from lampion.server.tables.rate_limits import asker
from lampion.server.tables.sandbox_worker import Answers, Failed, Finished, Job, LoadGame, NeedsGame, Ready, Refusal

log = logging.getLogger("lampion.server")

JOB_SECONDS = 10.0
"""For one job: more than its processor time, since the process has a low priority."""
LOAD_SECONDS = 120.0
"""For the process to start, and to load a game."""
ROUNDS = 4
"""The most attempts of a job, each of which may need another game loaded."""


class ForeignProblem(Problem):
    """A problem that the other process found in a file, with the reason in the asker's language."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(key)
        self.reason = reason

    def __str__(self) -> str:
        return self.reason


FILES = Program()


@dataclass(frozen=True)
class PendingJob:
    """A job and the future of its answer."""

    job: Job
    seconds: float
    answer: asyncio.Future[Answers]
    heard: Heard | None = None


class Sandbox:
    """A process and the jobs that wait for it."""

    def __init__(
        self, ready: Callable[[str], Awaitable[None]], program: Program = FILES, start: Start = start_process
    ) -> None:
        self._game_is_ready = ready
        """Waits until a game is compiled into the cache."""
        self.program = program
        self._queue: FairQueue[PendingJob] = FairQueue(program.most_of_address)
        self._current: PendingJob | None = None
        self._is_closed = False
        self._start = start
        self._process: JobProcess | None = None
        self._task: asyncio.Task[None] | None = None
        self._idle: asyncio.TimerHandle | None = None

    @property
    def pid(self) -> int | None:
        """The id of the process, if it runs."""
        return None if self._process is None else self._process.pid

    async def run(self, job: Job, heard: Heard | None = None) -> list[bytes]:
        """Do a job; return the parts of its answer, or raise the problem that was found.

        `heard` gets its progress. A job whose caller is cancelled is given up, with its process unless it finishes
        its jobs. Raises Refused where the job took too much time or memory, or where too many wait.
        """
        job = msgspec.structs.replace(job, language=language())
        for _ in range(ROUNDS):
            answer = await self._ask(job, self.program.seconds or JOB_SECONDS, heard)
            if not isinstance(answer, NeedsGame):
                break
            await self._game_is_ready(answer.game)
            await self._ask(LoadGame(game=answer.game, to_explore=answer.to_explore), LOAD_SECONDS)
        match answer:
            case Finished():
                return answer.parts
            case Refusal():
                raise ForeignProblem(answer.key, answer.reason)
            case Failed(why="fault"):
                raise Refused("server.unreadable_file")
        raise Refused("server.too_much_work")

    async def _ask(self, job: Job, seconds: float, heard: Heard | None = None) -> Answers:
        """Put a job into the queue and return its answer.

        Where the queue is full, the newest job of the address with most jobs is dropped: its caller gets Refused.
        """
        if self._is_closed:
            raise Refused("server.stops")
        waiting = PendingJob(job, seconds, asyncio.get_running_loop().create_future(), heard)
        self._queue.put(asker.get(), "", waiting)
        if len(self._queue) > self.program.most_waiting:
            dropped = self._queue.drop_newest(asker.get())
            if not dropped.answer.done():
                dropped.answer.set_exception(Refused("server.busy"))
        if self._task is None:
            self._task = asyncio.create_task(self._serve())
        return await waiting.answer

    async def _serve(self) -> None:
        """Do the jobs that wait, one after another; then stop the process after a while."""
        try:
            if self._idle is not None:
                self._idle.cancel()
                self._idle = None
            while len(self._queue):
                address, table, waiting = self._queue.pop()
                if waiting.answer.done():  # whoever asked is gone
                    continue
                began, self._current = time.monotonic(), waiting
                answer = await self._do_unless_withdrawn(waiting)
                self._queue.charge(address, table, time.monotonic() - began)
                if answer is not None and not waiting.answer.done():
                    waiting.answer.set_result(answer)
            self._idle = asyncio.get_running_loop().call_later(self.program.idle_seconds, self._kill)
        finally:
            self._task = None

    async def _do_unless_withdrawn(self, waiting: PendingJob) -> Answers | None:
        """Do a job; return None where whoever waits for it has given up, which kills the process unless it finishes."""
        doing = asyncio.ensure_future(self._do(waiting))
        if not self.program.finishes:
            waiting.answer.add_done_callback(lambda _: doing.cancel())
        try:
            return await doing
        except asyncio.CancelledError:
            if not waiting.answer.done():  # the sandbox itself is closed
                raise
            return None

    async def _do(self, waiting: PendingJob) -> Answers:
        """Hand a job to the process and return its answer; where there is none in time, the process is killed."""
        answer: Answers
        try:
            process = await self._running()
            async with asyncio.timeout(waiting.seconds):
                answer = await process.exchange(waiting.job, waiting.heard)
            if not isinstance(answer, Failed):
                return answer
        except TimeoutError:
            answer = Failed(why="time")
        except Exception as error:  # of any kind: the job is answered and the next one done
            answer = Failed(why="crash", detail=repr(error))
        except asyncio.CancelledError:
            self._kill()
            raise
        self._kill()
        log.warning(self.program.trouble, extra={"why": answer.why, "detail": answer.detail})
        return answer

    async def _running(self) -> JobProcess:
        """Return the process, started if it does not run."""
        if self._process is not None and self._process.is_alive:
            return self._process
        self._process = await self._start(self.program)
        async with asyncio.timeout(LOAD_SECONDS):
            answer = await self._process.exchange()
        if not isinstance(answer, Ready):
            raise EOFError
        return self._process

    def _kill(self) -> None:
        """Stop the process at once; the next job starts another."""
        if self._process is not None:
            self._process.kill()
        self._process = None

    async def close(self) -> None:
        """Stop the process; whoever waits for a job gets the refusal that the server stops."""
        self._is_closed = True
        for waiting in (*self._queue.clear(), *filter(None, [self._current])):
            if not waiting.answer.done():
                waiting.answer.set_exception(Refused("server.stops"))
        for running in (self._task, self._idle):
            if running is not None:
                running.cancel()
        process = self._process
        self._kill()
        if process is not None:
            await process.wait_until_stopped()
