"""All open tables of a server: made, found again, rebuilt from the store, let go when nobody is there."""

from __future__ import annotations

import asyncio
import gc
import logging
import re
import secrets
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import msgspec

from lampion import bounds
from lampion.games import core, registry
from lampion.games.editions import Edition, edition, standard
from lampion.locale import Problem, speaking
from lampion.play.fair import new_secret, promise
from lampion.server import events as stored
from lampion.server import messages as wire
from lampion.server.desk import Desk, is_level
from lampion.server.edition_cache import EditionCache
from lampion.server.limits import PerAddress
from lampion.server.metrics import METRICS
from lampion.server.room import AGAIN, Elsewhere, Room, new_token
from lampion.server.sandbox import Sandbox
from lampion.server.sandbox_worker import ReadEdition
from lampion.server.side_work import Answers, SideWork
from lampion.server.store import Damaged, Store, Unavailable, now
from lampion.server.sweep import Sweeper
from lampion.server.table import Refused, Table, hashed, rebuild
from lampion.server.warm import Stove, load

log = logging.getLogger("lampion.server")

QUIET = 120.0
"""Seconds that a table stays in memory after its last socket."""
SWEEP = 3600.0
"""Seconds between looks for abandoned tables."""
MOST_ROOMS = 20_000
OF_SEATED, OF_WATCHING = (100, 400), (50, 200)
"""Messages of one address a second, and at once: from sockets that hold a seat, and from others."""
MOST_CHANGES = 16 << 20
"""Bytes of events in JSON that are kept."""
BEAT = 5.0
"""Seconds after which a server tells the others again who is at its tables."""
SILENCE = 3 * BEAT
"""Seconds after which a server that tells nothing more is taken for dead."""
CROWD = 50
"""Tables in one such message; PostgreSQL carries 8,000 bytes."""


class Crowd(msgspec.Struct, frozen=True):
    """Who is at the tables of a server: by table the seats whose holders are connected, and how many look on."""

    server: str
    tables: dict[str, tuple[list[int], int]]


COLLECTIONS = (5_000, 20, 200)
"""When Python looks for cycles of objects, by their age. All of them, with thousands of sockets, take 0.3 s in which
nobody is answered: that is done rarely, for the few that live long and are let go in a cycle.
"""


