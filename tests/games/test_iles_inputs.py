"""What the nets of 1001 Îles are given: named parts say what the position says, and nobody's inputs know more."""

from __future__ import annotations

import numpy as np
import pytest
from iles_positions import built, played, start

from lampion.games.iles import inputs, seat_inputs
from lampion.games.iles.components import DREAM_NAMES
from lampion.games.iles.seat_inputs import ITEM, OWN, SEAT
from lampion.games.iles.state import DREAM, ELEMENTS, ELEPHANT, HIDE, LAMP, NAME, PALM, ROKH, SLOTS
from lampion.play import Position, Seeded

PLAYERS = (2, 3, 4, 5)
Numbers = np.ndarray[tuple[int], np.dtype[np.float32]]


def own(position: Position, seat: int, part: int, count: int = 1) -> list[float]:
    """The numbers of a part of the own seat."""
    return [float(number) for number in position.net_inputs(seat)[OWN + part : OWN + part + count]]


def other(position: Position, seat: int, k: int, part: int, count: int = 1) -> list[float]:
    """The numbers of a part of the k-th seat clockwise."""
    at = (k - 1) * ITEM + part
    return [float(number) for number in position.net_inputs(seat)[at : at + count]]


def plain(position: Position, seat: int, part: int, count: int = 1) -> list[float]:
    """The numbers of a plain part."""
    return [float(number) for number in position.net_inputs(seat)[part : part + count]]


@pytest.mark.parametrize("players", PLAYERS)
def test_what_a_seat_writes_of_itself_another_writes_of_it(players: int) -> None:
    position = start(players)
    for round_of in ("top", "dream", "centre"):
        position.push(round_of)
        while position.view(-1).open is not None:
            position.push_chances(Seeded(5))
            position.push(int(position.legal_ids()[-1]), position.actor)
    for seat in range(players):
        for k in range(1, players):
            at = (k - 1) * ITEM
            seen = position.net_inputs(seat)[at : at + SEAT]
            told = position.net_inputs((seat + k) % players)[OWN : OWN + SEAT]
            assert np.array_equal(seen, told)


@pytest.mark.parametrize("players", PLAYERS)
def test_seats_of_a_symmetric_position_mirror_each_other(players: int) -> None:
    first, last = start(players, first=0), start(players, first=players - 1)
    for k in range(players):
        assert np.array_equal(first.net_inputs(k), last.net_inputs((k + players - 1) % players))


@pytest.mark.parametrize("players", PLAYERS)
def test_the_number_of_players_is_one_hot_and_absent_seats_are_zero(players: int) -> None:
    position = start(players)
    assert plain(position, 1, inputs.NUMBER, 4) == [float(players == n) for n in PLAYERS]
    for k in range(1, SLOTS):
        assert any(other(position, 1, k, 0, ITEM)) == (k < players)


def test_elements_dreams_and_lamps_of_an_island() -> None:
    position = built(3, {"top": "plm ppl", "centre": "pE brD", "dream": "lamp gem_columns"})
    counts = own(position, 0, seat_inputs.COUNTS, 10)
    assert counts[PALM] == 4 / 8
    assert counts[LAMP] == 2 / 4
    assert own(position, 0, seat_inputs.LAMPS_SHOWN, 3) == [0, 0, 1]
    held = dict(zip(DREAM_NAMES, own(position, 0, seat_inputs.HELD, 10), strict=True))
    assert {dream for dream, copies in held.items() if copies} == {"lamp", "gem_columns"}
    scored = dict(zip(DREAM_NAMES, own(position, 0, seat_inputs.SCORED, 10), strict=True))
    assert scored["lamp"] == pytest.approx(1.2)
    assert scored["gem_columns"] == pytest.approx(0.4)
    assert own(position, 0, seat_inputs.AT_RISK)[0] == 0
    assert own(position, 0, seat_inputs.AT_RISK + 1)[0] > 0


