"""Lanternes Dice: the set-up, the roll and the tray, and who decides at the same time."""

from __future__ import annotations

import random
from typing import Any

import pytest
from dice_positions import (
    DATA,
    FIRST_GAME,
    PLAYERS,
    TURNS,
    keen,
    named,
    play_on,
    rolled,
    seat,
    table,
    zone_colour,
    zones,
)
from plain_data import as_tuples, plain

from lampion.games.core import CHANCE, EVERYTHING, BadSetup, IllegalMove
from lampion.games.dice.notation import Roll, Shade, Turn
from lampion.games.registry import game
from lampion.play import Position, Seeded, compiled_calls, take_back

# Set-up


@pytest.mark.parametrize("sheets", ["ABCD", "DCBA", "CADB"])
def test_lowest_sheet_begins_and_the_turn_goes_clockwise(sheets: str) -> None:
    position = Position("dice", 4, {"sheets": sheets})
    first = sheets.index("A")
    assert as_tuples(position.opening(EVERYTHING))[0] == ("first", first, "A", 0, "lowest_sheet")
    for turn in range(5):
        assert plain(position)["active"] == (first + turn) % 4
        rolled(position, "RRRR").push("turn:0")
        while position.pending:
            position.push("pass")


@pytest.mark.parametrize("players", PLAYERS)
def test_seats_have_the_sheets_of_their_letters_unless_chosen(players: int) -> None:
    assert [one["sheet"] for one in plain(Position("dice", players))["seats"]] == list("ABCD")[:players]
    chosen = "DBCA"[:players]
    assert [one["sheet"] for one in plain(Position("dice", players, {"sheets": chosen}))["seats"]] == list(chosen)


@pytest.mark.parametrize("wrong", ["AA", "AE", "ABC", "A", "", 3, None])
def test_sheets_must_be_different_letters_one_a_seat(wrong: Any) -> None:
    with pytest.raises(BadSetup):
        Position("dice", 2, {"sheets": wrong})


def test_first_game_needs_no_draw() -> None:
    view = plain(Position("dice", 2))
    assert view["step"] == "roll"
    assert [stack["shape"] for stack in view["stacks"]] == FIRST_GAME
    assert view["sides"] == ["A", "A", "A"]
    assert [one["gifts"] for one in view["seats"]] == [1, 1]


def test_random_fireworks_are_one_small_two_medium_one_large_then_every_card_shows_a_side() -> None:
    position = Position("dice", 3, {"fireworks": "random", "sides": "random"})
    offered = []
    for _ in range(7):
        offered.append([(position.notation(position.id_of(move)), weight) for move, weight in position.chances()])
        position.push(position.legal_moves[-1])
    medium = ["+tee", "+hook", "+square", "+zigzag"]
    assert offered[:4] == [
        [("+bar", 1), ("+corner", 1)],
        [(name, 1) for name in medium],
        [(name, 1) for name in medium[:-1]],
        [("+cross", 1), ("+cup", 1)],
    ]
    assert offered[4:] == [[(f"+{card}A", 1), (f"+{card}B", 1)] for card in (1, 2, 3)]
    assert [stack["shape"] for stack in plain(position)["stacks"]] == ["corner", "square", "zigzag", "cup"]
    assert plain(position)["sides"] == ["B", "B", "B"]


def test_drawn_in_another_order_the_same_fireworks_are_the_same_position() -> None:
    both = []
    for order in (("+tee", "+square"), ("+square", "+tee")):
        position = Position("dice", 2, {"fireworks": "random"})
        for move in ("+bar", *order, "+cup"):
            position.push(move)
        both.append(position.bytes())
    assert both[0] == both[1]


