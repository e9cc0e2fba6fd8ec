"""What nets are given of a position of Lanternes Dice: the parts say what they are named after, from any seat alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from dice_positions import firework, play_on, pond, seat, table

from lampion.games.dice import inputs
from lampion.games.dice.lake import PONDS
from lampion.games.dice.state import LETTERS, SHAPE_NAMES
from lampion.games.registry import game
from lampion.play import Position, compiled_calls

GAME = game("dice")


def item(position: Position, who: int, colour: str) -> Any:
    """The inputs of one colour."""
    at = LETTERS.index(colour) * inputs.ITEM
    return position.net_inputs(who)[at : at + inputs.ITEM]


def of_shape(position: Position, who: int, shape: str) -> Any:
    """The inputs of one firework."""
    at = inputs.FIREWORKS + SHAPE_NAMES.index(shape) * inputs.FIREWORK
    return position.net_inputs(who)[at : at + inputs.FIREWORK]


def of_seat(position: Position, who: int, k: int) -> Any:
    """The inputs about the k-th player after a seat."""
    at = inputs.SEAT + k * inputs.PER_SEAT
    return position.net_inputs(who)[at : at + inputs.PER_SEAT]


def test_a_colour_says_which_ponds_it_finishes_and_what_that_brings() -> None:
    position = table(seat("a1a b1 e1a", step="die"), seat())
    blue, white = item(position, 0, "B"), item(position, 0, "W")
    assert blue[:6].tolist() == [1, 1, 0, 1, 1, 0]  # a1 beside b1, and e1 with its platform
    assert white[:6].tolist() == [0, 0, 0, 0, 0, 0]
    assert item(position, 1, "B")[inputs.OTHERS_FINISH] == 1


def test_a_colour_that_makes_a_firework_ready_says_its_points() -> None:
    position = table(seat("a1 b1 a2a", step="die"), seat())
    assert item(position, 0, "P")[inputs.FINISHES + 6] == pytest.approx(3 / 6)
    assert item(position, 0, "B")[inputs.FINISHES + 6] == 0


def test_free_zones_and_gifts_of_a_colour() -> None:
    position = table(seat("i1b", step="die", gifts=2), seat())
    assert item(position, 0, "R")[inputs.FREE :][:2] == pytest.approx([17 / 18, 1 / 2])
    assert item(position, 1, "R")[inputs.FREE :][:2] == pytest.approx([1, 1])


def test_dice_of_the_tray_the_own_one_and_those_of_others() -> None:
    position = table(seat(step="die"), seat(step="die"), dice="WOWP")
    assert item(position, 0, "W")[inputs.DICE :][:4].tolist() == [1, 1, 1, 0]
    assert item(position, 0, "P")[inputs.DICE :][:4].tolist() == [1, 0, 0, 0]
    assert item(position, 0, "W")[inputs.OTHERS_DICE] == 1
    before = table(seat(step="turn"), seat(), dice="WOWP", step="turn")
    assert item(before, 0, "O")[inputs.DICE :][:4].tolist() == [1, 0, 0, 1]
    assert item(before, 1, "O")[inputs.DICE :][:4].tolist() == [1, 0, 0, 0]


def test_the_turn_bonuses_to_come() -> None:
    position = table(seat(step="die"), seat(step="die"))
    assert item(position, 0, "R")[inputs.BONUSES :][:3] == pytest.approx([0.25, 1, 1])
    assert item(position, 0, "P")[inputs.BONUSES :][:3] == pytest.approx([0.5, 0, 0])
    assert item(position, 1, "W")[inputs.BONUSES :][:3] == pytest.approx([1.0, 1, 0])


def test_the_own_sheet_pond_by_pond() -> None:
    lit = seat("a1 b1 a2 c1b d1a e1", step="die", fireworks=[firework("corner", "a1 b1 a2", 0)])
    position = table(lit, seat(), turn=2)
    planes = position.net_inputs(0)[inputs.SHEET : inputs.FIREWORKS].reshape(inputs.PLANES, PONDS)
    shown = [set(np.flatnonzero(plane).tolist()) for plane in planes]
    assert shown == [{pond("d1")}, {pond("c1")}, {pond("e1")}, {pond("a1"), pond("b1"), pond("a2")}]


def test_fireworks_that_are_ready_or_lack_zones() -> None:
    position = table(seat("a1 b1 a2 c1a", step="die"), seat("h5 i5 i6 h6a"))
    corner, square, tee = (of_shape(position, 0, shape) for shape in ("corner", "square", "tee"))
    assert corner[:4] == pytest.approx([1, 3 / 6, 0, 1])
    assert corner[4:12] == pytest.approx([1, 0, 0, 1, 1, 1, 1, 3 / 6])
    assert square[4:12] == pytest.approx([0, 0, 0, 1, 1, 1, 0, 0])  # b2 is empty
    assert tee[7:11].tolist() == [1, 1, 0, 0]  # c1 lacks a zone, b2 two
    assert corner[inputs.OTHERS_READY :][:2].tolist() == [1, 1]
    assert not of_shape(position, 0, "bar").any()  # not in play


def test_a_rival_who_launches_before_the_seat() -> None:
    mine = table(seat(step="die"), seat("a1 b1 a2"), turn=0)
    assert of_shape(mine, 0, "corner")[inputs.RIVAL] == 0
    theirs = table(seat(), seat("a1 b1 a2", step="die"), turn=1)
    assert of_shape(theirs, 0, "corner")[inputs.RIVAL] == 1


def test_points_of_groups_boats_and_the_best_launches_one_after_another() -> None:
    position = table(seat("b1 a2 c2 b3 h1 h2 i1 i2 f5 f6 e6", step="die"), seat())
    own = of_seat(position, 0, 0)
    assert own[1] == pytest.approx((3 + 4) / 30)  # the second group and a boat
    assert own[3:5] == pytest.approx([3 / 8, 4 / 12])
    assert own[6] == 0.5
    assert own[11:14] == pytest.approx([5 / 6, 3 / 6, 0])  # square, corner
    assert of_seat(position, 1, 1)[1] == pytest.approx(0.7)


def test_what_may_be_shaded_now() -> None:
    position = table(seat("a1a b1 a2", step="die"), seat("a1a", step="die"), dice="BOWP")
    own, other = of_seat(position, 0, 0)[inputs.OPEN :], of_seat(position, 0, 1)[inputs.OPEN :]
    assert own[2:7] == pytest.approx([1 / 3, 1, 0, 1, 3 / 6])
    assert other[2:4] == pytest.approx([0, 0])


def mirrored(position: Position) -> Any:
    """The same position of two players with the seats and their corners exchanged."""
    states = GAME.new_states(1)
    states[0] = position.state
    state = states[0]
    for name in ("shaded", "lit", "launched", "gifts", "at", "platform", "card", "left", "used", "pond", "sheets"):
        state[name][:2] = state[name][1::-1].copy()
    state["dice"] = np.roll(state["dice"], 2)
    state["first"] = 1 - state["first"]
    owing = int(state["owing"])
    state["owing"] = owing >> 1 | (owing & 1) << 1
    return states


def test_two_seats_see_mirrored_positions_alike() -> None:
    looked = 0
    for position in play_on(Position("dice", 2), 4):
        if position.is_over:
            break
        states = mirrored(position)
        for who in range(2):
            out, notes = np.zeros(GAME.inputs, dtype=np.float32), np.zeros(128, dtype=np.int64)
            compiled_calls.net_inputs_at(position.edition.boxes, states, 0, 1 - who, notes, out)
            np.testing.assert_array_equal(out, position.net_inputs(who))
        looked += 1
    assert looked > 100
