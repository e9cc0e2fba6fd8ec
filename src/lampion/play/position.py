"""A game in progress, in the manner of python-chess: push moves, pop them, ask what is legal.

>>> from lampion.play import Position, Seeded
>>> position = Position("lanternes", players=2, options={"first": 0})
>>> position.push_chances(Seeded(1))
>>> position.actor, len(position.legal_moves)
(0, 48)
>>> position.push(position.legal_moves[0])[0].kind
'placed'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from lampion.engine.arrays import np
from lampion.games import core, registry
from lampion.games.core import CHANCE, EVERYTHING, NOTES, OVER, BadPosition, Game, IllegalMove, OutOfTurn
from lampion.games.editions import Edition, edition, standard
from lampion.games.move_types import Event, event, no_paint, notation, read_move
from lampion.locale import say, written
from lampion.play import compiled_calls
from lampion.play.chance import Chance, Seeded
from lampion.play.legal_moves import LegalMoves
from lampion.play.outcome import Outcome, count_points
from lampion.play.view_consistency import agreed_options, check_fields, read_view

SPARE_STATES = 16


class Played(NamedTuple):
    """One move of a game: the seat that made it, or CHANCE, and its id in the position where it was made."""

    seat: int
    id: int


_new_played = partial(tuple.__new__, Played)


class Position:
    """A position with the moves that led to it. A move is given as a typed move, JSON data, notation or id."""

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        components: Mapping[str, Any] | Edition | None = None,
    ) -> None:
        self.game = registry.game(game) if isinstance(game, str) else game
        if components is None:
            components = standard(self.game.name)
        self.edition = components if isinstance(components, Edition) else edition(self.game, components)
        self.players = self.game.players[0] if players is None else players
        self.options = self.game.read_options(self.players, options)
        self.played: list[Played] = []
        self.start: Any = None
        """The view that the game began from; None where it began with the set-up."""
        self._boxes = self.edition.boxes
        self._states = self.game.new_states(SPARE_STATES)
        self._ids = np.zeros(self.game.most + 1, dtype=np.int32)
        self._weights = np.zeros(self.game.most + 1, dtype=np.int32)
        self._log = np.zeros((self.game.rows, core.ROW), dtype=np.int32)
        self._sources: list[int] = []
        self._drawn = np.zeros(self.game.sources, dtype=np.int32)
        rows = compiled_calls.set_up(
            self._boxes, self._states, self.players, self.game.code_options(self.options), self._log
        )
        self._opening = self._log[:rows].copy()
        self._actors = [int(compiled_calls.actor_at(self._boxes, self._states, 0))]

    def __getstate__(self) -> dict[str, Any]:
        """Return all attributes but the box, which a copy shares."""
        return {name: value for name, value in vars(self).items() if name != "_boxes"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._boxes = self.edition.boxes

    @classmethod
    def from_view(
        cls,
        game: str | Game,
        players: int,
        options: Mapping[str, Any] | None,
        view: Any,
        *,
        components: Mapping[str, Any] | Edition | None = None,
    ) -> Position:
        """Return the position that a view of EVERYTHING describes.

        Raise BadPosition with the invariant that is broken, or the field that disagrees with the rest of the view.
        """
        played = registry.game(game) if isinstance(game, str) else game
        given = read_view(played, players, view)
        position = cls(played, players, options, components=components)
        agreed = agreed_options(played, position.options, options, position.view(EVERYTHING), given)
        if agreed != position.options:
            position = cls(played, players, agreed, components=position.edition)
        state = position.game.new_states(1)
        played.view.position(position.edition.box, given, state[0])
        if fact := compiled_calls.broken_invariant_at(position._boxes, state, 0):
            raise BadPosition(f"{position.game.name}.fact.{position.game.invariants[fact - 1]}")
        position._states[0] = state[0]
        position._actors = [int(compiled_calls.actor_at(position._boxes, position._states, 0))]
        position.start = position.view(EVERYTHING)
        check_fields(given, position.start)
        position._opening = position._opening[:0]
        return position

    def copy(self) -> Position:
        """Return an independent copy with the same history."""
        return self.at(self.ply)

    def at(self, ply: int) -> Position:
        """Return an independent copy as the game was after `ply` moves, with its history up to there."""
        if not 0 <= ply <= self.ply:
            raise BadPosition("error.ply", ply=ply, last=self.ply)
        other = Position.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.played, other._actors = self.played[:ply], self._actors[: ply + 1]
        draws = sum(played.seat == CHANCE for played in other.played)
        other._sources = self._sources[:draws]
        other._drawn = self._drawn.copy()
        for source in self._sources[draws:]:
            other._drawn[source] -= 1
        other._states = self.game.new_states(ply + SPARE_STATES)
        other._states[: ply + 1] = self._states[: ply + 1]
        other._ids, other._weights, other._log = self._ids.copy(), self._weights.copy(), self._log.copy()
        return other

    def alone(self) -> Position:
        """Return an independent copy without its history, as if the game began here; it takes little memory."""
        other = self.at(0)
        other._states = self.game.new_states(SPARE_STATES)
        other._states[0] = self.state
        other._actors = [self.actor]
        other.start = other.view(EVERYTHING)
        return other

    @property
    def ply(self) -> int:
        """The number of moves made, those of chance included."""
        return len(self.played)

    @property
    def state(self) -> Any:
        """The state as the compiled rules read it, one record."""
        return self._states[self.ply]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.game is other.game and self.bytes() == other.bytes()

    def __hash__(self) -> int:
        return hash(self.bytes())

    def bytes(self) -> bytes:
        """Return the position without its history as bytes; equal positions have equal bytes."""
        return bytes(self._states[self.ply : self.ply + 1].tobytes())

    @property
    def actor(self) -> int:
        """The next actor: the lowest seat that owes a decision, CHANCE or OVER."""
        return self._actors[-1]

    @property
    def pending(self) -> tuple[int, ...]:
        """The seats that owe a decision."""
        if not self.game.simultaneous:
            return () if self._actors[-1] < 0 else (self._actors[-1],)
        bits = compiled_calls.pending_at(self._boxes, self._states, self.ply)
        return tuple(seat for seat in range(self.players) if (bits >> seat) & 1)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.actor == OVER

    def legal_ids(self, seat: int | None = None) -> np.ndarray[Any, np.dtype[np.int32]]:
        """Return the ids of the moves that a seat or CHANCE may make, ascending; without a seat, those of the actor."""
        if seat is None:
            seat = self._actors[-1]
        if not CHANCE <= seat < self.players:
            return self._ids[:0].copy()
        n = compiled_calls.moves_at(self._boxes, self._states, len(self.played), seat, self._ids, self._weights)
        return self._ids[:n].copy()

    @property
    def legal_moves(self) -> LegalMoves:
        """The moves that the actor, a seat or CHANCE, may make."""
        return LegalMoves(self, self.actor)

    def legal_moves_of(self, seat: int) -> LegalMoves:
        """Return the moves that a seat may make now."""
        return LegalMoves(self, seat)

    def chances(self) -> list[tuple[Any, int]]:
        """Return the possible moves of chance with their weights; an empty list where chance is not due."""
        if self.actor != CHANCE:
            return []
        n = compiled_calls.moves_at(self._boxes, self._states, self.ply, CHANCE, self._ids, self._weights)
        return [(self.move(id), int(weight)) for id, weight in zip(self._ids[:n], self._weights[:n], strict=True)]

    @property
    def source(self) -> int:
        """The number of the pile, bag or die that chance draws from now; -1 where chance is not due."""
        return int(compiled_calls.source_at(self._boxes, self._states, self.ply)) if self.actor == CHANCE else -1

    def move(self, id: int) -> Any:
        """Return the typed move that an id stands for in this position."""
        return self.game.notation.move(self.edition.box, self.state, int(id))

    def id_of(self, move: Any) -> int:
        """Return the id of a move written in any way; raise BadMove where it is not a move of the game."""
        if isinstance(move, (int, np.integer)) and not isinstance(move, bool):
            if not 0 <= move < self.game.ids:
                raise IllegalMove("error.illegal_id", id=written(move), game=self.game.name)
            return int(move)
        return int(self.game.notation.id_of(self.edition.box, self.state, read_move(self.game, move)))

    def notation(self, move: Any) -> str:
        """Return a move in short notation."""
        return str(notation(self.move(self.id_of(move))))

    def push(self, move: Any, seat: int | None = None) -> list[Event]:
        """Make a move of a seat, by default the actor; return its events, hidden details included."""
        rows = self.push_rows(self.id_of(move), seat)
        return [event(self.game, self.edition.box, row, EVERYTHING) for row in rows]

    def push_rows(self, id: int, seat: int | None = None) -> np.ndarray[Any, np.dtype[np.int32]]:
        """Make a move by its id; return the rows of the log, valid until the next push."""
        ply = len(self.played)
        if seat is None:
            seat = self._actors[-1]
        if len(self._states) < ply + 2:
            self._grow()
        if not CHANCE <= seat < core.MOST_SEATS:
            raise self._refusal(compiled_calls.OUT_OF_TURN, seat)
        done = compiled_calls.push_at(self._boxes, self._states, ply, seat, id, self._ids, self._weights, self._log)
        if done < 0:
            raise self._refusal(done, seat)
        if seat == CHANCE:
            self._drawn[done // compiled_calls.SOURCE % compiled_calls.SOURCE - 1] += 1
        return self._pushed(done, seat, id)

    def _pushed(self, done: int, seat: int, id: int) -> np.ndarray[Any, np.dtype[np.int32]]:
        """Add a move to the history from the number that `push_at` returned; return the rows of the log."""
        if seat == CHANCE:
            self._sources.append(done // compiled_calls.SOURCE % compiled_calls.SOURCE - 1)
        self._actors.append(done // compiled_calls.ACTOR % (compiled_calls.MOVE // compiled_calls.ACTOR) - 2)
        self.played.append(_new_played((seat, id)))
        return self._log[: done % compiled_calls.SOURCE]

    def rows_of(self, ply: int) -> np.ndarray[Any, np.dtype[np.int32]]:
        """Return the rows of the log of the move made after `ply` moves, valid until the next push."""
        seat, id = self.played[ply]
        done = compiled_calls.push_at(self._boxes, self._states, ply, seat, id, self._ids, self._weights, self._log)
        return self._log[: done % compiled_calls.SOURCE]

    def _refusal(self, done: int, seat: int) -> core.BadMove:
        """Return why a move was refused, without naming it: people know which move they tried."""
        if self.is_over:
            return OutOfTurn("error.over")
        if done == compiled_calls.OUT_OF_TURN:
            mover = "chance" if seat == CHANCE else str(seat)[:40]
            expected = ", ".join(map(str, self.pending)) or "chance"
            return OutOfTurn("error.out_of_turn", seat=mover, expected=expected)
        return IllegalMove("error.illegal_move", asked=self.asked(seat))

    def asked(self, seat: int) -> str:
        """Return the sentence that says what a seat or CHANCE has to decide now."""
        return say(self.game.view.asked(self.edition.box, self.state, seat))

    def _grow(self) -> None:
        more = self.game.new_states(2 * len(self._states) + SPARE_STATES)
        more[: len(self._states)] = self._states
        self._states = more

    def pop(self) -> Any:
        """Take back the last move, whatever it was, and return it typed. `take_back` is the undo for people."""
        seat, id = self.played.pop()
        self._actors.pop()
        if seat == CHANCE:
            self._drawn[self._sources.pop()] -= 1
        return self.move(id)

    def push_chance(self, chance: Chance) -> list[Event]:
        """Make the chance move that a stream draws; return its events, hidden details included."""
        rows = self.push_chance_rows(chance)
        return [event(self.game, self.edition.box, row, EVERYTHING) for row in rows]

    def push_chance_rows(self, chance: Chance) -> np.ndarray[Any, np.dtype[np.int32]]:
        """Make the chance move that a stream draws; return the rows of the log, valid until the next push."""
        ply = len(self.played)
        if len(self._states) < ply + 2:
            self._grow()
        if isinstance(chance, Seeded):
            done = compiled_calls.deal_at(
                self._boxes, self._states, ply, chance.stream, self._drawn, chance.rng,
                self._ids, self._weights, self._log,
            )  # fmt: skip
            if done < 0:
                raise self._refusal(done, CHANCE)
            return self._pushed(done, CHANCE, done // compiled_calls.MOVE)
        source = int(compiled_calls.source_at(self._boxes, self._states, self.ply))
        n = compiled_calls.moves_at(self._boxes, self._states, self.ply, CHANCE, self._ids, self._weights)
        if n == 0:
            raise self._refusal(compiled_calls.OUT_OF_TURN, CHANCE)
        drawn = chance.draw(source, int(self._drawn[source]), self._weights[:n].tolist())
        return self.push_rows(int(self._ids[drawn]), CHANCE)

    def push_chances(self, chance: Chance) -> None:
        """Make the chance moves that a stream draws until a seat decides or the game is over."""
        while self.actor == CHANCE:
            self.push_chance(chance)

    def can_tell(self, mover: int, id: int, viewer: int) -> bool:
        """Return whether the viewer will know exactly which move this was."""
        code = compiled_calls.seen_at(self._boxes, self._states, self.ply, mover, id, viewer)
        return all(
            compiled_calls.seen_at(self._boxes, self._states, self.ply, mover, int(other), viewer) != code
            for other in self.legal_ids(mover)
            if other != id
        )

    def tellers(self, mover: int, id: int) -> int:
        """Return the bits of the seats that will know exactly which move this was; bit MOST_SEATS is a spectator's."""
        return int(
            compiled_calls.tellers_at(
                self._boxes, self._states, self.ply, mover, id, self.players, self._ids, self._weights
            )
        )

    @property
    def moves(self) -> list[tuple[int, Any]]:
        """All moves made: the seat or CHANCE, and the typed move."""
        move, box = self.game.notation.move, self.edition.box
        return [(seat, move(box, self._states[ply], id)) for ply, (seat, id) in enumerate(self.played)]

    def view(self, viewer: int) -> Any:
        """Return the view of a seat, of SPECTATOR or of EVERYTHING."""
        return self.game.view.view(self.edition.box, self.state, viewer)

    def opening(self, viewer: int) -> list[Event]:
        """Return the events of the set-up, as the viewer may know them."""
        return [event(self.game, self.edition.box, row, viewer) for row in self._opening]

    def preview(self, move: Any, seat: int | None = None, viewer: int = EVERYTHING) -> list[Event]:
        """Return the events that a move would have, up to the first chance move; the position is not changed."""
        rows = self.push_rows(self.id_of(move), seat)
        try:
            return [event(self.game, self.edition.box, row, viewer) for row in rows]
        finally:
            self.pop()

    def features(self, seat: int) -> np.ndarray[Any, np.dtype[np.float32]]:
        """Return what a seat sees as numbers for learning."""
        out = np.zeros(self.game.features, dtype=np.float32)
        compiled_calls.features_at(self._boxes, self._states, self.ply, seat, out)
        return out

    def net_inputs(self, seat: int) -> np.ndarray[Any, np.dtype[np.float32]]:
        """Return the numbers that a net is given of what a seat sees."""
        out = np.zeros(self.game.inputs, dtype=np.float32)
        compiled_calls.net_inputs_at(self._boxes, self._states, self.ply, seat, np.zeros(NOTES, dtype=np.int64), out)
        return out

    def concealed(self, viewer: int, rng: Any) -> Position:
        """Return a random position that looks the same to the viewer, without history, which would reveal more."""
        other = self.alone()
        compiled_calls.conceal_at(other._boxes, other._states, 0, viewer, rng)
        other.start = other.view(EVERYTHING)
        return other

    def broken_fact(self) -> str | None:
        """Return the name of an invariant that is broken, or None."""
        fact = compiled_calls.broken_invariant_at(self._boxes, self._states, self.ply)
        return self.game.invariants[fact - 1] if fact else None

    def count(self) -> Outcome:
        """Return the result as if the game ended now."""
        return count_points(self.game, self._boxes, self._states, self.ply, self.players)

    def outcome(self) -> Outcome | None:
        """Return the result of the game, or None while it goes on."""
        return self.count() if self.is_over else None

    def names(self) -> list[str]:
        """Return the default names of the seats."""
        return [say("seat.name", number=seat + 1) for seat in range(self.players)]

    def text(self, viewer: int = EVERYTHING, names: Sequence[str] | None = None, paint: Any = no_paint) -> str:
        """Return the position as text."""
        names = self.names() if names is None else names
        return str(self.game.text.draw_text(self.edition.box, self.state, viewer, names, paint))

    def svg(self, viewer: int = EVERYTHING, names: Sequence[str] | None = None) -> str:
        """Return the position as SVG."""
        names = self.names() if names is None else names
        return str(self.game.svg.draw_svg(self.edition.box, self.state, viewer, names))

    def boards(self, viewer: int = EVERYTHING, names: Sequence[str] | None = None) -> list[str]:
        """Return what lies on the table as SVG, without names: one shared board, or one for each seat in order.

        A shared board is turned as the viewer played on it. A game whose svg module has no `draw_boards` returns its
        whole picture, which has names.
        """
        draw = getattr(self.game.svg, "draw_boards", None)
        return [self.svg(names=names)] if draw is None else list(draw(self.edition.box, self.state, viewer))

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Position of {self.game.name}, {self.players} players, after {self.ply} moves>"

    def _repr_svg_(self) -> str:
        return self.svg()
