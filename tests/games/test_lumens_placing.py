"""Lumens: where a token may be placed, and what happens to a player who cannot place any."""

from __future__ import annotations

import random

import pytest
from lumens_positions import MARKS, refusal, shown_targets, table, targets, tiny, tokens_at
from plain_data import as_tuples, plain

from lampion.games.art import SEATS
from lampion.games.core import CHANCE, SPECTATOR, BadPosition, UnreadableMove
from lampion.games.lumens.components import rooms_on
from lampion.games.lumens.svg import CELL, plan_for
from lampion.play import Position, Seeded

# Placing


def test_line_counts_exactly_the_number_straight_ahead() -> None:
    position = table(2, {(0, 8): "a1 a1", (6, 4): "a3"})
    assert targets(position) == {(1, 8), (0, 7), (6, 1), (6, 7), (3, 4), (9, 4)}


def test_a_view_shows_from_which_tokens_a_line_leads_to_a_target() -> None:
    position = table(2, {(0, 8): "a3", (6, 8): "a3", (3, 5): "a3", (3, 6): "b1"})
    for viewer in (0, 1, SPECTATOR):
        shown = shown_targets(position.view(viewer))
        assert shown[3, 8] == {(0, 8), (6, 8)}, "a token lies between the third and the target"
        assert shown[0, 5] == {(0, 8), (3, 5)}
        assert shown[0, 8] == set(), "the own start marker needs no line"


def test_a_view_shows_targets_only_while_a_token_is_placed() -> None:
    position = Position("lumens", 2, {"first": 0})
    chance = Seeded(1)
    position.push_chances(chance)
    while position.view(SPECTATOR).step == "face":
        assert position.view(SPECTATOR).targets == []
        position.push(position.legal_moves[0])
        position.push_chances(chance)
    assert set(shown_targets(position.view(SPECTATOR))) == targets(position)
    position.push(position.legal_moves[0])
    assert position.view(SPECTATOR).step == "draw"
    assert position.view(SPECTATOR).targets == []


def test_line_stays_inside_the_board() -> None:
    assert targets(table(2, {(0, 8): "a1 a1", (12, 8): "a6"})) == {(1, 8), (0, 7), (6, 8), (12, 2)}
    assert targets(table(4, {(0, 0): "a6 a6", (14, 7): "a1"})) == {(6, 0), (0, 6), (14, 6), (14, 8), (13, 7)}


def test_line_runs_through_rooms_and_passages_alike() -> None:
    assert {(6, 8), (0, 2)} <= targets(table(2, {(0, 8): "a6"}))


@pytest.mark.parametrize("blocker", ["a1", "b1"])
def test_any_token_between_blocks_the_line(blocker: str) -> None:
    assert (4, 8) in targets(table(2, {(0, 8): "a4"}))
    for x in (1, 2, 3):
        blocked = targets(table(2, {(0, 8): "a4", (x, 8): blocker}))
        assert ((4, 8) in blocked) == (blocker == "a1" and x == 3)
        assert (0, 4) in blocked


def test_token_on_a_start_marker_blocks_too() -> None:
    position = table(3, {(7, 10): "a4"})
    assert {(7, 6), (3, 10), (11, 10)} <= targets(position)
    assert (7, 14) not in targets(position)


def test_corner_without_a_marker_is_an_ordinary_cell() -> None:
    assert (0, 14) in targets(table(3, {(0, 10): "a4"}))
    assert (0, 0) in targets(table(2, {(0, 3): "a3"}))


@pytest.mark.parametrize("covered", ["a6", "b6"])
def test_token_may_be_covered_whosever_it_is(covered: str) -> None:
    position = table(2, {(0, 8): "a4", (4, 8): covered}, hands={0: 1})
    owner = MARKS.index(covered[0])
    assert plain(position)["rooms"]["8"]["sums"][owner] == 6
    events = as_tuples(position.push("2@4,8"))
    assert events[:2] == [("placed", 0, "4,8", 2, "line"), ("covered", owner, "4,8", 6, "line")]
    assert tokens_at(position, 4, 8) == [(owner, 6), (0, 2)]
    assert plain(position)["rooms"]["8"]["sums"] == [2, 0]
    position.push("+0")
    if owner == 1:
        assert not {(10, 8), (4, 2)} & targets(position)
    else:
        position.push(position.legal_moves[0])
        position.push("+0")
        assert not {(10, 8), (4, 2)} & targets(position)


