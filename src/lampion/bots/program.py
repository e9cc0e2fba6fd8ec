"""A user's program as a bot: a child process that is asked through pipes, with a time limit for every answer.

A program that crashes, stalls or returns no legal move loses its game (`BotFailed` says why) and is stopped with all
processes that it started. Otherwise it is kept for the next game of this process, since some take long to start.
"""

from __future__ import annotations

import os
import re
import selectors
import shlex
import signal
import subprocess
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.util import Finalize
from typing import IO, Any

import msgspec

from lampion.bots import program_messages
from lampion.bots.player import Bot, BotFailed
from lampion.locale import Problem, why
from lampion.play.outcome import Outcome
from lampion.play.sight import Sight

LONGEST = 1 << 20
"""Most bytes of an answer."""
PIECE = 1 << 16
KEPT = 4096
"""Bytes kept of what a program writes to its standard error."""
SHOWN = 160
PATIENCE = 0.5
"""Seconds that a program has to end by itself when its input has ended."""


def shown(text: str) -> str:
    """Return a foreign text short and without control characters, fit to print."""
    short = text if len(text) <= SHOWN else text[:SHOWN] + "…"
    return "".join(letter if letter.isprintable() else " " for letter in short).strip()


class Ended(BotFailed):
    """The program has ended."""


_groups: set[int] = set()
"""The process groups of the programs that this process has started and not yet ended."""


def end_all() -> None:
    """Kill every program at once, before this process exits without cleaning up."""
    for group in list(_groups):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


