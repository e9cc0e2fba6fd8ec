"""Lumens: the rules, the decisions taken where the rulebook is silent, and its worked examples."""

from __future__ import annotations

import copy
import json
import random
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
import naive_lumens as naive
import numpy as np
import pytest

from lampion.arena.simulate_random import simulate
from lampion.engine.rng import new_rng
from lampion.engine.rules import pick_listed
from lampion.games.art import SEATS
from lampion.games.core import (
    CHANCE,
    EVERYTHING,
    OVER,
    SPECTATOR,
    BadComponents,
    BadPosition,
    IllegalMove,
    UnreadableMove,
)
from lampion.games.editions import edition, standard
from lampion.games.lumens.components import rooms_on
from lampion.games.lumens.svg import CELL, plan_for
from lampion.games.move_types import notation, parse, sentence
from lampion.games.registry import game
from lampion.locale import speaking
from lampion.play import Position, Seeded, compiled_calls

DATA = standard("lumens").data
PLAYERS = (2, 3, 4)
MARKS = "abcd"
KIND = {1: 0, 6: 0, 2: 1, 5: 1, 3: 2, 4: 2}
CORNERS = {
    2: [(0, 8), (12, 0)],
    3: [(0, 0), (14, 0), (7, 14)],
    4: [(0, 0), (14, 0), (14, 14), (0, 14)],
}
PARK = {
    2: [(x, y) for y in (2, 6, 4, 5) for x in range(11, 0, -1)],
    3: [(x, y) for y in (12, 2) for x in range(3, 14)],
    4: [(x, y) for y in (12, 2) for x in range(3, 14)],
}
Place = tuple[int, int]


def table(
    players: int,
    tokens: dict[Place, str],
    *,
    active: int = 0,
    first: int = 0,
    turns: int | None = None,
    hands: dict[int, int] | None = None,
    out: tuple[int, ...] = (),
    **changes: Any,
) -> Position:
    """A position in which `active` is to place. Cells are written `a5` or, the covered token first, `a5 b2`.

    A seat without a token on its start marker gets a 1 there. Seats that have placed fewer tokens than the turns ask
    for (by default as few as the cells allow) get the rest in pairs on far cells.
    """
    lying = {
        cell: [(MARKS.index(token[0]), int(token[1])) for token in written.split()] for cell, written in tokens.items()
    }
    for seat, cell in enumerate(CORNERS[players]):
        lying.setdefault(cell, [(seat, 1)])
    left = [[8, 8, 8] for _ in range(players)]
    placed = [0] * players
    for seat, face in (token for stack in lying.values() for token in stack):
        left[seat][KIND[face]] -= 1
        placed[seat] += 1
    ahead = [(seat - first) % players < (active - first) % players for seat in range(players)]
    playing = [seat for seat in range(players) if seat not in out]
    if turns is None:
        turns = max(placed[seat] - 1 - ahead[seat] for seat in playing)
    cells = iter([cell for cell in PARK[players] if cell not in lying])
    for seat in playing:
        stack: list[tuple[int, int]] = []
        for _ in range(turns + ahead[seat] + 1 - placed[seat]):
            if len(stack) in (0, 2):
                stack = lying.setdefault(next(cells), [])
            kind = max(range(3), key=lambda kind: left[seat][kind])
            left[seat][kind] -= 1
            stack.append((seat, kind + 1))
    seats = []
    for seat in range(players):
        given = (hands or {}).get(seat, next((kind for kind in range(3) if left[seat][kind]), None))
        seats.append({"left": left[seat], "holding": given is not None, "hand": given, "out": seat in out})
    view = {
        "players": players,
        "first": first,
        "active": active,
        "step": "place",
        "cells": [
            {"x": x, "y": y, "tokens": [{"seat": seat, "face": face} for seat, face in stack]}
            for (x, y), stack in lying.items()
        ],
        "seats": seats,
    }
    return Position.from_view("lumens", players, None, view | changes)


def targets(position: Position) -> set[Place]:
    return {(move.x, move.y) for move in position.legal_moves}


def shown_targets(view: Any) -> dict[Place, set[Place]]:
    """The targets that a view shows, each with its sources."""
    return {(target.x, target.y): {(spot.x, spot.y) for spot in target.sources} for target in view.targets}


def plain(position: Position, viewer: int = EVERYTHING) -> Any:
    return msgspec.to_builtins(position.view(viewer))


def told(events: list[Any]) -> list[tuple[Any, ...]]:
    return [(e.kind, e.seat, e.thing, e.number, e.why) for e in events]


