"""A table that is open: its participants, its clock, its bots. All wishes pass through `handle`, one after another.

What a wish adds is stored first, then folded in, then told to everybody, each as far as they may know it.
"""

from __future__ import annotations

import asyncio
import logging
import math
import secrets
import time
from collections import Counter
from collections.abc import Callable, Set
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from lampion import __version__
from lampion.games import core
from lampion.games.core import CHANCE, SPECTATOR
from lampion.games.editions import canonical
from lampion.locale import Problem, say, speaking
from lampion.play.position import Position
from lampion.server.metrics import METRICS
from lampion.server.protocol import events as stored
from lampion.server.protocol import messages as wire
from lampion.server.protocol.refusals import Refused, Stale
from lampion.server.storage.store import Conflict, Heading, Unavailable, now
from lampion.server.tables.absence import Absence
from lampion.server.tables.bot_pool import Job, SeatedBot, is_level
from lampion.server.tables.limits import AddressLimiter, TokenBucket, asker
from lampion.server.tables.sealing import SealTimer
from lampion.server.tables.simultaneous import NO_SEATS
from lampion.server.tables.table import Table
from lampion.server.tables.update_builder import UpdateBuilder, outlooks, standing

if TYPE_CHECKING:
    from lampion.server.tables.hub import Hub

log = logging.getLogger("lampion.server")

SLICE = 8
"""Previews made before others have their turn."""
AGAIN = 1.0
"""Seconds until a bot is asked again whose move could not be stored."""
MOST_SOCKETS = 100
"""At one table: of people who watch, and of those who sit."""
MOST_OF_ADDRESS = 50
"""Of these, from one address."""
CHANGES = (
    wire.Sit, wire.Commit, wire.Stand, wire.PutBot, wire.Kick, wire.Start, wire.Undo, wire.Answer, wire.Pause,
    wire.Replace, wire.Return, wire.Handover, wire.Claim, wire.Greet, wire.Rematch,
)  # fmt: skip
"""Wishes besides moves that would be stored again and again; a nonce is revealed once."""
FILLING = (
    wire.Sit, wire.Commit, wire.PutBot, wire.Stand, wire.Undo, wire.Pause, wire.Return, wire.Handover, wire.Greet,
)  # fmt: skip
"""Those of them that somebody could repeat to fill the history. The host can always send somebody away, or start."""
MOST_BEFORE = 2000
"""Events of a table before the game begins."""
MOST_CHANGES = 1000
"""Events of one seat besides moves, once the game has begun; people need some dozens."""
HARMLESS = (stored.Greeted, stored.CodeMade, stored.Paused, stored.Resumed, stored.Replaced, stored.Returned)
"""Events that leave the position as it is: an answer is not old because of them."""


def new_token() -> str:
    """What nobody can guess."""
    return secrets.token_urlsafe(24)


class Participant:
    """Somebody at the other end: the seats they hold, which one they look from, and where messages go."""

    def __init__(self, send: Callable[[bytes], None], drop: Callable[[], None]) -> None:
        self.send, self.drop = send, drop
        self.address = asker.get()
        self.seats: list[int] = []
        self.is_host = False
        self.curtain: int | None = None
        self.language = "en"
        self.seen = 0
        self.greeted = False

    @property
    def viewer(self) -> int:
        """Whose eyes: the seat whose curtain is open, the only seat, or nobody's."""
        if len(self.seats) == 1:
            return self.seats[0]
        return SPECTATOR if self.curtain is None else self.curtain

    def say(self, word: wire.Word) -> None:
        """Send one message."""
        self.send(wire.encode(word))


class RemotePresence(NamedTuple):
    """Who is at a table on another server, when that was last heard."""

    here: list[int]
    watchers: int
    heard: float = 0.0