@contextmanager
def ending_together() -> Iterator[None]:
    """Handle SIGTERM as Ctrl-C while the block runs, so that the programs are stopped too."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def stop(process: subprocess.Popen[bytes], patience: float) -> None:
    """Stop a program and all that it started; first it may end by itself when its input ends."""
    if process.stdin:
        with suppress(OSError):
            process.stdin.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(patience)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    _groups.discard(process.pid)
    for pipe in (process.stdout, process.stderr):
        if pipe:
            pipe.close()


class Running:
    """A running program. Every wait has a time limit."""

    def __init__(self, words: tuple[str, ...]) -> None:
        self.words, self.name = words, shown(words[0])
        try:
            self.process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise BotFailed("bot.failed.start", program=self.name, detail=why(error)) from None
        _groups.add(self.process.pid)
        # Runs when this object is garbage-collected, and when this process ends, the main one or a worker.
        self.stop = Finalize(self, stop, args=(self.process, PATIENCE), exitpriority=10)
        self.owner = os.getpid()
        self.answered = False
        """Whether it has answered before: the first answer may take longer."""
        self.unsent, self.heard, self.errors = bytearray(), bytearray(), bytearray()
        self.pipes = selectors.DefaultSelector()
        for pipe, what in ((self.process.stdout, self._hear), (self.process.stderr, self._hear_error)):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)
            self.pipes.register(pipe, selectors.EVENT_READ, what)
        assert self.process.stdin is not None
        self.input: IO[bytes] = self.process.stdin
        os.set_blocking(self.input.fileno(), False)

    @property
    def is_fit(self) -> bool:
        """Return whether it can play another game: it runs, was started by this process, and sent no extra output."""
        return self.owner == os.getpid() and not self.heard and self.process.poll() is None

    def tell(self, message: bytes) -> None:
        """Send a line that needs no answer; what the pipe does not take at once is sent with the next question."""
        self.unsent += message
        with suppress(BotFailed):
            self._send()

    def ask(self, message: bytes, ms: int) -> bytes:
        """Send a question; return the line that is answered within `ms` milliseconds."""
        deadline = time.monotonic() + ms / 1000
        self.unsent += message
        self.pipes.register(self.input, selectors.EVENT_WRITE, self._send)
        try:
            while b"\n" not in self.heard:
                if len(self.heard) > LONGEST:
                    raise BotFailed("bot.failed.long", program=self.name, most=LONGEST)
                left = deadline - time.monotonic()
                if left <= 0:
                    raise BotFailed("bot.failed.stalled", program=self.name, ms=ms)
                for key, _ in self.pipes.select(left):
                    key.data()
                if not self.unsent and self.input in self.pipes.get_map():
                    self.pipes.unregister(self.input)
        finally:
            if self.input in self.pipes.get_map():
                self.pipes.unregister(self.input)
        answer, _, rest = bytes(self.heard).partition(b"\n")
        if len(answer) > LONGEST:
            raise BotFailed("bot.failed.long", program=self.name, most=LONGEST)
        self.heard = bytearray(rest)
        self.answered = True
        return answer

    def give_up(self) -> None:
        """Stop it now."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.stop()

    def _send(self) -> None:
        try:
            while self.unsent:
                del self.unsent[: os.write(self.input.fileno(), self.unsent[:PIECE])]
        except BlockingIOError:
            return
        except OSError:
            raise self._ended() from None

    def _hear(self) -> None:
        piece = self._read(self.process.stdout)
        if piece == b"":
            raise self._ended()
        self.heard += piece or b""

    def _hear_error(self) -> None:
        piece = self._read(self.process.stderr)
        if piece == b"":
            self.pipes.unregister(self.process.stderr)  # type: ignore[arg-type]
        self.errors += piece or b""
        del self.errors[:-KEPT]

    def _read(self, pipe: Any) -> bytes | None:
        """Return the bytes that have arrived: empty at the end of the stream, None where nothing has arrived yet."""
        try:
            return os.read(pipe.fileno(), PIECE)
        except BlockingIOError:
            return None

    def _ended(self) -> BotFailed:
        """Return the reason for closed pipes: the exit status and the last error output, or that it still runs."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(PATIENCE)
        while self.process.stderr in self.pipes.get_map():
            before = len(self.errors)
            self._hear_error()
            if len(self.errors) == before:
                break
        code = self.process.returncode
        if code is None:
            return BotFailed("bot.failed.silent", program=self.name)
        status = signal.Signals(-code).name if -code in set(signal.Signals) else str(code)
        lines = self.errors.decode("utf-8", "replace").split("\n")
        last = next((text for raw in reversed(lines) if (text := shown(raw))), "")
        key = "bot.failed.ended_saying" if last else "bot.failed.ended"
        return Ended(key, program=self.name, status=status, said=last)


_idle: defaultdict[tuple[str, ...], list[Running]] = defaultdict(list)
"""Idle programs that have played a game of this process."""


def take(words: tuple[str, ...]) -> Running:
    """Return an idle program, or a new one."""
    while waiting := _idle[words]:
        running = waiting.pop()
        if running.is_fit:
            return running
        if running.owner == os.getpid():
            running.give_up()
    return Running(words)


class ProgramBot(Bot):
    """A bot that passes the questions for its seat on to a program."""

    def __init__(self, maker: Program) -> None:
        self.maker = maker
        self.seen_plies = 0
        self.running: Running | None = None
        self.failure: BaseException | None = None

    def choose(self, sight: Sight) -> int:
        if self.failure is not None:
            raise self.failure
        try:
            return self._choose(sight)
        except BaseException as failure:  # also match.Stalled: a late answer must not be taken for the next
            self.failure = failure
            if self.running is not None:
                self.running.give_up()
            raise

    def _choose(self, sight: Sight) -> int:
        if self.running is not None:
            return self._ask(self.running, sight)
        self.running = take(self.maker.words)
        try:
            return self._begin(self.running, sight)
        except Ended:
            if not self.running.answered:
                raise
        # An idle program that has ended since its last game says nothing about this one: start it again.
        self.running.give_up()
        self.running = Running(self.maker.words)
        return self._begin(self.running, sight)

    def _begin(self, running: Running, sight: Sight) -> int:
        """Send the beginning of a game and the first question; return the id of the move answered."""
        running.tell(program_messages.line(program_messages.AskNew()))
        return self._ask(running, sight)

    def _ask(self, running: Running, sight: Sight) -> int:
        maker = self.maker
        asked = program_messages.question(sight, self.seen_plies, maker.ms)
        answer = running.ask(
            program_messages.line(asked), maker.ms + maker.grace + (0 if running.answered else maker.start)
        )
        self.seen_plies = sight.ply
        return read(answer, sight, running.name)

    def end(self, outcome: Outcome | None) -> None:
        running, self.running = self.running, None
        if running is not None and self.failure is None:
            running.tell(program_messages.line(program_messages.AskEnd(outcome)))
            _idle[self.maker.words].append(running)


def read(answer: bytes, sight: Sight, program: str) -> int:
    """Return the id of the move in an answer; raise BotFailed where it is not a legal move."""
    text = shown(answer.decode("utf-8", "replace"))
    try:
        data = msgspec.json.decode(answer)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise BotFailed("bot.failed.json", program=program, answer=text) from None
    try:
        move = msgspec.convert(data, program_messages.Answered).move
    except msgspec.ValidationError:
        raise BotFailed("bot.failed.form", program=program, answer=text) from None
    try:
        id = sight.id_of(move)
    except Problem as problem:
        raise BotFailed("bot.failed.move", program=program, answer=text, reason=shown(str(problem))) from None
    if id not in sight.ids:
        raise BotFailed("bot.failed.illegal", program=program, answer=text)
    return id


@dataclass(frozen=True)
class Program:
    """Makes bots of a program. `ms` is sent to it; the limit is `grace` more, and `start` more for the first answer."""

    name: str
    words: tuple[str, ...]
    ms: int = 1000
    grace: int = 1000
    start: int = 10_000

    @property
    def seconds(self) -> float:
        """The most seconds that a choice takes; a program has limits of its own."""
        return (self.ms + self.grace + self.start) / 1000 + 1

    def sit(self, sight: Sight, seed: int) -> Bot:
        """Return a bot for the seat of a sight; the seed is not used, the program has its own randomness."""
        return ProgramBot(self)


def command(text: str) -> tuple[tuple[str, ...], str | None]:
    """Return the words of `PROGRAM ARGUMENTS:ms=200` as a shell would read them, and the effort if any.

    Only an effort at the very end counts, so a command may have colons; an argument that ends like one is quoted.
    """
    found = re.fullmatch(r"(.*?)(?::((?:ms|sims|threads)=[^:'\"\s]*))?", text, re.DOTALL)
    assert found
    return tuple(shlex.split(found[1])), found[2]
