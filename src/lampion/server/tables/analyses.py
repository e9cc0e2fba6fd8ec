"""Analyses of finished games: asked for once, made in another process, stored with the table.

Whoever may see a game's replay may ask, as long as its address does not ask too often; whoever asks later joins.
Whoever asked may withdraw: when nobody is left who wants it, the work stops. Its progress can be read by all. What is
under way is lost when the server stops, and made when it is asked for again; other servers of the same database do not
know of it.
"""

from __future__ import annotations

import asyncio
import logging
import zlib
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from lampion.insight.settings import STANDARD, VERSION, Settings
from lampion.locale import Problem
from lampion.server.protocol.analysis_types import AnalysisState
from lampion.server.protocol.refusals import Refused
from lampion.server.storage.store import Store
from lampion.server.tables.insight_worker import (
    AnalyseRecord,
    FindHints,
    JudgeMove,
    MakeFilm,
    Prepare,
    WorthOfPosition,
)
from lampion.server.tables.job_runner import Program, Start, start_process
from lampion.server.tables.rate_limits import AddressLimiter, asker
from lampion.server.tables.replay import MOST_ANSWER
from lampion.server.tables.sandbox import Sandbox
from lampion.server.tables.side_work import ByteCache

log = logging.getLogger("lampion.server")

SETTINGS: Settings = STANDARD
"""The effort: that of `lampion analyse`, so that the bytes are the same."""
ANALYST = Program(
    "lampion.server.tables.insight_worker",
    seconds=1800.0,
    most_of_address=3,
    most_waiting=64,
    takes_long=True,
    trouble="game not analysed",
)
JUDGE = Program(
    "lampion.server.tables.insight_worker",
    seconds=300.0,  # a judgement takes one or two; the first of a game on a new machine waits for the compiler
    most_of_address=6,
    most_waiting=32,
    idle_seconds=900.0,
    finishes=True,
    trouble="move not judged",
)
PROJECTOR = Program(
    "lampion.server.tables.insight_worker",
    seconds=120.0,
    most_of_address=3,
    most_waiting=16,
    takes_long=True,
    trouble="film not made",
)
ASKS = (1 / 30, 6)
"""Analyses that one address may ask for: one in thirty seconds, six at once."""
TRIES = (0.5, 20)
"""Moves that one address may have judged: one in two seconds, twenty at once."""
WORTHS = (1, 30)
"""Explored positions whose worth one address may ask for: one a second, thirty at once."""
FILMS = (0.2, 6)
"""Films that one address may ask for: one in five seconds, six at once."""
MOST_KEPT = 16 << 20
MOST_FAILURES = 200


class _Version(msgspec.Struct):
    """The part of an analysis that says how its figures were computed."""

    version: int


@dataclass
class _Making:
    """An analysis that waits or is being made, and the addresses that want it."""

    askers: set[str]
    done: int = 0
    total: int = 0
    task: asyncio.Task[None] | None = field(default=None)

    def heard(self, done: int, total: int) -> None:
        """Note how far it is."""
        self.done, self.total = done, total


