"""The process that reads files from strangers: it parses, checks and replays editions and records.

Jobs come in on its standard input and answers go out on its standard output, each as four bytes of length and one
MessagePack object. Before every job it limits its own processor time and memory; the server (see `sandbox`) kills it
after a time. It answers with finished bytes, so that the server interprets nothing that a stranger sent.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from typing import IO, Any, Literal

import msgspec

from lampion import bounds
from lampion.games import core, registry
from lampion.games.core import EVERYTHING
from lampion.games.editions import canonical, edition, parsed
from lampion.locale import Problem, speaking
from lampion.play import Position, Record, Seeded
from lampion.server.protocol import stored_events as stored
from lampion.server.tables.continued_game import events_of_unfinished_record
from lampion.server.tables.explored_record import ExploredRecords, Question
from lampion.server.tables.precompiler import load_exploring
from lampion.server.tables.record_import import events_of_record
from lampion.server.tables.replay import MOST_ANSWER, Kind, ReplayQuery, What, bounded, show, viewer_of

CPU_SECONDS = 5
"""Processor time of one job."""
MOST_MEMORY = 96 << 20
"""Bytes of address space of one job, beyond what the process needs for the games it has loaded."""
NICENESS = 5
HEAD = 4
"""Bytes of a frame's length."""
LONGEST_FRAME = MOST_ANSWER + (1 << 20)
LONGEST_REASON = 600


class Job(msgspec.Struct, frozen=True, kw_only=True, tag_field="do"):
    """A job, in the language of whoever asked for it."""

    language: str = "en"


class LoadGame(Job, frozen=True, kw_only=True, tag="load"):
    """Load a game's compiled rules from the cache, without limits, since nothing in it is foreign."""

    game: str
    to_explore: bool = False
    """Whether to load also what positions need that are explored, set up or played on."""


class ReadEdition(Job, frozen=True, kw_only=True, tag="edition"):
    """Check an edition; the answer is its components as canonical JSON."""

    game: str
    text: bytes
    form: Literal["toml", "json"]


class ShowRecord(Job, frozen=True, kw_only=True, tag="show"):
    """Replay a record; the answer is its story, a scene, a picture or boards."""

    record: bytes
    what: What
    ply: int
    kind: Kind
    seat: str | None


class ImportRecord(Job, frozen=True, kw_only=True, tag="import"):
    """Check the record of a finished game; the answer is the events of a table that holds it."""

    record: bytes
    at: int
    host: str


class ContinueRecord(Job, frozen=True, kw_only=True, tag="continue"):
    """Check the record of an unfinished game; the answer is the events of a table at which it is played on."""

    record: bytes
    at: int
    secret: str
    host: str
    tokens: list[str]


class ExploreRecord(Job, frozen=True, kw_only=True, tag="explore"):
    """Answer a question about a position that is explored; it and its record are in the body of the request."""

    what: Question
    body: bytes


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="say"):
    """An answer of the process."""


class Ready(Answer, frozen=True, kw_only=True, tag="ready"):
    """The process has started, or has loaded a game."""


class Finished(Answer, frozen=True, kw_only=True, tag="finished"):
    """The job is done."""

    parts: list[bytes]


class NeedsGame(Answer, frozen=True, kw_only=True, tag="needs_game"):
    """The job needs a game that is not loaded, or not what positions need that are explored, set up or played on."""

    game: str
    to_explore: bool = False


class Progressed(Answer, frozen=True, kw_only=True, tag="progressed"):
    """How much of the job is done, before its answer."""

    done: int
    total: int


class Refusal(Answer, frozen=True, kw_only=True, tag="refusal"):
    """The file is refused: the key of the problem, and the reason in the asker's language."""

    key: str
    reason: str


class Failed(Answer, frozen=True, kw_only=True, tag="failed"):
    """The job ran out of memory or time, ended the process, or hit a fault of ours."""

    why: Literal["memory", "time", "crash", "fault"]
    detail: str = ""


LimitedJobs = ReadEdition | ShowRecord | ImportRecord | ContinueRecord | ExploreRecord
Jobs = LoadGame | LimitedJobs
Answers = Ready | Finished | NeedsGame | Progressed | Refusal | Failed

