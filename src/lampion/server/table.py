"""One table: what its events add up to, and which events a wish would add.

`fold` takes an event that was stored; it cannot fail on what `decide_*` proposed. The `decide_*` functions change
nothing: they return the events that would follow, or raise a Problem with the reason. So what is in memory never runs
ahead of what is stored.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np

from lampion import __version__
from lampion.bots.names import numbered
from lampion.games import core, registry
from lampion.games.core import CHANCE, EVERYONE
from lampion.games.editions import Edition, edition, standard
from lampion.locale import Problem, has, say
from lampion.play.fair import Promised, Terms, commitment, promise, seal_of
from lampion.play.position import Position
from lampion.play.proof import ChanceInfo
from lampion.play.proof import Undo as RecordedUndo
from lampion.play.record import Record, SeatInfo
from lampion.play.undo import CannotUndo, free_move_of, last_move_of
from lampion.server import events as stored
from lampion.server import names
from lampion.server.simultaneous import Step
from lampion.server.store import Damaged

log = logging.getLogger("lampion.server")

SPECTATOR_BIT = 1 << core.MOST_SEATS
PASSING = (
    stored.Sat, stored.Freed, stored.BotSat, stored.NonceAdded, stored.Committed, stored.Revealed, stored.CodeMade,
    stored.Reseated, stored.Greeted, stored.Paused, stored.Resumed, stored.Replaced, stored.Returned, stored.UndoAsked,
    stored.UndoAnswered,
)  # fmt: skip
"""Events that say nothing of the game: of a long history only the last MOST_PASSING are sent."""
MOST_PASSING = 100
COUNTED = (
    stored.Committed, stored.CodeMade, stored.Greeted, stored.Paused, stored.Resumed, stored.Replaced, stored.Returned,
    stored.Undone, stored.UndoAsked, stored.UndoAnswered,
)  # fmt: skip
"""Events besides moves that a seat can bring about again and again."""
STRANGE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError)
"""What comes of events that make no sense: a Problem, or what damage in the database leads to."""
CODE_LIVES = 3_600_000
"""Milliseconds in which a one-time code can be used."""


class Refused(Problem):
    """A wish that the table does not grant."""


class Stale(Refused):
    """An answer to a position that is no more."""


def hashed(token: str) -> str:
    """What is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def same(token: str, hash: str) -> bool:
    """Whether a token is the one whose hash was stored, in constant time."""
    return bool(hash) and hmac.compare_digest(hashed(token), hash)


@dataclass
class Seat:
    """A place at the table."""

    kind: Literal["free", "human", "bot"] = "free"
    name: str = ""
    level: str | None = None
    """Of a bot; of a person, the bot that plays for them while they are away."""
    token: str = ""
    code: str = ""
    code_made: int = 0
    commit: str = ""
    code_by_host: bool = False
    nonce: str = ""
    undos: int = 0
    """How often draws were taken back because this seat asked for it."""
    remaining: int = 0
    """Milliseconds left on a clock for the game."""

    @property
    def plays_itself(self) -> bool:
        """Whether a person moves here now."""
        return self.kind == "human" and self.level is None

    @property
    def owes_nonce(self) -> bool:
        """Whether it committed to a nonce that it has not revealed."""
        return self.commit != "" and self.nonce == ""

    @property
    def is_held(self) -> bool:
        """Whether somebody can come back to it."""
        return self.kind == "human" and self.token != ""


class Entry(NamedTuple):
    """A stored event and what it did: of a move the rows of its log, and who could tell which move it was."""

    seq: int
    event: Any
    rows: Sequence[Sequence[int]] = ()
    tellers: int = 0
    is_open: bool = True
    """Whether everybody knows the same of it."""

    def can_tell(self, viewer: int) -> bool:
        """Whether the viewer knows which move it was."""
        return bool(self.tellers & (SPECTATOR_BIT if viewer < 0 else 1 << viewer))


@dataclass(frozen=True)
class Ply:
    """What is kept of a move besides the move."""

    spent: int
    seq: int


@dataclass
class UndoWish:
    """A request to go back that others must agree to."""

    seat: int
    ply: int
    agreed: set[int] = field(default_factory=set)