def tokens_at(position: Position, x: int, y: int) -> list[tuple[int, int]]:
    return naive.stacks(plain(position)).get((x, y), [])


def weights(position: Position) -> dict[int, int]:
    return {move.token: weight for move, weight in position.chances()}


def refusal(position: Position, move: Any) -> str:
    before = position.bytes()
    with pytest.raises(IllegalMove) as caught:
        position.push(move)
    assert position.bytes() == before
    return caught.value.key


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
    assert told(drawn.push("first:2")) == [("first", 2, None, 0, "chance")]
    assert drawn.actor == 2
    chosen = Position("lumens", players=2, options={"first": 1})
    for move in ("+0", "+0", "face:1", "face:1", "+0"):
        chosen.push(move)
    assert told(chosen.push("+2")) == [("drew", 1, "3/4", 1, "chance"), ("first", 1, None, 0, "choice")]
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
    position = table(3, {(5, 14): "a4"})
    assert {(1, 14), (5, 10)} <= targets(position)
    assert (9, 14) not in targets(position)


def test_corner_without_a_marker_is_an_ordinary_cell() -> None:
    assert (0, 14) in targets(table(3, {(0, 10): "a4"}))
    assert (0, 0) in targets(table(2, {(0, 3): "a3"}))


@pytest.mark.parametrize("covered", ["a6", "b6"])
def test_token_may_be_covered_whosever_it_is(covered: str) -> None:
    position = table(2, {(0, 8): "a4", (4, 8): covered}, hands={0: 1})
    owner = MARKS.index(covered[0])
    assert plain(position)["rooms"]["8"]["sums"][owner] == 6
    events = told(position.push("2@4,8"))
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
    assert told(position.push("6@0,8"))[:2] == [("placed", 0, "0,8", 6, "direct"), ("covered", 0, "0,8", 3, "direct")]
    assert tokens_at(position, 0, 8) == [(0, 3), (0, 6)]


def test_start_marker_with_two_tokens_is_closed_even_for_a_line() -> None:
    position = table(2, {(0, 8): "a1 a3", (3, 8): "a3"}, hands={0: 0})
    assert (0, 8) not in targets(position)
    assert refusal(position, "6@0,8") == "lumens.illegal.closed"


def test_reaching_the_own_start_marker_by_a_line_is_the_same_move() -> None:
    position = table(2, {(0, 8): "a3", (3, 8): "a3"}, hands={0: 0})
    assert [move.face for move in position.legal_moves if (move.x, move.y) == (0, 8)] == [1, 6]
    assert told(position.push("6@0,8"))[0] == ("placed", 0, "0,8", 6, "line")


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
    assert told(position.push("6@0,8"))[0] == ("placed", 0, "0,8", 6, "forced")


def test_player_without_line_and_with_a_closed_start_marker_is_out_when_the_turn_comes() -> None:
    position = table(2, WALLED | {(0, 8): "a1 a1"}, active=1, hands={1: 0})
    assert [seat.out for seat in position.view(0).seats] == [False, False]
    position.push(position.legal_moves[0])
    assert [seat.out for seat in position.view(0).seats] == [False, False]
    events = position.push("+1")
    assert told(events) == [("drew", 1, "2/5", 1, "chance"), ("out", 0, None, 0, "forced")]
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
    assert ("covered", 0, "6,4", 6, "line") in told(position.push("1@6,4"))
    assert [seat["room_5"] for seat in position.count().categories] == [0, 4]


def test_who_can_place_is_not_out() -> None:
    with pytest.raises(BadPosition) as caught:
        table(2, {(0, 8): "a1 a1"}, active=1, out=(0,), turns=6)
    assert caught.value.key == "lumens.fact.out"


def tiny() -> Any:
    """An edition whose board for two has no room for a line of 3."""
    data = rewritten("boards.two.rows", ["11.", "1..", "..2"])
    data["boards"]["two"]["central"] = "2"
    data["boards"]["two"]["starts"]["2"] = [[0, 2], [2, 0]]
    return data