def test_any_four_fireworks_and_any_sides_can_be_chosen_in_any_order() -> None:
    for given in (["cup", "bar", "corner", "cross"], "cup, bar,cross,corner"):
        position = Position("dice", 2, {"fireworks": given, "sides": "BAB"})
        assert position.options["fireworks"] == ["bar", "corner", "cross", "cup"]
        assert [stack["shape"] for stack in plain(position)["stacks"]] == ["bar", "corner", "cross", "cup"]
        assert plain(position)["sides"] == ["B", "A", "B"]


@pytest.mark.parametrize(
    "options",
    [
        {"fireworks": ["bar", "bar", "tee", "cup"]},
        {"fireworks": ["bar", "tee", "cup"]},
        {"fireworks": ["bar", "tee", "cup", "moon"]},
        {"fireworks": "all"},
        {"sides": "AAC"},
        {"sides": "AA"},
        {"first": 0},
    ],
)
def test_options_that_mean_nothing_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(BadSetup):
        Position("dice", 2, options)


def test_stacks_have_six_tiles_with_the_highest_on_top() -> None:
    for stack in plain(Position("dice", 2, {"fireworks": ["bar", "tee", "cross", "cup"]}))["stacks"]:
        assert stack["left"] == DATA["fireworks"][stack["shape"]]["values"]
        assert len(stack["left"]) == 6
        assert stack["left"] == sorted(stack["left"], reverse=True)


@pytest.mark.parametrize("players", PLAYERS)
def test_everybody_has_as_many_turns_as_bonuses_and_they_follow_the_sheet(players: int) -> None:
    position = Position("dice", players, {"sheets": "DCBA"[:players]})
    began = []
    while not position.is_over:
        view = plain(position)
        if view["active"] is not None:
            began.append((view["active"], view["bonus"]))
        rolled(position, "WWWW").push("turn:0")
        while position.pending:
            position.push("pass")
    sheets = DATA["sheets"]
    extra = {2: "two", 3: "three", 4: None}[players]
    for who in range(players):
        bonuses = sheets["DCBA"[who]]["all"] + (sheets["DCBA"[who]][extra] if extra else "")
        assert [bonus for active, bonus in began if active == who] == list(bonuses)
        assert len(bonuses) == TURNS[players]


# Roll


@pytest.mark.parametrize(("players", "corners"), [(2, [0, 2]), (3, [0, 1, 2]), (4, [0, 1, 2, 3])])
@pytest.mark.parametrize("turn", range(4))
def test_turning_the_tray_shows_corner_k_the_die_k_plus_r(players: int, corners: list[int], turn: int) -> None:
    position = rolled(Position("dice", players), "WORP")
    events = position.push(Turn(turn))
    faced = ["WORP"[(corner + turn) % 4] for corner in corners]
    assert [one["corner"] for one in plain(position)["seats"]] == corners
    assert [one["faces"] for one in plain(position)["seats"]] == faced
    assert [(e.seat, e.thing) for e in events if e.kind == "faced"] == list(enumerate(faced))
    for who, letter in enumerate(faced):
        offered = {zone_colour(move.zone) for move in position.legal_moves_of(who) if isinstance(move, Shade)}
        assert offered == {letter}


def test_a_roll_is_four_dice_corner_by_corner_with_every_colour_once() -> None:
    position = Position("dice", 2)
    for corner in range(4):
        assert position.actor == CHANCE
        assert position.chances() == [(Roll(letter), 1) for letter in "WORPBG"]  # type: ignore[arg-type]
        assert as_tuples(position.push("+G")) == [("rolled", 0, "G", corner, "chance")]
    assert position.pending == (0,)


def test_always_four_ways_to_turn_the_tray_and_none_to_leave_it() -> None:
    position = rolled(Position("dice", 2), "RRRR")
    assert named(position) == {"reroll", "turn:0", "turn:1", "turn:2", "turn:3"}


