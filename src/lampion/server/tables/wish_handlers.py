"""What participants may wish for at a live table: one handler for each wish.

A handler changes the table or raises a Problem; it returns the answer, or None where that is `done`.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Set
from functools import partial
from typing import Any

from lampion.locale import Problem, addressing, speaking
from lampion.server.metrics import METRICS
from lampion.server.protocol import messages as wire
from lampion.server.protocol import stored_events as stored
from lampion.server.protocol.refusals import Refused, Stale
from lampion.server.storage.store import now
from lampion.server.tables.hints import hash_of, known_to
from lampion.server.tables.ids import new_token
from lampion.server.tables.live_table import LiveTable
from lampion.server.tables.participant import Participant
from lampion.server.tables.update_builder import outlooks, reader_of, standing

log = logging.getLogger("lampion.server")

Handler = Callable[[LiveTable, Participant, Any], Awaitable[wire.Word | None]]

SLICE = 8
"""Moves previewed in one unit of side work."""
CHANGES = (
    wire.Sit, wire.Commit, wire.Stand, wire.PutBot, wire.Kick, wire.Start, wire.Undo, wire.Answer, wire.Pause,
    wire.Replace, wire.Return, wire.Handover, wire.Claim, wire.Greet, wire.Rematch,
    wire.Hint,
)  # fmt: skip
"""Wishes besides moves that are stored and can be repeated; a nonce is revealed once."""
FILLING = (
    wire.Sit, wire.Commit, wire.PutBot, wire.Stand, wire.Undo, wire.Pause, wire.Return, wire.Handover, wire.Greet,
    wire.Hint,
)  # fmt: skip
"""Those of them that could fill the history. The host can always send somebody away, or start."""
MOST_BEFORE = 2000
"""Events of a table before the game begins."""
MOST_CHANGES = 1000
"""Events of one seat besides moves, once the game has begun; people need some dozens."""


async def handle(live: LiveTable, participant: Participant, wish: Any) -> None:
    """Fulfil a wish and answer it, or answer why it is refused; nothing is changed then."""
    began = time.perf_counter()
    with speaking(participant.language):
        try:
            check_rate(live, participant, wish)
            if isinstance(wish, UNLOCKED):
                answer = await HANDLERS[type(wish)](live, participant, wish)
            else:
                async with live.lock:
                    answer = await HANDLERS[type(wish)](live, participant, wish)
            participant.say(answer or wire.Done(id=wish.id, seq=live.table.seq))
        except Problem as problem:
            live.refuse(participant, wish.id, problem)
        except RecursionError:
            live.refuse(participant, wish.id, Refused("server.not_json"))
        except Exception as error:
            log.error("fault", exc_info=error, extra={"table": live.table.id})
            live.refuse(participant, wish.id, Refused("server.fault"))
    if isinstance(wish, wire.Move):
        METRICS.move_seconds.observe(time.perf_counter() - began)


def check_rate(live: LiveTable, participant: Participant, wish: Any) -> None:
    """Refuse a wish that comes too soon after others of its address, or that would fill the table's history.

    Moves have a limit of their own at every table: whatever others of the address did, a game can be played to its end.
    """
    limit = live.moves if isinstance(wish, wire.Move) else live.hub.messages[bool(participant.seats)]
    if participant.greeted and not limit.bucket(participant.address).take():
        raise Refused("server.too_fast")
    if isinstance(wish, CHANGES) and not live.changes.bucket(participant.address).take():
        raise Refused("server.too_fast")
    if isinstance(wish, FILLING):
        seat = getattr(wish, "seat", None)
        if seat is not None and live.table.changes.get(seat, 0) >= MOST_CHANGES:
            raise Refused("table.too_much")
        if not live.table.has_begun and live.table.seq >= MOST_BEFORE:
            raise Refused("table.too_much")


def own_seat(live: LiveTable, participant: Participant, seat: int) -> int:
    """Return a seat that the participant holds; refuse any other."""
    live.table.must_have(seat)
    if seat not in participant.seats:
        raise Refused("table.not_yours", seat=seat + 1)
    return seat


def must_be_host(participant: Participant) -> None:
    """Refuse anybody but the host."""
    if not participant.is_host:
        raise Refused("table.host_only")


# What changes nothing at the table


async def hello(live: LiveTable, participant: Participant, wish: wire.Hello) -> None:
    """Admit the participant."""
    await live.greet(participant, wish)


async def ping(live: LiveTable, participant: Participant, wish: wire.Ping) -> wire.Pong:
    """Return a pong."""
    return wire.Pong(id=wish.id)


async def speak(live: LiveTable, participant: Participant, wish: wire.Speak) -> None:
    """Send the history again, in another language."""
    live.charge_history()
    participant.language = wish.language
    live.send_history(participant)


async def curtain(live: LiveTable, participant: Participant, wish: wire.Curtain) -> None:
    """Show the view of another seat, and send the whole history again as that seat knows it."""
    seat = None if wish.seat is None else own_seat(live, participant, wish.seat)
    live.charge_history()
    participant.curtain = seat
    live.send_history(participant)


async def preview(live: LiveTable, participant: Participant, wish: wire.Preview) -> wire.Previews:
    """Return what moves would do, a few in each unit of side work."""
    table = live.table
    seat = own_seat(live, participant, wish.seat)
    table.must_owe(seat)
    position, seq = table.position_for({seat, *participant.seats}).copy(), table.seq
    names = addressing(reader_of({*participant.seats}), table.names())
    made: list[Any] = []
    for i in range(0, len(wish.moves), SLICE):
        part = wish.moves[i : i + SLICE]
        made += await live.hub.side_work.run(table.id, partial(outlooks, position, seat, part, names, wish.views))
        if table.seq != seq:
            raise Stale("table.stale", seq=table.seq)
    return wire.Previews(id=wish.id, seat=seat, seq=seq, outlooks=made)


async def look_back(live: LiveTable, participant: Participant, wish: wire.LookBack) -> wire.Looked:
    """Return what the participant saw after some moves."""
    return await view_at(live, participant.viewer, wish, set(participant.seats))


async def view_at(live: LiveTable, viewer: int, wish: wire.LookBack, seats: Set[int]) -> wire.Looked:
    """Return what a viewer who holds these seats saw after `wish.ply` moves of the game as it stands."""
    position = live.table.position
    if live.table.status == "open" or wish.ply > position.ply:
        raise Refused("table.no_moment", last=position.ply)
    then = live.table.position_at(wish.ply, seats).copy()
    seat = None if viewer < 0 else viewer

    def view() -> wire.SeatView:
        return wire.SeatView(seat=seat, view=then.view(viewer), standing=standing(then))

    seen = await live.hub.side_work.run(live.table.id, view)
    return wire.Looked(id=wish.id, ply=wish.ply, pending=list(then.pending), view=seen)


async def hint(live: LiveTable, participant: Participant, wish: wire.Hint) -> wire.Hinted:
    """Return the best moves of one of the participant's seats, and count the hint."""
    table, seat = live.table, own_seat(live, participant, wish.seat)
    seen, found = await live.hints.find(seat)
    async with live.lock:
        own_seat(live, participant, seat)  # which may have changed hands meanwhile
        if hash_of(known_to(table, seat)) != seen:
            raise Stale("table.stale", seq=table.seq)
        events = table.decide_hint(now(), seat, seen)
        if events:
            await live.append(events)
    return wire.Hinted(id=wish.id, seat=seat, seq=table.seq, hints=found, used=table.seats[seat].hints)