class Table:
    """A table as its events made it, and the edition it is played with."""

    def __init__(self, id: str, edition: Edition | None = None) -> None:
        self.id = id
        self._edition = edition
        self.entries: list[Entry] = []
        self.seats: list[Seat] = []
        self.status: Literal["open", "playing", "over", "closed"] = "open"
        self.is_sealed = False
        self.has_begun = False
        self.paused = False
        self.changes: dict[int, int] = {}
        """By seat, the number of events besides moves since the game began."""
        self.undos: list[RecordedUndo] = []
        """Undos that took back a draw, in order, and those that went back further than the last of them."""
        self.plies: list[Ply] = []
        self.wish: UndoWish | None = None
        self.next_table: str | None = None
        self.broken: Problem | None = None
        """Why the table can only be looked at: its game cannot be replayed under these rules."""
        self.step: Step | None = None
        """The simultaneous step that goes on: who decides in it does not see what the others decide."""
        self.steps: list[tuple[int, int]] = []
        """Those that are over: the numbers of the first event of each, and of the one that ended it."""
        self.withdrawn: set[int] = set()
        """The numbers of moves that were taken back before their step was over: the others never see them."""
        self.settled = 0
        """How many moves, from the first, are known to all: none of them is taken back without asking."""

    # What it is

    @property
    def edition(self) -> Edition:
        """What it is played with."""
        assert self._edition is not None
        return self._edition

    @property
    def seq(self) -> int:
        """The number of events."""
        return len(self.entries)

    @property
    def nonces(self) -> list[str]:
        """What the people added to the chance, in the order of the seats."""
        return [seat.nonce for seat in self.seats if seat.kind != "bot"]

    @property
    def commits(self) -> list[str]:
        """The people's commitments, in the order of the seats."""
        return [seat.commit for seat in self.seats if seat.kind != "bot"]

    @property
    def seal(self) -> str | None:
        """The hash of the promise, the terms of the game and the seats with their commitments, once they are fixed."""
        if not self.is_sealed:
            return None
        made = self.made
        terms = Terms(made.game, made.rules, made.players, made.options, self.edition.hash)
        return seal_of(self.promise, terms, [None if seat.kind == "bot" else seat.commit for seat in self.seats])

    @property
    def epoch(self) -> int:
        """How many undos are recorded."""
        return len(self.undos)

    @property
    def is_starting(self) -> bool:
        """Whether the game begins as soon as the nonces are revealed."""
        return self.status == "open" and self.is_sealed and self.broken is None

    @property
    def is_revealed(self) -> bool:
        """Whether the secret may be told."""
        return self.status in ("over", "closed")

    def recent(self, since: int) -> list[Entry]:
        """Return the events after a number; of those that only the moment needed, the last few."""
        entries = self.entries[since:]
        passing = [entry.seq for entry in entries if isinstance(entry.event, PASSING)]
        if len(passing) <= MOST_PASSING:
            return entries
        first = passing[-MOST_PASSING]
        return [entry for entry in entries if entry.seq >= first or not isinstance(entry.event, PASSING)]

    def seat_of(self, token: str) -> int | None:
        """The seat that a token holds."""
        found = None
        for number, seat in enumerate(self.seats):
            if same(token, seat.token):
                found = number
        return found

    def is_host(self, token: str) -> bool:
        """Whether a token is the host's."""
        return same(token, self.made.host)

    def position_for(self, seats: Set[int]) -> Position:
        """Return the position as the holder of these seats may know it: in a simultaneous step without the moves of
        the others. What is hidden in it depends on the viewer and is left out by `Position.view`."""
        return self.position if self.step is None else self.step.shown_to(seats)

    def position_at(self, ply: int, seats: Set[int]) -> Position:
        """Return the position after so many moves, those that the holder of these seats may not know left out."""
        if self.step is None or ply <= self.step.ply:
            return self.position.at(ply)
        return self.step.shown_to(seats, ply - self.step.ply)

    def is_held_back(self, entry: Entry, seats: Set[int]) -> bool:
        """Return whether an event is another seat's move of the simultaneous step that goes on, or one of an earlier
        step that was taken back before all had decided."""
        is_of_step = self.step is not None and entry.seq >= self.step.first
        one = entry.event
        return (is_of_step or entry.seq in self.withdrawn) and isinstance(one, stored.Moved) and one.seat not in seats

    def untold_since(self, seq: int) -> int:
        """Return from which number on somebody must be told all again who was told everything up to `seq` then: where a
        simultaneous step went on at that moment and is over now, moves were held back from its beginning on."""
        for first, last in reversed(self.steps):
            if first <= seq < last:
                return first - 1
        return seq

    def names(self) -> list[str]:
        """What the seats are called, bots and empty seats in the language in use."""
        are_bots = [seat.kind == "bot" for seat in self.seats]
        names = [
            bot_name(seat.name) if seat.kind == "bot" else seat.name or say("seat.name", number=number)
            for number, seat in enumerate(self.seats, start=1)
        ]
        return numbered(names, are_bots)

    def recorded_names(self) -> list[str]:
        """Return what the seats are called in a record; one that nobody took has its number."""
        return [seat.name or str(number) for number, seat in enumerate(self.seats, start=1)]

    def record(self) -> Record:
        """The game as a file; the secret is in it when the game is over."""
        told = self.is_revealed
        chance = self.made.chance or ChanceInfo(
            "promised",
            promise=self.promise,
            secret=self.made.secret if told else None,
            commits=tuple(self.commits) if self.is_sealed else (),
            nonces=tuple(self.nonces),
            undos=tuple(self.undos),
            aborted=self.status == "closed" and self.is_sealed and not self.has_begun,
        )
        seats = self.made.seats or [
            SeatInfo(name, "bot" if seat.kind == "bot" else "human", seat.level, __version__ if seat.level else None)
            for seat, name in zip(self.seats, self.recorded_names(), strict=True)
        ]
        timed = self.made.chance is None or any(ply.spent for ply in self.plies)
        record = Record.of(
            self.position,
            seats,
            chance=chance,
            date=self.made.date or moment(self.made.at),
            milliseconds=[ply.spent for ply in self.plies] if timed else None,
        )
        return msgspec.structs.replace(record, rules=self.made.rules, after=self.made.after)

    # What events do

    def fold(self, event: Any) -> Entry:
        """Take a stored event in."""
        entry_made = Entry(self.seq + 1, event)
        match event:
            case stored.Made():
                self.game = registry.game(event.game)
                self._edition = self._edition or edition_in(event)
                event = msgspec.structs.replace(event, components=None, edition=self._edition.hash)
                entry_made = Entry(self.seq + 1, event)
                self.made, self.promise = event, promise(event.secret)
                self.position = Position(self.game, event.players, event.options, components=self.edition)
                self.seats = [Seat(remaining=1000 * event.clock.seconds) for _ in range(event.players)]
            case stored.Sat():
                old = self.seats[event.seat]
                self.seats[event.seat] = Seat(
                    "human",
                    event.name,
                    token=event.token,
                    commit=event.commit,
                    nonce=event.nonce,
                    remaining=old.remaining,
                )
            case stored.NonceAdded() | stored.Revealed():
                self.seats[event.seat].nonce = event.nonce
            case stored.Committed():
                self.seats[event.seat].commit, self.seats[event.seat].nonce = event.commit, ""
            case stored.Sealed():
                self.is_sealed = True
                for seat in self.seats:
                    seat.nonce = ""  # nothing counts that was known before the commitments were fixed
            case stored.BotSat():
                self.seats[event.seat] = Seat(
                    "bot", level=event.level, name=event.level, remaining=self.seats[event.seat].remaining
                )
            case stored.Freed():
                self.seats[event.seat] = Seat(remaining=self.seats[event.seat].remaining)
            case stored.Started():
                self.status, self.has_begun = "playing", True
            case stored.Moved():
                entry_made = self._fold_move(event)
            case stored.Undone():
                self._fold_undo(event)
            case stored.UndoAsked():
                self.wish = UndoWish(event.seat, event.ply)
            case stored.UndoAnswered():
                if self.wish is not None:
                    if event.agrees:
                        self.wish.agreed.add(event.seat)
                    else:
                        self.wish = None
            case stored.Paused():
                self.paused = True
            case stored.Resumed():
                self.paused = False
            case stored.Replaced():
                self.seats[event.seat].level = event.level
            case stored.Returned():
                self.seats[event.seat].level = None
            case stored.CodeMade():
                seat = self.seats[event.seat]
                seat.code, seat.code_made, seat.code_by_host = event.code, event.at, event.by_host
            case stored.Reseated():
                self.seats[event.seat].token = event.token
                self.seats[event.seat].code = ""
                self.wish = None  # who was to agree may be gone
            case stored.Ended():
                self.status = "over"
            case stored.Closed():
                self.status = "closed"
            case stored.Followed():
                self.next_table = event.table
        by_host = isinstance(event, stored.CodeMade) and event.by_host
        if self.has_begun and isinstance(event, COUNTED) and event.seat is not None and not by_host:
            self.changes[event.seat] = self.changes.get(event.seat, 0) + 1
        self.entries.append(entry_made)
        if isinstance(event, (stored.Started, stored.Moved, stored.Undone, stored.Closed)):
            self._follow_step(event)
        return entry_made

    def _follow_step(self, event: Any) -> None:
        """End a simultaneous step, or begin one, after an event that may do so."""
        if not self.game.simultaneous:
            return
        position, step = self.position, self.step
        if step is not None:
            is_inside = position.ply >= step.ply and self.status == "playing"
            if isinstance(event, stored.Moved):
                step.add(event.seat, event.move)
            elif is_inside and isinstance(event, stored.Undone) and not event.whole:
                step.rewind(position)
            else:
                is_inside = False
            if is_inside and step.goes_on(position):
                return
            self.steps.append((step.first, self.seq))
            self.step = None
            self.settled = position.ply
        self.settled = min(self.settled, position.ply)
        if self.status == "playing" and len(position.pending) > 1:
            self.step = Step(position, self.seq + 1)

    def _fold_move(self, event: stored.Moved) -> Entry:
        position = self.position
        id = position.id_of(event.move)
        tellers = position.tellers(event.seat, id)
        rows = tuple(map(tuple, position.push_rows(id, event.seat).tolist()))
        self.plies.append(Ply(event.spent, self.seq + 1))
        self.wish = None
        if event.seat >= 0:
            self.seats[event.seat].remaining = max(0, self.seats[event.seat].remaining - event.spent)
        everybody = SPECTATOR_BIT | (1 << position.players) - 1
        is_open = tellers == everybody and all(row[-1] == EVERYONE for row in rows)
        return Entry(self.seq + 1, event, rows, tellers, is_open)

    def _fold_undo(self, event: stored.Undone) -> None:
        position = self.position
        moves = [] if event.whole else position.moves[event.ply + 1 :]
        taken = position.played[event.ply :] if event.whole else position.played[event.ply : event.ply + 1]
        self.position = position.at(event.ply)
        if self.step is not None:
            gone = self.plies[event.ply :] if event.whole else self.plies[event.ply : event.ply + 1]
            self.withdrawn.update(ply.seq for ply in gone if ply.seq >= self.step.first)
        kept = self.plies[event.ply + 1 :] if not event.whole else []
        self.plies = self.plies[: event.ply] + kept
        for mover, move in moves:
            self.position.push(move, mover)
        has_drawn = any(seat == CHANCE for seat, _ in taken)
        if has_drawn:
            self.seats[event.seat].undos += 1
        if has_drawn or (not self.game.simultaneous and self.undos and event.ply < self.undos[-1].after):
            self.undos.append(RecordedUndo(event.seat, position.ply, event.ply))
        elif self.game.simultaneous:
            self._forget_moves(event.ply, position.ply if event.whole else event.ply + 1)
        self.wish = None

    def _forget_moves(self, first: int, end: int) -> None:
        """Count the moves that earlier undos went back to without those from `first` up to `end`.

        These were decided at the same time as others and taken back by an undo that is not recorded, since nothing was
        drawn in between: the moves made after it have lower numbers.
        """
        self.undos = [
            msgspec.structs.replace(undo, after=undo.after - min(undo.after, end) + first)
            if undo.after > first
            else undo
            for undo in self.undos
        ]

    # What a wish would add

    def must_be(self, *statuses: str) -> None:
        """Refuse what this moment does not allow."""
        if self.broken is not None:
            raise Refused("table.broken", reason=self.broken)
        if self.status not in statuses:
            raise Refused(f"table.is_{self.status}")

    def must_be_unsealed(self) -> None:
        """Refuse what would change the seats or the commitments once these are fixed."""
        self.must_be("open")
        if self.is_sealed:
            raise Refused("table.is_sealed")

    def must_owe(self, seat: int) -> None:
        """Refuse a move out of turn before it is read: what another seat may do is not told to this one."""
        self.must_be("playing")
        pending = self.position.pending
        if seat not in pending:
            raise core.OutOfTurn("error.out_of_turn", seat=seat, expected=", ".join(map(str, pending)))

    def must_have(self, seat: int) -> Seat:
        """A seat by its number."""
        if not 0 <= seat < len(self.seats):
            raise Refused("table.no_seat", seat=seat, last=len(self.seats) - 1)
        return self.seats[seat]

    def must_be_new(self, token: str) -> None:
        """Refuse a token that holds a seat: of two seats with one token, one could not be reached again."""
        if self.seat_of(token) is not None:
            raise Refused("table.token_taken")

    def decide_sit(self, at: int, seat: int, name: str, token: str, commit: str | None) -> list[Any]:
        """Somebody wants a seat."""
        self.must_be_unsealed()
        if self.must_have(seat).kind != "free":
            raise Refused("table.taken", seat=seat + 1)
        name = names.cleaned(name)
        if not names.looks(name).isdisjoint(names.reserved(seat)):
            raise Refused("table.name_reserved", name=name)
        if any(other.kind == "human" and names.look_alike(other.name, name) for other in self.seats):
            raise Refused("table.name_taken", name=name)
        self.must_be_new(token)
        return [stored.Sat(at, seat=seat, name=name, token=hashed(token), commit=commit or "")]

    def decide_commit(self, at: int, seat: int, commit: str) -> list[Any]:
        """Commit a seat to a nonce."""
        self.must_be_unsealed()
        return [stored.Committed(at, seat=seat, commit=commit)]

    def decide_bot(self, at: int, seat: int, level: str) -> list[Any]:
        """The host puts a bot on a free seat, or another one in a bot's place."""
        self.must_be_unsealed()
        if self.must_have(seat).kind == "human":
            raise Refused("table.taken", seat=seat + 1)
        return [stored.BotSat(at, seat=seat, level=level)]

    def decide_free(self, at: int, seat: int, kicked: bool = False) -> list[Any]:
        """A seat is given up before the game."""
        self.must_be_unsealed()
        if self.must_have(seat).kind == "free":
            raise Refused("table.nobody", seat=seat + 1)
        return [stored.Freed(at, seat=seat, kicked=kicked)]

    def decide_start(self, at: int) -> list[Any]:
        """Seal the commitments; where there are none, the game begins."""
        self.must_be_unsealed()
        if any(seat.kind == "free" for seat in self.seats):
            raise Refused("table.not_full", count=sum(seat.kind == "free" for seat in self.seats))
        return [stored.Sealed(at)] if any(self.commits) else self._begin(at, self.nonces)

    def decide_reveal(self, at: int, seat: int, nonce: str) -> list[Any]:
        """Reveal the nonce that a seat committed to; with the last one that was missing the game begins."""
        self.must_be("open")
        if not self.is_sealed:
            raise Refused("table.not_sealed")
        its = self.must_have(seat)
        if not its.owes_nonce or commitment(nonce) != its.commit:
            raise Refused("table.bad_nonce", seat=seat + 1)
        revealed = stored.Revealed(at, seat=seat, nonce=nonce)
        if any(other.owes_nonce for other in self.seats if other is not its):
            return [revealed]
        nonces = [nonce if other is its else other.nonce for other in self.seats if other.kind != "bot"]
        return [revealed, *self._begin(at, nonces)]

    def decide_begin(self, at: int) -> list[Any]:
        """Begin without the nonces that were not revealed in time."""
        self.must_be("open")
        if not self.is_sealed:
            raise Refused("table.not_sealed")
        return self._begin(at, self.nonces)

    def _begin(self, at: int, nonces: Sequence[str]) -> list[Any]:
        """The start of the game and what chance does first."""
        return [stored.Started(at), *self._chances(at, self.position.copy(), nonces)]

    def decide_move(self, at: int, seat: int, move: Any, spent: int, by: Any = "player") -> list[Any]:
        """A seat moves, and chance after it."""
        self.must_owe(seat)
        if self.paused:
            raise Refused("table.paused")
        position = self.position
        ply = position.ply
        id = position.id_of(move)
        try:
            typed = position.move(id)
        except IndexError:
            raise core.IllegalMove("error.illegal_id", id=str(id), game=self.game.name) from None
        try:
            position.push_rows(id, seat)
            made = stored.Moved(at, seat=seat, move=msgspec.to_builtins(typed), spent=max(0, spent), by=by)
            return [made, *self._chances(at, position, self.nonces)]
        finally:
            while position.ply > ply:
                position.pop()

    def _chances(self, at: int, position: Position, nonces: Sequence[str]) -> list[Any]:
        """What chance does next, as promised, and the end where it has come; `position` is moved along."""
        chance = Promised(self.made.secret, nonces, self.epoch)
        made: list[Any] = []
        while position.actor == CHANCE:
            before = position.state
            position.push_chance_rows(chance)
            move = self.game.words.move(self.edition.box, before, position.played[-1].id)
            made.append(stored.Moved(at, seat=CHANCE, move=msgspec.to_builtins(move)))
        if position.is_over:
            made.append(stored.Ended(at, result=position.count()))
        return made

    def decide_undo(self, at: int, seat: int) -> list[Any]:
        """A seat takes its last move back; where that needs the others, they are asked."""
        self.must_be("playing")
        ply = last_move_of(self.position, seat)
        try:
            return [stored.Undone(at, seat=seat, ply=self.free_move_of(seat))]
        except CannotUndo:
            pass
        if self.wish is not None:
            raise Refused("table.undo_asked")
        if not self.asked_to_agree(seat):
            return [stored.Undone(at, seat=seat, ply=ply, whole=True)]
        return [stored.UndoAsked(at, seat=seat, ply=ply)]

    def free_move_of(self, seat: int) -> int:
        """Return the number of the move that a seat may take back without asking; CannotUndo says why it has none. It
        depends on nothing that others have decided in a simultaneous step that goes on, only on whether they have."""
        ply = last_move_of(self.position, seat)
        free_move_of(self.position_for({seat}), seat)
        if ply < self.settled:
            raise CannotUndo("undo.revealed")
        if self.step is not None and ply < self.step.ply and self.step.has_moves:
            raise CannotUndo("undo.answered")
        return ply

    def can_undo(self, seat: int) -> bool:
        """Return whether a seat may take its last move back without asking anybody."""
        try:
            self.free_move_of(seat)
            return True
        except CannotUndo:
            return False

    @property
    def waits_for_answers(self) -> bool:
        """Whether somebody who plays is asked to agree to a step back: bots wait for them, not for those away."""
        if self.wish is None:
            return False
        asked = set(self.asked_to_agree(self.wish.seat)) - self.wish.agreed
        return any(self.seats[seat].plays_itself for seat in asked)

    def asked_to_agree(self, seat: int) -> list[int]:
        """The people besides a seat, all of whom must agree to a real step back; also who is away for a while."""
        return [other for other, its in enumerate(self.seats) if its.is_held and other != seat]

    def decide_answer(self, at: int, seat: int, agrees: bool) -> list[Any]:
        """An answer to a wish to go back; the last that was missing makes it so."""
        self.must_be("playing")
        wish = self.wish
        if wish is None or seat not in self.asked_to_agree(wish.seat) or seat in wish.agreed:
            raise Refused("table.not_asked")
        answer = stored.UndoAnswered(at, seat=seat, agrees=agrees)
        if agrees and wish.agreed | {seat} >= set(self.asked_to_agree(wish.seat)):
            return [answer, stored.Undone(at, seat=wish.seat, ply=wish.ply, whole=True)]
        return [answer]

    def decide_pause(self, at: int, seat: int | None, pause: bool) -> list[Any]:
        """The clocks stop, or go on."""
        self.must_be("playing")
        if self.paused == pause:
            raise Refused("table.paused" if pause else "table.not_paused")
        return [(stored.Paused if pause else stored.Resumed)(at, seat=seat)]

    def decide_replace(self, at: int, seat: int, level: str) -> list[Any]:
        """A bot plays on for somebody who left."""
        self.must_be("playing")
        if not self.must_have(seat).plays_itself:
            raise Refused("table.nobody", seat=seat + 1)
        return [stored.Replaced(at, seat=seat, level=level)]

    def decide_kick(self, at: int, seat: int, level: str) -> list[Any]:
        """The host takes a seat from its holder; during the game a bot plays on."""
        if self.status == "open":
            return self.decide_free(at, seat, kicked=True)
        self.must_be("playing")
        its = self.must_have(seat)
        if not its.is_held:
            raise Refused("table.nobody", seat=seat + 1)
        replaced = [stored.Replaced(at, seat=seat, level=level)] if its.plays_itself else []
        return [*replaced, stored.Reseated(at, seat=seat, token="")]

    def decide_return(self, at: int, seat: int) -> list[Any]:
        """Somebody who was away plays again."""
        self.must_be("playing")
        its = self.must_have(seat)
        if its.kind != "human" or its.level is None:
            raise Refused("table.not_away", seat=seat + 1)
        return [stored.Returned(at, seat=seat)]

    def _must_not_be_about_to_begin(self) -> None:
        """Refuse to let a seat change hands between the seal and the start: its nonce could not be revealed."""
        if self.is_sealed and not self.has_begun:
            raise Refused("table.is_sealed")

    def decide_code(self, at: int, seat: int, code: str, by_host: bool = False) -> list[Any]:
        """A seat shall move to another device."""
        self.must_be("open", "playing", "over")
        self._must_not_be_about_to_begin()
        if self.must_have(seat).kind != "human":
            raise Refused("table.nobody", seat=seat + 1)
        return [stored.CodeMade(at, seat=seat, code=hashed(code), by_host=by_host)]

    def decide_claim(self, at: int, code: str, token: str) -> list[Any]:
        """Somebody comes with a one-time code."""
        self.must_be("open", "playing", "over")
        self._must_not_be_about_to_begin()
        for number, seat in enumerate(self.seats):
            if same(code, seat.code) and at - seat.code_made <= CODE_LIVES:
                self.must_be_new(token)
                return [stored.Reseated(at, seat=number, token=hashed(token))]
        raise Refused("table.bad_code")

    def decide_close(self, at: int) -> list[Any]:
        """The host ends what was not finished; what was promised is told."""
        if self.is_revealed:
            raise Refused(f"table.is_{self.status}")
        return [stored.Closed(at)]


