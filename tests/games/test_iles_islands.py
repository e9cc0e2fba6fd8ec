"""1001 Îles: laying tiles, lamps, the end and the score."""

from __future__ import annotations

from typing import Any

import naive_iles as naive
import pytest
from iles_positions import DATA, PLAYERS, ROWS, built, columns, notations, played, random_game, revealed, start, tile
from plain_data import plain

from lampion.games.core import IllegalMove
from lampion.play import Position, Seeded

EXAMPLE = {
    "top": "pc pD pf pm",
    "centre": "pR brD mf bbo",
    "bottom": "pbE es ppb bblo",
    "dream": "gem_columns lamp elephant snake",
}


# Laying


def test_first_tile_lies_beside_the_board() -> None:
    position = played(start(3), "bottom", "+0", "+1", "+2")
    assert notations(position) == ["0@0", "1@0", "2@0"]
    with pytest.raises(IllegalMove, match="in the first column"):
        position.push("0@1")


def test_a_tile_may_lie_beside_a_laid_one_also_above_and_below_it() -> None:
    assert columns(revealed(built(3, {"top": "pD"}), "top")) == {1}
    assert columns(revealed(built(3, {"top": "pD pc"}), "centre")) == {0, 1}
    assert columns(revealed(built(3, {"top": "pD pc", "centre": "- mf"}), "bottom")) == {0, 1}
    assert columns(revealed(built(3, {"top": "pD pc pf", "centre": "- - mf"}), "centre")) == {0, 1, 3}
    assert columns(revealed(built(3, {"bottom": "mD mR mc es"}), "centre")) == {0, 1, 2, 3}


def test_an_occupied_cell_is_refused() -> None:
    position = revealed(built(3, {"top": "pD"}), "top")
    with pytest.raises(IllegalMove, match="already"):
        position.push("0@0")


def test_a_tile_turned_over_is_still_a_neighbour() -> None:
    assert columns(revealed(built(3, {"top": "plm! ppl", "centre": "- plf!"}), "bottom")) == {0, 1}


def test_a_dream_goes_to_no_column_and_an_island_tile_needs_one() -> None:
    position = played(start(3), "dream", "+lamp", "+lamp", "+snake")
    assert notations(position) == ["0", "1", "2"]
    with pytest.raises(IllegalMove, match="dream"):
        position.push("0@0")
    position = played(start(3), "top", "+0", "+1", "+2")
    with pytest.raises(IllegalMove, match="choose a cell"):
        position.push("0")
    with pytest.raises(IllegalMove, match="no tile there"):
        position.push("4@0")


def test_the_order_in_which_dreams_were_taken_does_not_matter() -> None:
    a = played(
        start(3), "dream", "+lamp", "+snake", "+rokh", "0", ">1", "1", "2", "dream", "+camel", "+genie", "+fennec"
    )
    b = played(
        start(3), "dream", "+camel", "+genie", "+fennec", "0", ">1", "1", "2", "dream", "+lamp", "+snake", "+rokh"
    )
    played(a, "2", ">0", "0", "1")
    played(b, "2", ">0", "0", "1")
    assert a.view(0).seats[0].dreams == ["camel", "lamp"]
    assert a.bytes() == b.bytes()


def test_equal_tiles_in_different_slots_are_different_moves() -> None:
    position = played(start(3), "dream", "+lamp", "+lamp", "+snake")
    after = [played(position.copy(), move).bytes() for move in ("0", "1")]
    assert after[0] != after[1]


# Lamps


def lamp_row(seat_rows: dict[str, str], pile: str, code: str) -> tuple[Position, list[Any]]:
    """Seat 0 takes a tile and lays it in the first free column of its row."""
    position = built(3, seat_rows)
    played(position, pile, f"+{code}")
    position.push_chances(Seeded(1))
    column = len(seat_rows[pile].split())
    return position, position.push(f"0@{column}")


def test_third_visible_lamp_turns_the_two_other_tiles_face_down() -> None:
    position, events = lamp_row({"top": "plm", "centre": "plf", "bottom": ""}, "bottom", "ble")
    assert [(event.kind, event.thing, event.why) for event in events if event.kind == "flipped"] == [
        ("flipped", "plm", "third_lamp"),
        ("flipped", "plf", "third_lamp"),
    ]
    assert [row[0]["down"] for row in plain(position)["seats"][0]["island"]] == [True, True, False]


def test_two_lamps_stay_visible() -> None:
    position, events = lamp_row({"top": "plm", "centre": "", "bottom": ""}, "bottom", "ble")
    assert "flipped" not in [event.kind for event in events]
    assert not any(cell and cell["down"] for row in plain(position)["seats"][0]["island"] for cell in row)


def test_lamps_turn_tiles_over_every_time() -> None:
    _, events = lamp_row({"top": "plm! ppl", "centre": "plf! plr", "bottom": ""}, "bottom", "ble")
    assert {event.thing for event in events if event.kind == "flipped"} == {"ppl", "plr"}
    _, events = lamp_row({"top": "plm! ppl", "centre": "plf!", "bottom": ""}, "bottom", "ble")
    assert "flipped" not in [event.kind for event in events]