def test_a_column_with_two_gems_and_room_for_the_third_is_named() -> None:
    position = built(2, {"top": "pD pp", "centre": "pE mf", "bottom": "- pp"})
    kinds, room = 2, 1
    assert own(position, 0, seat_inputs.GEM_HISTOGRAM + kinds * seat_inputs.ROOMS + room) == [0.5]


def test_brigands_ahead_of_the_others() -> None:
    position = built(2, {"top": "bbo bcR"}, {"top": "pp pm"})
    lead = [float(k == seat_inputs.MOST_LEAD + 3) for k in range(7)]
    assert own(position, 0, seat_inputs.BRIGAND_LEAD, 7) == lead
    assert other(position, 0, 1, seat_inputs.BRIGAND_LEAD, 7) == lead[::-1]


def test_the_table_offers_what_is_left_after_the_favourite_of_the_next_to_take() -> None:
    position = start(3)
    played(position, "dream", "+elephant", "+elephant", "+genie", "0", ">1", "1", "2")
    played(position, "top", "+pm", "+bre", "+pp", "2@0", ">0")
    best, ahead, span, _, left, in_turn, wanted = own(position, 0, seat_inputs.OFFER, 7)
    assert best == left == in_turn > 0
    assert 0 < ahead == span
    assert wanted == 1
    best, _, _, _, left, in_turn, wanted = other(position, 0, 1, seat_inputs.OFFER, 7)
    assert best > left == in_turn
    assert wanted == 1
    gains = [plain(position, 0, inputs.TABLE + slot * inputs.SLOT_PARTS + 3)[0] for slot in range(3)]
    assert gains[0] > gains[1]
    assert plain(position, 0, inputs.TABLE + inputs.SLOT_TILE + ELEPHANT) == [1]
    assert plain(position, 1, inputs.LAST) == [pytest.approx(left)]


def test_who_is_named_next_is_the_one_to_take() -> None:
    position = played(start(4), "top", "+pp", "+pm", "+pf", "+pc", "0@0")
    assert position.state.step == NAME
    assert plain(position, 0, inputs.SEATS_NOW + 2 * 5, 4) == [0, 1, 1, 1]
    position.push(">2")
    assert plain(position, 0, inputs.SEATS_NOW + 5, 4) == [0, 0, 1, 0]
    assert other(position, 0, 2, seat_inputs.ROLE + 1) == [1]
    assert plain(position, 3, inputs.SEATS_NOW + 5, 4) == [0, 0, 0, 1]


def test_the_hidden_tile_is_known_to_the_lookout_and_a_mean_tile_to_the_other() -> None:
    position = played(start(2), "top", "+pp", "+pm", "+bbo")
    assert position.state.step == HIDE
    assert plain(position, 1, inputs.TABLE + 1) == [1]
    position.push(int(position.legal_ids()[2]))
    for seat, known in ((0, True), (1, False)):
        slots = [plain(position, seat, inputs.TABLE + slot * inputs.SLOT_PARTS, 3) for slot in range(3)]
        assert [1, float(not known), float(known)] in slots
    shown = [
        sum(
            plain(position, seat, inputs.TABLE + slot * inputs.SLOT_PARTS + inputs.SLOT_TILE, ELEMENTS)[4]
            for slot in range(3)
        )
        for seat in range(2)
    ]
    assert shown == [1, 0]


def test_what_is_unseen_becomes_less() -> None:
    position = played(start(3), "dream", "+elephant", "+elephant", "+genie")
    left = plain(position, 0, inputs.DREAMS_LEFT, 20)
    assert left[8:10] == [0, 0]
    assert left[18:20] == [1, 0]
    assert left[:2] == [1, 1]
    assert plain(position, 0, inputs.OPENED + DREAM * 4, 4) == [1, 0, 0, 0]
    assert plain(position, 0, seat_inputs.MEANS + ROKH)[0] == pytest.approx(5 / 20)
