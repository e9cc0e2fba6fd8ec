"""What the nets of Lumens are given: named parts say what the board says, and seats are each other's mirror."""

from __future__ import annotations

import random

import numpy as np
import pytest
from lumens_positions import KIND, Place, table, targets

from lampion.games.lumens import inputs, threats
from lampion.games.lumens.components import LETTERS
from lampion.games.lumens.estimate import WAY_BITS, ways_in
from lampion.games.lumens.estimate import WAYS as MOST_WAYS
from lampion.games.lumens.inputs import PRESENCE, ROOM, SEAT, SEATS_AT
from lampion.games.lumens.state import ROOMS, SEATS, SIZE
from lampion.play import Position, Seeded

PLAYERS = (2, 3, 4)


def room(position: Position, seat: int, name: str, part: int, count: int = 1) -> list[float]:
    """The numbers of a part of a room."""
    at = LETTERS.index(name) * ROOM + part
    return [float(number) for number in position.net_inputs(seat)[at : at + count]]


def presence(position: Position, seat: int, name: str, k: int, part: int, count: int = 1) -> list[float]:
    """The numbers of a part of the k-th seat in a room."""
    return room(position, seat, name, k * PRESENCE + part, count)


def of_seat(position: Position, seat: int, k: int, part: int, count: int = 1) -> list[float]:
    """The numbers of a part of the k-th seat."""
    at = SEATS_AT + k * SEAT + part
    return [float(number) for number in position.net_inputs(seat)[at : at + count]]


def played(players: int, moves: int, seed: int) -> Position:
    """A position of a random game."""
    position, chance, dice = Position("lumens", players), Seeded(seed), random.Random(seed)
    position.push_chances(chance)
    for _ in range(moves):
        position.push(int(dice.choice(position.legal_ids())))
        position.push_chances(chance)
    return position


@pytest.mark.parametrize("players", PLAYERS)
def test_targets_are_those_of_the_rules(players: int) -> None:
    for moves in (players, 5 * players, 14 * players):
        position = played(players, moves, seed=moves)
        seat = position.actor
        board = position.net_inputs(seat)[inputs.BOARD :].reshape(SIZE, SIZE, inputs.CELL_PARTS)
        assert int(board[:, :, 3].sum()) == len(targets(position))
        assert of_seat(position, seat, 0, inputs.MOBILITY) == [pytest.approx(len(targets(position)) / 12)]


@pytest.mark.parametrize("players", PLAYERS)
def test_ways_into_rooms_are_those_of_the_estimate(players: int) -> None:
    position = played(players, 9 * players, seed=3)
    box, state = position.edition.boxes[0], position.state
    for seat in range(players):
        ways = int(ways_in(box, state, seat, np.zeros(4, dtype=np.int64)))
        for number, name in enumerate(LETTERS):
            empty, _, others = presence(position, seat, name, 0, inputs.WAYS_IN + 2, 3)
            assert empty * 4 + 2 * others * 3 == pytest.approx(ways >> WAY_BITS * number & MOST_WAYS)


@pytest.mark.parametrize("players", PLAYERS)
def test_rooms_and_seats_that_are_not_there_are_zero(players: int) -> None:
    position = played(players, 6 * players, seed=1)
    numbers = position.net_inputs(0)
    for at in range(ROOMS):
        assert numbers[at * ROOM + inputs.PRESENT] == (at < (9 if players == 2 else ROOMS))
        assert numbers[at * ROOM : (at + 1) * ROOM].any() == (at < (9 if players == 2 else ROOMS))
    for k in range(SEATS):
        assert numbers[SEATS_AT + k * SEAT : SEATS_AT + (k + 1) * SEAT].any() == (k < players)
    assert numbers[inputs.NUMBER : inputs.NUMBER + 3].tolist() == [players == n for n in PLAYERS]