def test_game_ends_when_everybody_is_out() -> None:
    position = Position("lumens", players=2, options={"first": 0}, components=tiny())
    for move in ("+2", "+2", "face:3", "face:4", "+2", "+2", "4@0,2", "+0", "3@2,0"):
        position.push(move)
    assert told(position.push("+1")) == [
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

ROOM_5 = {2: [(5, 3), (6, 3), (7, 3), (5, 4), (6, 4)], 3: [(2, 3), (3, 3), (3, 4), (4, 4), (2, 5)]}


def in_room_5(players: int, *tokens: str) -> list[int]:
    position = table(players, dict(zip(ROOM_5[min(players, 3)], tokens, strict=False)))
    return [seat["room_5"] for seat in position.count().categories]


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
    """Two players with 20 points, or a little more from the central room, and a third with 4."""
    rooms = {(1, 1): "a2", (3, 3): "a1", (7, 0): "a6", (11, 4): "a4"}
    rooms |= {(14, 0): "b1", (0, 14): "b2", (3, 10): "b5", (11, 10): "b6", (14, 14): "b1"}
    return table(3, rooms | dict(zip([(6, 6), (7, 7), (8, 8)], central, strict=False)))


def test_tie_is_won_by_who_is_in_the_central_room_over_who_is_not() -> None:
    outcome = at_twenty("a1").count()
    assert (outcome.scores, outcome.ranks, outcome.decided_by) == ([20, 20, 4], [1, 2, 3], "central")
    assert outcome.winners == [0]
    assert outcome.by_tie_break


def test_tie_is_won_by_the_larger_sum_in_the_central_room() -> None:
    cells = {(6, 6): "a5", (7, 7): "b6", (0, 1): "b1", (0, 0): "a4", (0, 14): "a1", (0, 13): "b2", (1, 13): "b1"}
    position = table(3, cells)
    outcome = position.count()
    assert plain(position)["rooms"]["B"]["sums"] == [5, 6, 0]
    assert outcome.scores == [8, 14, 4]
    level = table(3, cells | {(1, 0): "b4"}).count()  # room 1: 4 and 5
    assert level.scores == [6, 16, 4]
    tied = table(3, {(6, 6): "a6", (7, 7): "b5", (1, 0): "b1", (0, 0): "a4"}).count()
    assert (tied.scores, tied.ranks, tied.decided_by) == ([8, 8, 4], [1, 2, 3], "central")


def test_level_players_share_the_place_and_the_next_stays_empty() -> None:
    outcome = table(3, {(0, 14): "b2", (14, 0): "b3", (3, 3): "a2"}).count()
    assert (outcome.scores, outcome.ranks, outcome.shares) == ([8, 8, 4], [1, 1, 3], [0.5, 0.5, 0.0])
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


# What is hidden


def opened(players: int = 3, seed: int = 1, moves: int = 12) -> Position:
    """A game some moves old."""
    position = Position("lumens", players=players)
    chance, choose = Seeded(seed), random.Random(seed)
    for _ in range(moves + players):
        position.push_chances(chance)
        position.push(choose.choice(list(position.legal_moves)))
    position.push_chances(chance)
    return position


def test_view_of_a_seat_holds_no_other_hand() -> None:
    position = opened()
    for viewer in (0, 1, 2, SPECTATOR):
        hands = [seat.hand for seat in position.view(viewer).seats]
        assert [hand is not None for hand in hands] == [seat == viewer for seat in range(3)]


def test_kinds_that_were_placed_are_public_covered_ones_too() -> None:
    position = table(2, {(0, 8): "a3 a6", (3, 8): "a5 b1"})
    assert position.view(SPECTATOR).seats[0].left == [7, 7, 7]


@pytest.mark.parametrize("viewer", [0, 1, 2, SPECTATOR])
def test_concealing_changes_nothing_that_the_viewer_sees(viewer: int) -> None:
    position = opened()
    hands = set()
    for seed in range(40):
        world = position.concealed(viewer, new_rng(seed))
        assert world.broken_fact() is None
        assert world.view(viewer) == position.view(viewer)
        if viewer >= 0:
            assert np.array_equal(world.features(viewer), position.features(viewer))
        hands.add(tuple(seat.hand for seat in world.view(EVERYTHING).seats))
        again = world.concealed(viewer, new_rng(7))
        assert again.bytes() == position.concealed(viewer, new_rng(7)).bytes()
    assert len(hands) > 5


def test_concealed_hands_follow_the_counts_of_unseen_tokens() -> None:
    position = table(2, {}, turns=18, hands={1: 2})
    left = position.view(0).seats[1].left
    drawn = Counter(position.concealed(0, new_rng(s)).view(EVERYTHING).seats[1].hand for s in range(1000))
    for kind in range(3):
        assert abs(drawn[kind] / 1000 - left[kind] / sum(left)) < 0.06


def test_only_the_drawer_tells_draws_apart() -> None:
    position = table(2, {(0, 8): "a3"}, hands={0: 0})
    position.push("1@3,8")
    ids = position.legal_ids(CHANCE)
    codes = {
        viewer: {
            compiled_calls.seen_at(position._boxes, position._states, position.ply, CHANCE, id, viewer) for id in ids
        }
        for viewer in (0, 1, SPECTATOR)
    }
    assert [len(codes[viewer]) for viewer in (0, 1, SPECTATOR)] == [3, 1, 1]
    shown = position.push_rows(int(ids[0]), CHANCE)
    assert shown[0][-1] == 1 << 0


# Events, words, pictures


def test_events_tell_sums_and_who_leads() -> None:
    position = table(2, {(0, 8): "a4", (4, 8): "b6"}, hands={0: 1})
    assert told(position.push("5@4,8")) == [
        ("placed", 0, "4,8", 5, "line"),
        ("covered", 1, "4,8", 6, "line"),
        ("sum", 1, "8", 0, "covering"),
        ("sum", 0, "8", 5, "placing"),
        ("leads", 0, "8", 5, "alone"),
    ]
    tied = table(2, {(0, 8): "a4", (5, 8): "b5"}, hands={0: 1})
    assert told(tied.push("5@4,8"))[-2:] == [("leads", 0, "8", 5, "tied"), ("leads", 1, "8", 5, "tied")]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_event_has_its_sentence(language: str) -> None:
    with speaking(language):
        for seed in range(3):
            position = Position("lumens", players=4)
            chance, choose = Seeded(seed), random.Random(seed)
            while not position.is_over:
                move = choose.choice(list(position.legal_moves)) if position.actor >= 0 else None
                events = position.push_chance(chance) if move is None else position.push(move)
                for event in events:
                    text = sentence(position.game, event, ["Ada", "Bo", "Cy", "Di"], box=position.edition.box)
                    assert text.endswith(".")
                    assert "{" not in text


def test_a_sentence_names_the_room_of_a_cell_or_the_nearest_one() -> None:
    position = table(2, {(0, 8): "a4", (12, 0): "b1"}, hands={0: 1})
    with speaking("en"):
        for move, told in (("5@0,4", "the passage beside the heart room"), ("5@4,8", "the anchor room")):
            event = position.copy().push(move)[0]
            text = sentence(position.game, event, ["Ada", "Bo"], box=position.edition.box)
            assert text == f"Ada puts a 5 in {told}."


@pytest.mark.parametrize("players", PLAYERS)
def test_moves_round_trip_through_ids_notation_and_data(players: int) -> None:
    position = Position("lumens", players=players)
    chance, choose = Seeded(2), random.Random(2)
    moves = position.game.notation
    while not position.is_over:
        for id in position.legal_ids():
            move = position.move(id)
            assert position.id_of(move) == id
            assert parse(position.game, notation(move)) == move
            assert msgspec.convert(json.loads(msgspec.json.encode(move)), moves.Move) == move
        if position.actor == CHANCE:
            position.push_chance(chance)
        else:
            position.push(choose.choice(list(position.legal_moves)))


@pytest.mark.parametrize(
    "text", ["", "pass", "5", "5@", "5@3", "5@3,7,1", "@3,7", "55@3,7", "+", "+12", "face:", "٣@٣,٣"]
)
def test_what_is_no_move_is_refused_with_examples(text: str) -> None:
    with pytest.raises(UnreadableMove) as caught:
        opened().push(text)
    assert "5@3,7" in str(caught.value)


@pytest.mark.parametrize("players", PLAYERS)
def test_view_of_everything_is_a_position(players: int) -> None:
    position = Position("lumens", players=players)
    chance, choose = Seeded(4), random.Random(4)
    while not position.is_over:
        again = Position.from_view("lumens", players, None, plain(position))
        assert again.bytes() == position.bytes()
        if position.actor == CHANCE:
            position.push_chance(chance)
        else:
            position.push(choose.choice(list(position.legal_moves)))


def test_text_picture_shows_tokens_rooms_and_the_viewers_hand() -> None:
    position = table(2, {(0, 8): "a3", (4, 8): "a6 b5"}, hands={0: 0, 1: 2})
    with speaking("en"):
        lines = position.text(0, ["Ada", "Bo"]).splitlines()
    assert lines[9].split() == ["8", "a3", "7", "·", "·", "b5|", "8", "8", "8", "8", "·", "·", "9", "9"]
    assert "8 anchor room: b5" in lines[14]
    assert lines[15].startswith("> a Ada: 4 points now")
    assert "hand 1/6" in lines[15]
    assert "hand" not in lines[16]


@pytest.mark.parametrize("players", PLAYERS)
def test_drawing_is_svg_and_shows_only_what_the_viewer_sees(players: int) -> None:
    position = opened(players)
    for viewer in (0, SPECTATOR, EVERYTHING):
        ElementTree.fromstring(position.svg(viewer, ["A & B"] * players))
    pictures = {position.concealed(SPECTATOR, new_rng(seed)).svg(SPECTATOR) for seed in range(10)}
    assert len(pictures) == 1


# What must hold


@pytest.mark.parametrize("players", PLAYERS)
def test_what_must_hold_holds_at_every_move(players: int) -> None:
    run = simulate(standard("lumens"), players, 300, seed=players, threads=1, check=True)
    assert run.longest <= 48 * players + 1 <= game("lumens").longest


def changed(view: Any, change: Callable[[Any], Any]) -> Any:
    change(view)
    return view


@pytest.mark.parametrize(
    ("fact", "change"),
    [
        ("players", lambda view: view["seats"].pop()),
        ("players", lambda view: view.update(active=None)),
        ("players", lambda view: view.update(first=None)),
        ("players", lambda view: view.update(first=2)),
        ("cells", lambda view: view["cells"][0].update(x=13)),
        ("cells", lambda view: view["cells"].append(view["cells"][0])),
        ("cells", lambda view: view["cells"][0].update(tokens=[])),
        ("cells", lambda view: view["cells"][0]["tokens"].extend(2 * [{"seat": 0, "face": 1}])),
        ("cells", lambda view: view["cells"][0]["tokens"][0].update(seat=2)),
        ("cells", lambda view: view["cells"][0]["tokens"][0].update(face=7)),
        ("starts", lambda view: view["cells"][0].update(x=1)),
        ("starts", lambda view: view["cells"][0].update(tokens=[{"seat": 1, "face": 1}])),
        ("tokens", lambda view: view["seats"][0].update(left=[8, 8, 7])),
        ("tokens", lambda view: view["seats"][0].update(left=[8, 8])),
        ("tokens", lambda view: view["seats"][0].update(left=[0, 16, 7])),
        ("tokens", lambda view: view["seats"][0].update(hand=3)),
        ("tokens", lambda view: view["cells"][0]["tokens"][0].update(face=2)),
        ("hands", lambda view: view["seats"][1].update(holding=False, hand=None)),
        ("hands", lambda view: view["seats"][1].update(holding=False)),
        ("hands", lambda view: view.update(step="draw")),
        ("turns", lambda view: view.update(active=1)),
        ("turns", lambda view: view.update(step="ended", active=None)),
        ("out", lambda view: view["seats"][1].update(out=True)),
    ],
)
def test_broken_position_is_refused_with_the_fact(fact: str, change: Callable[[Any], Any]) -> None:
    view = plain(table(2, {(0, 8): "a3", (0, 0): "a4", (3, 8): "b3"}))
    view["cells"].sort(key=lambda cell: cell["tokens"] != [{"seat": 0, "face": 3}])
    if fact == "out":
        view["seats"][0]["out"] = False
    view["rooms"] = {}
    with pytest.raises(BadPosition) as caught:
        Position.from_view("lumens", 2, None, changed(view, change))
    expected = {f"lumens.fact.{fact}"} | ({"lumens.fact.turns"} if fact == "out" else set())
    assert caught.value.key in expected
    assert str(caught.value)


def test_sets_of_cells_must_be_those_of_the_tokens() -> None:
    for field in ("owned", "shows", "closed"):
        position = opened()
        cells = position.state[field]
        cells.flat[0] ^= 1
        assert position.broken_fact() == "sets"
    for band, bit in ((2, 0), (3, 50), (0, 63)):
        position = opened()
        position.state.targets[band] ^= -1 << 63 if bit == 63 else 1 << bit
        assert position.broken_fact() == "targets"
    for field in ("owned", "shows"):
        position = opened()
        position.state[field][0, 3] ^= -1 << 63
        assert position.broken_fact() == "sets"
    position = opened()
    position.state.sums[0, 0] += 1
    assert position.broken_fact() == "sums"


# Components


def rewritten(name: str, value: Any) -> Any:
    """Our edition with one line changed; None removes it."""
    data = copy.deepcopy(dict(DATA))
    *path, last = name.split(".")
    table: Any = data
    for part in path:
        table = table[int(part)] if part.isdigit() and isinstance(table, list) else table[part]
    key: Any = int(last) if isinstance(table, list) else last
    if value is None:
        del table[key]
    else:
        table[key] = value
    return data


@pytest.mark.parametrize(
    ("name", "value", "reason", "line"),
    [
        ("walls", {}, "components.unknown", "walls"),
        ("tokens", None, "components.missing", "tokens"),
        ("tokens.colours", 4, "components.unknown", "tokens.colours"),
        ("tokens.each_colour", [[1, 6, 24]], "components.count", "tokens.each_colour"),
        ("tokens.each_colour.1", [2, 5], "lumens.components.token", "tokens.each_colour[1]"),
        ("tokens.each_colour.1", [2, 7, 8], "components.range", "tokens.each_colour[1]"),
        ("tokens.each_colour.1", [2, 6, 8], "lumens.components.face", "tokens.each_colour[1]"),
        ("tokens.each_colour.1", [2, 5, 9], "components.count", "tokens.each_colour"),
        ("tokens.each_colour.1", [2, 5, "8"], "components.whole", "tokens.each_colour[1]"),
        ("boards.two", None, "lumens.components.no_board", "boards"),
        ("boards.two.name", "small", "components.unknown", "boards.two.name"),
        ("boards.two.players", [2, 3], "components.missing", "boards.two.starts.3"),
        ("boards.large.players", [2, 3, 4], "lumens.components.twice", "boards.large.players"),
        ("boards.two.players", [5], "components.range", "boards.two.players"),
        ("boards.two.rows", "11..22", "components.list", "boards.two.rows"),
        ("boards.two.rows", ["111", "..."], "lumens.components.rows", "boards.two.rows"),
        ("boards.two.rows", ["." * 13] * 16, "lumens.components.rows", "boards.two.rows"),
        ("boards.two.rows", ["." * 13] * 9, "lumens.components.no_rooms", "boards.two.rows"),
        ("boards.two.rows.2", "." * 16, "lumens.components.columns", "boards.two.rows[2]"),
        ("boards.two.rows.2", "." * 12, "lumens.components.uneven", "boards.two.rows[2]"),
        ("boards.two.rows.2", "......?......", "lumens.components.cell", "boards.two.rows[2]"),
        ("boards.two.rows.2", "......C......", "lumens.components.cell", "boards.two.rows[2]"),
        ("boards.two.rows.2", "......5......", None, ""),
        ("boards.two.rows.2", "......9......", "lumens.components.area", "boards.two.rows"),
        ("boards.two.rows.2", 5, "components.text", "boards.two.rows[2]"),
        ("boards.two.central", "B", "lumens.components.central", "boards.two.central"),
        ("boards.two.starts.2", [[0, 8]], "components.count", "boards.two.starts.2"),
        ("boards.two.starts.2", [[0, 9], [12, 0]], "components.range", "boards.two.starts.2[0]"),
        ("boards.two.starts.2", [[0, 8], [12]], "lumens.components.place", "boards.two.starts.2[1]"),
        ("boards.two.starts.2", [[0, 8], [0, 8]], "lumens.components.same_start", "boards.two.starts.2[1]"),
        ("boards.two.starts.3", [[0, 8]], "components.unknown", "boards.two.starts.3"),
        ("scoring.first", 0, "components.range", "scoring.first"),
        ("scoring.second", 5, "components.range", "scoring.second"),
        ("scoring.second_from_players", None, "components.missing", "scoring.second_from_players"),
        ("scoring.third", 1, "components.unknown", "scoring.third"),
    ],
)
def test_broken_edition_is_refused_with_the_line(name: str, value: Any, reason: str | None, line: str) -> None:
    data = rewritten(name, value)
    if reason is None:
        edition(game("lumens"), data)
        return
    with pytest.raises(BadComponents) as caught:
        edition(game("lumens"), data)
    assert (caught.value.key, caught.value.values["name"]) == (reason, line)
    for language in ("en", "fr"):
        with speaking(language):
            assert line in str(caught.value)


def test_another_edition_is_played_on_its_own_board() -> None:
    position = Position("lumens", players=2, options={"first": 0}, components=tiny())
    for move in ("+0", "+2", "face:1", "face:3", "+0", "+1"):
        position.push(move)
    assert targets(position) == {(0, 2), (0, 1), (1, 2)}
    position.push("6@0,1")
    assert [seat["room_1"] for seat in position.count().categories] == [4, 0]
    assert position.broken_fact() is None
    assert not position.edition.is_standard