def test_a_tile_turned_over_shows_nothing_and_does_not_return() -> None:
    position, _ = lamp_row({"top": "plm", "centre": "plf", "bottom": ""}, "bottom", "ble")
    points = position.count().categories[0]
    assert points["palms"] == 0
    assert tile("top", "plm") not in plain(position)["piles"]["top"]["unseen"]


@pytest.mark.parametrize("players", PLAYERS)
def test_one_lamp_is_visible_after_an_odd_number_and_two_after_an_even_one(players: int) -> None:
    view = plain(random_game(players, 3))
    for seat in view["seats"]:
        laid = sum(
            DATA["islands"][name][cell["tile"]].count("l")
            for name, row in zip(ROWS, seat["island"], strict=True)
            for cell in row
        )
        assert naive.elements(DATA, seat)["l"] == (0 if laid == 0 else 2 - laid % 2)


# The end


def test_the_worked_example_scores_35() -> None:
    outcome = built(3, EXAMPLE, step="ended").outcome()
    assert outcome is not None
    assert {name: points for name, points in outcome.categories[0].items() if points} == {
        "gem_columns": 8,
        "lamp": 4,
        "elephant": 5,
        "snake": 10,
        "palms": 8,
        "pairs": 7,
        "brigands": -7,
    }
    assert outcome.scores[0] == 35


def points(**rows: str) -> dict[str, int]:
    """What seat 0 of three scores now."""
    return built(3, {"top": "", "centre": "", "bottom": "", **rows}).count().categories[0]


def test_two_equal_dreams_score_in_full_each() -> None:
    assert points(top="pm rm", dream="monkey")["monkey"] == 4
    assert points(top="pm rm", dream="monkey monkey")["monkey"] == 8


def test_a_paired_rokh_still_counts_for_its_dream() -> None:
    scored = points(top="pr rm bbo", dream="rokh")
    assert (scored["rokh"], scored["pairs"]) == (4, 7)


def test_each_rokh_and_each_egg_is_paired_once() -> None:
    assert points(top="pr rm bbo bbos")["pairs"] == 14
    assert points(top="bbo bbos", centre="rc")["pairs"] == 7


@pytest.mark.parametrize(("row", "worth"), [("pD", 2), ("pD bcR", 5), ("pD bcR bfE", 10), ("pD bfD", 2)])
def test_gem_rows_count_different_gems(row: str, worth: int) -> None:
    assert points(top=row, dream="gem_rows")["gem_rows"] == worth


@pytest.mark.parametrize(
    ("top", "centre", "bottom", "worth"),
    [
        ("pD", "mf", "es", 2),
        ("pD", "pR", "es", 6),
        ("pD", "pR", "pbE", 12),
        ("pD", "brD", "mD", 2),
        ("pD", "mf pR", "es", 4),
    ],
)
def test_gem_columns_count_different_gems(top: str, centre: str, bottom: str, worth: int) -> None:
    assert points(top=top, centre=centre, bottom=bottom, dream="gem_columns")["gem_columns"] == worth


@pytest.mark.parametrize(("row", "worth"), [("pp", 0), ("lmm", 4), ("lmm plm", 12)])
def test_lamp_dream_wants_exactly_one_or_two(row: str, worth: int) -> None:
    assert points(top=row, dream="lamp")["lamp"] == worth


@pytest.mark.parametrize(("rows", "worth"), [("pp", 0), ("pps", 10), ("pps bbos", 5)])
def test_snake_dream_wants_exactly_one_or_two(rows: str, worth: int) -> None:
    assert points(top=rows, dream="snake")["snake"] == worth
    assert points(top="pps bbos", centre="rs", dream="snake")["snake"] == 0


def test_genie_dream_counts_tiles_turned_over() -> None:
    assert points(top="plm! ppl", centre="plf!", dream="genie")["genie"] == 8


def test_brigands_cost_the_one_with_the_most() -> None:
    position = built(3, {"top": "bbo"}, {"top": "bcR"}, {"top": "pD"})
    assert [each["brigands"] for each in position.count().categories] == [-2, 0, 0]


def test_brigands_cost_all_who_are_tied_for_the_most() -> None:
    position = built(3, {"top": "bbo"}, {"top": "bbos"}, {"top": "bcR"})
    assert [each["brigands"] for each in position.count().categories] == [-2, -2, 0]


def test_totals_may_be_negative() -> None:
    assert built(3, {"top": "bbo"}).count().scores[0] == -2


def test_tied_points_go_to_the_fewest_visible_brigands() -> None:
    outcome = built(3, {"top": "bcR"}, {"top": "rm"}, {"top": "bbo"}).count()
    assert outcome.scores == [0, 0, -2]
    assert outcome.ranks == [2, 1, 3]
    assert outcome.decided_by == "brigands"


def test_what_is_still_tied_is_shared() -> None:
    outcome = built(3, {"top": "pD"}, {"top": "pc"}, {"top": "rm"}).count()
    assert outcome.ranks == [1, 1, 3]
    assert outcome.shares == [0.5, 0.5, 0.0]
