"""Lumens: the set-up, the order of turns, the end and the score."""

from __future__ import annotations

import random
from collections import Counter

import naive_lumens as naive
import pytest
from lumens_positions import CORNERS, DATA, PLAYERS, in_room_5, shown_targets, table, targets, tokens_at, weights
from plain_data import as_tuples, plain

from lampion.engine.rng import new_rng
from lampion.engine.rules import pick_listed
from lampion.games.core import CHANCE, OVER, SPECTATOR
from lampion.play import Position, Seeded, compiled_calls

# Set-up


def test_everybody_draws_then_chooses_a_face_then_draws_again_in_seat_order() -> None:
    position = Position("lumens", players=3)
    steps = []
    for move in ("+0", "+1", "+2", "face:6", "face:2", "face:4", "+1", "+1", "+1", "first:1"):
        view = position.view(SPECTATOR)
        steps.append((view.step, position.actor, view.active))
        position.push(move)
    assert steps == [
        *(("deal_start", CHANCE, seat) for seat in range(3)),
        *(("face", seat, seat) for seat in range(3)),
        *(("deal_hand", CHANCE, seat) for seat in range(3)),
        ("first", CHANCE, None),
    ]
    assert position.actor == 1
    assert [tokens_at(position, *cell) for cell in CORNERS[3]] == [[(0, 6)], [(1, 2)], [(2, 4)]]


@pytest.mark.parametrize("players", PLAYERS)
def test_places_are_given_by_seat(players: int) -> None:
    position = Position("lumens", players=players)
    position.push_chances(Seeded(1))
    for _ in range(players):
        position.push(position.legal_moves[0])
    view = plain(position)
    assert {cell: seat for cell, [(seat, _)] in naive.stacks(view).items()} == {
        cell: seat for seat, cell in enumerate(CORNERS[players])
    }


def test_either_face_of_the_drawn_token_may_show() -> None:
    for token, faces in enumerate(((1, 6), (2, 5), (3, 4))):
        position = Position("lumens", players=2)
        position.push(f"+{token}")
        position.push("+0")
        assert tuple(move.face for move in position.legal_moves) == faces


def test_every_player_draws_from_an_own_bag() -> None:
    position = Position("lumens", players=2)
    sources = []
    for move in ("+0", "+1", "face:1", "face:5", "+0", "+1"):
        if position.actor == CHANCE:
            sources.append(compiled_calls.source_at(position._boxes, position._states, position.ply))
        position.push(move)
    assert sources == [1, 2, 1, 2]
    assert compiled_calls.source_at(position._boxes, position._states, position.ply) == 0


def test_tokens_left_in_the_bag_are_equally_likely() -> None:
    position = Position("lumens", players=2, options={"first": 0})
    assert weights(position) == {0: 8, 1: 8, 2: 8}
    position.push("+0")
    assert weights(position) == {0: 8, 1: 8, 2: 8}  # the other bag
    for move in ("+0", "face:1", "face:1"):
        position.push(move)
    assert weights(position) == {0: 7, 1: 8, 2: 8}


def test_first_player_is_drawn_from_all_seats_or_chosen() -> None:
    drawn = Position("lumens", players=4)
    for move in ("+0", "+0", "+0", "+0", "face:1", "face:1", "face:1", "face:1", "+0", "+0", "+0", "+0"):
        drawn.push(move)
    assert [(move.seat, weight) for move, weight in drawn.chances()] == [(0, 1), (1, 1), (2, 1), (3, 1)]
    assert as_tuples(drawn.push("first:2")) == [("first", 2, None, 0, "chance")]
    assert drawn.actor == 2
    chosen = Position("lumens", players=2, options={"first": 1})
    for move in ("+0", "+0", "face:1", "face:1", "+0"):
        chosen.push(move)
    assert as_tuples(chosen.push("+2")) == [("drew", 1, "3/4", 1, "chance"), ("first", 1, None, 0, "choice")]
    assert chosen.actor == 1