def edition_in(made: stored.Made) -> Edition:
    """Return the edition that a first event has in it, or the game's own where it names that."""
    usual = standard(made.game)
    if made.components is not None:
        return usual if made.components == usual.data else edition(usual.game, made.components)
    if made.edition != usual.hash:
        raise Damaged("server.no_edition")
    return usual


def imported(record: Record, at: int, host: str) -> list[Any]:
    """The events of a table that holds a finished game from elsewhere, its components in the first of them; refused
    where it cannot be replayed."""
    position = record.check()
    if not position.is_over or record.start is not None:
        raise Refused("server.unfinished")
    spent = record.milliseconds or [0] * len(record.moves)
    events: list[Any] = [
        stored.Made(
            at,
            version=stored.VERSION,
            game=record.game,
            rules=record.rules,
            players=record.players,
            options=record.options,
            edition=record.edition.hash,
            components=record.edition.components,
            secret=record.chance.secret or "00" * 32,
            host=hashed(host),
            chance=record.chance,
            seats=record.seats,
            date=record.date,
            after=record.after,
        )
    ]
    for seat, info in enumerate(record.seats):
        if info.kind == "bot":
            events.append(stored.BotSat(at, seat=seat, level=info.level or info.name))
        else:
            events.append(stored.Sat(at, seat=seat, name=info.name, token=""))
    events.append(stored.Started(at))
    for (who, move), milliseconds in zip(record.moves, spent, strict=True):
        mover = CHANCE if who == "chance" else who
        events.append(stored.Moved(at, seat=mover, move=move, spent=milliseconds))
    events.append(stored.Ended(at, result=position.count()))
    return events