class Analyses:
    """The analyses of a server's tables, and the processes that make them, judge moves and make films."""

    def __init__(self, store: Store, ready: Callable[[str], Awaitable[None]], start: Start = start_process) -> None:
        self._store = store
        self.analyst, self.judge = Sandbox(ready, ANALYST, start), Sandbox(ready, JUDGE, start)
        self.projector = Sandbox(ready, PROJECTOR, start)
        self._asks, self._tries = AddressLimiter(*ASKS), AddressLimiter(*TRIES)
        self._worths = AddressLimiter(*WORTHS)
        self._films = AddressLimiter(*FILMS)
        self._kept = ByteCache(MOST_KEPT)
        self._making: dict[str, _Making] = {}
        self._failed: dict[str, None] = {}
        self._prepared: dict[tuple[str, int], asyncio.Task[None]] = {}
        """What the process that judges has loaded, or is about to."""

    async def close(self) -> None:
        """Stop the processes; what was not finished is lost."""
        for making in self._making.values():
            if making.task is not None:
                making.task.cancel()
        await self.analyst.close()
        await self.judge.close()
        await self.projector.close()

    async def figures(self, table: str) -> bytes | None:
        """Return the analysis of a table's game as JSON, None where there is none of the current version."""
        found = self._kept.get(table)
        if found is None:
            found = unpacked(await self._store.analysis(table))
            if found is not None:
                self._kept.keep(table, found)
        return found

    async def state(self, table: str) -> AnalysisState:
        """Return how far the analysis of a table's game is."""
        making = self._making.get(table)
        if making is not None:
            return AnalysisState("making" if making.total else "waiting", making.done, making.total)
        if await self.figures(table) is not None:
            return AnalysisState("done")
        return AnalysisState("failed" if table in self._failed else "none")

    async def ask(self, table: str, record: Callable[[], Awaitable[bytes]]) -> AnalysisState:
        """Have a finished game analysed, unless it is or will be; return how far it is.

        Raises Refused where the address has asked too often, or where too many wait.
        """
        state = await self.state(table)
        if state.state in ("none", "failed"):
            self._must_have_room(asker.get())
            self._asks.take(asker.get())
            written = await record()
            if table not in self._making:  # somebody else may have asked meanwhile
                self._failed.pop(table, None)
                making = self._making[table] = _Making({asker.get()})
                making.task = asyncio.create_task(self._make(table, written, making))
        elif table in self._making:
            self._making[table].askers.add(asker.get())
        return await self.state(table)

    def _must_have_room(self, address: str) -> None:
        """Refuse where too many analyses wait, of an address or in all."""
        own = sum(address in making.askers for making in self._making.values())
        if own >= ANALYST.most_of_address or len(self._making) >= ANALYST.most_waiting:
            raise Refused("server.busy")

    async def _make(self, table: str, record: bytes, making: _Making) -> None:
        """Make an analysis and store it."""
        try:
            (found,) = await self.analyst.run(AnalyseRecord(record=record, settings=SETTINGS), making.heard)
            await self._store.keep_analysis(table, zlib.compress(found))
            self._kept.keep(table, found)
        except Problem as problem:
            log.warning("game not analysed", extra={"table": table, "why": problem.code})
            self._failed[table] = None
            while len(self._failed) > MOST_FAILURES:
                del self._failed[next(iter(self._failed))]
        finally:
            if self._making.get(table) is making:
                del self._making[table]

    async def withdraw(self, table: str) -> AnalysisState:
        """Take back what this address asked for; where nobody else did, the work stops."""
        making = self._making.get(table)
        if making is not None:
            making.askers.discard(asker.get())
            if not making.askers:
                self.give_up(table)
        return await self.state(table)

    def give_up(self, table: str) -> None:
        """Stop the analysis of a table, if one is under way."""
        making = self._making.pop(table, None)
        if making is not None and making.task is not None:
            making.task.cancel()

    async def judged(self, record: bytes, ply: int, move: dict[str, Any]) -> bytes:
        """Return a judgement of a move in the place of the `ply`-th of a game, as JSON."""
        self._tries.take(asker.get())
        try:
            (found,) = await self.judge.run(JudgeMove(record=record, ply=ply, move=move, settings=SETTINGS))
        except Refused as problem:
            raise problem if problem.code == "busy" else Refused("server.not_judged") from None
        return found

    async def hints(self, record: bytes, seat: int) -> bytes:
        """Return the best moves of a seat as JSON, from a record that begins at the position as the seat knows it."""
        self._tries.take(asker.get())
        try:
            (found,) = await self.judge.run(FindHints(record=record, seat=seat, settings=SETTINGS))
        except Problem as problem:
            raise problem if problem.code == "busy" else Refused("server.no_hint") from None
        return found

    async def film(self, record: bytes, viewer: int, kind: Literal["svg", "html"]) -> bytes:
        """Return a game as a moving picture or as a page with a slider, as a viewer sees it."""
        self._films.take(asker.get())
        (found,) = await self.projector.run(MakeFilm(record=record, viewer=viewer, kind=kind))
        return found

    def prepare(self, game: str, players: int) -> None:
        """Let the process that judges load a game, unless it did so before."""
        if self.judge.pid is None:
            self._prepared.clear()
        if (game, players) not in self._prepared:
            self._prepared[game, players] = asyncio.create_task(self._prepare(Prepare(game=game, players=players)))

    async def _prepare(self, job: Prepare) -> None:
        with suppress(Problem):
            await self.judge.run(job)

    async def worth(self, body: bytes) -> bytes:
        """Return what the position in the body of a request is worth, as JSON."""
        self._worths.take(asker.get())
        try:
            (found,) = await self.judge.run(WorthOfPosition(body=body, settings=SETTINGS))
        except Refused as problem:
            raise problem if problem.code == "busy" else Refused("server.not_judged") from None
        return found


def unpacked(stored: bytes | None) -> bytes | None:
    """Return an analysis as it was before it was stored; None for one that is damaged or computed in another way."""
    if stored is None:
        return None
    with suppress(zlib.error, msgspec.MsgspecError):
        found = zlib.decompressobj().decompress(stored, MOST_ANSWER)
        if msgspec.json.decode(found, type=_Version).version == VERSION:
            return found
    return None