def test_set_up_token_is_known_to_its_owner_alone_until_it_is_placed() -> None:
    position = Position("lumens", players=2)
    position.push("+0")
    position.push("+2")
    assert [seat.hand for seat in position.view(0).seats] == [0, None]
    assert [seat.hand for seat in position.view(1).seats] == [None, 2]
    assert [seat.holding for seat in position.view(SPECTATOR).seats] == [True, True]
    position.push("face:6")
    assert position.view(1).seats[0].left == [7, 8, 8]


# Turns and the end


def test_turns_go_clockwise_from_the_first_player() -> None:
    position = Position("lumens", players=4, options={"first": 2})
    chance, movers = Seeded(5), list[int]()
    while len(movers) < 4 + 9:
        position.push_chances(chance)
        movers.append(position.actor)
        position.push(position.legal_moves[0])
    assert movers == [0, 1, 2, 3, 2, 3, 0, 1, 2, 3, 0, 1, 2]


def test_placing_is_followed_by_a_draw_from_the_own_bag() -> None:
    position = table(2, {(0, 8): "a3"}, hands={0: 0})
    position.push("1@3,8")
    assert position.actor == CHANCE
    assert weights(position) == {0: 7, 1: 8, 2: 7}
    position.push("+2")
    assert position.actor == 1
    assert position.view(0).seats[0].hand == 2


def test_player_with_an_empty_bag_still_places_the_last_token_and_is_finished() -> None:
    position = table(2, {(0, 8): "a3 a3"}, turns=22)
    assert position.view(0).seats[0].left in ([1, 0, 0], [0, 1, 0], [0, 0, 1])
    events = position.push(position.legal_moves[0])
    assert ("finished", 0) in [(event.kind, event.seat) for event in events]
    assert position.actor == 1
    events = position.push(position.legal_moves[0])
    kinds = [event.kind for event in events]
    assert position.actor == OVER
    assert kinds.index("finished") < kinds.index("scored") < kinds.index("end")
    assert all(sum(seat.left) == 0 for seat in position.view(SPECTATOR).seats)


@pytest.mark.parametrize("players", PLAYERS)
def test_all_tokens_are_placed_in_a_game_where_nobody_gets_stuck(players: int) -> None:
    position = Position("lumens", players=players)
    chance, choose = Seeded(players), random.Random(players)
    while not position.is_over:
        if position.actor == CHANCE:
            position.push_chance(chance)
        else:
            position.push(choose.choice(list(position.legal_moves)))
    assert not any(seat.out for seat in position.view(SPECTATOR).seats)
    assert Counter(seat for seat, _ in position.played) == {CHANCE: 24 * players + 1} | dict.fromkeys(
        range(players), 24
    )
    assert position.ply == 48 * players + 1 <= position.game.longest
    last = position.at(position.ply - 1)
    scored = [event for event in last.push(position.moves[-1][1]) if event.kind == "scored"]
    assert position.outcome() is not None
    for seat in range(players):
        assert sum(event.number for event in scored if event.seat == seat) == position.count().scores[seat]


# Scoring


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize(
    ("tokens", "points"),
    [
        (("a6", "a4", "b6", "b3", "c4"), [4, 2, 0]),  # 10, 9, 4
        (("b6", "b6", "a5", "c4"), [2, 4, 0]),  # 12, 5, 4
        (("a6", "a4", "b5", "b5", "c6"), [4, 4, 0]),  # 10, 10, 6
        (("a6", "a3", "b4", "c4"), [4, 2, 2]),  # 9, 4, 4
        (("c1",), [0, 0, 4]),
        (("a4", "b4", "c4"), [4, 4, 4]),
        ((), [0, 0, 0]),
        (("a6 c1", "b2"), [0, 4, 2]),  # a covered token scores nothing
    ],
)
def test_first_gets_four_and_second_two_in_every_room(players: int, tokens: tuple[str, ...], points: list[int]) -> None:
    assert in_room_5(players, *tokens) == points + [0] * (players - 3)


def test_with_two_players_only_first_place_scores() -> None:
    assert in_room_5(2, "a6", "a4", "b6", "b3") == [4, 0]
    assert in_room_5(2, "a6", "b5", "b1") == [4, 4]
    assert in_room_5(2) == [0, 0]