def test_covered_token_starts_no_lines() -> None:
    cells = {(4, 8): "a6", (12, 8): "b1"}
    assert (4, 2) in targets(table(2, cells))
    assert (4, 2) not in targets(table(2, cells | {(4, 8): "a6 b3"}))
    assert (7, 8) in targets(table(2, cells | {(4, 8): "a6 b3"}, active=1))


def test_cell_with_two_tokens_is_closed() -> None:
    position = table(2, {(0, 8): "a4", (4, 8): "b6 b5"}, hands={0: 1})
    assert (4, 8) not in targets(position)
    assert refusal(position, "2@4,8") == "lumens.illegal.closed"


def test_another_players_start_marker_is_never_a_target() -> None:
    position = table(2, {(9, 0): "a3"}, hands={0: 1})
    assert (12, 0) not in targets(position)
    assert refusal(position, "2@12,0") == "lumens.illegal.marker"


def test_start_marker_of_who_has_finished_is_no_target_either() -> None:
    position = table(2, {(0, 8): "a3 a3", (9, 0): "a3"}, first=1, turns=22)
    assert plain(position)["seats"][1] == {"left": [0, 0, 0], "holding": False, "hand": None, "out": False}
    assert (6, 0) in targets(position)
    assert (12, 0) not in targets(position)


def test_own_start_marker_may_take_a_second_token_whatever_the_lines() -> None:
    position = table(2, {(0, 8): "a3"}, hands={0: 0})
    assert targets(position) == {(0, 8), (3, 8), (0, 5)}
    assert as_tuples(position.push("6@0,8"))[:2] == [
        ("placed", 0, "0,8", 6, "direct"),
        ("covered", 0, "0,8", 3, "direct"),
    ]
    assert tokens_at(position, 0, 8) == [(0, 3), (0, 6)]


def test_start_marker_with_two_tokens_is_closed_even_for_a_line() -> None:
    position = table(2, {(0, 8): "a1 a3", (3, 8): "a3"}, hands={0: 0})
    assert (0, 8) not in targets(position)
    assert refusal(position, "6@0,8") == "lumens.illegal.closed"


def test_reaching_the_own_start_marker_by_a_line_is_the_same_move() -> None:
    position = table(2, {(0, 8): "a3", (3, 8): "a3"}, hands={0: 0})
    assert [move.face for move in position.legal_moves if (move.x, move.y) == (0, 8)] == [1, 6]
    assert as_tuples(position.push("6@0,8"))[0] == ("placed", 0, "0,8", 6, "line")


def test_move_is_a_cell_and_a_face_from_wherever_it_is_reached() -> None:
    position = table(2, {(0, 8): "a1 a4", (4, 6): "a2", (8, 8): "a4"})
    assert [move.face for move in position.legal_moves if (move.x, move.y) == (4, 8)] == [1, 6]


def test_nobody_may_pass_or_place_where_no_line_ends() -> None:
    position = table(2, {(0, 8): "a3"}, hands={0: 0})
    with pytest.raises(UnreadableMove):
        position.push("pass")
    assert refusal(position, "6@2,8") == "lumens.illegal.no_line"
    blocked = table(2, {(0, 8): "a3", (1, 8): "b2"}, hands={0: 0})
    assert refusal(blocked, "6@3,8") == "lumens.illegal.blocked"
    assert refusal(position, "6@13,8") == "lumens.illegal.outside"
    assert refusal(position, {"kind": "place", "x": -1, "y": 8, "face": 6}) == "lumens.illegal.outside"
    assert refusal(position, "7@3,8") == "lumens.illegal.number"
    assert refusal(position, "5@3,8") == "error.illegal_move"  # not a face of the token in hand