def test_a_gift_rerolls_all_four_and_again_while_there_are_gifts() -> None:
    position = table(seat("c1b d2b", gifts=3, step="turn"), seat(), step="turn", dice="RRRR")
    for left in (2, 1, 0):
        assert as_tuples(position.push("reroll")) == [("paid", 0, None, 1, "reroll")]
        assert plain(position)["dice"] == [None] * 4
        assert plain(position)["seats"][0]["gifts"] == left
        rolled(position, "BGBG")
    assert named(position) == {"turn:0", "turn:1", "turn:2", "turn:3"}
    with pytest.raises(IllegalMove):
        position.push("reroll")


def test_a_reroll_is_the_same_corners_next_draw_whatever_happened_before() -> None:
    def dice(position: Position, chance: Seeded) -> list[str]:
        while position.actor == CHANCE:
            position.push_chance(chance)
        return list(plain(position)["dice"])

    chance = Seeded(11)
    plainly, again = Position("dice", 2), Position("dice", 2)
    first = dice(plainly, chance)
    assert dice(again, chance) == first
    again.push("reroll")
    second = dice(again, chance)
    assert second != first
    for position in (plainly, again):
        position.push("turn:0")
        while position.pending:
            position.push("pass")
    assert dice(plainly, chance) == dice(again, chance)
    sources = set()
    walk = Position("dice", 4, {"fireworks": "random", "sides": "random"})
    for position in play_on(walk, 4, keenly=False):
        if position.actor == CHANCE:
            sources.add(compiled_calls.source_at(position._boxes, position._states, position.ply))
    assert sources == set(range(7 + 24 * 4))
    assert max(sources) < game("dice").sources


# At the same time


def test_nobody_waits_for_anybody_not_even_the_launch() -> None:
    position = table(seat("a1 b1 a2 b2", step="launch"), seat(step="die"), seat(step="emperor"), dice="RRRR")
    assert list(position.pending) == [0, 1, 2]
    assert position.actor == 0
    assert position.legal_moves_of(1)
    position.push("square@a1b1a2b2", 0)
    assert position.pending == (1, 2)
    assert position.actor == 1


@pytest.mark.parametrize("players", PLAYERS)
def test_the_same_choices_in_any_order_give_the_same_bytes(players: int) -> None:
    """Whole turns are played again with their decisions shuffled between the seats."""
    rng = random.Random(players)
    turns = 0
    options = {"fireworks": "random", "sides": "random"}
    position, chance = Position("dice", players, options), Seeded(players)
    while not position.is_over:
        if position.actor == CHANCE:
            position.push_chance(chance)
            continue
        before = position.copy()
        choices: dict[int, list[int]] = {}
        while not choices or (len(before.pending) > 1 and plain(position)["step"] == "shade"):
            who = rng.choice(position.pending)
            id = position.id_of(keen(position, who, rng))
            choices.setdefault(who, []).append(id)
            position.push(id, who)
        for _ in range(3):
            again = before.copy()
            left = {who: list(ids) for who, ids in choices.items()}
            while any(left.values()):
                who = rng.choice([who for who, ids in left.items() if ids])
                again.push(left[who].pop(0), who)
            assert again.bytes() == position.bytes()
        turns += len(choices) > 1
    assert turns >= TURNS[players]


def test_a_seat_takes_back_its_own_choice_while_others_still_decide() -> None:
    position = table(seat(step="die", gifts=0), seat(step="die", gifts=0), dice="RRRR", turn=1)
    position.push("b1a", 1)
    position.push("d1a", 0)
    back = take_back(position, 1)
    assert plain(back)["seats"][1]["shaded"] == []
    assert plain(back)["seats"][0]["shaded"] == zones("d1a")


def test_who_is_through_owes_nothing_and_cannot_move() -> None:
    position = table(seat(step="die", gifts=0), seat(step="die", gifts=0), dice="RRRR", turn=1)
    position.push("pass", 0)
    assert position.pending == (1,)
    assert len(position.legal_moves_of(0)) == 0
    with pytest.raises(ValueError, match="turn"):
        position.push("pass", 0)
