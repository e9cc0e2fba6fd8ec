"""The bots of a live table: which seats they play, which of them think, and what becomes of their moves."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from typing import Any, Protocol

from lampion.games.core import CHANCE
from lampion.play.position import Position
from lampion.server.protocol import messages as wire
from lampion.server.protocol.refusals import Refused, Stale
from lampion.server.storage.store import Unavailable
from lampion.server.tables.bot_pool import BotPool, Job, SeatedBot, Thought
from lampion.server.tables.clock import TableClock
from lampion.server.tables.presence import Presence
from lampion.server.tables.table import Table

log = logging.getLogger("lampion.server")

AGAIN = 1.0
"""Seconds until a bot is asked again whose move could not be stored, or that is not compiled yet."""

TIME_TO_UNDO = 1.5
"""Seconds that a bot leaves a person after a move that can be taken back until the bot answers it."""


class Owner(Protocol):
    """What the bots need of their live table."""

    table: Table
    lock: asyncio.Lock
    presence: Presence
    clock: TableClock
    charged: str

    async def move(self, seat: int, move: Any, by: str) -> None:
        """Store a move."""

    def go_on(self) -> None:
        """Let clocks and bots go on."""


class BotSeats:
    """Lets bots think for seats of one table and makes their moves."""

    def __init__(self, live: Owner, pool: BotPool) -> None:
        self._live, self._pool = live, pool
        self._bots: dict[int, SeatedBot] = {}
        self._thinking: set[int] = set()
        """The seats for which a bot thinks."""
        self._failures = 0
        """The number of failures in a row."""
        self._waiting: set[asyncio.Task[None]] = set()
        """The moves that are found and wait. They are made in any case: the seat thinks until then."""

    @property
    def are_thinking(self) -> bool:
        """Whether a bot thinks for any seat."""
        return bool(self._thinking)

    def forget_searches(self) -> None:
        """Let the bots forget what they found: the moves they remember are not those of the game."""
        for bot in self._bots.values():
            bot.forget()

    def dismiss(self) -> None:
        """Forget the bots and what they remember, which takes much memory."""
        self.forget_searches()
        self._bots.clear()

    def ask(self, seat: int, level: str, by: str) -> None:
        """Let a bot think for a seat, one at a time; not where nobody is connected to the table.

        `by` says why: a "bot" plays the seat, or the "clock" of a person ran out.
        """
        live = self._live
        if seat in self._thinking or not live.presence.is_attended:
            return
        self._thinking.add(seat)
        bot = self._bots.get(seat)
        if bot is None or bot.level != level:
            bot = self._bots[seat] = SeatedBot(level, secrets.randbits(60))
        game, players = live.table.game, live.table.made.players
        if not self._pool.has_code(bot, game, players):
            live.presence.broadcast(wire.encode(wire.Thinking(seat=seat, preparing=True)))
            asyncio.get_running_loop().call_later(AGAIN, self._ask_again, seat)
            return
        lane = self._pool.lane(bot, game, players)
        slow = bot.needs_more(game, players, lane.limit(live.charged))
        live.presence.broadcast(wire.encode(wire.Thinking(seat=seat, slow=slow)))
        try:
            lane.put(live.charged, live.table.id, self._job(bot, seat, by))
        except Refused:
            self._thinking.discard(seat)
            self._go_on_after(AGAIN)

    def _job(self, bot: SeatedBot, seat: int, by: str) -> Job:
        """Return the job of a bot that thinks about the position as the seat may know it."""
        live = self._live
        asked = live.table.position
        ply, position = asked.ply, live.table.position_for({seat}).copy()
        earliest = time.monotonic() + (TIME_TO_UNDO if by == "bot" and self._can_be_undone() else 0)

        async def make_move_in_time(move: int) -> None:
            await asyncio.sleep(earliest - time.monotonic())
            await self._make_move(bot, seat, by, move, asked, ply)

        async def done(move: int) -> None:
            self._pool.remember(bot)
            if time.monotonic() < earliest:  # the pool has other bots to serve meanwhile
                task = asyncio.create_task(make_move_in_time(move))
                self._waiting.add(task)
                task.add_done_callback(self._waiting.discard)
            else:
                await self._make_move(bot, seat, by, move, asked, ply)

        def failed(error: BaseException) -> None:
            self._thinking.discard(seat)
            bot.forget()
            log.error("bot failed", exc_info=error, extra={"table": live.table.id})
            self._failures += 1
            self._go_on_after(AGAIN * 2 ** min(self._failures, 6))

        return Job(
            think=Thought(bot, position, seat),
            done=done,
            failed=failed,
            wanted=lambda: live.presence.is_attended,
            dropped=lambda: self._thinking.discard(seat),
        )

    async def _make_move(self, bot: SeatedBot, seat: int, by: str, move: int, asked: Position, ply: int) -> None:
        """Make a bot's move, unless the game has changed since the bot was asked."""
        live = self._live
        async with live.lock:
            self._thinking.discard(seat)
            try:
                if live.table.position is asked and owes(asked, ply, seat) and self._may_move(bot, seat, by):
                    await live.move(seat, move, by)
                    self._failures = 0
                    return
            except Stale:
                pass
            except Exception as error:
                if not isinstance(error, Unavailable):  # which the store has logged
                    log.error("bot's move not made", exc_info=error, extra={"table": live.table.id})
                bot.forget()
                self._go_on_after(AGAIN)
                return
            bot.forget()  # the position it thought about is gone
        live.go_on()

    def _can_be_undone(self) -> bool:
        """Return whether the last move is one of a person who may take it back without asking."""
        table = self._live.table
        played = table.position.played
        last = played[-1].seat if played else CHANCE
        return last != CHANCE and table.seats[last].plays_itself and table.can_undo(last)

    def _may_move(self, bot: SeatedBot, seat: int, by: str) -> bool:
        """Return whether a bot may still move for a seat; a clock that ran out waits for no answer to an undo."""
        table = self._live.table
        if table.status != "playing" or table.paused:
            return False
        if by == "clock":
            return self._live.clock.remaining(seat) == 0
        return table.seats[seat].level == bot.level and not table.waits_for_answers

    def _ask_again(self, seat: int) -> None:
        """Ask for a seat whose bot is being compiled, or was."""
        self._thinking.discard(seat)
        self._live.go_on()

    def _go_on_after(self, seconds: float) -> None:
        asyncio.get_running_loop().call_later(seconds, self._live.go_on)


def owes(position: Position, ply: int, seat: int) -> bool:
    """Return whether a seat still owes the decision that it owed when the game had `ply` moves."""
    return seat in position.pending and all(played.seat not in (seat, CHANCE) for played in position.played[ply:])
