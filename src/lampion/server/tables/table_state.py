"""The state of a table: what its stored events add up to.

`fold` takes an event that was stored; it cannot fail on events that `Table` decided on. Nothing else changes the state,
so what is in memory never runs ahead of what is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from lampion.bots.names import numbered
from lampion.games import core, registry
from lampion.games.core import CHANCE, EVERYONE
from lampion.games.editions import Edition
from lampion.locale import Problem, has, say
from lampion.play.fair import Terms, promise, seal_of
from lampion.play.position import Position
from lampion.play.record import Record
from lampion.play.recorded_chance import Undo as RecordedUndo
from lampion.server.protocol import stored_events as stored
from lampion.server.storage.edition_cache import edition_in
from lampion.server.tables.guidance import Guidance, fold_guided
from lampion.server.tables.seat import Seat, has_hash
from lampion.server.tables.simultaneous_views import Step
from lampion.server.tables.table_record import record_of
from lampion.server.tables.table_status import Status, status_after

SPECTATOR_BIT = 1 << core.MOST_SEATS
PASSING = (
    stored.Sat, stored.Freed, stored.BotSat, stored.NonceAdded, stored.Committed, stored.Revealed, stored.CodeMade,
    stored.Reseated, stored.Greeted, stored.Paused, stored.Resumed, stored.Replaced, stored.Returned, stored.UndoAsked,
    stored.UndoAnswered, stored.Noted,
)  # fmt: skip
"""Events that do not concern the game: of a long history only the last MOST_PASSING are sent."""
MOST_PASSING = 100
COUNTED = (
    stored.Committed, stored.CodeMade, stored.Greeted, stored.Paused, stored.Resumed, stored.Replaced, stored.Returned,
    stored.Undone, stored.UndoAsked, stored.UndoAnswered, stored.Hinted, stored.Noted,
)  # fmt: skip
"""Events besides moves that one seat can cause without limit; they are counted by seat."""


def scores_of(position: Position) -> Sequence[int]:
    """Return the points of each seat if the game ended now; none where not everybody may know them."""
    return position.count().scores if position.game.open_score else ()


class Entry(NamedTuple):
    """A stored event and its effect: of a move, the rows of its log and the viewers who can tell which move it was."""

    seq: int
    event: Any
    rows: Sequence[Sequence[int]] = ()
    tellers: int = 0
    is_open: bool = True
    """Whether every viewer knows the same about it."""
    gained: Sequence[int] = ()
    """Of a move, the points that it brought each seat; empty where it brought none or not everybody may know them."""

    def can_tell(self, viewer: int) -> bool:
        """Return whether a viewer knows which move it was."""
        return bool(self.tellers & (SPECTATOR_BIT if viewer < 0 else 1 << viewer))


@dataclass(frozen=True)
class Ply:
    """A move's thinking time in milliseconds and the number of its event."""

    spent: int
    seq: int


@dataclass
class UndoRequest:
    """A request to take back a move, which the other people must agree to."""

    seat: int
    ply: int
    agreed: set[int] = field(default_factory=set)