class Hub:
    """The rooms of one server."""

    def __init__(self, store: Store, *, keep_days: int = 180, bot_threads: int | None = None) -> None:
        self.store = store
        self.desk = Desk(bot_threads)
        self.side_work = SideWork()
        self.sandbox = Sandbox(self.ready)
        """Reads the files that strangers send."""
        self.changes = Answers(MOST_CHANGES)
        """Events of tables as they were sent, in JSON: whoever comes back is sent most of them again."""
        self.messages = {True: PerAddress(*OF_SEATED), False: PerAddress(*OF_WATCHING)}
        """Messages of those who sit, and of those who watch: in one household, too, neither shuts the others out."""
        self.histories = PerAddress(300, 10_000)
        """Events that are sent to those who come, or want all anew."""
        self.editions = EditionCache(store)
        self.sweeper = Sweeper(store, keep_days)
        self.rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room | None]] = {}
        self._warm: dict[str, asyncio.Task[None]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self.name = secrets.token_hex(8)
        """By which the other servers of the same store know this one."""
        self._changed: set[str] = set()
        """Tables at which somebody came or went, and the others were not told yet."""
        self._has_news = asyncio.Event()
        METRICS.gauges["tables"] = "Tables in memory.", lambda: len(self.rooms)
        METRICS.gauges["sockets"] = "Open sockets.", lambda: sum(len(room.sockets) for room in self.rooms.values())
        METRICS.gauges["bots_waiting"] = "Bots' moves that wait.", lambda: self.desk.waiting

    async def open(self) -> None:
        """Make ready; games are compiled in the background, so that the first page does not wait."""
        await self.store.open()
        await self.store.listen(self._heard)
        self._tasks = [asyncio.create_task(work) for work in (self._sweep(), self._gossip(), self._warm_all())]

    async def close(self) -> None:
        """Leave every table and finish storing."""
        for task in [*self._tasks, *self._warm.values()]:
            task.cancel()
        for room in self.rooms.values():
            room.close()
        self.desk.close()
        self.side_work.close()
        await self.sandbox.close()
        await self.store.close()

    # Games ready to play

    def is_ready(self, game: str) -> bool:
        """Whether the rules of a game are compiled."""
        task = self._warm.get(game)
        return task is not None and task.done() and not task.cancelled() and task.exception() is None

    async def ready(self, game: str) -> None:
        """Wait until a game is compiled, and see to it that it is."""
        if not self.is_ready(game):
            registry.game(game)
            if game not in self._warm or self._warm[game].done():
                self._warm[game] = asyncio.create_task(warm(Stove(), game))
            await asyncio.shield(self._warm[game])

    async def _warm_all(self) -> None:
        """One game after another, in the background; one that somebody waits for has a process of its own."""
        stove = Stove(in_background=True)
        for name in registry.games():
            if name not in self._warm:
                self._warm[name] = asyncio.create_task(warm(stove, name))
            try:
                await asyncio.shield(self._warm[name])
            except Exception as error:
                log.error("game not ready", exc_info=error, extra={"game": name})
        stove.put_out()
        gc.collect()
        gc.freeze()  # what is compiled stays: to look through it again and again would stop all tables for a while
        gc.set_threshold(*COLLECTIONS)

    # Tables

    async def make(self, wanted: wire.NewTable, after: str | None = None) -> wire.MadeTable:
        """A new table."""
        game = registry.game(wanted.game)
        players = len(wanted.seats)
        bounds.check_data(wanted.options, bounds.OPTIONS)
        options = game.read_options(players, wanted.options)
        check_clock(wanted.clock)
        played_with = await self.edition_of(game, wanted)
        await self.ready(game.name)
        self._make_room()
        at, host, secret = now(), new_token(), new_secret()
        made = stored.Made(
            at,
            version=stored.VERSION,
            game=game.name,
            rules=game.version,
            players=players,
            options=options,
            edition=played_with.hash,
            secret=secret,
            host=hashed(host),
            clock=wanted.clock,
            absence=wanted.absence,
            after=after,
        )
        table = Table(new_id(), played_with)
        table.fold(made)
        events: list[Any] = [made]
        tokens: dict[int, str] = {}
        for seat, plan in enumerate(wanted.seats):
            more: list[Any] = []
            if plan.kind == "bot":
                level = plan.level or "lantern"
                if not is_level(level):
                    raise Refused("table.no_level", level=level)
                more = table.decide_bot(at, seat, level)
            elif plan.kind == "screen":
                tokens[seat] = new_token()
                name = (plan.name or "").strip()
                if not name:
                    raise Refused("table.nameless", seat=seat + 1)
                more = table.decide_sit(at, seat, name, tokens[seat], plan.commit)
            for one in more:
                table.fold(one)
            events += more
        if wanted.start:
            events += table.decide_start(at)
        room = Room(self, Table(table.id, played_with))
        await room.append(events)
        self.rooms[table.id] = room
        METRICS.tables_made.add()
        log.info("table made", extra={"game": game.name, "players": players})
        return wire.MadeTable(table=table.id, host=host, tokens=tokens, promise=promise(secret))

    async def edition_of(self, game: core.Game, wanted: wire.NewTable) -> Edition:
        """Return the edition that a new table is played with: the game's own, or one that was sent along."""
        given = bytes(wanted.components)
        if wanted.edition is not None:
            job = ReadEdition(game=game.name, text=wanted.edition.encode(), form="toml")
        elif given not in (b"", b"null"):
            job = ReadEdition(game=game.name, text=given, form="json")
        else:
            return standard(game.name)
        (written,) = await self.sandbox.run(job)
        return self.editions.share(edition(game, msgspec.json.decode(written)))

    async def rematch(self, table: Table) -> str:
        """A table for the same people with the seats turned by one; the seats' tokens and the host's stay good."""
        made = table.made
        self._make_room()
        at = now()
        following = Table(new_id(), table.edition)
        fresh = stored.Made(
            at,
            version=stored.VERSION,
            game=made.game,
            rules=table.game.version,
            players=made.players,
            options=made.options,
            edition=table.edition.hash,
            secret=new_secret(),
            host=made.host,
            clock=made.clock,
            absence=made.absence,
            after=table.id,
        )
        events: list[Any] = [fresh]
        for number, seat in enumerate(table.seats):
            to = (number + 1) % made.players
            if seat.kind == "bot":
                events.append(stored.BotSat(at, seat=to, level=str(seat.level)))
            elif seat.is_held:  # a seat whose holder was sent away is free
                events.append(stored.Sat(at, seat=to, name=seat.name, token=seat.token))
        room = Room(self, following)
        await room.append(events)
        self.rooms[following.id] = room
        METRICS.tables_made.add()
        log.info("table made", extra={"game": made.game, "players": made.players})
        return following.id

    async def room(self, id: str) -> Room | None:
        """An open table, or one from the store; None where there is none. It stays for who comes to sit down."""
        if not is_id(id):
            return None
        if id in self.rooms:
            self.rooms[id].quiet_since = time.monotonic()
            return self.rooms[id]
        if id not in self._loading:
            self._loading[id] = asyncio.create_task(self._load(id))
        try:
            return await asyncio.shield(self._loading[id])
        finally:
            self._loading.pop(id, None)

    async def _load(self, id: str) -> Room | None:
        bodies = await self.store.read(id)
        if not bodies:
            return None
        events = [stored.decode(body) for body in bodies]
        if not isinstance(events[0], stored.Made):
            raise Damaged("server.table_damaged")
        await self.ready(events[0].game)
        with suppress(Unavailable, Damaged):  # it can be looked at
            await self.store.touch([id])
        played_with = await self.editions.of(events[0])
        table = await self.side_work.run(id, lambda: rebuild(id, events, played_with))
        self._make_room()
        room = self.rooms[id] = Room(self, table)
        if self.store.is_shared:
            room.absence.wait(2 * BEAT)
        try:
            async with room.lock:
                await room.catch_up()  # what another server stored meanwhile was told to nobody here
        except Unavailable:
            self._heard_of(room, len(events) + 1)
        return self.rooms.get(id)

    async def remove(self, room: Room) -> None:
        """Take a table out of the store and out of memory, for good."""
        await self.store.delete(room.table.id)
        self.drop(room)

    def drop(self, room: Room) -> None:
        """A table is in the store no more: those who are there are told, and it leaves memory."""
        self.rooms.pop(room.table.id, None)
        for socket in room.sockets:
            with speaking(socket.language):
                room.refuse(socket, None, Refused("server.no_table"))
        room.close()

    # Other servers of the same store

    def _heard(self, news: str) -> None:
        """A server of this store has news; without words, some may have been missed."""
        number, _, table = news.partition(" ")
        if not news:
            for room in self.rooms.values():
                self._heard_of(room, room.table.seq + 1)
        elif news.startswith("{"):
            self._heard_crowd(news)
        elif table in self.rooms:
            self._heard_of(self.rooms[table], int(number))

    def _heard_of(self, room: Room, seq: int) -> None:
        """A table has events up to that number now; none at all where it was removed."""
        if seq == 0:
            self.drop(room)
        elif room.table.seq < seq:
            task = asyncio.create_task(self._catch_up(room, seq))
            room._tasks.add(task)
            task.add_done_callback(room._tasks.discard)

    def _heard_crowd(self, news: str) -> None:
        """Another server tells who is at its tables; who is new to us is told in turn who is here."""
        crowd = msgspec.json.decode(news, type=Crowd)
        for table, (here, watchers) in crowd.tables.items():
            room = self.rooms.get(table)
            if room is None or crowd.server == self.name:
                continue
            known = room.elsewhere.pop(crowd.server, None)
            if here or watchers:
                room.elsewhere[crowd.server] = Elsewhere(here, watchers, time.monotonic())
                if known is None and room.sockets:
                    self.presence_changed(room)
            room.show_presence()

    def presence_changed(self, room: Room) -> None:
        """Somebody came or went here: the other servers shall know."""
        if self.store.is_shared:
            self._changed.add(room.table.id)
            self._has_news.set()

    async def _gossip(self) -> None:
        """Tell the other servers who is here: at once where that changed, and all of it now and then, so that a server
        that heard nothing of it learns it, and nobody is thought to be at one that died."""
        beat = time.monotonic() + BEAT
        while self.store.is_shared:
            try:
                await asyncio.wait_for(self._has_news.wait(), max(0.0, beat - time.monotonic()))
            except TimeoutError:
                beat = time.monotonic() + BEAT
                self._forget_the_dead()
                self._changed.update(id for id, room in self.rooms.items() if room.sockets)
            self._has_news.clear()
            changed, self._changed = self._changed, set()
            await self._tell_crowd(changed)

    def _forget_the_dead(self) -> None:
        """Nobody is at a server that has been silent for so long."""
        oldest = time.monotonic() - SILENCE
        for room in self.rooms.values():
            if any(other.heard < oldest for other in room.elsewhere.values()):
                room.elsewhere = {name: other for name, other in room.elsewhere.items() if other.heard >= oldest}
                room.show_presence()

    async def _tell_crowd(self, tables: Iterable[str]) -> None:
        """Tell the other servers who is at these tables here."""
        all = [(id, self._here(id)) for id in tables]
        parts = [Crowd(self.name, dict(all[i : i + CROWD])) for i in range(0, len(all), CROWD)]
        try:
            if parts:
                await self.store.tell([msgspec.json.encode(part).decode() for part in parts])
        except Exception as error:
            log.error("other servers not told", exc_info=error)

    def _here(self, table: str) -> tuple[list[int], int]:
        """The seats whose holders are connected to this very server, and how many look on."""
        sockets = self.rooms[table].sockets if table in self.rooms else ()
        return sorted({seat for one in sockets for seat in one.seats}), sum(not one.seats for one in sockets)

    async def _catch_up(self, room: Room, seq: int) -> None:
        """Read what others stored, as soon as the store can be read."""
        while not room.is_closed:
            try:
                async with room.lock:
                    if room.table.seq < seq:
                        await room.catch_up()
                return
            except Unavailable:
                await asyncio.sleep(AGAIN)
            except Problem as problem:
                log.error("table not read", extra={"table": room.table.id, "why": problem.code})
                return

    async def _sweep(self) -> None:
        """Now and then: let quiet tables go, remove abandoned ones."""
        last = -SWEEP
        while True:
            await asyncio.sleep(5)
            self.let_quiet_go()
            if time.monotonic() - last > SWEEP:
                last = time.monotonic()
                try:
                    await self.remove_abandoned()
                except Unavailable:
                    last -= SWEEP  # the log heard of it; again soon
                except Exception as error:
                    log.error("abandoned tables stay", exc_info=error)

    def _make_room(self) -> None:
        """Let quiet tables go where there are too many in memory; refuse where none is quiet."""
        if len(self.rooms) < MOST_ROOMS:
            return
        quiet = sorted((room.quiet_since, id) for id, room in self.rooms.items() if room.is_quiet)
        if not quiet:
            raise Refused("server.full")
        for _, id in quiet[: MOST_ROOMS // 100]:
            self.rooms.pop(id).close()

    def let_quiet_go(self) -> None:
        """Tables at which nobody was for a while leave memory; they stay in the store."""
        for id, room in list(self.rooms.items()):
            if room.is_quiet and time.monotonic() - room.quiet_since > QUIET:
                room.close()
                del self.rooms[id]

    async def remove_abandoned(self) -> int:
        """Remove tables that nobody touched for so long; finished games stay. Those in memory are touched, so that no
        other server of the same store takes them for abandoned. Return how many were removed."""
        return await self.sweeper.sweep(list(self.rooms))


def new_id() -> str:
    """The id of a table, which is its link: 96 bits that nobody can guess. A command line would take a dash at its
    beginning for an option."""
    while (id := secrets.token_urlsafe(12)).startswith("-"):
        pass
    return id


def is_id(text: str) -> bool:
    """Return whether a text can be the id of a table; anything else is not looked for in the store."""
    return re.fullmatch(r"[A-Za-z0-9_-]{1,64}", text) is not None


def check_clock(clock: stored.Clock) -> None:
    """A clock that can run."""
    if clock.kind != "none" and not 5 <= clock.seconds <= 86_400:
        raise Refused("table.clock", least=5, most=86_400)
    if not is_level(clock.level):
        raise Refused("table.no_level", level=clock.level)


async def warm(stove: Stove, game: str) -> None:
    """Have a game compiled, which leaves it in the cache, then take it from there."""
    await stove.cook(game)
    await asyncio.to_thread(load, game)
