"""Whatever is thrown at the games, they take it or refuse it with a reason; they never break."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mutations import DATES, EXTREMES, NONSENSE, paths, replaced, spoiled
from tiers import IS_DEEP

from lampion.games.core import CHANCE, EVERYTHING, BadComponents, BadMove, BadPosition, BadSetup
from lampion.games.editions import edition, standard
from lampion.games.move_types import notation
from lampion.games.registry import game, games
from lampion.locale import LANGUAGES, Problem, speaking
from lampion.play import Position, Record, Seeded, compiled_calls
from lampion.testing import choose, wander

NAMES = sorted(games())
GAMES = pytest.mark.parametrize("name", NAMES)
SPARE = 256


def check_reason(error: Problem) -> None:
    """A refusal says why, in every language."""
    for language in LANGUAGES:
        with speaking(language):
            assert str(error)


@cache
def stages(name: str) -> list[Position]:
    """Moments of a few games, of every number of players."""
    found = []
    for players in game(name).players:
        for position in wander(game(name), players, None, players):
            if position.ply % 7 == 0 or position.is_over:
                found.append(position.copy())
    return found


@cache
def known_moves(name: str) -> list[dict[str, Any]]:
    """Moves of the game, a few of every kind, as plain data."""
    found: dict[str, list[dict[str, Any]]] = {}
    for position in stages(name):
        for move in list(position.legal_moves)[::5]:
            found.setdefault(move.kind, []).append(msgspec.to_builtins(move))
    return [move for moves in found.values() for move in moves[:: max(1, len(moves) // 12)]]


@cache
def written_moves(name: str) -> list[str]:
    """The same in notation."""
    return sorted({notation(move) for p in stages(name) for move in list(p.legal_moves)[::9]})


def push_or_refuse(position: Position, move: Any, seat: int | None = None) -> None:
    """A move is made, and all facts hold, or it is refused with a reason; then the position is as it was."""
    before = position.bytes()
    try:
        position.push(move, seat)
    except BadMove as error:
        check_reason(error)
    else:
        assert position.broken_fact() is None
        position.pop()
    assert position.bytes() == before


@GAMES
@given(data=st.data())
def test_garbage_for_a_move(name: str, data: st.DataObject) -> None:
    position = data.draw(st.sampled_from(stages(name))).copy()
    move = data.draw(
        st.one_of(
            NONSENSE,
            st.binary(max_size=4),
            st.integers(),
            st.text(max_size=20),
            st.sampled_from(known_moves(name)).flatmap(spoiled),
            st.sampled_from(known_moves(name)),
            st.sampled_from(written_moves(name)),
            st.sampled_from(written_moves(name)).flatmap(lambda text: st.permutations(text).map("".join)),
            st.tuples(st.sampled_from(written_moves(name)), st.text(max_size=3)).map("".join),
        )
    )
    seat = data.draw(st.sampled_from([None, CHANCE, -2, 0, 1, position.players, 8, 64, 2**40, 2**64]))
    push_or_refuse(position, move, seat)
    assert (move in position.legal_moves) in (True, False)


@cache
def record_of(name: str, players: int) -> Any:
    """A record as plain data."""
    *_, position = wander(game(name), players, None, 3)
    return json.loads(Record.of(position, date="2001-01-01").to_json())


@GAMES
@given(data=st.data())
def test_garbage_for_a_record(name: str, data: st.DataObject) -> None:
    record = data.draw(spoiled(record_of(name, data.draw(st.sampled_from(game(name).players)))))
    try:
        position = Record.from_data(record).check()
    except Problem as error:
        check_reason(error)
    else:
        assert position.broken_fact() is None


@GAMES
@given(data=st.data())
def test_garbage_for_the_text_of_a_record(name: str, data: st.DataObject) -> None:
    text = json.dumps(record_of(name, game(name).players[0]))
    at = data.draw(st.integers(0, len(text)))
    text = text[:at] + data.draw(st.text(max_size=3)) + text[at + data.draw(st.integers(0, 3)) :]
    try:
        Record.from_json(text).check()
    except Problem as error:
        check_reason(error)


def spoilt_everywhere(data: Any, ways: int) -> list[Any]:
    """The data with each of its entries (or that many of them) replaced by each kind of nonsense; a quarter by day."""
    ways = ways if IS_DEEP else ways // 4
    found = paths(data)
    if len(found) > ways:
        found = random.Random(1).sample(found, ways)
    return [replaced(data, way, value) for way in found for value in EXTREMES]


@GAMES
def test_nonsense_in_every_entry_of_a_record(name: str) -> None:
    for data in spoilt_everywhere(record_of(name, game(name).players[0]), 60):
        try:
            Record.from_data(data).check()
        except Problem as error:
            check_reason(error)


@GAMES
def test_nonsense_in_every_entry_of_the_components(name: str) -> None:
    for data in spoilt_everywhere(standard(name).data, 80):
        try:
            edition(game(name), data)
        except BadComponents as error:
            check_reason(error)


@GAMES
def test_nonsense_in_every_entry_of_a_position(name: str) -> None:
    for stage in (stages(name)[0], stages(name)[len(stages(name)) // 2]):
        for view in spoilt_everywhere(msgspec.to_builtins(stage.view(EVERYTHING)), 100):
            try:
                position = Position.from_view(name, stage.players, stage.options, view)
            except BadPosition as error:
                check_reason(error)
            else:
                assert position.broken_fact() is None


@GAMES
@given(data=st.data())
def test_garbage_for_components(name: str, data: st.DataObject) -> None:
    components = data.draw(spoiled(dict(standard(name).data), st.one_of(NONSENSE, DATES)))
    try:
        accepted = edition(game(name), components)
    except BadComponents as error:
        check_reason(error)
        return
    players = data.draw(st.sampled_from(game(name).players))
    play_on(Position(name, players, components=accepted), data.draw(st.integers(0, 99)))


@GAMES
@given(data=st.data())
def test_garbage_for_a_position(name: str, data: st.DataObject) -> None:
    stage = data.draw(st.sampled_from(stages(name)))
    view = data.draw(spoiled(msgspec.to_builtins(stage.view(EVERYTHING))))
    try:
        position = Position.from_view(name, stage.players, stage.options, view)
    except BadPosition as error:
        check_reason(error)
        return
    assert position.broken_fact() is None
    assert position.view(EVERYTHING) == position.start
    play_on(position, data.draw(st.integers(0, 99)), moves=40)


@GAMES
@given(data=st.data())
def test_garbage_for_a_set_up(name: str, data: st.DataObject) -> None:
    players = data.draw(st.one_of(NONSENSE, st.sampled_from(game(name).players)))
    names = st.one_of(st.sampled_from([option.name for option in game(name).options]), st.text(max_size=5))
    options = data.draw(st.dictionaries(names, NONSENSE, max_size=2))
    try:
        Position(name, players, options)
    except BadSetup as error:
        check_reason(error)


def play_on(position: Position, seed: int, moves: int | None = None) -> None:
    """Play at random: all facts hold, and no list outgrows the traits of the game, whatever is in the box."""
    traits, dice, chance = position.game, random.Random(seed), Seeded(seed)
    ids = np.zeros(traits.most + SPARE, dtype=np.int32)
    for _ in range(traits.longest - position.ply if moves is None else moves):
        if position.is_over:
            return
        for seat in position.pending or (CHANCE,):
            count = compiled_calls.moves_at(
                position.edition.boxes, position._states, position.ply, seat, ids, ids.copy()
            )
            assert count <= traits.most
        if position.actor == CHANCE:
            position.push_chance(chance)
        else:
            position.push_rows(choose(position, position.actor, dice))
        assert position.broken_fact() is None
    assert moves is not None or position.is_over, f"longer than {traits.longest} moves"