def bot_name(level: str) -> str:
    """A level in the language in use; of an imported game, whatever its bot was called."""
    key = f"bot.{level.partition(':')[0]}"
    return say(key) if has(key) else level


def moment(at: int) -> str:
    """Milliseconds since 1970 as ISO 8601."""
    return str(np.datetime64(at // 1000, "s")) + "+00:00"


def rebuild(id: str, events: Sequence[Any], edition: Edition | None = None) -> Table:
    """A table from its events. Where a move is no longer legal, or a result differs, it stays readable up to there.

    Its edition is needed unless it is the game's own, or in the first event.
    """
    table = Table(id, edition)
    for event in events:
        if table.broken is None or isinstance(event, stored.Closed):
            try:
                if isinstance(event, stored.Ended) and table.position.outcome() != event.result:
                    raise Refused("table.result_differs")
                table.fold(event)
                continue
            except STRANGE as error:
                problem = error if isinstance(error, Problem) else Damaged("server.table_damaged")
                if isinstance(event, stored.Made):
                    raise problem from error
                if problem is not error:
                    log.error("table damaged", exc_info=error, extra={"table": id})
                # Which move it was, and why, may be hidden from who looks.
                moved = isinstance(event, stored.Moved)
                table.broken = Refused("table.move_differs", number=table.position.ply + 1) if moved else problem
        table.entries.append(Entry(table.seq + 1, event))
    return table
