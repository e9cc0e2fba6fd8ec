"""What nets are given of a position of Lanternes: the parts say what they are named after, from any seat alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from lanternes_positions import ALINE, CORENTIN, ELLIOT, LOLA, table, turned

from lampion.games.lanternes import inputs
from lampion.games.lanternes.state import CELLS, EXCHANGE, FOUR, LETTERS, NO_CELL, PAIRS, PLACE, SEVEN
from lampion.games.registry import game
from lampion.play import Position, compiled_calls
from lampion.testing import wander

GAME = game("lanternes")


def item(position: Position, seat: int, colour: str) -> Any:
    """The inputs of one colour."""
    at = LETTERS.index(colour) * inputs.ITEM
    return position.net_inputs(seat)[at : at + inputs.ITEM]


def part(position: Position, seat: int, at: int, size: int) -> list[float]:
    """Some of the inputs, rounded."""
    return [round(float(number), 3) for number in position.net_inputs(seat)[at : at + size]]


def of_seat(position: Position, seat: int, k: int) -> Any:
    """The inputs about the k-th player after a seat."""
    at = inputs.SEAT + k * inputs.PER_SEAT
    return position.net_inputs(seat)[at : at + inputs.PER_SEAT]


def test_cards_of_a_colour_are_thermometers_own_first_then_clockwise() -> None:
    position = table(cards={ALINE: "RR", LOLA: "RRR", CORENTIN: "R"})
    cards = inputs.OWN_CARDS + 3 * inputs.OTHERS_CARDS
    assert item(position, ALINE, "R")[:cards].tolist() == [1, 1, 0, 0, 0, *(1, 1, 1, 0), *(0, 0, 0, 0), *(1, 0, 0, 0)]
    assert item(position, LOLA, "R")[:cards].tolist() == [1, 1, 1, 0, 0, *(0, 0, 0, 0), *(1, 0, 0, 0), *(1, 1, 0, 0)]


def test_a_card_that_completes_a_combination_is_marked_with_what_it_adds() -> None:
    position = table(cards={ALINE: "RRR", LOLA: "WORPBG", ELLIOT: "WWOOP"})
    completes = item(position, ALINE, "R")[inputs.COMPLETES :][:4]
    assert completes == pytest.approx([0.8, 0, 0, 0])
    assert item(position, ALINE, "K")[inputs.COMPLETES :][:4] == pytest.approx([0, 1.0, 0, 0])
    assert item(position, ALINE, "P")[inputs.COMPLETES :][:4] == pytest.approx([0, 0, 0.9, 0])


def test_a_colour_that_is_gone_completes_nothing() -> None:
    position = table(cards={ALINE: "RRR", LOLA: "RRRRR"})
    assert item(position, ALINE, "R")[inputs.SUPPLY :][:5].tolist() == [1, 1, 1, 1, 0]
    assert item(position, ALINE, "R")[inputs.COMPLETES] == 0


def test_open_edges_and_own_tiles_of_a_colour() -> None:
    position = table(turns=0, first=ALINE, active=ALINE, hand=["RRGG*", "GGGR", "KPBB"])
    red, orange = item(position, ALINE, "R"), item(position, ALINE, "O")
    assert red[inputs.OPEN :][:3] == pytest.approx([0, 1, 1 / 6])
    assert orange[inputs.OPEN :][:3] == pytest.approx([1, 0, 0])
    assert red[inputs.IN_HAND :][:3].tolist() == [1, 1, 0]
    assert red[inputs.MEETS] == 1
    assert orange[inputs.MEETS] == 0


def test_two_matches_with_symbols_are_the_best_that_the_hand_brings() -> None:
    lake = {
        (1, 0): ("GPBP*", turned("GPBP*", "N", "P")),
        (0, 1): ("RKRO*", turned("RKRO*", "E", "R")),
    }
    position = table(lake, hand=["PRKK*", "WGOG*", "GROW"])
    matches = part(position, ALINE, inputs.MINE + 5, 3)
    boats = part(position, ALINE, inputs.MINE + 8, 3)
    assert matches == [1, 1, 0]
    assert boats == [1, 1, 1]
    assert part(position, ALINE, inputs.MINE + 12, 1) == [1]
    best, second, third = part(position, ALINE, inputs.MINE, 3)
    assert best > second >= third
    assert best > 0.5


def test_what_everybody_can_pay_now_and_after_an_exchange() -> None:
    position = table(cards={ALINE: "RRRRWWOO", LOLA: "WWWO"}, boats={LOLA: 2})
    own, other = of_seat(position, ALINE, 0)[32:], of_seat(position, ALINE, 1)[32:]
    assert own[[FOUR, PAIRS, SEVEN]] == pytest.approx([0.8, 0.9, 0])
    assert own[3:6] == pytest.approx([0.9, 1, 0.9])
    assert other[[FOUR, PAIRS, SEVEN]] == pytest.approx([0, 0, 0])
    assert other[3:6] == pytest.approx([0, 0, 0.8])


def test_rewards_left_and_who_can_pay_for_them_first() -> None:
    position = table(cards={LOLA: "RRRR"}, taken={"four": 1}, points={ELLIOT: {"four": 8}})
    at = inputs.REWARDS_LEFT
    assert part(position, ALINE, at, 9) == [0.7, 0.7, 0.6, 1, 0, 0, 0.5, 0.5, 1]
    assert part(position, LOLA, at, 9)[6:] == [0, 0, 0]
    assert part(position, ELLIOT, at, 9)[6:] == [0.5, 0.5, 1]


def test_whose_step_it_is_and_who_began() -> None:
    position = table(active=LOLA, first=ELLIOT, step="place")
    mine, theirs = inputs.STEP + PLACE - EXCHANGE, inputs.STEP + inputs.STEPS + PLACE - EXCHANGE
    assert part(position, LOLA, mine, 1) == [1]
    assert part(position, ALINE, mine, 1) == [0]
    assert part(position, ALINE, theirs, 1) == [1]
    assert part(position, ALINE, inputs.ACTIVE, 4) == [0, 1, 0, 0]
    assert part(position, ALINE, inputs.FIRST, 4) == [0, 0, 1, 0]


@pytest.mark.parametrize("players", GAME.players)
def test_the_turns_left_count_down_to_the_final_turn(players: int) -> None:
    for position in wander(GAME, players, None, 3):
        state = position.state
        if position.actor < 0 or state["step"] != PLACE:
            continue
        total = sum(round(of_seat(position, 0, k)[30] * 10) for k in range(players))
        tiles = int((state["hands"][:players] != 255).sum()) + int(state["pile"])
        assert total == tiles


def test_unseen_tiles_threaten_more_with_more_open_edges_that_are_wished_for() -> None:
    bare = table(turns=0, first=ALINE, active=ALINE)
    wished = table(turns=0, first=ALINE, active=ALINE, cards={LOLA: "RRRWWWKKKBBB"})
    assert part(wished, ALINE, inputs.THREAT, 1) > part(bare, ALINE, inputs.THREAT, 1)
    assert part(bare, ALINE, inputs.THREAT + 5, 3) == [1, 0, 0]


def mirrored(position: Position) -> Any:
    """The same position of two players with the seats exchanged and the lake turned by half."""
    states = GAME.new_states(1)
    states[0] = position.state
    state = states[0]
    lake = state["lake"][::-1].copy()
    laid = (lake > 0) & (lake < 255)
    lake[laid] = ((lake[laid] - 1) ^ 2) + 1
    state["lake"] = lake
    borders = int(state["border_count"])
    state["border"][:borders] = np.sort(CELLS - 1 - state["border"][:borders])
    assert (state["border"][borders:] == NO_CELL).all()
    for name in ("cards", "boats", "points", "hands"):
        state[name][:2] = state[name][1::-1].copy()
    for name in ("active", "first"):
        if state[name] >= 0:
            state[name] = 1 - state[name]
    return states


def test_two_seats_see_mirrored_positions_alike() -> None:
    looked = 0
    for position in wander(GAME, 2, None, 8):
        if position.is_over:
            break
        states = mirrored(position)
        for seat in range(2):
            out = np.zeros(GAME.inputs, dtype=np.float32)
            notes = np.zeros(128, dtype=np.int64)
            compiled_calls.net_inputs_at(position.edition.boxes, states, 0, 1 - seat, notes, out)
            np.testing.assert_array_equal(out, position.net_inputs(seat))
        looked += 1
    assert looked > 40