# Seats


async def sit(live: LiveTable, participant: Participant, wish: wire.Sit) -> wire.Yours:
    """Give the participant a free seat."""
    token = wish.token or new_token()
    name = " ".join(wish.name.split())
    await live.append(live.table.decide_sit(now(), wish.seat, name, token, wish.commit))
    return give_seat(live, participant, wish, wish.seat, token, live.table.seq)


def give_seat(
    live: LiveTable, participant: Participant, wish: wire.Sit | wire.Claim, seat: int, token: str, since: int
) -> wire.Yours:
    """Give the participant a seat, and the events after a number as it sees them; return the answer with its token."""
    participant.seats.append(seat)
    live.send_history(participant, since)
    live.announce_presence()
    return wire.Yours(id=wish.id, seat=seat, token=token)


async def stand(live: LiveTable, participant: Participant, wish: wire.Stand) -> None:
    """Free one of the participant's seats before the game; later a bot plays on."""
    table, seat = live.table, own_seat(live, participant, wish.seat)
    if table.status == "open":
        await live.store(lambda at: table.decide_free(at, seat))
    else:
        await live.store(lambda at: table.decide_replace(at, seat, live.level(wish.level)))


async def put_bot(live: LiveTable, participant: Participant, wish: wire.PutBot) -> None:
    """Give a free seat to a bot."""
    must_be_host(participant)
    await live.store(lambda at: live.table.decide_bot(at, wish.seat, live.level(wish.level)))


async def kick(live: LiveTable, participant: Participant, wish: wire.Kick) -> None:
    """Take a seat from its holder."""
    must_be_host(participant)
    await live.kick(wish.seat, wish.level)


async def replace(live: LiveTable, participant: Participant, wish: wire.Replace) -> None:
    """Let a bot play for somebody who has been away for long."""
    must_be_host(participant)
    events = live.table.decide_replace(now(), wish.seat, live.level(wish.level))
    live.must_be_away(wish.seat)
    await live.append(events)


async def return_to_seat(live: LiveTable, participant: Participant, wish: wire.Return) -> None:
    """Let the participant play again instead of the bot."""
    seat = own_seat(live, participant, wish.seat)
    await live.store(lambda at: live.table.decide_return(at, seat))


async def hand_over(live: LiveTable, participant: Participant, wish: wire.Handover) -> wire.Code:
    """Make a one-time code that moves a seat to another device."""
    by_host = participant.is_host and wish.seat not in participant.seats
    if not by_host:
        own_seat(live, participant, wish.seat)
    code = new_token()
    events = live.table.decide_code(now(), wish.seat, code, by_host)
    if by_host:
        live.must_not_have_begun(wish.seat)
    await live.append(events)
    return wire.Code(id=wish.id, seat=wish.seat, code=code)