SendAnswer = Callable[[Answers], None]

_decode = msgspec.msgpack.Decoder(Jobs).decode
decode_answer = msgspec.msgpack.Decoder(Answers).decode
_encode = msgspec.msgpack.Encoder().encode


def frame(message: Job | Answer) -> bytes:
    """Return a message as a frame."""
    body = _encode(message)
    return len(body).to_bytes(HEAD, "big") + body


class GameMissing(Exception):
    """Raised by a job that needs a game which is not loaded, or not to explore it."""

    def __init__(self, game: str, to_explore: bool) -> None:
        super().__init__(game, to_explore)
        self.game, self.to_explore = game, to_explore


class Worker:
    """Does jobs one after another; with limits, unless it shares its process with others."""

    def __init__(self, is_limited: bool = True) -> None:
        self.is_limited = is_limited
        self.loaded: set[str] = set()
        self.loaded_to_explore: set[str] = set()
        self.base = memory_in_use()
        self._checked: tuple[bytes, Record, Position] | None = None
        """The last record, kept because a client sends it again for each part of a replay."""
        self._explored = ExploredRecords(lambda data: self._loaded(Record.from_data(data), to_explore=True))

    def answer(self, job: Jobs) -> Answers:
        """Do a job; return its answer."""
        with speaking(job.language):
            if isinstance(job, LoadGame):
                return answered(partial(self._load, job))
            return answered(partial(self._do_limited, job))

    def _load(self, job: LoadGame) -> Answers:
        if job.game not in self.loaded:
            load(job.game)
            self.loaded.add(job.game)
        if job.to_explore and job.game not in self.loaded_to_explore:
            load_exploring(job.game)
            self.loaded_to_explore.add(job.game)
        self.base = max(self.base, memory_in_use())
        return Ready()

    def _do_limited(self, job: LimitedJobs) -> Answers:
        if self.is_limited:
            limit(self.base + MOST_MEMORY)
        try:
            return Finished(parts=self._do(job))
        finally:
            if self.is_limited:
                lift_limits()

    def _do(self, job: LimitedJobs) -> list[bytes]:
        match job:
            case ReadEdition():
                return [read_edition(job)]
            case ShowRecord():
                record, position = self._check(job.record)
                asked = ReplayQuery(job.what, job.ply, job.kind, viewer_of(job.seat, record.players))
                return [show(lambda: record, position, asked)]
            case ImportRecord():
                return bodies_of(events_of_record(self._read(job.record), job.at, job.host))
            case ContinueRecord():
                record = self._read(job.record, to_explore=True)
                return bodies_of(
                    events_of_unfinished_record(record, job.at, secret=job.secret, host=job.host, tokens=job.tokens)
                )
            case ExploreRecord():
                return [self._explored.answer(job.what, job.body)]

    def _check(self, text: bytes) -> tuple[Record, Position]:
        """Return a record that was replayed and its last position."""
        if self._checked is None or self._checked[0] != text:
            self._checked = None
            record = self._read(text)
            self._checked = text, record, record.check()
        return self._checked[1:]

    def _read(self, text: bytes, to_explore: bool = False) -> Record:
        return self._loaded(Record.from_json(text), to_explore)

    def _loaded(self, record: Record, to_explore: bool) -> Record:
        """Return a record whose game is loaded; ask for it where it is not.

        Without limits a job may load by itself what it needs to explore a position.
        """
        game, to_explore = registry.game(record.game), to_explore and self.is_limited
        if game.name not in (self.loaded_to_explore if to_explore else self.loaded):
            raise GameMissing(game.name, to_explore)
        return record


def bodies_of(events: list[Any]) -> list[bytes]:
    """Return events as they are stored, within bounds."""
    bodies = [stored.encode(event) for event in events]
    bounded(b"".join(bodies))
    return bodies


