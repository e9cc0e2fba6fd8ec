"""Clocks of tables: when a person's time runs out, a bot moves. The time passes when the tests say so."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from waiting import PATIENCE

from lampion.server.protocol import http_types
from lampion.server.protocol import messages as wire
from lampion.server.protocol import stored_events as stored
from lampion.server.storage.sqlite import SqliteStore
from lampion.server.tables import bot_seats, clock
from lampion.server.tables import hub as hubs
from lampion.server.tables.hub import Hub
from lampion.server.tables.live_table import LiveTable
from lampion.server.tables.participant import Participant
from lampion.server.tables.wish_handlers import handle

from .seeded import Entropy

ANN, BOB = (http_types.SeatPlan("screen", name) for name in ("Ann", "Bob"))
BOT = http_types.SeatPlan("bot", level="spark")
SECONDS = 600


class Sitting:
    """Somebody at a table, and all that they are sent."""

    def __init__(self) -> None:
        self.participant = Participant(self._take, lambda: None)
        self.latest: dict[str, Any] = {}
        self.changes: list[dict[str, Any]] = []
        self._news = asyncio.Event()

    def _take(self, message: bytes) -> None:
        word = msgspec.json.decode(message)
        if word["say"] == "update":
            self.latest = word
            self.changes += word["changes"]
            self._news.set()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds after an update."""
        async with asyncio.timeout(PATIENCE):
            while not holds():
                self._news.clear()
                await self._news.wait()

    @property
    def moves(self) -> list[Any]:
        """The moves that may be made now."""
        return list(self.latest["view"].get("moves", []))

    def has_been_moved_for(self) -> bool:
        """Return whether a bot has moved because the time was up."""
        return any(change.get("by") == "clock" for change in self.changes)


class Room:
    """A games room whose clocks stand until time passes."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.now = 0.0

    def pass_time(self, seconds: float) -> None:
        """Let time pass: what was to happen meanwhile happens now."""
        self.now += seconds

    async def seat(self, kind: str, *seats: http_types.SeatPlan) -> tuple[LiveTable, list[Sitting]]:
        """Begin a game with a clock; return the table and the people at it."""
        clock = stored.Clock(kind, SECONDS, "spark")  # type: ignore[arg-type]
        wanted = http_types.NewTable(game="lumens", seats=list(seats), clock=clock, start=True)
        made = await self.hub.make(wanted)
        live = await self.hub.find(made.table)
        assert live is not None
        people = []
        for token in made.tokens.values():
            one = Sitting()
            await handle(live, one.participant, wire.Hello(version=wire.VERSION, tokens=[token]))
            people.append(one)
        return live, people


@asynccontextmanager
async def opened(folder: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Room]:
    """Open a games room of one's own."""
    hub = Hub(SqliteStore(folder / "lampion.db"))
    room = Room(hub)
    loop = asyncio.get_running_loop()
    running = loop.time
    monkeypatch.setattr(loop, "time", lambda: running() + room.now)
    monkeypatch.setattr(clock, "time", SimpleNamespace(monotonic=lambda: room.now))
    monkeypatch.setattr(bot_seats, "TIME_TO_UNDO", 0)
    entropy = Entropy(Path(os.environ["LAMPION_RUNNING_TEST"]))
    monkeypatch.setattr(hubs, "new_secret", entropy.token_hex)
    monkeypatch.setattr(bot_seats, "secrets", entropy)
    await hub.open()
    try:
        yield room
    finally:
        await hub.close()


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Room], Awaitable[None]]], None]:
    """Run what happens in a games room."""

    async def run(happens: Callable[[Room], Awaitable[None]]) -> None:
        async with opened(tmp_path, monkeypatch) as room:
            await happens(room)

    return lambda happens: asyncio.run(run(happens))


Play = Callable[[Callable[[Room], Awaitable[None]]], None]


def test_a_clock_lets_a_bot_move(play: Play) -> None:
    async def happens(room: Room) -> None:
        live, [ann] = await room.seat("move", ANN, BOT)
        await ann.until(lambda: bool(ann.moves))
        room.pass_time(SECONDS - 1)
        assert live.clock.remaining(0) == 1000
        room.pass_time(1)
        assert live.clock.remaining(0) == 0
        await ann.until(ann.has_been_moved_for)
        assert ann.latest["table"]["seats"][0]["remaining"] == 1000 * SECONDS

    play(happens)


def test_when_time_is_up_a_question_to_go_back_ends_with_the_bots_move(play: Play) -> None:
    async def happens(room: Room) -> None:
        live, people = await room.seat("move", ANN, BOB)
        seat = 0 if people[0].moves else 1
        mover = people[seat]
        while moves := mover.moves:
            seq = live.table.seq
            await handle(live, mover.participant, wire.Move(seat=seat, seq=seq, move=moves[0]))
            assert live.table.seq > seq, "the move is refused"
        await handle(live, mover.participant, wire.Undo(seat=seat, seq=live.table.seq))
        assert "undo" in mover.latest["table"]
        room.pass_time(SECONDS)
        await mover.until(mover.has_been_moved_for)
        assert "undo" not in mover.latest["table"]

    play(happens)


def test_a_clock_for_the_game_runs_out_once_and_a_bot_plays_on(play: Play) -> None:
    async def happens(room: Room) -> None:
        _, [ann] = await room.seat("game", ANN, BOT)
        await ann.until(lambda: bool(ann.moves))
        room.pass_time(SECONDS)
        await ann.until(ann.has_been_moved_for)
        assert ann.latest["table"]["seats"][0]["remaining"] == 0
        await ann.until(lambda: ann.latest["table"]["status"] == "over")
        moved = [change for change in ann.changes if change.get("seat") == 0 and change["kind"] == "moved"]
        assert {change["by"] for change in moved} == {"clock"}

    play(happens)
