"""Runs jobs one after another outside the event loop: in a process, or what replaces one where there are none."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from lampion.server.tables.child_environment import environment_without_secrets
from lampion.server.tables.sandbox_worker import (
    HEAD,
    LONGEST_FRAME,
    Answers,
    Job,
    Progressed,
    decode_answer,
    frame,
)

MOST_OF_ADDRESS = 8
"""Jobs of one address that may wait."""
MOST_WAITING = 32
"""Jobs that may wait in all; each holds its file in memory."""
IDLE_SECONDS = 120.0
"""Idle time after which the process is stopped to free its memory."""

Heard = Callable[[int, int], None]
"""Called with how much of a job is done, and of how much."""


@dataclass(frozen=True)
class Program:
    """What runs in the process, and how much may be asked of it."""

    module: str = "lampion.server.tables.sandbox_worker"
    seconds: float | None = None
    """For one job; None: JOB_SECONDS."""
    most_of_address: int = MOST_OF_ADDRESS
    most_waiting: int = MOST_WAITING
    idle_seconds: float = IDLE_SECONDS
    finishes: bool = False
    """Whether a job under way is finished when its caller has given up: its jobs are short, and another process would
    have to load the games again."""
    takes_long: bool = False
    """Whether a job takes so long that others should not wait for it."""
    trouble: str = "foreign file not read"
    """What is logged where a job was not done."""


class JobProcess(Protocol):
    """A process, or a worker of a page, that does jobs."""

    @property
    def pid(self) -> int:
        """The number of its process."""

    @property
    def is_alive(self) -> bool:
        """Whether it may still answer."""

    async def exchange(self, job: Job | None = None, heard: Heard | None = None) -> Answers:
        """Send a job, if any, and return the answer; raise EOFError where it ends or sends what cannot be read."""

    def kill(self) -> None:
        """Stop it at once."""

    async def wait_until_stopped(self) -> None:
        """Wait until it has stopped."""


Start = Callable[[Program], Awaitable[JobProcess]]
"""Starts a process, or what replaces one, for the jobs of a program."""


class OtherProcess:
    """A process that takes jobs on its standard input and answers on its standard output."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether it may still answer."""
        process = self._process
        return process.returncode is None and process.stdout is not None and not process.stdout.at_eof()

    async def exchange(self, job: Job | None = None, heard: Heard | None = None) -> Answers:
        """Send a job, if any, and return the answer."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        if job is not None:
            process.stdin.write(frame(job))
            await process.stdin.drain()
        while True:
            size = int.from_bytes(await process.stdout.readexactly(HEAD), "big")
            if size > LONGEST_FRAME:
                raise EOFError
            answer: Answers = decode_answer(await process.stdout.readexactly(size))
            if not isinstance(answer, Progressed):
                return answer
            if heard is not None:
                heard(answer.done, answer.total)

    def kill(self) -> None:
        """Stop it at once."""
        if self._process.returncode is None:
            self._process.kill()

    async def wait_until_stopped(self) -> None:
        """Wait until it has stopped."""
        await self._process.wait()


async def start_process(program: Program) -> OtherProcess:
    """Start a process that runs a program, without the secrets in our environment."""
    return OtherProcess(
        await asyncio.create_subprocess_exec(
            sys.executable, "-m", program.module,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
            env=environment_without_secrets(), start_new_session=True,
        )
    )  # fmt: skip
