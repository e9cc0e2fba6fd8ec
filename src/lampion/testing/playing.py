"""Random games for the checks, and a workbench that applies moves to states."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from lampion.engine.rng import new_rng
from lampion.games.core import CHANCE, EVERYONE, EVERYTHING, MOST_KEYS, NOTES, OVER, ROW, SPECTATOR, Game
from lampion.games.editions import standard
from lampion.games.move_types import notation
from lampion.play import Position, Seeded, compiled_calls

States = np.ndarray[Any, Any]
Row = tuple[int, int, int, int, int]
"""A row of the log as a viewer knows it: kind, seat, thing (-1: none, or not for this viewer), number, why."""

UNTOUCHED = -7
SPARE = 64


def spread(game: Game, players: int, most: int | None = None) -> list[dict[str, Any]]:
    """Return sets of options, the defaults first, with every value of every option; at most `most` sets."""
    values = {option.name: option.choices(players) for option in game.options}
    defaults = game.read_options(players)
    rows = [defaults]
    for i in range(max(map(len, values.values()), default=0)):
        row = {name: choices[i % len(choices)] for name, choices in values.items()}
        if row != defaults:
            rows.append(row)
    if most is None or len(rows) <= most:
        return rows
    return [rows[i * len(rows) // most] for i in range(most)]


def viewers(position: Position) -> Iterator[int]:
    """Return all viewers: the seats and SPECTATOR."""
    yield from range(position.players)
    yield SPECTATOR


def movers(position: Position) -> Sequence[int]:
    """Return who may move now: CHANCE, or all seats that owe a decision."""
    return [CHANCE] if position.actor == CHANCE else position.pending


def wander(game: Game, players: int, options: Mapping[str, Any] | None, seed: int) -> Iterator[Position]:
    """Yield the position of a random game before every move and at its end; callers must not change it.

    Half of the choices give every move the same odds, half every kind of move, so that rare kinds are met too.
    """
    position = Position(game, players, options)
    chance, dice = Seeded(seed), random.Random(f"{game.name} {players} {seed}")
    while not position.is_over:
        yield position
        assert position.ply < game.longest, broken(position, f"the game is longer than Game.longest = {game.longest}")
        if position.actor == CHANCE:
            position.push_chance(chance)
        else:
            seat = dice.choice(position.pending)
            position.push_rows(choose(position, seat, dice), seat)
    yield position


def choose(position: Position, seat: int, dice: random.Random) -> int:
    """Return a random move: any, or one of a kind drawn first."""
    ids = [int(id) for id in position.legal_ids(seat)]
    assert ids, broken(position, f"seat {seat} is pending and has no legal move")
    if dice.random() < 0.5:
        kinds = [type(position.move(id)).__name__ for id in ids]
        kind = dice.choice(sorted(set(kinds)))
        ids = [id for id, its in zip(ids, kinds, strict=True) if its == kind]
    return dice.choice(ids)


def moments(game: Game, players: int, options: Mapping[str, Any] | None, seed: int, share: float) -> Iterator[Position]:
    """Yield a part of the positions of a random game, the first and the last among them."""
    dice = random.Random(seed)
    for position in wander(game, players, options, seed):
        if position.ply == 0 or position.is_over or dice.random() < share:
            yield position


def sample(ids: Iterable[Any], most: int, dice: random.Random) -> list[int]:
    """Return at most `most` of the ids, in their order."""
    found = [int(id) for id in ids]
    return found if len(found) <= most else sorted(dice.sample(found, most))


def broken(position: Position, what: str) -> str:
    """Return the message of a failure with the game in which it occurred, so that it can be replayed."""
    last = ", ".join(f"{'chance' if seat == CHANCE else seat} {move}" for seat, move in _latest(position))
    return (
        f"{position.game.name}, {position.players} players, {position.options}, after {position.ply} moves"
        f"{' (the last: ' + last + ')' if last else ''}: {what}"
    )


def _latest(position: Position) -> list[tuple[int, str]]:
    try:
        return [(seat, notation(move)) for seat, move in position.moves[-3:]]
    except Exception:  # the words may be what is broken
        return [(seat, str(id)) for seat, id in position.played[-3:]]


class Bench:
    """Arrays to try moves in: larger than the traits require, so that writes out of bounds are noticed."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.boxes = standard(game.name).boxes
        self.box = self.boxes[0]
        self.ids = np.zeros(game.most + SPARE, dtype=np.int32)
        self.weights = np.zeros(game.most + SPARE, dtype=np.int32)
        self.log = np.zeros((game.rows + SPARE, ROW), dtype=np.int32)

    def state(self, position: Position) -> States:
        """Return the state of a position in an array of one."""
        return np.frombuffer(bytearray(position.bytes()), dtype=self.game.state)

    def moves(self, states: States, seat: int) -> list[int]:
        """Return the ids of the moves of a seat or of chance."""
        self.ids[:] = self.weights[:] = UNTOUCHED
        n = compiled_calls.moves_at(self.boxes, states, 0, seat, self.ids, self.weights)
        return [int(id) for id in self.ids[:n]]

    def after(self, states: States, seat: int, id: int, viewer: int = EVERYTHING) -> tuple[States, list[Row]]:
        """Return the state after a legal move, and its rows as the viewer may know them."""
        pair = np.zeros(2, dtype=self.game.state)
        pair[0] = states[0]
        done = compiled_calls.push_at(self.boxes, pair, 0, seat, id, self.ids, self.weights, self.log)
        assert done >= 0, f"{self.game.name}: move {id} of seat {seat} was listed and is refused"
        return pair[1:], self.visible_rows(done % compiled_calls.SOURCE, viewer)

    def visible_rows(self, rows: int, viewer: int) -> list[Row]:
        """Return the first rows of the log as the viewer may know them."""
        visible = []
        for kind, seat, thing, number, why, knowing in self.log[:rows].tolist():
            shown = viewer == EVERYTHING or knowing == EVERYONE or (viewer >= 0 and knowing >> viewer & 1)
            visible.append((kind, seat, thing if shown else -1, number, why))
        return visible

    def concealed(self, states: States, viewer: int, seed: int) -> States:
        """Return a random state that looks the same to the viewer."""
        world = states.copy()
        compiled_calls.conceal_at(self.boxes, world, 0, viewer, new_rng(seed))
        return world

    def seen(self, states: States, mover: int, id: int, viewer: int) -> int:
        """Return the code of what the viewer would see of a move."""
        return int(compiled_calls.seen_at(self.boxes, states, 0, mover, id, viewer))

    def actor(self, states: States) -> int:
        """Return the actor."""
        return int(compiled_calls.actor_at(self.boxes, states, 0))

    def pending(self, states: States) -> int:
        """Return the bits of the seats that owe a decision."""
        return int(compiled_calls.pending_at(self.boxes, states, 0))

    def source(self, states: States) -> int:
        """Return the source that chance draws from."""
        return int(compiled_calls.source_at(self.boxes, states, 0)) if self.actor(states) == CHANCE else OVER

    def features(self, states: States, seat: int) -> bytes:
        """Return the features of a seat."""
        out = np.zeros(self.game.features, dtype=np.float32)
        compiled_calls.features_at(self.boxes, states, 0, seat, out)
        return out.tobytes()

    def net_inputs(self, states: States, seat: int) -> bytes:
        """Return what a net is given of what a seat sees; all of it is written, whatever was there."""
        out = np.full(self.game.inputs, np.nan, dtype=np.float32)
        compiled_calls.net_inputs_at(self.boxes, states, 0, seat, np.full(NOTES, 7, dtype=np.int64), out)
        assert not np.isnan(out).any(), "net_inputs leaves numbers unwritten"
        return out.tobytes()

    def score(self, states: States, players: int) -> bytes:
        """Return the points by category."""
        tallies = np.zeros((players, len(self.game.categories)), dtype=np.int64)
        keys = np.zeros((players, MOST_KEYS), dtype=np.int64)
        ranks, shares = np.zeros(players, dtype=np.int64), np.zeros(players, dtype=np.float64)
        compiled_calls.count_at(self.boxes, states, 0, players, tallies, keys, ranks, shares)
        return tallies.tobytes() + keys.tobytes()

    def broken_fact(self, states: States) -> str | None:
        """Return the name of a broken invariant, or None."""
        fact = compiled_calls.broken_invariant_at(self.boxes, states, 0)
        return self.game.invariants[fact - 1] if fact else None

    def asked(self, states: States, seat: int) -> str | None:
        """Return the key of the sentence that says what a seat has to decide, if it is to move."""
        mine = seat >= 0 and self.pending(states) >> seat & 1
        return str(self.game.view.asked(self.box, states[0], seat)) if mine else None

    def view(self, states: States, viewer: int) -> bytes:
        """Return the view of a viewer as JSON."""
        return msgspec.json.encode(self.game.view.view(self.box, states[0], viewer))