def answered(work: Callable[[], Answers]) -> Answers:
    """Return what a piece of work answers, or the answer that its failure means."""
    try:
        return work()
    except GameMissing as missing:
        return NeedsGame(game=missing.game, to_explore=missing.to_explore)
    except Problem as problem:
        return Refusal(key=problem.key, reason=str(problem)[:LONGEST_REASON])
    except MemoryError:
        return Failed(why="memory")
    except Exception as error:
        return Failed(why="fault", detail=bounds.shown(f"{type(error).__name__}: {error}"))


def read_edition(job: ReadEdition) -> bytes:
    """Return the components of an edition that is a complete box of its game."""
    game = registry.game(job.game)
    if len(job.text) > bounds.MOST_EDITION:
        raise core.BadComponents("components.size", file="edition", most=bounds.MOST_EDITION)
    if job.form == "toml":
        return canonical(parsed(game, job.text.decode(), "edition").data)
    try:
        data = bounds.read_json(job.text.decode())
    except ValueError:
        raise core.BadComponents("components.table", name="components") from None
    if not isinstance(data, dict):
        raise core.BadComponents("components.table", name="components")
    return canonical(edition(game, data).data)


def load(name: str) -> None:
    """Load all that a replay of a game needs, by playing and showing a few moves."""
    position = Position(name)
    chance = Seeded(1)
    for _ in range(8):
        position.push_chances(chance)
        if position.is_over:
            break
        position.push(position.legal_moves[0])
    record = Record.of(position)
    checked = Record.from_json(record.to_json()).check()
    shown: tuple[tuple[What, Kind], ...] = (
        ("story", "json"),
        ("scene", "json"),
        ("picture", "svg"),
        ("picture", "txt"),
        ("boards", "json"),
    )
    for what, kind in shown:
        for viewer in (0, EVERYTHING):
            show(lambda: record, checked, ReplayQuery(what, checked.ply, kind, viewer))


def memory_in_use() -> int:
    """Return the bytes of address space in use; 0 where the system does not say."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def limit(memory: int, seconds: int | None = None) -> None:
    """Limit the process to `memory` bytes of address space and `seconds` of processor time, or CPU_SECONDS."""
    if sys.platform in ("win32", "emscripten"):
        return
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    set_soft_limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + 1 + (seconds or CPU_SECONDS))
    if sys.platform == "linux":
        set_soft_limit(resource.RLIMIT_AS, memory)


def lift_limits() -> None:
    """Lift the limits of a job."""
    if sys.platform in ("win32", "emscripten"):
        return
    import resource

    for kind in (resource.RLIMIT_CPU, resource.RLIMIT_AS):
        set_soft_limit(kind, resource.RLIM_INFINITY)


def set_soft_limit(kind: int, wanted: int) -> None:
    """Set one of the system's limits, as far as its upper bound allows."""
    if sys.platform in ("win32", "emscripten"):
        return
    import resource

    hard = resource.getrlimit(kind)[1]
    known = hard != resource.RLIM_INFINITY
    if known and (wanted == resource.RLIM_INFINITY or wanted > hard):
        wanted = hard
    resource.setrlimit(kind, (wanted, hard))


def serve(source: IO[bytes], send: SendAnswer, answer: Callable[[bytes], Answers]) -> None:
    """Answer the jobs that come in until the input ends."""
    send(Ready())
    while head := source.read(HEAD):
        send(answer(source.read(int.from_bytes(head, "big"))))


def run(answering: Callable[[SendAnswer], Callable[[bytes], Answers]], niceness: int = NICENESS) -> None:
    """Serve the standard streams; whatever else prints goes to standard error.

    `answering` is called with a function that sends an answer; it returns a function that answers an encoded job.
    """
    if sys.platform != "win32":
        import resource

        os.nice(niceness)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    target = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def send(answer: Answers) -> None:
        target.write(frame(answer))
        target.flush()

    try:
        serve(sys.stdin.buffer, send, answering(send))
    except BrokenPipeError:
        os._exit(0)


def reading_files(_: SendAnswer) -> Callable[[bytes], Answers]:
    """Return a function that answers an encoded job about a file."""
    worker = Worker()
    return lambda body: worker.answer(_decode(body))


def main() -> None:
    """Answer jobs about files until the input ends."""
    run(reading_files)


if __name__ == "__main__":
    main()