def test_the_final_board_is_turned_as_it_was_played_on_and_has_the_signs_of_its_rooms() -> None:
    for players in (2, 3, 4):
        position = Position("lumens", players)
        box = position.edition.box
        for seat in range(players):
            plan = plan_for(box, players, seat)
            start = int(box.starts[players, seat])
            assert 2 * plan.at(start)[1] >= plan.rows - 1
            (drawn,) = position.boards(seat)
            x, y = plan.at(start)
            frame = f'<rect x="{x * CELL + 1.5:g}" y="{y * CELL + 1.5:g}"'
            assert f'stroke="{SEATS[seat]}"' in drawn.split(frame)[1].split("/>")[0]
            assert drawn.count('href="#lumens-') == len(rooms_on(box, players))


# Being stuck

WALLED = {(1, 8): "a2 b2", (0, 7): "a2 b2"}


def test_without_any_line_the_token_must_go_on_the_own_start_marker() -> None:
    position = table(2, WALLED | {(0, 8): "a1"}, hands={0: 0})
    assert [position.notation(id) for id in position.legal_ids()] == ["1@0,8", "6@0,8"]
    assert as_tuples(position.push("6@0,8"))[0] == ("placed", 0, "0,8", 6, "forced")


def test_player_without_line_and_with_a_closed_start_marker_is_out_when_the_turn_comes() -> None:
    position = table(2, WALLED | {(0, 8): "a1 a1"}, active=1, hands={1: 0})
    assert [seat.out for seat in position.view(0).seats] == [False, False]
    position.push(position.legal_moves[0])
    assert [seat.out for seat in position.view(0).seats] == [False, False]
    events = position.push("+1")
    assert as_tuples(events) == [("drew", 1, "2/5", 1, "chance"), ("out", 0, None, 0, "forced")]
    assert [seat.out for seat in position.view(1).seats] == [True, False]


def test_others_go_on_without_who_is_out_and_the_last_one_alone() -> None:
    position = table(2, WALLED | {(0, 8): "a1 a1"}, active=1)
    chance, choose = Seeded(3), random.Random(3)
    movers, events = [], []
    while not position.is_over:
        if position.actor == CHANCE:
            events += position.push_chance(chance)
        else:
            movers.append(position.actor)
            events += position.push(choose.choice(list(position.legal_moves)))
    assert movers == [1] * (24 - 3)
    assert [event.seat for event in events if event.kind == "out"] == [0]
    view = plain(position, 1)
    assert view["seats"][0]["out"]
    assert view["seats"][0]["holding"]
    assert view["seats"][0]["hand"] is None
    assert position.broken_fact() is None


def test_tokens_of_who_is_out_block_score_and_can_be_covered() -> None:
    cells = WALLED | {(0, 8): "a1 a1", (6, 4): "a6", (7, 4): "b1", (5, 4): "b4"}
    position = table(2, cells, active=1, out=(0,), hands={1: 0})
    assert [seat["room_5"] for seat in position.count().categories] == [4, 0]
    assert (9, 4) not in targets(position)
    assert ("covered", 0, "6,4", 6, "line") in as_tuples(position.push("1@6,4"))
    assert [seat["room_5"] for seat in position.count().categories] == [0, 4]


def test_who_can_place_is_not_out() -> None:
    with pytest.raises(BadPosition) as caught:
        table(2, {(0, 8): "a1 a1"}, active=1, out=(0,), turns=6)
    assert caught.value.key == "lumens.fact.out"


def test_game_ends_when_everybody_is_out() -> None:
    position = Position("lumens", players=2, options={"first": 0}, components=tiny())
    for move in ("+2", "+2", "face:3", "face:4", "+2", "+2", "4@0,2", "+0", "3@2,0"):
        position.push(move)
    assert as_tuples(position.push("+1")) == [
        ("drew", 1, "2/5", 1, "chance"),
        ("out", 0, None, 0, "forced"),
        ("out", 1, None, 0, "forced"),
        ("end", None, None, 0, "choice"),
    ]
    assert position.is_over
    assert [seat.hand for seat in position.view(0).seats] == [0, None]
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.scores, outcome.ranks) == ([0, 0], [1, 1])