def test_a_token_that_the_other_can_cover_is_at_risk() -> None:
    position = table(2, {(5, 4): "a5", (7, 2): "b2", (5, 3): "a3 a4"})
    assert presence(position, 0, "5", 0, inputs.SUMS, 3) == pytest.approx([0.4, 0.5, 0])
    position = table(2, {(5, 4): "a5", (5, 2): "b2", (6, 3): "a3 a4"})
    assert presence(position, 0, "5", 0, inputs.SUMS, 3) == pytest.approx([0.4, 0.5, 0.5])
    assert presence(position, 0, "5", 0, inputs.AT_RISK, 2) == pytest.approx([5 / 6, 0])
    assert presence(position, 1, "5", 1, inputs.AT_RISK, 2) == pytest.approx([5 / 6, 0])
    assert presence(position, 1, "5", 0, inputs.WAYS_IN + 3, 3) == pytest.approx([1, 1 / 3, 5 / 6])
    position = table(2, {(5, 4): "a5", (5, 2): "b2", (6, 3): "a3 a4"}, active=1)
    assert presence(position, 0, "5", 0, inputs.AT_RISK + 1) == pytest.approx([5 / 6])


@pytest.mark.parametrize(("hand", "chances"), [(0, [1, 1]), (1, [0, 1]), (2, [0, 0])])
def test_the_lead_can_be_gained_with_the_right_token(hand: int, chances: list[float]) -> None:
    # One 5 stands in room 1, out of reach; an empty cell of the room is two cells from an own 2
    position = table(2, {(0, 0): "b5", (3, 1): "a2"}, hands={0: hand})
    assert presence(position, 0, "1", 0, inputs.CHANCES, 2) == chances
    assert room(position, 0, "1", inputs.CONTEST) == chances[:1]
    assert room(position, 1, "1", inputs.CONTEST + 2) != [0]


def test_the_hand_of_another_is_known_as_what_is_not_yet_placed() -> None:
    tokens: dict[Place, str] = {(0, 0): "b5", (3, 1): "a2"}
    first, second = (table(2, tokens, hands={0: hand}) for hand in (0, 2))
    assert np.array_equal(first.net_inputs(1), second.net_inputs(1))
    assert not np.array_equal(first.net_inputs(0), second.net_inputs(0))
    left = [8 - sum(KIND[face] == kind for face in (1, 2)) for kind in range(3)]
    assert of_seat(first, 1, 1, inputs.KINDS_OF, 3) == pytest.approx([count / 8 for count in left])
    assert 0 < presence(first, 1, "1", 1, inputs.CHANCES)[0] < 1


def test_a_line_is_sure_from_the_next_cell_or_from_two_sides() -> None:
    position = table(2, {(3, 0): "a2", (3, 2): "b1"})
    assert presence(position, 0, "1", 0, inputs.WAYS_IN) == [1]
    assert presence(position, 0, "1", 0, inputs.SURE_WAYS) == [0]
    position = table(2, {(3, 0): "a2", (1, 3): "a3", (6, 6): "b1 b2"})
    assert presence(position, 0, "1", 0, inputs.SURE_WAYS, 2) == pytest.approx([1, 1 / 3])
    position = table(2, {(2, 0): "a1", (6, 6): "b1"})
    assert presence(position, 0, "1", 0, inputs.SURE_WAYS) == [1]


def test_who_places_next() -> None:
    position = table(3, {}, active=1)
    assert [of_seat(position, 0, k, inputs.TURN, 2) for k in range(3)] == [[0, 0], [1, 1], [0, 0]]
    position.push(int(position.legal_ids()[0]))
    assert [of_seat(position, 0, k, inputs.TURN, 2) for k in range(3)] == [[0, 0], [1, 0], [0, 1]]


def test_seats_of_a_turned_position_mirror_each_other() -> None:
    tokens: dict[Place, str] = {(5, 4): "a5", (5, 2): "b2", (6, 3): "a3 b4", (0, 1): "b6", (1, 7): "a2"}
    here = table(2, tokens, hands={0: 1, 1: 2})
    turned = {(12 - x, 8 - y): written.translate(str.maketrans("ab", "ba")) for (x, y), written in tokens.items()}
    there = table(2, turned, active=1, first=1, hands={1: 1, 0: 2})
    assert len(here.view(-1).cells) == len(there.view(-1).cells)
    opposite = dict(zip("123456789", "987654321", strict=True))
    for seat in range(2):
        one, other = here.net_inputs(seat), there.net_inputs(1 - seat)
        assert np.allclose(one[SEATS_AT:], other[SEATS_AT:], atol=1e-6)
        for name, its in opposite.items():
            a, b = LETTERS.index(name) * ROOM, LETTERS.index(its) * ROOM
            assert np.allclose(one[a : a + ROOM], other[b : b + ROOM], atol=1e-6), name


def test_notes_have_room() -> None:
    assert threats.NEXT < 128
    assert threats.SURE + 4 <= threats.FREE
