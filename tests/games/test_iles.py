"""1001 Îles: the rules, the decisions taken where the rulebook is silent, and its worked example."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from typing import Any

import msgspec
import naive_iles as naive
import numpy as np
import pytest
from tiers import IS_DEEP

from lampion.engine.rng import new_rng
from lampion.games.core import CHANCE, EVERYTHING, SPECTATOR, BadComponents, BadPosition, IllegalMove
from lampion.games.editions import edition, standard
from lampion.games.move_types import sentence
from lampion.games.registry import game
from lampion.locale import speaking
from lampion.play import Position, Seeded, compiled_calls

PILES = ("top", "centre", "bottom", "dream")
ROWS = PILES[:3]
DREAMS = ("rokh", "monkey", "fennec", "camel", "elephant", "gem_columns", "gem_rows", "lamp", "snake", "genie")
DATA = standard("iles").data
PLAYERS = (2, 3, 4, 5)


def tile(row: str, code: str) -> int:
    """The number of a tile of our edition."""
    return list(DATA["islands"][row]).index(code)


def start(players: int, first: int = 0) -> Position:
    return Position("iles", players=players, options={"first": first})


def played(position: Position, *moves: str) -> Position:
    """The position after moves in notation; `+pD` draws a tile of the open pile by its elements."""
    for move in moves:
        open_pile = position.view(EVERYTHING).open
        if move.startswith("+") and open_pile in ROWS and not move[1:].isdigit():
            move = f"+{tile(open_pile, move[1:])}"
        position.push(move)
    return position


def plain(position: Position, viewer: int = EVERYTHING) -> Any:
    return msgspec.to_builtins(position.view(viewer))


def notations(position: Position) -> list[str]:
    return [position.notation(id) for id in position.legal_ids()]


def weights(position: Position) -> dict[Any, int]:
    return {move.tile: weight for move, weight in position.chances()}


def built(players: int, *given: dict[str, str], step: str = "pile", **changes: Any) -> Position:
    """A position between two rounds.

    A seat is its rows by tile codes (an empty cell is `-`, a tile turned over ends with `!`) and its dreams; seats that
    are not given get harmless tiles on the same number of cells.
    """
    seats: list[dict[str, list[str]]] = [{name: each.get(name, "").split() for name in PILES} for each in given]
    used = {name: [code.rstrip("!") for seat in seats for code in seat[name] if code != "-"] for name in PILES}
    for _ in range(players - len(given)):
        seats.append({name: [] for name in PILES})
        for name in PILES:
            box = list(DATA["islands"][name]) if name in ROWS else [dream for dream in DREAMS for _ in range(2)]
            for code in used[name]:
                box.remove(code)
            if name in ROWS:
                box.sort(key=lambda code: (code.count("l"), code.count("b"), code))
            count = sum(code != "-" for code in seats[0][name])
            seats[-1][name] = box[:count]
            used[name] += box[:count]
    view = plain(start(players))
    for seat, shown in zip(seats, view["seats"], strict=True):
        shown["dreams"] = seat["dream"]
        del shown["points"]  # they follow from the islands
        for row, name in enumerate(ROWS):
            for column, code in enumerate(seat[name]):
                if code != "-":
                    shown["island"][row][column] = {"tile": tile(name, code.rstrip("!")), "down": code.endswith("!")}
    for name in PILES:
        pile = view["piles"][name]
        numbers = used[name] if name == "dream" else [tile(name, code) for code in used[name]]
        pile["rounds"] = sum(code != "-" for code in seats[0][name])
        for number in numbers:
            pile["unseen"].remove(number)
        if players == 2:
            pile["away"], pile["unseen"] = pile["unseen"][: pile["rounds"]], pile["unseen"][pile["rounds"] :]
        pile["tiles"] -= pile["rounds"] * max(3, players)
    view["step"] = step
    return Position.from_view("iles", players, {"first": 0}, view | changes)


FULL = {"top": "pD pc pf pm", "centre": "mf mm pE pR", "bottom": "es mD mR mc", "dream": "rokh rokh genie genie"}
EXAMPLE = {
    "top": "pc pD pf pm",
    "centre": "pR brD mf bbo",
    "bottom": "pbE es ppb bblo",
    "dream": "gem_columns lamp elephant snake",
}


# Set-up and draws


def test_first_lookout_is_drawn_from_all_seats_or_chosen() -> None:
    drawn = Position("iles", players=4)
    assert drawn.actor == CHANCE
    assert [(move.seat, weight) for move, weight in drawn.chances()] == [(0, 1), (1, 1), (2, 1), (3, 1)]
    drawn.push("first:2")
    assert drawn.view(SPECTATOR).lookout == drawn.actor == 2
    assert start(4, first=3).actor == 3


@pytest.mark.parametrize(("players", "tiles"), [(2, 12), (3, 12), (4, 16), (5, 20)])
def test_a_pile_has_the_tiles_for_four_rounds(players: int, tiles: int) -> None:
    assert {pile["tiles"] for pile in plain(start(players))["piles"].values()} == {tiles}


def test_every_tile_that_nobody_has_seen_is_equally_likely_also_those_back_in_the_box() -> None:
    position = played(start(3), "top")
    assert weights(position) == dict.fromkeys(range(20), 1)
    played(position, "+4")
    assert weights(position) == dict.fromkeys(set(range(20)) - {4}, 1)


def test_a_dream_is_as_likely_as_it_has_copies_left() -> None:
    position = played(start(3), "dream")
    assert weights(position) == dict.fromkeys(DREAMS, 2)
    played(position, "+snake", "+lamp")
    assert weights(position) == dict.fromkeys(DREAMS, 2) | {"snake": 1, "lamp": 1}
    played(position, "+snake", "0", ">1", "1", "2", "dream")
    assert "snake" not in weights(position)


def test_each_pile_is_drawn_in_exactly_four_of_sixteen_rounds() -> None:
    position, opened = random_game(3, 1), Counter[str]()
    for _, move in position.moves:
        if type(move).__name__ == "Pile":
            opened[move.pile] += 1
    assert opened == dict.fromkeys(PILES, 4)


def test_an_exhausted_pile_cannot_be_opened() -> None:
    position = start(3)
    for _ in range(4):
        played(position, "dream")
        position.push_chances(Seeded(0))
        while position.view(SPECTATOR).open:
            position.push(int(position.legal_ids()[0]))
    assert notations(position) == ["top", "centre", "bottom"]
    with pytest.raises(IllegalMove, match="four times"):
        position.push("dream")


# A round with three to five players


@pytest.mark.parametrize("players", [3, 4, 5])
def test_as_many_tiles_as_players_are_revealed_to_all(players: int) -> None:
    position = played(start(players), "centre", *[f"+{n}" for n in range(players)])
    for viewer in (SPECTATOR, *range(players)):
        assert [slot["tile"] for slot in plain(position, viewer)["table"]] == list(range(players))
    assert position.actor == 0


def test_who_took_names_one_who_has_not() -> None:
    position = played(start(4), "top", "+0", "+1", "+2", "+3", "2@0")
    assert position.actor == 0
    assert notations(position) == [">1", ">2", ">3"]
    played(position, ">2", "0@0")
    assert position.actor == 2
    assert notations(position) == [">1", ">3"]
    with pytest.raises(IllegalMove, match="has taken already"):
        position.push(">0")


def test_naming_is_not_asked_when_one_player_is_left() -> None:
    position = played(start(4), "top", "+0", "+1", "+2", "+3", "2@0", ">2", "0@0", ">1")
    events = position.push("1@0")
    assert position.actor == 3
    assert position.view(3).step == "take"
    assert ("named", 3, "only_one_left") in [(event.kind, event.seat, event.why) for event in events]


def test_who_takes_the_last_tile_is_the_next_lookout() -> None:
    position = played(start(3), "top", "+0", "+1", "+2", "2@0", ">1", "0@0", "1@0")
    assert position.view(SPECTATOR).lookout == position.actor == 2
    assert position.view(2).step == "pile"


@pytest.mark.parametrize("players", PLAYERS)
def test_after_every_round_everybody_has_one_tile_more_of_its_kind(players: int) -> None:
    position = random_game(players, 7)
    for ply in range(position.ply + 1):
        view = plain(position.at(ply)) if ply % 9 == 0 or ply == position.ply else None
        if view is not None and view["open"] is None:
            for seat in view["seats"]:
                counts = [sum(cell is not None for cell in row) for row in seat["island"]] + [len(seat["dreams"])]
                assert counts == [view["piles"][name]["rounds"] for name in PILES]


# A round with two players


def two_players_draw(pile: str = "top") -> Position:
    tiles = {"top": ("+pD", "+plm", "+bbo"), "dream": ("+snake", "+lamp", "+snake")}[pile]
    return played(start(2), pile, *tiles)


def test_of_two_players_the_lookout_alone_sees_the_three_tiles() -> None:
    position = two_players_draw()
    assert [slot["tile"] for slot in plain(position, 0)["table"]] == [
        tile("top", code) for code in ("pD", "plm", "bbo")
    ]
    for viewer in (1, SPECTATOR):
        view = plain(position, viewer)
        assert view["table"] == [{"tile": None, "secret": True}] * 3
        assert len(view["piles"]["top"]["unseen"]) == 20
    assert len(plain(position, 0)["piles"]["top"]["unseen"]) == 17


def test_two_of_three_are_shown_in_the_order_drawn() -> None:
    position = played(two_players_draw(), "?1")
    for viewer in (1, SPECTATOR):
        shown = [slot["tile"] for slot in plain(position, viewer)["table"]]
        assert shown == [tile("top", "pD"), None, tile("top", "bbo")]
        assert tile("top", "plm") in plain(position, viewer)["piles"]["top"]["unseen"]
    assert position.actor == 1
    assert notations(position) == ["0@0", "1", "2@0"]


def test_hidden_island_tile_is_taken_unseen_then_turned_up_then_laid() -> None:
    position = played(two_players_draw(), "?1")
    with pytest.raises(IllegalMove, match="face down"):
        position.push("1@0")
    assert [event.kind for event in position.preview("1")] == ["took"]
    assert position.preview("1", viewer=1)[0].thing is None
    played(position, "1")
    assert position.actor == CHANCE
    assert weights(position) == {tile("top", "plm"): 1}
    assert plain(position, 1)["table"][1] == {"tile": None, "secret": True}
    position.push_chances(Seeded(9))
    assert position.actor == 1
    assert plain(position, SPECTATOR)["table"][1] == {"tile": tile("top", "plm"), "secret": False}
    assert notations(position) == ["@0"]
    played(position, "@0")
    assert plain(position)["seats"][1]["island"][0][0] == {"tile": tile("top", "plm"), "down": False}
    assert position.actor == 0


def test_hidden_dream_is_turned_up_and_kept_without_a_second_decision() -> None:
    position = played(two_players_draw("dream"), "?0", "0")
    assert position.actor == CHANCE
    position.push_chances(Seeded(0))
    assert position.actor == 0
    assert position.view(SPECTATOR).seats[1].dreams == ["snake"]


def test_lookout_takes_and_lays_the_hidden_tile_in_one_move() -> None:
    position = played(two_players_draw(), "?1", "0@0")
    assert position.actor == 0
    assert notations(position) == ["1@0", "2@0"]
    events = position.push("1@0")
    assert [event.kind for event in events] == ["took", "laid", "put_away", "lookout"]
    assert plain(position)["seats"][0]["island"][0][0]["tile"] == tile("top", "plm")


@pytest.mark.parametrize("last", ["1@0", "2@0"])
def test_last_tile_is_put_away_shown_to_both_and_never_returns(last: str) -> None:
    position = played(two_players_draw(), "?1", "0@0", last)
    left = tile("top", "bbo" if last == "1@0" else "plm")
    for viewer in (0, 1, SPECTATOR):
        assert plain(position, viewer)["piles"]["top"]["away"] == [left]
        assert left not in plain(position, viewer)["piles"]["top"]["unseen"]
    played(position, "top")
    assert left not in weights(position)


def test_lookout_changes_after_every_round_of_two_players() -> None:
    position = played(two_players_draw(), "?1", "0@0", "1@0")
    assert position.view(SPECTATOR).lookout == position.actor == 1


def test_events_keep_the_secret_of_what_was_drawn_and_hidden() -> None:
    position = start(2)
    rows = []
    for move in ("top", "+0", "+1", "+2", "?0", "0"):
        rows += [row.copy() for row in position.push_rows(position.id_of(move))]
    told = game("iles").events.EVENTS
    secret = [told[row[0]].name for row in rows if row[5] != -1]
    assert secret == ["drew", "drew", "drew", "hid", "took"]
    assert {int(row[5]) for row in rows if row[5] != -1} == {1 << 0}


@pytest.mark.parametrize("moves", [("?1",), ("?1", "0@0"), ("?1", "1")])
def test_concealing_redraws_the_hidden_tile_alone_from_what_the_viewer_has_not_seen(moves: tuple[str, ...]) -> None:
    position = played(two_players_draw(), *moves)
    rng = new_rng(5)
    found: Counter[int] = Counter()
    for _ in range(1800):
        other = position.concealed(1, rng)
        assert plain(other, 1) == plain(position, 1)
        found[plain(other)["table"][1]["tile"]] += 1
    assert set(found) == set(plain(position, 1)["piles"]["top"]["unseen"])
    assert len(found) == 18
    assert max(abs(count - 100) for count in found.values()) < 55
    assert position.concealed(0, rng).bytes() == position.bytes()


def test_concealing_redraws_every_tile_before_one_is_hidden() -> None:
    position = two_players_draw("dream")
    rng = new_rng(5)
    tables = [plain(position.concealed(SPECTATOR, rng))["table"] for _ in range(2000)]
    pairs = sum(table[0]["tile"] == table[1]["tile"] for table in tables)
    assert abs(pairs / 2000 - 1 / 19) < 0.025
    assert {slot["tile"] for table in tables for slot in table} == set(DREAMS)


def test_worlds_alike_for_a_viewer_become_one_world() -> None:
    position = played(two_players_draw(), "?1")
    other = played(start(2), "top", "+pD", "+pm", "+bbo", "?1")
    assert plain(position, 1) == plain(other, 1)
    assert position.bytes() != other.bytes()
    assert position.concealed(1, new_rng(3)).bytes() == other.concealed(1, new_rng(3)).bytes()


def seen(position: Position, move: str, viewer: int) -> int:
    id = position.id_of(move)
    return int(compiled_calls.seen_at(position._boxes, position._states, position.ply, position.actor, id, viewer))


def test_a_private_draw_looks_like_any_other() -> None:
    position = played(start(2), "top")
    assert seen(position, "+3", 1) == seen(position, "+4", 1) == seen(position, "+3", SPECTATOR)
    assert seen(position, "+3", 0) != seen(position, "+4", 0)
    open_draw = played(start(3), "top")
    assert seen(open_draw, "+3", 1) != seen(open_draw, "+4", 1)


def test_hiding_and_the_last_take_tell_what_they_show() -> None:
    position = played(two_players_draw(), "?1")
    other = played(start(2), "top", "+pD", "+pm", "+bbo", "?1")
    assert seen(position.at(4), "?1", 1) == seen(other.at(4), "?1", 1)
    assert seen(position.at(4), "?0", 1) != seen(other.at(4), "?0", 1)
    assert seen(position, "1", 1) == seen(other, "1", 1)
    played(position, "0@0")
    played(other, "0@0")
    assert seen(position, "2@0", 1) != seen(other, "2@0", 1)


# Laying


def test_first_tile_lies_beside_the_board() -> None:
    position = played(start(3), "bottom", "+0", "+1", "+2")
    assert notations(position) == ["0@0", "1@0", "2@0"]
    with pytest.raises(IllegalMove, match="in the first column"):
        position.push("0@1")


def revealed(position: Position, pile: str) -> Position:
    """A pile is opened and its tiles are drawn."""
    position.push(pile)
    position.push_chances(Seeded(1))
    return position


def columns(position: Position) -> set[int]:
    return {move.column for move in position.legal_moves}


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


# Whole games


def random_game(players: int, seed: int) -> Position:
    position, choose, chance = start(players, first=seed % players), random.Random(seed), Seeded(seed)
    while not position.is_over:
        if position.actor == CHANCE:
            position.push_chance(chance)
        else:
            position.push_rows(int(choose.choice(position.legal_ids())))
    return position


@pytest.mark.parametrize("players", PLAYERS)
def test_a_game_keeps_its_facts_and_ends_within_its_longest(players: int) -> None:
    for seed in range(20):
        position = random_game(players, seed)
        assert position.ply <= game("iles").longest
        while position.ply:
            assert position.broken_fact() is None
            position.pop()


@pytest.mark.parametrize(("players", "moves"), [(3, 128), (4, 176), (5, 224)])
def test_three_and_more_players_always_make_as_many_moves(players: int, moves: int) -> None:
    assert random_game(players, 11).ply == moves


@pytest.mark.parametrize("players", PLAYERS)
def test_score_and_cells_agree_with_the_naive_ones(players: int) -> None:
    compared, games = 0, 32 if IS_DEEP else 8
    for seed in range(games):
        position = random_game(players, seed)
        while position.ply:
            view = plain(position)
            outcome = position.count()
            shown = [{name: n for name, n in each.items() if n} for each in outcome.categories]
            assert shown == naive.score(DATA, view)
            assert outcome.scores == [sum(each.values()) for each in shown]
            assert outcome.ranks == naive.places(DATA, view, shown)
            if view["step"] == "take" and view["open"] in ROWS:
                cells = naive.cells_for(view["seats"][position.actor], ROWS.index(view["open"]))
                assert {move.column for move in position.legal_moves} - {None} == cells
            compared += 1
            position.pop()
            if position.ply:
                position.pop()
    assert compared > 1900 * games // 32


@pytest.mark.parametrize("players", PLAYERS)
def test_an_all_seeing_view_is_the_whole_position(players: int) -> None:
    position = random_game(players, 2)
    while position.ply:
        view = json.loads(msgspec.json.encode(position.view(EVERYTHING)))
        assert Position.from_view("iles", players, {"first": 0}, view).bytes() == position.bytes()
        position.pop()


@pytest.mark.parametrize("players", PLAYERS)
def test_moves_keep_their_meaning_in_every_writing(players: int) -> None:
    position = random_game(players, 5)
    while position.ply:
        position.pop()
        for id in position.legal_ids():
            move = position.move(id)
            assert position.id_of(move) == id
            assert position.id_of(position.notation(id)) == id
            assert position.id_of(json.loads(msgspec.json.encode(move))) == id


def test_a_view_and_features_tell_nothing_that_is_hidden() -> None:
    position, rng = random_game(2, 8), new_rng(8)
    hidden = 0
    while position.ply:
        position.pop()
        for viewer in (0, 1, SPECTATOR):
            other = position.concealed(viewer, rng)
            hidden += other.bytes() != position.bytes()
            assert plain(other, viewer) == plain(position, viewer)
            assert other.text(viewer) == position.text(viewer)
            if viewer != SPECTATOR:
                assert np.array_equal(other.features(viewer), position.features(viewer))
            if 0 <= viewer == position.actor:
                assert list(other.legal_ids()) == list(position.legal_ids())
            assert other.broken_fact() is None
    assert hidden > 60


@pytest.mark.parametrize("players", [2, 4])
def test_every_event_is_told_in_both_languages(players: int) -> None:
    position = random_game(players, 4)
    again, names, told = start(players), [f"N{seat}" for seat in range(players)], set()
    for seat, move in position.moves:
        for event in again.push(move, seat):
            told.add(event.kind)
            for language in ("en", "fr"):
                with speaking(language):
                    text = sentence(game("iles"), event, names, box=None)
                assert text
                assert "{" not in text
    own = {"hid", "showed", "turned_up", "put_away"} if players == 2 else {"named"}
    assert own | {"opened", "drew", "took", "laid", "dreamt", "flipped", "lookout", "end"} == told


# Positions and components that somebody types in


def broken(change: Any) -> str:
    """The fact that a changed view breaks."""
    view = plain(played(built(2, {"top": "plm ppl", "centre": "mf", "bottom": "", "dream": "rokh"}), "top", "+bfE"))
    change(view)
    with pytest.raises(BadPosition) as error:
        Position.from_view("iles", 2, None, view)
    return error.value.key


def set_in(*path: Any, value: Any) -> Any:
    def change(view: Any) -> None:
        for key in path[:-1]:
            view = view[key]
        view[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "fact"),
    [
        (set_in("lookout", value=2), "players"),
        (set_in("lookout", value=None), "step"),
        (set_in("step", value="name"), "table"),
        (set_in("waiting", value=[0]), "step"),
        (set_in("piles", "top", "rounds", value=5), "rounds"),
        (set_in("piles", "top", "rounds", value=0), "rounds"),
        (set_in("piles", "centre", "rounds", value=2), "taken"),
        (set_in("seats", 0, "island", 1, 0, value=None), "taken"),
        (set_in("seats", 0, "island", 0, 1, "down", value=True), "lamps"),
        (set_in("seats", 0, "island", value=[]), "islands"),
        (set_in("seats", 0, "dreams", value=["rokh", "rokh", "rokh"]), "tiles"),
        (set_in("seats", 0, "dreams", value=[]), "taken"),
        (set_in("table", value=[None, None]), "table"),
        (set_in("table", 0, "secret", value=False), "table"),
        (set_in("table", 0, "tile", value="rokh"), "tiles"),
        (set_in("table", 0, "tile", value=20), "tiles"),
        (set_in("piles", "top", "tiles", value=20), "field"),
        (set_in("piles", "dream", "away", value=[]), "field"),
        (set_in("seats", 0, "points", "palms", value=9), "field"),
        (set_in("turned_up", value=0), "table"),
    ],
)
def test_a_broken_position_is_refused_with_the_fact_it_breaks(change: Any, fact: str) -> None:
    assert broken(change) == ("error.position_field" if fact == "field" else f"iles.fact.{fact}")


def test_an_island_that_does_not_hang_together_is_refused() -> None:
    with pytest.raises(BadPosition, match="character board"):
        built(3, {"top": "- pD"})
    with pytest.raises(BadPosition, match="third lamp"):
        built(3, {"top": "pD!"})


def changed(*path: Any, value: Any) -> Any:
    data = copy.deepcopy(dict(DATA))
    where: Any = data
    for key in path[:-1]:
        where = where[key]
    if value is None:
        del where[path[-1]]
    else:
        where[path[-1]] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "reason", "name"),
    [
        (("islands", "top"), ["pD"], "components.count", "islands.top"),
        (("islands", "top", 3), "pX", "iles.components.element", "islands.top[3]"),
        (("islands", "top", 3), "", "iles.components.elements", "islands.top[3]"),
        (("islands", "top", 3), "ppppp", "iles.components.elements", "islands.top[3]"),
        (("islands", "top", 3), "ll", "iles.components.lamps", "islands.top[3]"),
        (("islands", "top", 3), 7, "components.text", "islands.top[3]"),
        (("islands", "middle"), [], "components.unknown", "islands.middle"),
        (("islands", "bottom"), None, "components.missing", "islands.bottom"),
        (("dreams", "camel"), None, "components.missing", "dreams.camel"),
        (("dreams", "cow"), {}, "components.unknown", "dreams.cow"),
        (("dreams", "camel", "of"), "e", "iles.components.of", "dreams.camel.of"),
        (("dreams", "camel", "each"), "4", "components.whole", "dreams.camel.each"),
        (("dreams", "camel", "each"), -1, "components.range", "dreams.camel.each"),
        (("dreams", "camel", "exactly"), [1], "components.unknown", "dreams.camel.exactly"),
        (
            ("dreams", "gem_rows", "distinct_gems_per_row"),
            [0, 2],
            "iles.components.points",
            "dreams.gem_rows.distinct_gems_per_row",
        ),
        (("scoring", "palm"), True, "components.whole", "scoring.palm"),
        (("scoring", "brigand_if_most"), 1, "components.range", "scoring.brigand_if_most"),
        (("setup", "copies_of_each_dream"), 3, "iles.components.fixed", "setup.copies_of_each_dream"),
        (("setup", "tiles_of_each_kind", "4"), 12, "iles.components.fixed", "setup.tiles_of_each_kind.4"),
        (("characters", "names", 1), "Elias", "iles.components.character", "characters.names[1]"),
        (("extra",), 1, "components.unknown", "extra"),
    ],
)
def test_a_broken_edition_is_refused_by_the_line_that_breaks_it(path: Any, value: Any, reason: str, name: str) -> None:
    with pytest.raises(BadComponents) as error:
        edition(game("iles"), changed(*path, value=value))
    assert (error.value.key, error.value.values["name"]) == (reason, name)
    assert name in str(error.value)


def test_another_edition_is_played_and_scored_by_its_own_numbers() -> None:
    data = changed("dreams", "monkey", value={"each": 9, "of": "m"})
    position = Position("iles", players=3, options={"first": 0}, components=data)
    for move in (
        "dream",
        "+monkey",
        "+lamp",
        "+lamp",
        "0",
        ">1",
        "1",
        "2",
        "top",
        "+3",
        "+0",
        "+1",
        "0@0",
        ">0",
        "1@0",
    ):
        position.push(move)
    assert position.count().categories[0]["monkey"] == 0
    assert position.count().categories[2]["palms"] == 1
    view = plain(built(3, {"top": "pm", "dream": "monkey"}))
    for seat in view["seats"]:
        del seat["points"]  # they are another edition's
    position = Position.from_view("iles", 3, {"first": 0}, view, components=data)
    assert position.count().categories[0]["monkey"] == 9


def test_both_languages_have_the_same_words() -> None:
    folder = game("iles").folder
    words = [json.loads((folder / f"{language}.json").read_text(encoding="utf-8")) for language in ("en", "fr")]
    assert list(words[0]) == list(words[1])