class TableState:
    """What the stored events of a table add up to: seats, status, position, history."""

    def __init__(self, id: str, edition: Edition | None = None) -> None:
        self.id = id
        self._edition = edition
        self.entries: list[Entry] = []
        self.seats: list[Seat] = []
        self.status: Status = "open"
        self.is_sealed = False
        self.has_begun = False
        self.paused = False
        self.changes: dict[int, int] = {}
        """By seat, the number of COUNTED events since the game began."""
        self.undos: list[RecordedUndo] = []
        """Undos that a record must list: those that took back a draw, or went back further than the last of these."""
        self.plies: list[Ply] = []
        self.undo_request: UndoRequest | None = None
        self.next_table: str | None = None
        self.broken: Problem | None = None
        """Why the table is read-only: its game cannot be replayed under these rules."""
        self.step: Step | None = None
        """The simultaneous step in progress: those who decide in it do not see what the others decide."""
        self.steps: list[tuple[int, int]] = []
        """The numbers of the first and of the last event of each step that is over."""
        self.withdrawn: set[int] = set()
        """The numbers of moves taken back before their step was over: other seats never see them."""
        self.guidance: Guidance | None = None
        self.notes: dict[tuple[int, int], str] = {}
        """By the number of moves before and the seat that wrote it: a note about a moment."""
        self.settled = 0
        """The number of moves, from the first, that all know: none of them is taken back without asking."""

    @property
    def edition(self) -> Edition:
        """The edition that the table is played with."""
        assert self._edition is not None
        return self._edition

    @property
    def seq(self) -> int:
        """The number of the last event."""
        return len(self.entries)

    @property
    def nonces(self) -> list[str]:
        """The nonces that people added to the chance, in the order of the seats."""
        return [seat.nonce for seat in self.seats if seat.kind != "bot"]

    @property
    def commits(self) -> list[str]:
        """The commitments of people to their nonces, in the order of the seats."""
        return [seat.commit for seat in self.seats if seat.kind != "bot"]

    @property
    def seal(self) -> str | None:
        """The hash of the promise, the terms of the game and all commitments; None before they are fixed."""
        if not self.is_sealed:
            return None
        made = self.made
        terms = Terms(made.game, made.rules, made.players, made.options, self.edition.hash)
        return seal_of(self.promise, terms, [None if seat.kind == "bot" else seat.commit for seat in self.seats])

    @property
    def epoch(self) -> int:
        """The number of recorded undos, which the chance of later draws depends on."""
        return len(self.undos)

    @property
    def is_starting(self) -> bool:
        """Whether the commitments are sealed and the game has not begun."""
        return self.status == "open" and self.is_sealed and self.broken is None

    @property
    def is_revealed(self) -> bool:
        """Whether the game has ended, so that its secret may be shown."""
        return self.status in ("over", "closed")

    @property
    def is_playing(self) -> bool:
        """Whether the game is in progress and can be replayed."""
        return self.status == "playing" and self.broken is None

    @property
    def pending(self) -> list[int]:
        """The seats that owe a decision; none where the game is not in progress."""
        return list(self.position.pending) if self.is_playing else []

    @property
    def hints_used(self) -> list[int]:
        """By seat, the hints that it was given."""
        return self.made.hints_used or [seat.hints for seat in self.seats]

    def recent(self, since: int) -> list[Entry]:
        """Return the entries after a number, of PASSING events only the last MOST_PASSING."""
        entries = self.entries[since:]
        passing = [entry.seq for entry in entries if isinstance(entry.event, PASSING)]
        if len(passing) <= MOST_PASSING:
            return entries
        first = passing[-MOST_PASSING]
        return [entry for entry in entries if entry.seq >= first or not isinstance(entry.event, PASSING)]

    def seat_of(self, token: str) -> int | None:
        """Return the seat that a token holds, None where it holds none."""
        found = None
        for number, seat in enumerate(self.seats):
            if has_hash(token, seat.token):
                found = number
        return found

    def is_host(self, token: str) -> bool:
        """Return whether a token is the host's."""
        return has_hash(token, self.made.host)

    def position_for(self, seats: Set[int]) -> Position:
        """Return the position as the holder of these seats may know it: in a simultaneous step without the moves of
        the others. What is hidden in it depends on the viewer and is left out by `Position.view`."""
        return self.position if self.step is None else self.step.shown_to(seats)

    def position_at(self, ply: int, seats: Set[int]) -> Position:
        """Return the position after `ply` moves, without those that the holder of these seats may not know."""
        if self.step is None or ply <= self.step.ply:
            return self.position.at(ply)
        return self.step.shown_to(seats, ply - self.step.ply)

    def is_held_back(self, entry: Entry, seats: Set[int]) -> bool:
        """Return whether an event is another seat's move of the simultaneous step that goes on, or one of an earlier
        step that was taken back before all had decided."""
        is_of_step = self.step is not None and entry.seq >= self.step.first
        one = entry.event
        return (is_of_step or entry.seq in self.withdrawn) and isinstance(one, stored.Moved) and one.seat not in seats

    def unsent_since(self, seq: int) -> int:
        """Return the number after which events must be sent to somebody who was sent everything up to `seq`.

        It is lower than `seq` where a simultaneous step was in progress then and is over now: moves were held back.
        """
        for first, last in reversed(self.steps):
            if first <= seq < last:
                return first - 1
        return seq

    def names(self) -> list[str]:
        """Return the names of the seats, those of bots and empty seats in the language in use."""
        are_bots = [seat.kind == "bot" for seat in self.seats]
        names = [
            bot_name(seat.name) if seat.kind == "bot" else seat.name or say("seat.name", number=number)
            for number, seat in enumerate(self.seats, start=1)
        ]
        return numbered(names, are_bots)

    def record(self) -> Record:
        """Return the record of the game; the secret is in it when the game has ended."""
        return record_of(self)

    # Folding: one function for each event that changes the state

    def fold(self, event: Any) -> Entry:
        """Apply a stored event; return its entry."""
        entry = FOLDS[type(event)](self, event) or Entry(self.seq + 1, event)
        self.status = status_after((event,), self.status)
        self._count(event)
        self.entries.append(entry)
        if isinstance(event, (stored.Started, stored.Moved, stored.Undone, stored.Closed)):
            self._follow_step(event)
        return entry

    def _count(self, event: Any) -> None:
        """Count an event to its seat, if it is one that a seat could repeat without limit."""
        by_host = isinstance(event, stored.CodeMade) and event.by_host
        if self.has_begun and isinstance(event, COUNTED) and event.seat is not None and not by_host:
            self.changes[event.seat] = self.changes.get(event.seat, 0) + 1

    def _fold_made(self, event: stored.Made) -> Entry:
        self.game = registry.game(event.game)
        self._edition = self._edition or edition_in(event)
        self.made = msgspec.structs.replace(event, components=None, edition=self._edition.hash)
        self.promise = promise(event.secret)
        self.guidance = Guidance.of(event)
        self.position = Position(self.game, event.players, event.options, components=self.edition)
        self.seats = [Seat(remaining=1000 * event.clock.seconds) for _ in range(event.players)]
        return Entry(self.seq + 1, self.made)

    def _fold_sat(self, event: stored.Sat) -> None:
        remaining = self.seats[event.seat].remaining
        self.seats[event.seat] = Seat(
            "human", event.name, token=event.token, commit=event.commit, nonce=event.nonce, remaining=remaining
        )

    def _fold_bot_sat(self, event: stored.BotSat) -> None:
        remaining = self.seats[event.seat].remaining
        self.seats[event.seat] = Seat("bot", level=event.level, name=event.level, remaining=remaining)

    def _fold_freed(self, event: stored.Freed) -> None:
        self.seats[event.seat] = Seat(remaining=self.seats[event.seat].remaining)

    def _fold_nonce(self, event: stored.NonceAdded | stored.Revealed) -> None:
        self.seats[event.seat].nonce = event.nonce

    def _fold_committed(self, event: stored.Committed) -> None:
        self.seats[event.seat].commit, self.seats[event.seat].nonce = event.commit, ""

    def _fold_sealed(self, event: stored.Sealed) -> None:
        self.is_sealed = True
        for seat in self.seats:
            seat.nonce = ""  # nothing counts that was known before the commitments were fixed

    def _fold_started(self, event: stored.Started) -> None:
        self.has_begun = True

    def _fold_undo_asked(self, event: stored.UndoAsked) -> None:
        self.undo_request = UndoRequest(event.seat, event.ply)

    def _fold_undo_answered(self, event: stored.UndoAnswered) -> None:
        if not event.agrees:
            self.undo_request = None
        elif self.undo_request is not None:
            self.undo_request.agreed.add(event.seat)

    def _fold_pause(self, event: stored.Paused | stored.Resumed) -> None:
        self.paused = isinstance(event, stored.Paused)

    def _fold_replaced(self, event: stored.Replaced) -> None:
        self.seats[event.seat].level = event.level

    def _fold_returned(self, event: stored.Returned) -> None:
        self.seats[event.seat].level = None

    def _fold_code_made(self, event: stored.CodeMade) -> None:
        seat = self.seats[event.seat]
        seat.code, seat.code_made, seat.code_by_host = event.code, event.at, event.by_host

    def _fold_reseated(self, event: stored.Reseated) -> None:
        self.seats[event.seat].token = event.token
        self.seats[event.seat].code = ""
        self.undo_request = None  # somebody who was to agree may be gone

    def _fold_hinted(self, event: stored.Hinted) -> None:
        self.seats[event.seat].hints += 1
        self.seats[event.seat].hinted = event.seen

    def _fold_noted(self, event: stored.Noted) -> None:
        moment = event.ply, event.seat
        self.notes.pop(moment, None)
        if event.text:
            self.notes[moment] = event.text

    def _fold_followed(self, event: stored.Followed) -> None:
        self.next_table = event.table

    def _fold_nothing(self, event: Any) -> None:
        """The event changes the status at most."""

    def _follow_step(self, event: Any) -> None:
        """End the simultaneous step, or begin one, after an event that may do so."""
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

    def _fold_moved(self, event: stored.Moved) -> Entry:
        position = self.position
        id = position.id_of(event.move)
        tellers = position.tellers(event.seat, id)
        before = scores_of(position)
        rows = tuple(map(tuple, position.push_rows(id, event.seat).tolist()))
        gained = tuple(after - had for had, after in zip(before, scores_of(position), strict=True))
        self.plies.append(Ply(event.spent, self.seq + 1))
        self.undo_request = None
        if event.seat >= 0:
            self.seats[event.seat].remaining = max(0, self.seats[event.seat].remaining - event.spent)
        everybody = SPECTATOR_BIT | (1 << position.players) - 1
        is_open = tellers == everybody and all(row[-1] == EVERYONE for row in rows)
        return Entry(self.seq + 1, event, rows, tellers, is_open, gained if any(gained) else ())

    def _fold_undone(self, event: stored.Undone) -> None:
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
        self.undo_request = None

    def _forget_moves(self, first: int, end: int) -> None:
        """Renumber the moves of recorded undos after the moves from `first` up to `end` were taken back.

        That undo is not recorded itself, since nothing was drawn between moves of one simultaneous step, so the moves
        made after it have lower numbers.
        """
        self.undos = [
            msgspec.structs.replace(undo, after=undo.after - min(undo.after, end) + first)
            if undo.after > first
            else undo
            for undo in self.undos
        ]