class LiveTable:
    """A table in memory."""

    def __init__(self, hub: Hub, table: Table) -> None:
        self.hub, self.table = hub, table
        self.participants: set[Participant] = set()
        self.lock = asyncio.Lock()
        self.quiet_since = time.monotonic()
        self.charged = asker.get()
        """The address that its bots' thinking is charged to: of whoever made it, or else opened it."""
        self._thinking_since: dict[int, float] = {}
        self._thought: dict[int, float] = {}
        """Seconds of a turn before a pause."""
        self._bots: dict[int, SeatedBot] = {}
        self._failures = 0
        """How often in a row a bot failed."""
        self._asked: set[int] = set()
        """Seats for which a bot is at work."""
        self._alarm: asyncio.TimerHandle | None = None
        self._seal_timer = SealTimer(self)
        self.elsewhere: dict[str, RemotePresence] = {}
        """Who is at this table on other servers of the same store, by server."""
        self.absence = Absence()
        self._presence = b""
        self._changes = AddressLimiter(1, 40)
        """Wishes besides moves that would be stored."""
        self._moves = AddressLimiter(20, 100)
        self._greetings = [TokenBucket(0.5, 5) for _ in range(core.MOST_SEATS)]
        self._tasks: set[asyncio.Task[None]] = set()
        self.is_closed = False

    # Coming and going

    async def greet(self, participant: Participant, hello: wire.Hello) -> None:
        """A participant introduces itself and is told all that is new to it."""
        if hello.version != wire.VERSION:
            raise Refused("server.version", version=hello.version, known=wire.VERSION)
        held = {seat for token in hello.tokens if (seat := self.table.seat_of(token)) is not None}
        crowd = self.crowd_at_door(participant, bool(held))
        since = hello.since if hello.since <= self.table.seq else 0
        self.charge_history(since)
        if crowd is not None:
            self.leave(crowd)
            crowd.drop()
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
        self.tell_presence()
        self.go_on()

    def crowd_at_door(self, participant: Participant, holds_seats: bool) -> Participant | None:
        """Return the participant to drop where the table is full, one of the address with most; None if it is not full.

        Refuses where the one that comes is of that address itself.
        """
        alike = [other for other in self.participants if bool(other.seats) == holds_seats]
        counts = Counter(other.address for other in alike)
        if counts[participant.address] >= MOST_OF_ADDRESS:
            raise Refused("server.table_full")
        if len(alike) < MOST_SOCKETS:
            return None
        (most, count), *_ = counts.most_common(1)
        if count <= counts[participant.address] + 1:
            raise Refused("server.table_full")
        return next(other for other in alike if other.address == most)

    def leave(self, participant: Participant) -> None:
        """A participant is gone; the seat stays its holder's."""
        if participant in self.participants:
            self.participants.remove(participant)
            self.quiet_since = time.monotonic()
            self.tell_presence()
            if not self.participants:
                self._send_bots_home()

    @property
    def here(self) -> set[int]:
        """The seats whose holders are connected, to whichever server."""
        seats = {seat for participant in self.participants for seat in participant.seats}
        return seats.union(*(other.here for other in self.elsewhere.values()))

    @property
    def watchers(self) -> int:
        """How many look on, from whichever server."""
        return sum(not one.seats for one in self.participants) + sum(
            other.watchers for other in self.elsewhere.values()
        )

    def tell_presence(self) -> None:
        """Somebody came or went here: tell all, those on other servers too."""
        self.hub.presence_changed(self)
        self.show_presence()

    def show_presence(self) -> None:
        """Who is here now, to all, where that is another thing than before."""
        self.absence.notice(self.here)
        word = wire.encode(wire.Presence(here=sorted(self.here), watchers=self.watchers))
        if word != self._presence:
            self._presence = word
            for participant in self.participants:
                participant.send(word)

    # Storing and telling

    async def store(self, decide: Callable[[int], list[Any]]) -> None:
        """Decide, store, fold, tell. Where another server was first, catch up and say that the wish is stale."""
        events = decide(now())
        await self.append(events)

    async def append(self, events: list[Any]) -> None:
        """Store what was decided; only then is it so."""
        table = self.table
        since = table.seq
        bodies = [stored.encode(one) for one in events]
        edition = (table.edition.hash, canonical(table.edition.data)) if since == 0 else None
        began = time.perf_counter()
        try:
            await self.hub.store.append(table.id, since, bodies, self.heading(events), edition)
        except Conflict:
            await self.catch_up()
            raise Stale("table.stale", seq=table.seq) from None
        METRICS.store_seconds.observe(time.perf_counter() - began)
        for one in events:
            table.fold(one)
            METRICS.moves.add(isinstance(one, stored.Moved))
            if isinstance(one, stored.Ended):
                log.info("game over", extra={"game": table.made.game, "moves": table.position.ply})
        self.tell(since, events)

    def heading(self, events: list[Any]) -> Heading:
        """What the list of tables will show."""
        table = self.table
        made = events[0] if isinstance(events[0], stored.Made) else table.made
        status: str = table.status
        for one in events:
            match one:
                case stored.Started():
                    status = "playing"
                case stored.Ended():
                    status = "over"
                case stored.Closed():
                    status = "closed"
        return Heading(table.id, made.game, made.players, status, made.at, events[-1].at, table.seq + len(events))

    async def catch_up(self) -> None:
        """Take in what another server stored; a table without its last event was removed there."""
        since = self.table.seq
        known = min(since, 1)
        bodies = await self.hub.store.read(self.table.id, since - known)
        if not bodies:
            self.hub.drop(self)
        events = [stored.decode(body) for body in bodies[known:]]
        for one in events:
            self.table.fold(one)
        if events:
            self.tell(since, events)

    def tell(self, since: int, events: list[Any]) -> None:
        """Everybody hears what is new; seats that changed hands are lost to their old holders."""
        for one in events:
            if isinstance(one, (stored.Reseated, stored.Freed)):
                self._take_seat(one.seat)
            if isinstance(one, stored.Moved):
                self._thinking_since.pop(one.seat, None)
                self._thought.pop(one.seat, None)
            if isinstance(one, stored.Undone):
                for bot in self._bots.values():
                    bot.forget()
        untold = self.table.untold_since(since)
        if untold < since:
            for bot in self._bots.values():
                bot.forget()  # the moves of the others come before those it remembers
        telling = UpdateBuilder(self, untold)
        for participant in self.participants:
            participant.send(telling.update(participant.viewer, participant.language, set(participant.seats)))
        if any(isinstance(one, (stored.Reseated, stored.Freed)) for one in events):
            self.tell_presence()
        self.go_on()

    def _take_seat(self, seat: int) -> None:
        for participant in self.participants:
            if seat in participant.seats:
                participant.seats.remove(seat)
                if participant.curtain == seat:
                    participant.curtain = None
                participant.say(wire.Lost(seat=seat))

    def charge_history(self, since: int = 0) -> None:
        """Charge the events after a number to the address that asks for them, or refuse."""
        self.hub.histories.charge(max(1, len(self.table.recent(since))))

    def send_history(self, participant: Participant, since: int = 0) -> None:
        """Send a participant all events after a number, as it may know them."""
        participant.send(self.update(participant.viewer, since, participant.language, set(participant.seats)))

    def update(self, viewer: int, since: int, language: str, seats: Set[int] | None = None) -> bytes:
        """Return all events after a number in JSON, as a viewer may know them who holds these seats, or just theirs."""
        held = (NO_SEATS if viewer < 0 else {viewer}) if seats is None else seats
        return UpdateBuilder(self, self.table.untold_since(since)).update(viewer, language, held)

    async def look(self, viewer: int, wish: wire.LookBack, seats: Set[int]) -> wire.Looked:
        """Return what a viewer saw after that many moves of the game as it stands: no more than they knew then."""
        position = self.table.position
        if self.table.status == "open" or wish.ply > position.ply:
            raise Refused("table.no_moment", last=position.ply)
        then = self.table.position_at(wish.ply, seats).copy()
        seat = None if viewer < 0 else viewer

        def view() -> wire.SeatView:
            return wire.SeatView(seat=seat, view=then.view(viewer), standing=standing(then))

        seen = await self.hub.side_work.run(self.table.id, view)
        return wire.Looked(id=wish.id, ply=wish.ply, pending=list(then.pending), view=seen)

    def info(self, names: list[str]) -> wire.TableInfo:
        """The table as everybody sees it, its seats called by these names."""
        table = self.table
        here, pending = self.here, self.pending()
        seats = [
            wire.SeatInfo(
                kind=seat.kind,
                name=names[number],
                level=seat.level,
                here=number in here,
                remaining=self.remaining(number),
                thinks=number in pending,
                commit=seat.commit,
                nonce=seat.nonce,
                undos=seat.undos,
            )
            for number, seat in enumerate(table.seats)
        ]
        wish = table.wish
        wanted = None
        if wish is not None:
            waits = [seat for seat in table.asked_to_agree(wish.seat) if seat not in wish.agreed]
            wanted = wire.Wanted(seat=wish.seat, ply=wish.ply, waits_for=waits)
        return wire.TableInfo(
            id=table.id,
            game=table.made.game,
            players=table.made.players,
            rules=table.made.rules,
            hidden=table.game.hidden,
            options=table.made.options,
            edition=table.edition.hash,
            standard=table.edition.is_standard,
            clock=table.made.clock,
            absence=table.made.absence,
            promise=table.promise,
            seal=table.seal,
            status=table.status,
            seats=seats,
            ply=table.position.ply,
            pending=pending,
            paused=table.paused,
            undo=wanted,
            watchers=self.watchers,
            after=table.made.after,
            next=table.next_table,
            broken=None if table.broken is None else say("table.broken", reason=str(table.broken)),
            secret=table.made.secret if table.is_revealed else None,
            result=table.position.outcome() if table.status == "over" else None,
        )

    def pending(self) -> list[int]:
        """The seats that owe a decision."""
        goes_on = self.table.status == "playing" and self.table.broken is None
        return list(self.table.position.pending) if goes_on else []

    # Wishes

    def mine(self, participant: Participant, seat: int) -> int:
        """A seat that the participant holds."""
        self.table.must_have(seat)
        if seat not in participant.seats:
            raise Refused("table.not_yours", seat=seat + 1)
        return seat

    def host(self, participant: Participant) -> None:
        """Only the host may."""
        if not participant.is_host:
            raise Refused("table.host_only")

    def must_be_away(self, seat: int) -> None:
        """Refuse unless a seat's holder has been away for as long as the table says."""
        wanted = self.table.made.absence
        if seat in self.here:
            raise Refused("table.is_here", seat=seat + 1, count=wanted)
        left = math.ceil(wanted - self.absence.seconds(seat))
        if left > 0:
            raise Refused("table.not_away_long", seat=seat + 1, count=left)

    def must_be_given(self, seat: int) -> None:
        """Refuse a seat that its holder has not given away: during the game whoever takes it sees what it may see."""
        if self.table.status == "playing":
            raise Refused("table.holder_only", seat=seat + 1)

    def level(self, name: str | None) -> str:
        """A level that exists."""
        chosen = name or self.table.made.clock.level
        if not is_level(chosen):
            raise Refused("table.no_level", level=chosen)
        return chosen

    async def handle(self, participant: Participant, wish: Any) -> None:
        """Do what a participant wants, or say why not; nothing is changed then."""
        began = time.perf_counter()
        with speaking(participant.language):
            try:
                self.check_rate(participant, wish)
                answer: wire.Word | None
                if isinstance(wish, wire.Preview):
                    answer = await self.preview(participant, wish)
                elif isinstance(wish, wire.LookBack):
                    answer = await self.look(participant.viewer, wish, set(participant.seats))
                else:
                    async with self.lock:
                        answer = await self._do(participant, wish)
                participant.say(answer or wire.Done(id=wish.id, seq=self.table.seq))
            except Problem as problem:
                self.refuse(participant, wish.id, problem)
            except RecursionError:
                self.refuse(participant, wish.id, Refused("server.not_json"))
            except Exception as error:
                log.error("fault", exc_info=error, extra={"table": self.table.id})
                self.refuse(participant, wish.id, Refused("server.fault"))
        if isinstance(wish, wire.Move):
            METRICS.move_seconds.observe(time.perf_counter() - began)

    def check_rate(self, participant: Participant, wish: Any) -> None:
        """Refuse a wish that comes too soon after others of its address, or that would fill the table's history.

        Moves have a rate of their own at every table: whatever others of the address did, a game can be played to its
        end.
        """
        if isinstance(wish, wire.Move):
            limit = self._moves
        else:
            limit = self.hub.messages[bool(participant.seats)]
        if participant.greeted and not limit.bucket(participant.address).take():
            raise Refused("server.too_fast")
        if isinstance(wish, CHANGES) and not self._changes.bucket(participant.address).take():
            raise Refused("server.too_fast")
        if isinstance(wish, FILLING):
            seat = getattr(wish, "seat", None)
            if seat is not None and self.table.changes.get(seat, 0) >= MOST_CHANGES:
                raise Refused("table.too_much")
            if not self.table.has_begun and self.table.seq >= MOST_BEFORE:
                raise Refused("table.too_much")

    def refuse(self, participant: Participant, id: int | None, problem: Problem) -> None:
        """Say no, and why."""
        METRICS.refusals.add()
        seq = self.table.seq if isinstance(problem, Stale) else None
        participant.say(wire.No(id=id, code=problem.code, reason=str(problem), seq=seq))

    async def _do(self, participant: Participant, wish: Any) -> wire.Word | None:
        table = self.table
        match wish:
            case wire.Hello():
                await self.greet(participant, wish)
            case wire.Ping():
                return wire.Pong(id=wish.id)
            case wire.Speak():
                self.charge_history()
                participant.language = wish.language
                self.send_history(participant)
            case wire.Curtain():
                curtain = None if wish.seat is None else self.mine(participant, wish.seat)
                self.charge_history()
                participant.curtain = curtain
                self.send_history(participant)  # all of it: what one seat knows is not for the next
            case wire.Close():
                self.host(participant)
                await self.store(table.decide_close)
            case wire.Sit():
                token = wish.token or new_token()
                name = " ".join(wish.name.split())
                events = table.decide_sit(now(), wish.seat, name, token, wish.commit)
                await self.append(events)
                participant.seats.append(wish.seat)
                self.send_history(participant, table.seq)
                self.tell_presence()
                return wire.Yours(id=wish.id, seat=wish.seat, token=token)
            case wire.Commit():
                seat = self.mine(participant, wish.seat)
                await self.store(lambda at: table.decide_commit(at, seat, wish.commit))
            case wire.Reveal():
                seat = self.mine(participant, wish.seat)
                await self.store(lambda at: table.decide_reveal(at, seat, wish.nonce))
            case wire.Stand():
                seat = self.mine(participant, wish.seat)
                if table.status == "open":
                    await self.store(lambda at: table.decide_free(at, seat))
                else:
                    await self.store(lambda at: table.decide_replace(at, seat, self.level(wish.level)))
            case wire.PutBot():
                self.host(participant)
                await self.store(lambda at: table.decide_bot(at, wish.seat, self.level(wish.level)))
            case wire.Kick():
                self.host(participant)
                await self.kick(wish.seat, wish.level)
            case wire.Start():
                self.host(participant)
                await self.store(table.decide_start)
            case wire.Move():
                seat = self.mine(participant, wish.seat)
                self.in_time(wish.seq, seat)
                await self.move(seat, wish.move, "player")
            case wire.Undo():
                seat = self.mine(participant, wish.seat)
                self.in_time(wish.seq, seat)
                await self.store(lambda at: table.decide_undo(at, seat))
            case wire.Answer():
                seat = self.mine(participant, wish.seat)
                await self.store(lambda at: table.decide_answer(at, seat, wish.agrees))
            case wire.Pause():
                seat = self.mine(participant, wish.seat)
                await self.store(lambda at: table.decide_pause(at, seat, wish.on))
            case wire.Replace():
                self.host(participant)
                events = table.decide_replace(now(), wish.seat, self.level(wish.level))
                self.must_be_away(wish.seat)
                await self.append(events)
            case wire.Return():
                seat = self.mine(participant, wish.seat)
                await self.store(lambda at: table.decide_return(at, seat))
            case wire.Handover():
                by_host = participant.is_host and wish.seat not in participant.seats
                if not by_host:
                    self.mine(participant, wish.seat)
                code = new_token()
                events = table.decide_code(now(), wish.seat, code, by_host)
                if by_host:
                    self.must_be_given(wish.seat)
                await self.append(events)
                return wire.Code(id=wish.id, seat=wish.seat, code=code)
            case wire.Claim():
                token = wish.token or new_token()
                events = table.decide_claim(now(), wish.code, token)
                if table.seats[events[0].seat].code_by_host:
                    self.must_be_given(events[0].seat)  # it may have been made before the game began
                await self.append(events)
                participant.seats.append(events[0].seat)
                self.send_history(participant, table.seq if table.step is None else table.step.first - 1)
                self.tell_presence()
                return wire.Yours(id=wish.id, seat=events[0].seat, token=token)
            case wire.Greet():
                seat = self.mine(participant, wish.seat)
                table.must_be("open", "playing", "over")
                if not self._greetings[seat].take():
                    raise Refused("server.too_fast")
                await self.store(lambda at: [stored.Greeted(at, seat=seat, emoji=wish.emoji)])
            case wire.Rematch():
                if not (participant.is_host or participant.seats):
                    raise Refused("table.host_only")
                table.must_be("over")
                if table.next_table is None:
                    following = await self.hub.rematch(table)
                    await self.store(lambda at: [stored.Followed(at, table=following)])
        return None

    async def kick(self, seat: int, level: str | None) -> None:
        """Send somebody away: before the game the seat is free again, later a bot plays on."""
        await self.store(lambda at: self.table.decide_kick(at, seat, self.level(level)))

    def in_time(self, seq: int, seat: int) -> None:
        """An answer must be to the position as it is; in a simultaneous step others' moves do not make it old."""
        table = self.table
        together = table.seq if table.step is None or seat not in table.position.pending else table.step.first - 1
        for entry in table.entries[seq:]:
            one = entry.event
            is_of_others = entry.seq > together and is_move_of_another(one, seat)
            if not isinstance(one, HARMLESS) and not is_of_others:
                raise Stale("table.stale", seq=table.seq)
        if seq > table.seq:
            raise Stale("table.stale", seq=table.seq)

    async def move(self, seat: int, move: Any, by: str) -> None:
        """A seat's move, by whoever makes it."""
        table = self.table
        if by == "player" and not table.seats[seat].plays_itself:
            raise Refused("table.bot_plays", seat=seat + 1)
        await self.store(lambda at: table.decide_move(at, seat, move, self.spent(seat), by))

    async def preview(self, participant: Participant, wish: wire.Preview) -> wire.Previews:
        """Return what moves would do, made a few at a time beside the event loop."""
        table = self.table
        seat = self.mine(participant, wish.seat)
        table.must_owe(seat)
        position, names, seq = table.position_for({seat, *participant.seats}).copy(), table.names(), table.seq
        made: list[Any] = []
        for i in range(0, len(wish.moves), SLICE):
            part = wish.moves[i : i + SLICE]
            made += await self.hub.side_work.run(table.id, partial(outlooks, position, seat, part, names, wish.views))
            if table.seq != seq:
                raise Stale("table.stale", seq=table.seq)
        return wire.Previews(id=wish.id, seat=seat, seq=seq, outlooks=made)

    # Clocks and bots

    def spent(self, seat: int) -> int:
        """Milliseconds that a seat has thought about its move."""
        since = self._thinking_since.get(seat)
        running = 0.0 if since is None else time.monotonic() - since
        return int(1000 * (self._thought.get(seat, 0.0) + running))

    def remaining(self, seat: int) -> int | None:
        """Milliseconds on a seat's clock."""
        clock = self.table.made.clock
        if clock.kind == "none" or self.table.seats[seat].kind == "bot":
            return None
        left = 1000 * clock.seconds if clock.kind == "move" else self.table.seats[seat].remaining
        return max(0, left - self.spent(seat))

    def go_on(self) -> None:
        """Whatever happened: run the clocks of those who think, and let bots think.

        While people settle whether to go back, bots wait: a move would end the question. They rest while nobody is
        connected: the game goes on when somebody comes back.
        """
        table = self.table
        runs = table.status == "playing" and not table.paused and table.broken is None and not self.is_closed
        pending = set(self.pending())
        moment = time.monotonic()
        for seat in set(self._thinking_since) | set(self._thought):
            if seat not in pending:
                self._thinking_since.pop(seat, None)
                self._thought.pop(seat, None)
            elif not runs and seat in self._thinking_since:
                self._thought[seat] = self._thought.get(seat, 0.0) + moment - self._thinking_since.pop(seat)
        if table.is_revealed:
            self._send_bots_home()
        if runs:
            for seat in pending:
                self._thinking_since.setdefault(seat, moment)
                if table.seats[seat].level is not None and not table.waits_for_answers:
                    self.ask_bot(seat, str(table.seats[seat].level), "bot")
        self._set_alarm()
        if not self.is_closed:
            self._seal_timer.watch()

    def _send_bots_home(self) -> None:
        """Forget the bots and what they remember, which is large: they rest, or the game is over."""
        for bot in self._bots.values():
            bot.forget()
        self._bots.clear()

    def _set_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        left = [
            remaining
            for seat in self._thinking_since
            if self.table.seats[seat].plays_itself and (remaining := self.remaining(seat)) is not None
        ]
        if left:
            self._alarm = asyncio.get_running_loop().call_later(min(left) / 1000 + 0.005, self._ring)

    def _ring(self) -> None:
        """Time is up for somebody: a bot moves for them."""
        self._alarm = None
        for seat in list(self._thinking_since):
            if self.table.seats[seat].plays_itself and self.remaining(seat) == 0:
                self.ask_bot(seat, self.table.made.clock.level, "clock")

    def ask_bot(self, seat: int, level: str, by: str) -> None:
        """Let a bot think for a seat, once at a time, unless nobody is connected."""
        if seat in self._asked or not self._is_attended():
            return
        self._asked.add(seat)
        bot = self._bots.get(seat)
        if bot is None or bot.level != level:
            bot = self._bots[seat] = SeatedBot(level, secrets.randbits(60))
        asked = self.table.position
        ply, position = asked.ply, self.table.position_for({seat}).copy()
        game, players = self.table.game, self.table.made.players
        lane = self.hub.bot_pool.lane(bot, game, players)
        slow = bot.needs_more(game, players, lane.limit(self.charged))
        thinking = wire.encode(wire.Thinking(seat=seat, slow=slow))
        for participant in self.participants:
            participant.send(thinking)

        async def done(move: int) -> None:
            self.hub.bot_pool.remember(bot)
            async with self.lock:
                self._asked.discard(seat)
                table = self.table
                try:
                    still = table.seats[seat].level == level if by == "bot" else self.remaining(seat) == 0
                    runs = table.status == "playing" and not table.paused and table.position is asked
                    waits = table.waits_for_answers and by == "bot"  # time that is up waits for no answer
                    if still and runs and not waits and owes(asked, ply, seat):
                        await self.move(seat, move, by)
                        self._failures = 0
                        return
                except Stale:
                    pass
                except Exception as error:
                    if not isinstance(error, Unavailable):  # which the log heard of already
                        log.error("bot's move not made", exc_info=error, extra={"table": table.id})
                    bot.forget()
                    asyncio.get_running_loop().call_later(AGAIN, self.go_on)
                    return
                bot.forget()  # it thought about what is no more
            self.go_on()

        def failed(error: BaseException) -> None:
            self._asked.discard(seat)
            bot.forget()
            log.error("bot failed", exc_info=error, extra={"table": self.table.id})
            self._failures += 1
            asyncio.get_running_loop().call_later(AGAIN * 2 ** min(self._failures, 6), self.go_on)

        def dropped() -> None:
            self._asked.discard(seat)

        job = Job(lambda limit: bot.think(position, seat, limit), done, failed, self._is_attended, dropped)
        try:
            lane.put(self.charged, self.table.id, job)
        except Refused:
            self._asked.discard(seat)
            asyncio.get_running_loop().call_later(AGAIN, self.go_on)

    def _is_attended(self) -> bool:
        """Return whether anybody is connected to the table, here or at another server."""
        return bool(self.participants or self.elsewhere)

    @property
    def is_quiet(self) -> bool:
        """Whether nobody is here and no bot is at work: the table can leave memory."""
        return not self.participants and not self._asked and not self.lock.locked()

    def close(self) -> None:
        """Leave memory."""
        self.is_closed = True
        self._seal_timer.cancel()
        if self._alarm is not None:
            self._alarm.cancel()
        for participant in list(self.participants):
            participant.drop()


def is_move_of_another(one: Any, seat: int) -> bool:
    """Return whether an event is a move of another seat, or such a move taken back."""
    return isinstance(one, (stored.Moved, stored.Undone)) and one.seat != seat


def owes(position: Position, ply: int, seat: int) -> bool:
    """Whether the seat still owes the decision that a bot thought about, when the game had that many moves."""
    return seat in position.pending and all(played.seat not in (seat, CHANCE) for played in position.played[ply:])
