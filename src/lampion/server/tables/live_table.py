"""A table in memory: its participants, its clock, its bots.

Changes pass one after another under `lock`. What a wish adds is stored first, then folded in, then sent to everybody,
to each as far as they may know it.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Callable, Coroutine, Set
from typing import Any, Protocol

from lampion import __version__
from lampion.games import core
from lampion.games.editions import canonical
from lampion.locale import Problem
from lampion.server.metrics import METRICS
from lampion.server.protocol import messages as wire
from lampion.server.protocol import stored_events as stored
from lampion.server.protocol.refusals import Refused, Stale
from lampion.server.protocol.table_info import TableInfo
from lampion.server.storage.store import Conflict, Heading, Store, now
from lampion.server.tables.bot_pool import BotPool, is_level
from lampion.server.tables.bot_seats import BotSeats
from lampion.server.tables.clock import TableClock
from lampion.server.tables.hints import Finder, TableHints
from lampion.server.tables.participant import Participant
from lampion.server.tables.presence import Presence
from lampion.server.tables.rate_limits import AddressLimiter, TokenBucket, asker
from lampion.server.tables.seal_timer import SealTimer
from lampion.server.tables.side_work import ByteCache, SideWork
from lampion.server.tables.simultaneous_views import NO_SEATS
from lampion.server.tables.table import Table
from lampion.server.tables.table_status import status_after
from lampion.server.tables.update_builder import UpdateBuilder, table_info

log = logging.getLogger("lampion.server")


class Services(Protocol):
    """What the live tables of a server share."""

    store: Store
    bot_pool: BotPool
    side_work: SideWork
    changes: ByteCache
    messages: dict[bool, AddressLimiter]
    histories: AddressLimiter

    @property
    def analyses(self) -> Finder:
        """What finds hints."""

    def presence_changed(self, live: LiveTable) -> None:
        """Note that somebody came to a table or left it."""

    def drop(self, live: LiveTable) -> None:
        """Let a table go that is no longer in the store."""

    async def rematch(self, table: Table) -> str:
        """Make a table for the same people; return its id."""


class LiveTable:
    """A table in memory."""

    def __init__(self, hub: Services, table: Table) -> None:
        self.hub, self.table = hub, table
        self.lock = asyncio.Lock()
        self.charged = asker.get()
        """The address that its bots' thinking is charged to: of whoever made it, or else opened it."""
        self.presence = Presence()
        self.participants = self.presence.participants
        self.clock = TableClock(table, self._time_is_up)
        self.bots = BotSeats(self, hub.bot_pool)
        self.hints = TableHints(table, hub.analyses)
        self._seal_timer = SealTimer(self)
        self.changes = AddressLimiter(1, 40)
        """Limits wishes besides moves that would be stored."""
        self.moves = AddressLimiter(20, 100)
        self.greetings = [TokenBucket(0.5, 5) for _ in range(core.MOST_SEATS)]
        self.tasks: set[asyncio.Task[None]] = set()
        self.is_closed = False

    # Coming and going

    async def greet(self, participant: Participant, hello: wire.Hello) -> None:
        """Admit a participant and send them all that is new to them, or refuse."""
        if hello.version != wire.VERSION:
            raise Refused("server.version", version=hello.version, known=wire.VERSION)
        held = {seat for token in hello.tokens if (seat := self.table.seat_of(token)) is not None}
        dropped = self.presence.find_one_to_drop(participant, bool(held))
        since = hello.since if hello.since <= self.table.seq else 0
        self.charge_history(since)
        if dropped is not None:
            self.leave(dropped)
            dropped.drop()
        # Only now: a refused participant is not in the list from which a seat is taken when it changes hands.
        participant.seats, participant.is_host = sorted(held), any(map(self.table.is_host, hello.tokens))
        participant.language, participant.greeted = hello.language, True
        self.participants.add(participant)
        participant.say(
            wire.Welcome(
                version=wire.VERSION, server=__version__, seats=sorted(participant.seats), host=participant.is_host
            )
        )
        self.send_history(participant, since)
        self.announce_presence()
        if held:
            self.hints.prepare()
        self.go_on()

    def leave(self, participant: Participant) -> None:
        """Remove a participant; they keep their seats."""
        if self.presence.remove(participant):
            self.announce_presence()
            if not self.participants:
                self.bots.dismiss()

    def announce_presence(self) -> None:
        """Tell everybody, also those on other servers, that somebody came or went here."""
        self.hub.presence_changed(self)
        self.presence.announce()

    # Storing and sending

    async def store(self, decide: Callable[[int], list[Any]]) -> None:
        """Append the events that `decide` returns for the present time."""
        await self.append(decide(now()))

    async def append(self, events: list[Any]) -> None:
        """Store events, fold them in and send them; where another server was first, catch up and raise Stale."""
        table = self.table
        since = table.seq
        bodies = [stored.encode(event) for event in events]
        edition = (table.edition.hash, canonical(table.edition.data)) if since == 0 else None
        began = time.perf_counter()
        try:
            await self.hub.store.append(table.id, since, bodies, self.heading(events), edition)
        except Conflict:
            await self.catch_up()
            raise Stale("table.stale", seq=table.seq) from None
        METRICS.store_seconds.observe(time.perf_counter() - began)
        for event in events:
            table.fold(event)
            METRICS.moves.add(isinstance(event, stored.Moved))
            if isinstance(event, stored.Ended):
                log.info("game over", extra={"game": table.made.game, "moves": table.position.ply})
        self.send_updates(since, events)

    def heading(self, events: list[Any]) -> Heading:
        """Return what the list of tables shows after these events."""
        table = self.table
        made = events[0] if isinstance(events[0], stored.Made) else table.made
        status = status_after(events, table.status)
        return Heading(table.id, made.game, made.players, status, made.at, events[-1].at, table.seq + len(events))

    async def catch_up(self) -> None:
        """Take in what another server stored; a table without its last event was removed there."""
        since = self.table.seq
        known = min(since, 1)
        bodies = await self.hub.store.read(self.table.id, since - known)
        if not bodies:
            self.hub.drop(self)
        events = [stored.decode(body) for body in bodies[known:]]
        for event in events:
            self.table.fold(event)
        if events:
            self.send_updates(since, events)

    def send_updates(self, since: int, events: list[Any]) -> None:
        """Send everybody what is new and take the seats that changed hands from their former holders."""
        changed_hands = [event.seat for event in events if isinstance(event, (stored.Reseated, stored.Freed))]
        for seat in changed_hands:
            for participant in self.participants:
                participant.lose_seat(seat)
        for event in events:
            if isinstance(event, stored.Moved):
                self.clock.reset(event.seat)
        unsent = self.table.unsent_since(since)
        if unsent < since or any(isinstance(event, stored.Undone) for event in events):
            self.bots.forget_searches()  # moves were taken back, or others come before those that a bot remembers
        self.hints.table_changed()
        builder = self._builder(unsent)
        for participant in self.participants:
            participant.send(builder.update(participant.viewer, participant.language, set(participant.seats)))
        if changed_hands:
            self.announce_presence()
        if any(isinstance(event, stored.Started) for event in events):
            self.hints.prepare()
        self.go_on()

    def charge_history(self, since: int = 0) -> None:
        """Charge the events after a number to the address that asks for them, or refuse."""
        self.hub.histories.charge(max(1, len(self.table.recent(since))))

    def send_history(self, participant: Participant, since: int = 0) -> None:
        """Send a participant all events after a number, as they may know them."""
        participant.send(self.update(participant.viewer, since, participant.language, set(participant.seats)))

    def update(self, viewer: int, since: int, language: str, seats: Set[int] | None = None) -> bytes:
        """Return an update in JSON with all events after a number, for a viewer and the seats they hold."""
        held = (NO_SEATS if viewer < 0 else {viewer}) if seats is None else seats
        return self._builder(self.table.unsent_since(since)).update(viewer, language, held)

    def _builder(self, since: int) -> UpdateBuilder:
        return UpdateBuilder(self.table, since, self.info, self.hub.changes)

    def info(self, names: list[str]) -> TableInfo:
        """Return the table as everybody sees it, with these names for its seats."""
        return table_info(self.table, names, self.presence, self.clock.remaining)

    def refuse(self, participant: Participant, id: int | None, problem: Problem) -> None:
        """Send a participant the reason why a wish was refused."""
        METRICS.refusals.add()
        seq = self.table.seq if isinstance(problem, Stale) else None
        participant.say(wire.No(id=id, code=problem.code, reason=str(problem), seq=seq))

    # Conditions that depend on who is here

    def must_be_away(self, seat: int) -> None:
        """Refuse unless a seat's holder has been away for as long as the table requires."""
        required = self.table.made.absence
        if seat in self.presence.here:
            raise Refused("table.is_here", seat=seat + 1, count=required)
        left = math.ceil(required - self.presence.absence.seconds(seat))
        if left > 0:
            raise Refused("table.not_away_long", seat=seat + 1, count=left)

    def must_not_have_begun(self, seat: int) -> None:
        """Refuse from the beginning of the game on: whoever takes a seat that its holder has not given away would see
        its secrets, and after the game write notes in its name."""
        if self.table.status != "open":
            raise Refused("table.holder_only", seat=seat + 1)

    def level(self, name: str | None) -> str:
        """Return a bot's level, or that of the table's clock where none is named; refuse an unknown one."""
        chosen = name or self.table.made.clock.level
        if not is_level(chosen):
            raise Refused("table.no_level", level=chosen)
        return chosen

    # Moves

    async def kick(self, seat: int, level: str | None) -> None:
        """Take a seat from its holder: before the game it is free again, later a bot plays on."""
        await self.store(lambda at: self.table.decide_kick(at, seat, self.level(level)))

    async def move(self, seat: int, move: Any, by: str) -> None:
        """Make a move for a seat, by its "player", a "bot" or the "clock"."""
        table = self.table
        if by == "player" and not table.seats[seat].plays_itself:
            raise Refused("table.bot_plays", seat=seat + 1)
        await self.store(lambda at: table.decide_move(at, seat, move, self.clock.spent(seat), by))

    def go_on(self) -> None:
        """Run the clocks and let bots think; call this after every change.

        Bots wait while people decide about an undo request, which a move would end, and while nobody is connected.
        In a guided game their moves are in its script.
        """
        table = self.table
        runs = table.is_playing and not table.paused and not self.is_closed
        pending = set(table.pending)
        self.clock.run(pending, runs)
        if table.is_revealed:
            self.bots.dismiss()
        if runs and not table.waits_for_answers and table.guidance is None:
            for seat in pending:
                if (level := table.seats[seat].level) is not None:
                    self.bots.ask(seat, level, "bot")
        self.clock.set_alarm()
        if not self.is_closed:
            self._seal_timer.watch()

    def _time_is_up(self, seat: int) -> None:
        """Let a bot move for a person whose clock has run out."""
        self.bots.ask(seat, self.table.made.clock.level, "clock")

    def run_aside(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a piece of work in the background."""
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    @property
    def is_quiet(self) -> bool:
        """Whether nobody is here and no bot thinks, so that the table can leave memory."""
        return not self.participants and not self.bots.are_thinking and not self.lock.locked()

    def close(self) -> None:
        """Stop the timers and drop the participants: the table leaves memory."""
        self.is_closed = True
        self._seal_timer.cancel()
        self.hints.close()
        self.clock.stop_alarm()
        for participant in list(self.participants):
            participant.drop()
