"""The decisions of a table: for each wish, the events that would follow from it.

The `decide_*` functions change nothing: they return the events that would follow, or raise a Problem with the reason.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import msgspec

from lampion import bounds
from lampion.games import core
from lampion.games.core import CHANCE
from lampion.games.editions import Edition
from lampion.locale import Problem
from lampion.play.fair import Promised, commitment
from lampion.play.position import Position
from lampion.play.undo import CannotUndo, free_move_of, last_move_of
from lampion.server.protocol import player_names
from lampion.server.protocol import stored_events as stored
from lampion.server.protocol.refusals import Refused, Stale
from lampion.server.storage.store import Damaged
from lampion.server.tables.seat import Seat, has_hash, hashed
from lampion.server.tables.table_state import Entry, TableState

log = logging.getLogger("lampion.server")

STRANGE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError)
"""What folding damaged events may raise: a Problem, or what wrong values lead to."""
CODE_LIVES = 3_600_000
"""Milliseconds for which a one-time code is valid."""
HARMLESS = (
    stored.Greeted, stored.CodeMade, stored.Paused, stored.Resumed, stored.Replaced, stored.Returned, stored.Hinted,
)  # fmt: skip
"""Events that leave the position as it is: a move sent before one of them is not stale."""


class Table(TableState):
    """A table: its state, and what a wish would add to its events."""

    def must_be(self, *statuses: str) -> None:
        """Refuse unless the table has one of these statuses and its game can be replayed."""
        if self.broken is not None:
            raise Refused("table.broken", reason=self.broken)
        if self.status not in statuses:
            raise Refused(f"table.is_{self.status}")

    def must_be_unsealed(self) -> None:
        """Refuse once seats and commitments are fixed."""
        self.must_be("open")
        if self.is_sealed:
            raise Refused("table.is_sealed")

    def must_be_current(self, seq: int, seat: int) -> None:
        """Refuse as stale what answers an older position than the present one.

        In a simultaneous step the moves of other seats do not make an answer stale.
        """
        is_in_step = self.step is not None and seat in self.position.pending
        before_step = self.step.first - 1 if self.step is not None and is_in_step else self.seq
        for entry in self.entries[seq:]:
            is_of_another = isinstance(entry.event, (stored.Moved, stored.Undone)) and entry.event.seat != seat
            if not isinstance(entry.event, HARMLESS) and not (is_of_another and entry.seq > before_step):
                raise Stale("table.stale", seq=self.seq)
        if seq > self.seq:
            raise Stale("table.stale", seq=self.seq)

    def must_owe(self, seat: int) -> None:
        """Refuse a seat that owes no decision, before its move is read: it may not learn what other seats can do."""
        self.must_be("playing")
        if seat not in self.position.pending:
            raise core.OutOfTurn("table.out_of_turn")

    def must_have(self, seat: int) -> Seat:
        """Return a seat by its number, or refuse."""
        if not 0 <= seat < len(self.seats):
            raise Refused("table.no_seat", seat=seat, last=len(self.seats) - 1)
        return self.seats[seat]

    def must_be_new(self, token: str) -> None:
        """Refuse a token that holds a seat already: one of two seats with the same token could not be reached again."""
        if self.seat_of(token) is not None:
            raise Refused("table.token_taken")

    def decide_sit(self, at: int, seat: int, name: str, token: str, commit: str | None) -> list[Any]:
        """Return the events with which somebody takes a free seat."""
        self.must_be_unsealed()
        if self.must_have(seat).kind != "free":
            raise Refused("table.taken", seat=seat + 1)
        name = player_names.cleaned(name)
        if not player_names.looks(name).isdisjoint(player_names.reserved(seat)):
            raise Refused("table.name_reserved", name=name)
        if any(other.kind == "human" and player_names.look_alike(other.name, name) for other in self.seats):
            raise Refused("table.name_taken", name=name)
        self.must_be_new(token)
        return [stored.Sat(at, seat=seat, name=name, token=hashed(token), commit=commit or "")]

    def decide_commit(self, at: int, seat: int, commit: str) -> list[Any]:
        """Return the events with which a seat commits to a nonce."""
        self.must_be_unsealed()
        return [stored.Committed(at, seat=seat, commit=commit)]

    def decide_bot(self, at: int, seat: int, level: str) -> list[Any]:
        """Return the events with which a bot takes a free seat or another bot's."""
        self.must_be_unsealed()
        if self.must_have(seat).kind == "human":
            raise Refused("table.taken", seat=seat + 1)
        return [stored.BotSat(at, seat=seat, level=level)]

    def decide_free(self, at: int, seat: int, kicked: bool = False) -> list[Any]:
        """Return the events with which a seat is freed before the game."""
        self.must_be_unsealed()
        if self.must_have(seat).kind == "free":
            raise Refused("table.nobody", seat=seat + 1)
        return [stored.Freed(at, seat=seat, kicked=kicked)]

    def decide_start(self, at: int) -> list[Any]:
        """Return the events that seal the commitments; where there are none, those that begin the game."""
        self.must_be_unsealed()
        if any(seat.kind == "free" for seat in self.seats):
            raise Refused("table.not_full", count=sum(seat.kind == "free" for seat in self.seats))
        return [stored.Sealed(at)] if any(self.commits) else self._begin(at, self.nonces)

    def decide_reveal(self, at: int, seat: int, nonce: str) -> list[Any]:
        """Return the events that reveal a seat's nonce and, if it is the last one missing, begin the game."""
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
        """Return the events that begin the game without the nonces that were not revealed in time."""
        self.must_be("open")
        if not self.is_sealed:
            raise Refused("table.not_sealed")
        return self._begin(at, self.nonces)

    def _begin(self, at: int, nonces: Sequence[str]) -> list[Any]:
        """Return the start of the game and the first moves of chance."""
        ahead = self.position.copy()
        if self.guidance is not None:
            return [stored.Started(at), *self.guidance.events_of_start(at, ahead)]
        return [stored.Started(at), *self._chances(at, ahead, nonces)]

    def decide_draws(self, at: int) -> list[Any]:
        """Return the moves of chance that are due, and the end of the game if it is reached."""
        return self._chances(at, self.position.copy(), self.nonces)

    def decide_move(self, at: int, seat: int, move: Any, spent: int, by: Any = "player") -> list[Any]:
        """Return a seat's move and the moves of chance that follow; an illegal move is refused."""
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
        if self.guidance is not None:
            position.preview(id, seat)  # raises where it is illegal
            return self.guidance.events_of_move(at, position, seat, id, self.names())
        try:
            position.push_rows(id, seat)
            made = stored.Moved(at, seat=seat, move=msgspec.to_builtins(typed), spent=max(0, spent), by=by)
            return [made, *self._chances(at, position, self.nonces)]
        finally:
            while position.ply > ply:
                position.pop()

    def _chances(self, at: int, position: Position, nonces: Sequence[str]) -> list[Any]:
        """Return the next moves of chance and the end of the game, if it is reached; advances `position`."""
        chance = Promised(self.made.secret, nonces, self.epoch)
        made: list[Any] = []
        while position.actor == CHANCE:
            before = position.state
            position.push_chance_rows(chance)
            move = self.game.notation.move(self.edition.box, before, position.played[-1].id)
            made.append(stored.Moved(at, seat=CHANCE, move=msgspec.to_builtins(move)))
        if position.is_over:
            made.append(stored.Ended(at, result=position.count()))
        return made

    @property
    def is_reading(self) -> bool:
        """Whether the learner of a guided game has something to read before the next move."""
        return self.guidance is not None and self.guidance.step.ask is None

    def must_allow_hint(self, seat: int) -> None:
        """Refuse a hint to a seat that may not have one now, however many it has had."""
        self.must_be("playing")
        if not self.made.hints:
            raise Refused("table.no_hints")
        self.must_owe(seat)
        if self.paused:
            raise Refused("table.paused")
        if self.guidance is not None:
            raise Refused("table.hint_guided")
        if not self.seats[seat].plays_itself:
            raise Refused("table.bot_plays", seat=seat + 1)

    def decide_hint(self, at: int, seat: int, seen: str) -> list[Any]:
        """Return the events of a hint in a position that has a hash as the seat knows it.

        Where the seat had its last hint in the same position, another one costs nothing.
        """
        self.must_allow_hint(seat)
        allowed, its = self.made.hints, self.seats[seat]
        if its.hinted == seen:
            return []
        if its.hints >= allowed:
            raise Refused("table.hints_used", count=allowed)
        return [stored.Hinted(at, seat=seat, seen=seen)]

    def decide_note(self, at: int, seat: int, ply: int, text: str) -> list[Any]:
        """Return the events of a seat's note about the moment after `ply` moves of a game that is over."""
        self.must_be("over")
        if ply > self.position.ply:
            raise Refused("table.no_moment", last=self.position.ply)
        if text:
            self._must_have_room_for_note(seat, ply, text)
        return [] if self.notes.get((ply, seat), "") == text else [stored.Noted(at, seat=seat, ply=ply, text=text)]

    def _must_have_room_for_note(self, seat: int, ply: int, text: str) -> None:
        """Refuse a note where a seat has written its part of what fits into a record."""
        others = [note for (moment, of), note in self.notes.items() if of == seat and moment != ply]
        size = sum(len(note.encode()) for note in (*others, text))
        players = self.made.players
        if len(others) >= bounds.MOST_NOTES // players or size > bounds.MOST_NOTES_BYTES // players:
            raise Refused("table.full_of_notes")

    def decide_go_on(self, at: int, seat: int, step: int) -> list[Any]:
        """Return the events that bring the next step of a guided game."""
        self.must_be("playing")
        if self.guidance is None:
            raise Refused("table.not_guided")
        return self.guidance.events_of_reading(at, self.position, seat, step)

    def decide_undo(self, at: int, seat: int) -> list[Any]:
        """Return the events that take back a seat's last move, or ask the others to agree to it."""
        self.must_be("playing")
        ply = self.own_move_of(seat)
        try:
            return [stored.Undone(at, seat=seat, ply=self.free_move_of(seat))]
        except CannotUndo:
            pass
        if self.undo_request is not None:
            raise Refused("table.undo_asked")
        if not self.asked_to_agree(seat):
            return [stored.Undone(at, seat=seat, ply=ply, whole=True)]
        return [stored.UndoAsked(at, seat=seat, ply=ply)]

    def own_move_of(self, seat: int) -> int:
        """Return the ply of a seat's last move at this table; raise CannotUndo where it has none to take back."""
        if self.guidance is not None:
            raise CannotUndo("undo.guided")
        ply = last_move_of(self.position, seat)
        if self.made.continues is not None and ply < self.made.continues.ply:
            raise CannotUndo("undo.before")
        return ply

    def free_move_of(self, seat: int) -> int:
        """Return the ply of the move that a seat may take back without asking; raise CannotUndo where it has none.

        This depends on whether others have decided in the simultaneous step in progress, never on what they decided.
        """
        ply = self.own_move_of(seat)
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
        """Whether a person who is playing has yet to answer an undo request: bots wait, but not for those away."""
        if self.undo_request is None:
            return False
        asked = set(self.asked_to_agree(self.undo_request.seat)) - self.undo_request.agreed
        return any(self.seats[seat].plays_itself for seat in asked)

    def asked_to_agree(self, seat: int) -> list[int]:
        """Return the other seats held by people, all of whom must agree to an undo request, those away included."""
        return [other for other, its in enumerate(self.seats) if its.is_held and other != seat]

    def decide_answer(self, at: int, seat: int, agrees: bool) -> list[Any]:
        """Return the events of an answer to the undo request; the last consent that was missing carries it out."""
        self.must_be("playing")
        request = self.undo_request
        if request is None or seat not in self.asked_to_agree(request.seat) or seat in request.agreed:
            raise Refused("table.not_asked")
        answer = stored.UndoAnswered(at, seat=seat, agrees=agrees)
        if agrees and request.agreed | {seat} >= set(self.asked_to_agree(request.seat)):
            return [answer, stored.Undone(at, seat=request.seat, ply=request.ply, whole=True)]
        return [answer]

    def decide_pause(self, at: int, seat: int | None, pause: bool) -> list[Any]:
        """Return the events that pause the game or resume it."""
        self.must_be("playing")
        if self.paused == pause:
            raise Refused("table.paused" if pause else "table.not_paused")
        return [(stored.Paused if pause else stored.Resumed)(at, seat=seat)]

    def decide_replace(self, at: int, seat: int, level: str) -> list[Any]:
        """Return the events with which a bot begins to play for a person."""
        self.must_be("playing")
        if not self.must_have(seat).plays_itself:
            raise Refused("table.nobody", seat=seat + 1)
        return [stored.Replaced(at, seat=seat, level=level)]

    def decide_kick(self, at: int, seat: int, level: str) -> list[Any]:
        """Return the events that take a seat from its holder; during the game a bot plays on."""
        if self.status == "open":
            return self.decide_free(at, seat, kicked=True)
        self.must_be("playing")
        its = self.must_have(seat)
        if not its.is_held:
            raise Refused("table.nobody", seat=seat + 1)
        replaced = [stored.Replaced(at, seat=seat, level=level)] if its.plays_itself else []
        return [*replaced, stored.Reseated(at, seat=seat, token="")]

    def decide_return(self, at: int, seat: int) -> list[Any]:
        """Return the events with which a person plays again instead of the bot."""
        self.must_be("playing")
        its = self.must_have(seat)
        if its.kind != "human" or its.level is None:
            raise Refused("table.not_away", seat=seat + 1)
        return [stored.Returned(at, seat=seat)]

    def _must_not_be_about_to_begin(self) -> None:
        """Refuse between the seal and the start: a seat that changes hands then could not reveal its nonce."""
        if self.is_sealed and not self.has_begun:
            raise Refused("table.is_sealed")

    def decide_code(self, at: int, seat: int, code: str, by_host: bool = False) -> list[Any]:
        """Return the events that make a one-time code for a seat."""
        self.must_be("open", "playing", "over")
        self._must_not_be_about_to_begin()
        if self.must_have(seat).kind != "human":
            raise Refused("table.nobody", seat=seat + 1)
        return [stored.CodeMade(at, seat=seat, code=hashed(code), by_host=by_host)]

    def decide_claim(self, at: int, code: str, token: str) -> list[Any]:
        """Return the events that give a seat to whoever has its one-time code."""
        self.must_be("open", "playing", "over")
        self._must_not_be_about_to_begin()
        for number, seat in enumerate(self.seats):
            if has_hash(code, seat.code) and at - seat.code_made <= CODE_LIVES:
                self.must_be_new(token)
                return [stored.Reseated(at, seat=number, token=hashed(token))]
        raise Refused("table.bad_code")

    def decide_close(self, at: int) -> list[Any]:
        """Return the events that close a table whose game has not ended; its secret may be shown then."""
        if self.is_revealed:
            raise Refused(f"table.is_{self.status}")
        return [stored.Closed(at)]


def rebuild(id: str, events: Sequence[Any], edition: Edition | None = None) -> Table:
    """Return a table from its events; it is read-only from the first event that is illegal or has another result.

    Its edition is needed unless it is the game's own or in the first event.
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
                # Which move it was, and why, may be hidden from the viewer.
                moved = isinstance(event, stored.Moved)
                table.broken = Refused("table.move_differs", number=table.position.ply + 1) if moved else problem
        table.entries.append(Entry(table.seq + 1, event))
    return table
