"""The live tables of a server: made, loaded from the store, let go when nobody is there."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from typing import Any

import msgspec

from lampion import bounds
from lampion.games import core, registry
from lampion.games.editions import Edition, edition, standard
from lampion.locale import Problem, say, speaking
from lampion.play.fair import new_secret, promise
from lampion.play.recorded_chance import ChanceInfo
from lampion.play.tutorial import Tutorial, tutorial
from lampion.server.metrics import METRICS
from lampion.server.protocol import http_types
from lampion.server.protocol import stored_events as stored
from lampion.server.protocol.analysis_types import PlayOnRequest
from lampion.server.protocol.refusals import Refused
from lampion.server.storage.edition_cache import EditionCache
from lampion.server.storage.store import Damaged, Store, Unavailable, now
from lampion.server.storage.sweep import Sweeper
from lampion.server.tables.analyses import Analyses
from lampion.server.tables.bot_pool import BotPool, Elsewhere, is_level
from lampion.server.tables.bot_seats import AGAIN
from lampion.server.tables.continued_game import events_of_continued_game
from lampion.server.tables.game_loader import GameLoader, Loader
from lampion.server.tables.ids import is_table_id, new_table_id, new_token
from lampion.server.tables.job_runner import Start, start_process
from lampion.server.tables.live_table import LiveTable
from lampion.server.tables.precompiler import PARTS
from lampion.server.tables.presence_between_servers import BEAT, PresenceBroadcast
from lampion.server.tables.rate_limits import AddressLimiter
from lampion.server.tables.sandbox import Sandbox
from lampion.server.tables.sandbox_worker import ContinueRecord, ReadEdition
from lampion.server.tables.seat import hashed
from lampion.server.tables.side_work import ByteCache, SideWork
from lampion.server.tables.table import Table, rebuild

log = logging.getLogger("lampion.server")

OPPONENT = "spark"
"""The level of the bots that play on when a tutorial is through."""
QUIET = 120.0
"""Seconds that a table stays in memory after its last participant."""
SWEEP = 3600.0
"""Seconds between searches for abandoned tables."""
MOST_LIVE_TABLES = 20_000
OF_SEATED, OF_WATCHING = (100, 400), (50, 200)
"""Messages of one address a second, and at once: from participants with a seat, and from others."""
MOST_CHANGES = 16 << 20
"""Bytes of encoded events that are kept."""


class Hub:
    """The live tables of one server, and what they share."""

    def __init__(
        self,
        store: Store,
        *,
        keep_days: int = 180,
        bot_threads: int | None = None,
        games: Loader | None = None,
        start: Start = start_process,
        elsewhere: Elsewhere | None = None,
    ) -> None:
        """Make a hub; `games`, `start` and `elsewhere` say what loads games, does jobs and thinks in place of our own
        processes and threads."""
        self.store = store
        self.games = games or GameLoader()
        self.bot_pool = BotPool(bot_threads, self.games.is_settled, elsewhere)
        self.side_work = SideWork()
        self.sandbox = Sandbox(self.ready, start=start)
        """Reads files from strangers in another process."""
        self.analyses = Analyses(store, lambda game: self.games.load(game, "search"), start)
        self.changes = ByteCache(MOST_CHANGES)
        """Events as they were sent, in JSON: a participant who comes back is sent most of them again."""
        self.messages = {True: AddressLimiter(*OF_SEATED), False: AddressLimiter(*OF_WATCHING)}
        """Limits of messages, apart for those with a seat and without: at one address, neither shuts the others out."""
        self.histories = AddressLimiter(300, 10_000)
        """Limits the events that are sent to participants who connect, or ask for the history again."""
        self.editions = EditionCache(store)
        self.sweeper = Sweeper(store, keep_days)
        self.live_tables: dict[str, LiveTable] = {}
        self._loading: dict[str, asyncio.Task[LiveTable | None]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._presence = PresenceBroadcast(store, self.live_tables)
        METRICS.gauges["tables"] = "Tables in memory.", lambda: len(self.live_tables)
        METRICS.gauges["sockets"] = (
            "Open sockets.",
            lambda: sum(len(live.participants) for live in self.live_tables.values()),
        )
        METRICS.gauges["bots_waiting"] = "Bots' moves that wait.", lambda: self.bot_pool.waiting

    async def open(self) -> None:
        """Open the store and start the background tasks, which also compile the games."""
        await self.store.open()
        await self.store.listen(self._receive_news)
        self._tasks = [
            asyncio.create_task(work) for work in (self._sweep(), self._presence.broadcast(), self.games.load_all())
        ]

    async def close(self) -> None:
        """Close every table, then the store."""
        for task in self._tasks:
            task.cancel()
        self.games.close()
        for live in self.live_tables.values():
            live.close()
        self.bot_pool.close()
        self.side_work.close()
        await self.sandbox.close()
        await self.analyses.close()
        await self.store.close()

    # Games ready to play

    def is_ready(self, game: str) -> bool:
        """Return whether the rules of a game are compiled and loaded, so that people can play."""
        return self.games.is_loaded(game)

    def has_bots(self, game: str) -> bool:
        """Return whether no bot of a game is still being compiled."""
        return self.games.is_settled(game, PARTS[-1])

    async def ready(self, game: str) -> None:
        """Wait until people can play a game."""
        await self.games.load(game)

    # Tables

    async def make(self, wanted: http_types.NewTable, script: Tutorial | None = None) -> http_types.MadeTable:
        """Make a table and store it; return its id and the tokens of the host and of the seats at their screen."""
        game = registry.game(wanted.game)
        players = len(wanted.seats)
        bounds.check_data(wanted.options, bounds.OPTIONS)
        options = game.read_options(players, wanted.options)
        check_clock(wanted.clock)
        played_with = await self.edition_of(game, wanted)
        await self.ready(game.name)
        self._evict_quiet()
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
            hints=wanted.hints,
            tutorial=None if script is None else script.hash,
            chance=None if script is None else ChanceInfo("manual"),
        )
        table = Table(new_table_id(), played_with)
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
        await self._open_table(Table(table.id, played_with), events)
        return http_types.MadeTable(table=table.id, host=host, tokens=tokens, promise=promise(secret))

    async def _open_table(self, table: Table, events: list[Any]) -> None:
        """Store the first events of a table and keep it in memory."""
        live = LiveTable(self, table)
        await live.append(events)
        self.live_tables[table.id] = live
        METRICS.tables_made.add()
        log.info("table made", extra={"game": table.made.game, "players": table.made.players})

    async def play_on(self, table: Table, ply: int, wanted: PlayOnRequest) -> http_types.MadeTable:
        """Make a table that begins as another game stood after `ply` moves, for one person against bots."""
        if not is_level(wanted.level):
            raise Refused("table.no_level", level=wanted.level)
        self._evict_quiet()
        host, token, secret = new_token(), new_token(), new_secret()
        continued = Table(new_table_id(), table.edition)
        events = events_of_continued_game(table, ply, wanted, secret=secret, host=host, token=token)
        await self._open_table(continued, events)
        return http_types.MadeTable(table=continued.id, host=host, tokens={wanted.seat: token}, promise=promise(secret))

    async def take_in(self, record: bytes) -> http_types.MadeTable:
        """Make a table at which the unfinished game of a record is played on, all its people at one screen."""
        self._evict_quiet()
        at, host, secret = now(), new_token(), new_secret()
        tokens = [new_token() for _ in range(core.MOST_SEATS)]
        job = ContinueRecord(record=record, at=at, secret=secret, host=host, tokens=tokens)
        made, *events = [stored.decode(body) for body in await self.sandbox.run(job)]
        await self.ready(made.game)
        played_with = self.editions.share(edition(registry.game(made.game), made.components))
        table = Table(new_table_id(), played_with)
        await self._open_table(table, [msgspec.structs.replace(made, components=None), *events])
        held = {one.seat: tokens[one.seat] for one in events if isinstance(one, stored.Sat)}
        return http_types.MadeTable(table=table.id, host=host, tokens=held, promise=promise(secret))

    async def teach(self, game: str, wanted: http_types.NewTutorial) -> http_types.MadeTable:
        """Make a table that is played by the script of a game's tutorial; nobody else can ask for a script."""
        script = tutorial(registry.game(game).name)
        if script is None:
            raise Refused("table.no_tutorial", game=say(f"{game}.name"))
        others = http_types.SeatPlan("bot", level=OPPONENT)
        seats = [others] * script.players
        seats[script.seat] = http_types.SeatPlan("screen", name=wanted.name or say("tutorial.learner"))
        table = http_types.NewTable(game=game, seats=seats, options=script.options, hints=stored.MOST_HINTS, start=True)
        return await self.make(table, script)

    async def edition_of(self, game: core.Game, wanted: http_types.NewTable) -> Edition:
        """Return the edition for a new table: the game's own, or the one that was sent."""
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
        """Make a table for the same people in the same seats with the same tokens; return its id.

        Where the first player was chosen, the next one begins.
        """
        made = table.made
        options = dict(made.options)
        if isinstance(first := options.get(core.FIRST_PLAYER), int):
            options[core.FIRST_PLAYER] = (first + 1) % made.players
        self._evict_quiet()
        at = now()
        following = Table(new_table_id(), table.edition)
        fresh = stored.Made(
            at,
            version=stored.VERSION,
            game=made.game,
            rules=table.game.version,
            players=made.players,
            options=options,
            edition=table.edition.hash,
            secret=new_secret(),
            host=made.host,
            clock=made.clock,
            absence=made.absence,
            hints=made.hints,
            after=table.id,
        )
        events: list[Any] = [fresh]
        for number, seat in enumerate(table.seats):
            if seat.kind == "bot":
                events.append(stored.BotSat(at, seat=number, level=str(seat.level)))
            elif seat.is_held:  # a seat whose holder was sent away is free
                events.append(stored.Sat(at, seat=number, name=seat.name, token=seat.token))
        await self._open_table(following, events)
        return following.id

    async def find(self, id: str) -> LiveTable | None:
        """Return a live table, loaded from the store if need be; None where there is none."""
        if not is_table_id(id):
            return None
        if id in self.live_tables:
            self.live_tables[id].presence.quiet_since = time.monotonic()
            return self.live_tables[id]
        if id not in self._loading:
            self._loading[id] = asyncio.create_task(self._load(id))
        try:
            return await asyncio.shield(self._loading[id])
        finally:
            self._loading.pop(id, None)

    async def expect(self, id: str) -> LiveTable:
        """Return a live table as `find` does; refuse where there is none."""
        live = await self.find(id)
        if live is None:
            raise Refused("server.no_table")
        return live

    async def _load(self, id: str) -> LiveTable | None:
        bodies = await self.store.read(id)
        if not bodies:
            return None
        events = [stored.decode(body) for body in bodies]
        if not isinstance(events[0], stored.Made):
            raise Damaged("server.table_damaged")
        await self.ready(events[0].game)
        with suppress(Unavailable, Damaged):  # it can still be read
            await self.store.touch([id])
        played_with = await self.editions.of(events[0])
        table = await self.side_work.run(id, lambda: rebuild(id, events, played_with))
        self._evict_quiet()
        live = self.live_tables[id] = LiveTable(self, table)
        if self.store.is_shared:
            live.presence.absence.wait(2 * BEAT)
        try:
            async with live.lock:
                await live.catch_up()  # what another server stored meanwhile was not announced here
        except Unavailable:
            self._note_stored(live, len(events) + 1)
        return self.live_tables.get(id)

    async def remove(self, live: LiveTable) -> None:
        """Remove a table from the store and from memory."""
        await self.store.delete(live.table.id)
        self.drop(live)

    def drop(self, live: LiveTable) -> None:
        """Let a table go that is no longer in the store, and tell its participants."""
        self.live_tables.pop(live.table.id, None)
        self.analyses.give_up(live.table.id)
        for participant in live.participants:
            with speaking(participant.language):
                live.refuse(participant, None, Refused("server.no_table"))
        live.close()

    # Other servers of the same store

    def _receive_news(self, news: str) -> None:
        """Take in news of a server of the same store; empty news mean that some may have been missed."""
        number, _, table = news.partition(" ")
        if not news:
            for live in self.live_tables.values():
                self._note_stored(live, live.table.seq + 1)
        elif news.startswith("{"):
            self._presence.receive(news)
        elif table in self.live_tables:
            self._note_stored(self.live_tables[table], int(number))

    def _note_stored(self, live: LiveTable, seq: int) -> None:
        """Note that the store has events of a table up to a number; 0 means that the table was removed."""
        if seq == 0:
            self.drop(live)
        elif live.table.seq < seq:
            live.run_aside(self._catch_up(live, seq))

    def presence_changed(self, live: LiveTable) -> None:
        """Note that somebody came to a table here or left it, so that the other servers are notified."""
        self._presence.changed(live.table.id)

    async def _catch_up(self, live: LiveTable, seq: int) -> None:
        """Read what others stored, trying until the store can be read."""
        while not live.is_closed:
            try:
                async with live.lock:
                    if live.table.seq < seq:
                        await live.catch_up()
                return
            except Unavailable:
                await asyncio.sleep(AGAIN)
            except Problem as problem:
                log.error("table not read", extra={"table": live.table.id, "why": problem.code})
                return

    async def _sweep(self) -> None:
        """Let quiet tables go every few seconds, remove abandoned ones every SWEEP seconds."""
        last = -SWEEP
        while True:
            await asyncio.sleep(5)
            self.let_quiet_go()
            if time.monotonic() - last > SWEEP:
                last = time.monotonic()
                try:
                    await self.remove_abandoned()
                except Unavailable:
                    last -= SWEEP  # which the store has logged; try again soon
                except Exception as error:
                    log.error("abandoned tables stay", exc_info=error)

    def _evict_quiet(self) -> None:
        """Let the quietest tables go where too many are in memory; refuse where none is quiet."""
        if len(self.live_tables) < MOST_LIVE_TABLES:
            return
        quiet = sorted((live.presence.quiet_since, id) for id, live in self.live_tables.items() if live.is_quiet)
        if not quiet:
            raise Refused("server.full")
        for _, id in quiet[: MOST_LIVE_TABLES // 100]:
            self.live_tables.pop(id).close()

    def let_quiet_go(self) -> None:
        """Drop tables from memory at which nobody was for QUIET seconds."""
        for id, live in list(self.live_tables.items()):
            if live.is_quiet and time.monotonic() - live.presence.quiet_since > QUIET:
                live.close()
                del self.live_tables[id]

    async def remove_abandoned(self) -> int:
        """Remove abandoned tables whose game is not over; return the number removed.

        Tables in memory are touched, so that no other server of the same store takes them for abandoned.
        """
        return await self.sweeper.sweep(list(self.live_tables))


def check_clock(clock: stored.Clock) -> None:
    """Refuse a clock with an odd time or an unknown level."""
    if clock.kind != "none" and not 5 <= clock.seconds <= 86_400:
        raise Refused("table.clock", least=5, most=86_400)
    if not is_level(clock.level):
        raise Refused("table.no_level", level=clock.level)