FOLDS: dict[type, Callable[[TableState, Any], Entry | None]] = {
    stored.Made: TableState._fold_made,
    stored.Sat: TableState._fold_sat,
    stored.BotSat: TableState._fold_bot_sat,
    stored.Freed: TableState._fold_freed,
    stored.NonceAdded: TableState._fold_nonce,
    stored.Revealed: TableState._fold_nonce,
    stored.Committed: TableState._fold_committed,
    stored.Sealed: TableState._fold_sealed,
    stored.Started: TableState._fold_started,
    stored.Moved: TableState._fold_moved,
    stored.Undone: TableState._fold_undone,
    stored.UndoAsked: TableState._fold_undo_asked,
    stored.UndoAnswered: TableState._fold_undo_answered,
    stored.Paused: TableState._fold_pause,
    stored.Resumed: TableState._fold_pause,
    stored.Replaced: TableState._fold_replaced,
    stored.Returned: TableState._fold_returned,
    stored.CodeMade: TableState._fold_code_made,
    stored.Reseated: TableState._fold_reseated,
    stored.Followed: TableState._fold_followed,
    stored.Greeted: TableState._fold_nothing,
    stored.Guided: fold_guided,
    stored.Hinted: TableState._fold_hinted,
    stored.Noted: TableState._fold_noted,
    stored.Ended: TableState._fold_nothing,
    stored.Closed: TableState._fold_nothing,
}
"""What each event does to the state; a function returns an entry where it has more to say than the event."""


def bot_name(level: str) -> str:
    """Return the name of a level in the language in use; of an imported game, the name that the record gives."""
    key = f"bot.{level.partition(':')[0]}"
    return say(key) if has(key) else level