async def claim(live: LiveTable, participant: Participant, wish: wire.Claim) -> wire.Yours:
    """Give the participant the seat of a one-time code."""
    table, token = live.table, wish.token or new_token()
    events = table.decide_claim(now(), wish.code, token)
    seat = events[0].seat
    if table.seats[seat].code_by_host:
        live.must_not_have_begun(seat)  # the code may have been made before the game began
    await live.append(events)
    return give_seat(live, participant, wish, seat, token, table.seq if table.step is None else table.step.first - 1)


# The game


async def commit(live: LiveTable, participant: Participant, wish: wire.Commit) -> None:
    """Commit one of the participant's seats to a nonce."""
    seat = own_seat(live, participant, wish.seat)
    await live.store(lambda at: live.table.decide_commit(at, seat, wish.commit))


async def reveal(live: LiveTable, participant: Participant, wish: wire.Reveal) -> None:
    """Reveal the nonce of one of the participant's seats."""
    seat = own_seat(live, participant, wish.seat)
    await live.store(lambda at: live.table.decide_reveal(at, seat, wish.nonce))


async def start(live: LiveTable, participant: Participant, wish: wire.Start) -> None:
    """Seal the commitments, or begin the game."""
    must_be_host(participant)
    await live.store(live.table.decide_start)


async def move(live: LiveTable, participant: Participant, wish: wire.Move) -> None:
    """Make a move."""
    seat = own_seat(live, participant, wish.seat)
    live.table.must_be_current(wish.seq, seat)
    await live.move(seat, wish.move, "player")


async def go_on(live: LiveTable, participant: Participant, wish: wire.GoOn) -> None:
    """Bring the next step of a guided game."""
    seat = own_seat(live, participant, wish.seat)
    await live.store(lambda at: live.table.decide_go_on(at, seat, wish.step))


async def undo(live: LiveTable, participant: Participant, wish: wire.Undo) -> None:
    """Take back the last move of one of the participant's seats, or ask the others to agree to it."""
    seat = own_seat(live, participant, wish.seat)
    live.table.must_be_current(wish.seq, seat)
    await live.store(lambda at: live.table.decide_undo(at, seat))


async def answer_undo(live: LiveTable, participant: Participant, wish: wire.Answer) -> None:
    """Answer an undo request."""
    seat = own_seat(live, participant, wish.seat)
    await live.store(lambda at: live.table.decide_answer(at, seat, wish.agrees))


async def pause(live: LiveTable, participant: Participant, wish: wire.Pause) -> None:
    """Pause the game, or resume it."""
    seat = own_seat(live, participant, wish.seat)
    await live.store(lambda at: live.table.decide_pause(at, seat, wish.on))


async def greet(live: LiveTable, participant: Participant, wish: wire.Greet) -> None:
    """Show an emoji to all."""
    seat = own_seat(live, participant, wish.seat)
    live.table.must_be("open", "playing", "over")
    if not live.greetings[seat].take():
        raise Refused("server.too_fast")
    await live.store(lambda at: [stored.Greeted(at, seat=seat, emoji=wish.emoji)])


async def rematch(live: LiveTable, participant: Participant, wish: wire.Rematch) -> None:
    """Make another table for the same people, unless there is one."""
    if not (participant.is_host or participant.seats):
        raise Refused("table.host_only")
    live.table.must_be("over")
    if live.table.next_table is None:
        following = await live.hub.rematch(live.table)
        await live.store(lambda at: [stored.Followed(at, table=following)])


async def close(live: LiveTable, participant: Participant, wish: wire.Close) -> None:
    """Close the table."""
    must_be_host(participant)
    await live.store(live.table.decide_close)


UNLOCKED = (wire.Preview, wire.LookBack, wire.Hint)
"""Wishes that take long and change nothing, or lock the table when they do: other wishes are handled meanwhile."""
ASIDE = (wire.Hint,)
"""Those of them after which the same connection may wish for something else before they are answered."""
HANDLERS: dict[type, Handler] = {
    wire.Hello: hello,
    wire.Ping: ping,
    wire.Speak: speak,
    wire.Curtain: curtain,
    wire.Preview: preview,
    wire.Hint: hint,
    wire.LookBack: look_back,
    wire.Sit: sit,
    wire.Stand: stand,
    wire.PutBot: put_bot,
    wire.Kick: kick,
    wire.Replace: replace,
    wire.Return: return_to_seat,
    wire.Handover: hand_over,
    wire.Claim: claim,
    wire.Commit: commit,
    wire.Reveal: reveal,
    wire.Start: start,
    wire.Move: move,
    wire.GoOn: go_on,
    wire.Undo: undo,
    wire.Answer: answer_undo,
    wire.Pause: pause,
    wire.Greet: greet,
    wire.Rematch: rematch,
    wire.Close: close,
}