def test_start_cell_counts_in_its_room() -> None:
    position = table(3, {(0, 0): "a5"})
    assert plain(position)["rooms"]["1"] == {"sums": [5, 0, 0], "points": [4, 0, 0]}


def at_twenty(*central: str) -> Position:
    """Two players with 20 points, or a little more from the central room, and a third with none."""
    rooms = {(1, 1): "a2", (3, 3): "a1", (7, 0): "a6", (11, 4): "a4"}
    rooms |= {(14, 0): "b1", (0, 14): "b2", (3, 10): "b5", (11, 10): "b6", (14, 14): "b1"}
    return table(3, rooms | dict(zip([(6, 6), (7, 7), (8, 8)], central, strict=False)))


def test_tie_is_won_by_who_is_in_the_central_room_over_who_is_not() -> None:
    outcome = at_twenty("a1").count()
    assert (outcome.scores, outcome.ranks, outcome.decided_by) == ([20, 20, 0], [1, 2, 3], "central")
    assert outcome.winners == [0]
    assert outcome.by_tie_break


def test_tie_is_won_by_the_larger_sum_in_the_central_room() -> None:
    cells = {(6, 6): "a5", (7, 7): "b6", (0, 1): "b1", (0, 0): "a4", (0, 14): "a1", (0, 13): "b2", (1, 13): "b1"}
    position = table(3, cells)
    outcome = position.count()
    assert plain(position)["rooms"]["B"]["sums"] == [5, 6, 0]
    assert outcome.scores == [8, 14, 0]
    level = table(3, cells | {(1, 0): "b4"}).count()  # room 1: 4 and 5
    assert level.scores == [6, 16, 0]
    tied = table(3, {(6, 6): "a6", (7, 7): "b5", (1, 0): "b1", (0, 0): "a4"}).count()
    assert (tied.scores, tied.ranks, tied.decided_by) == ([8, 8, 0], [1, 2, 3], "central")


def test_level_players_share_the_place_and_the_next_stays_empty() -> None:
    outcome = table(3, {(0, 14): "b2", (14, 0): "b3", (3, 3): "a2"}).count()
    assert (outcome.scores, outcome.ranks, outcome.shares) == ([8, 8, 0], [1, 1, 3], [0.5, 0.5, 0.0])
    assert outcome.winners == [0, 1]


@pytest.mark.parametrize("players", PLAYERS)
def test_targets_and_scores_are_those_of_the_naive_rules(players: int) -> None:
    choose = random.Random(players)
    looked_at = 0
    for seed in range(12):
        position = Position("lumens", players=players)
        chance = Seeded(seed)
        while not position.is_over:
            if position.actor == CHANCE:
                position.push_chance(chance)
                continue
            view = plain(position)
            moves = list(position.legal_moves)
            if view["step"] == "place":
                expected_targets = naive.targets(DATA, view, position.actor)
                assert targets(position) == set(expected_targets)
                assert shown_targets(position.view(SPECTATOR)) == expected_targets
                rows = naive.board(DATA, players)["rows"]
                rooms = [move for move in moves if rows[move.y][move.x] != "."]
                moves = rooms if rooms and choose.random() < 0.7 else moves
            outcome = position.count()
            expected = naive.points(DATA, view)
            for seat in range(players):
                found = {name[-1]: points for name, points in outcome.categories[seat].items()}
                assert found == {room: expected[room][seat] if room in expected else 0 for room in "123456789AB"}
            assert outcome.ranks == naive.ranks(DATA, view)
            assert {room: shown["sums"] for room, shown in view["rooms"].items()} == naive.sums(DATA, view)
            position.push(choose.choice(moves))
            looked_at += 1
    assert looked_at >= 12 * 24 * players - 50


@pytest.mark.parametrize("players", PLAYERS)
def test_picking_at_random_is_picking_from_the_list(players: int) -> None:
    position = Position("lumens", players=players)
    rng, listed = new_rng(players), new_rng(players)
    while not position.is_over:
        ids, weights = position._ids, position._weights
        id = compiled_calls.pick_at(position._boxes, position._states, position.ply, position.actor, rng, ids, weights)
        assert id == pick_listed(position.edition.box, position.state, position.actor, listed, ids, weights)
        position.push(int(id))
