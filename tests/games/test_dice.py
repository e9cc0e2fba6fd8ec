"""Lanternes Dice: the rules, the decisions taken where the rulebook is silent, and its worked examples."""

from __future__ import annotations

import copy
import json
import random
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec
import naive_dice as naive
import numpy as np
import pytest
from tiers import IS_DEEP, daily

from lampion.arena.simulate_random import simulate
from lampion.games.core import CHANCE, EVERYTHING, OVER, BadComponents, BadPosition, BadSetup, IllegalMove
from lampion.games.core import UnreadableMove as Unreadable
from lampion.games.dice.notation import Launch, Pass, Reroll, Roll, Shade, Turn
from lampion.games.dice.state import SHAPE_NAMES
from lampion.games.editions import edition, standard
from lampion.games.move_types import sentence
from lampion.games.registry import game
from lampion.locale import catalogue, speaking
from lampion.play import Position, Seeded, compiled_calls, take_back

DATA = standard("dice").data
PLAYERS = (2, 3, 4)
TURNS = {2: 10, 3: 8, 4: 6}
PLACEMENTS = {"bar": 78, "corner": 160, "square": 40, "tee": 134, "zigzag": 134, "cup": 134, "hook": 268, "cross": 28}
FIRST_GAME = ["corner", "tee", "square", "cup"]


def pond(name: str) -> int:
    return (int(name[1]) - 1) * 9 + "abcdefghi".index(name[0])


def ponds(names: str) -> list[int]:
    return [pond(name) for name in names.split()]


def zone(name: str) -> int:
    return pond(name) * 2 + "ab".index(name[2])


def zones(names: str) -> list[int]:
    """Zones by name; a pond's name alone means both."""
    found = []
    for name in names.split():
        found += [zone(name)] if len(name) == 3 else [pond(name) * 2, pond(name) * 2 + 1]
    return sorted(found)


def firework(shape: str, where: str, tile: int) -> dict[str, Any]:
    return {"shape": shape, "ponds": ponds(where), "tile": tile}


def seat(shaded: str = "", *, gifts: int = 1, step: str | None = None, **more: Any) -> dict[str, Any]:
    """A sheet with these zones shaded whose player is at a step."""
    given = {"gifts": gifts, "shaded": zones(shaded), "fireworks": [], "step": step, "platform": None, "action": None}
    return given | more


def table(
    *seats: dict[str, Any],
    dice: str = "WORP",
    step: str = "shade",
    turn: int = 0,
    sides: str = "AAA",
    fireworks: list[str] = FIRST_GAME,
    components: Any = None,
    sheets: str = "ABCD",
) -> Position:
    """A position in which these players are at their steps; who launched what is gone from the stacks."""
    edition_data = components or DATA
    given = [one | {"sheet": sheets[i]} for i, one in enumerate(seats)]
    gone = Counter(f["shape"] for one in given for f in one["fireworks"])
    view = {
        "players": len(given),
        "step": step,
        "turn": turn,
        "sides": list(sides),
        "dice": list(dice) if step in ("turn", "shade") else [None] * 4,
        "stacks": [{"shape": s, "left": edition_data["fireworks"][s]["values"][gone[s] :]} for s in fireworks],
        "seats": given,
    }
    return Position.from_view("dice", len(given), None, view, components=components)


def plain(position: Position) -> Any:
    return msgspec.to_builtins(position.view(EVERYTHING))


def named(position: Position, who: int | None = None) -> set[str]:
    """What a seat may do, in notation."""
    ids = position.legal_ids(position.actor if who is None else who)
    return {position.notation(id) for id in ids}


def told(events: Iterable[Any]) -> list[tuple[Any, ...]]:
    return [(e.kind, e.seat, e.thing, e.number, e.why) for e in events]


def rolled(position: Position, letters: str) -> Position:
    for letter in letters:
        position.push(Roll(letter))  # type: ignore[arg-type]
    return position


def keen(position: Position, who: int, rng: random.Random) -> Any:
    """A move at random that likes to complete ponds and to launch, so that games have something to score."""
    moves = list(position.legal_moves_of(who))
    shaded = set(position.view(EVERYTHING).seats[who].shaded)
    launches = [move for move in moves if isinstance(move, Launch)]
    completing = [move for move in moves if isinstance(move, Shade) and move.zone ^ 1 in shaded]
    useful = [move for move in moves if not isinstance(move, (Pass, Reroll))]
    return rng.choice(launches or (completing if rng.random() < 0.8 else None) or useful or moves)


def play_on(position: Position, seed: int, *, keenly: bool = True) -> Iterable[Position]:
    """Every position of a game that goes on from here, any pending seat moving next."""
    rng, chance = random.Random(seed), Seeded(seed)
    while not position.is_over:
        yield position
        if position.actor == CHANCE:
            position.push_chance(chance)
        else:
            who = rng.choice(position.pending)
            position.push(keen(position, who, rng) if keenly else rng.choice(position.legal_moves_of(who)), who)
    yield position


# Set-up


@pytest.mark.parametrize("sheets", ["ABCD", "DCBA", "CADB"])
def test_lowest_sheet_begins_and_the_turn_goes_clockwise(sheets: str) -> None:
    position = Position("dice", 4, {"sheets": sheets})
    first = sheets.index("A")
    assert told(position.opening(EVERYTHING))[0] == ("first", first, "A", 0, "lowest_sheet")
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


def zone_colour(number: int) -> str:
    return naive.colour(DATA, (divmod(number // 2, 9), number % 2))


def test_a_roll_is_four_dice_corner_by_corner_with_every_colour_once() -> None:
    position = Position("dice", 2)
    for corner in range(4):
        assert position.actor == CHANCE
        assert position.chances() == [(Roll(letter), 1) for letter in "WORPBG"]  # type: ignore[arg-type]
        assert told(position.push("+G")) == [("rolled", 0, "G", corner, "chance")]
    assert position.pending == (0,)


def test_always_four_ways_to_turn_the_tray_and_none_to_leave_it() -> None:
    position = rolled(Position("dice", 2), "RRRR")
    assert named(position) == {"reroll", "turn:0", "turn:1", "turn:2", "turn:3"}


def test_a_gift_rerolls_all_four_and_again_while_there_are_gifts() -> None:
    position = table(seat("c1b d2b", gifts=3, step="turn"), seat(), step="turn", dice="RRRR")
    for left in (2, 1, 0):
        assert told(position.push("reroll")) == [("paid", 0, None, 1, "reroll")]
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


# Shade


def test_everybody_may_shade_one_free_zone_of_their_die_and_no_other() -> None:
    position = table(seat("a1a", step="die"), seat(step="die"), dice="WWRR")
    whites = {z for z in range(108) if zone_colour(z) == "W"} - {zone("a1a")}
    assert {m.zone for m in position.legal_moves_of(0) if isinstance(m, Shade)} == whites
    assert "pass" in named(position, 0)
    reds = {z for z in range(108) if zone_colour(z) == "R"}
    assert {m.zone for m in position.legal_moves_of(1) if isinstance(m, Shade)} == reds


def test_the_active_player_alone_has_the_turn_bonus() -> None:
    position = table(seat(step="die", gifts=0), seat(step="die", gifts=0), dice="WWWW")
    position.push("a1a", 0)
    assert plain(position)["bonus"] == "R"
    assert {zone_colour(m.zone) for m in position.legal_moves_of(0) if isinstance(m, Shade)} == {"R"}
    position.push("a1a", 1)
    assert position.pending == (0,)
    position.push("b1a", 0)
    assert position.actor == CHANCE


def test_a_bonus_that_is_declined_is_spent() -> None:
    position = table(seat(step="bonus", gifts=0), seat(step="die", gifts=0), dice="WWWW")
    position.push("pass", 0)
    position.push("pass", 1)
    assert plain(position)["turn"] == 1
    assert plain(position)["bonus"] == "W"


def test_a_step_without_a_free_zone_is_not_asked_and_its_bonus_spent() -> None:
    reds = " ".join(name for name in all_zones() if zone_colour(zone(name)) == "R")
    position = table(seat(reds, step="turn", gifts=0), seat(step=None), step="turn", dice="RRRR")
    events = told(position.push("turn:0"))
    assert ("missed", 0, "R", 1, "die") in events
    assert ("missed", 0, "R", 1, "bonus") in events
    assert position.pending == (1,)


def all_zones() -> list[str]:
    return [f"{column}{row}{half}" for row in range(1, 7) for column in "abcdefghi" for half in "ab"]


def test_a_pavilion_gives_a_gift_that_can_pay_in_the_same_turn() -> None:
    position = table(seat(step="die", gifts=0), seat(step=None), dice="BBBB", turn=1)
    events = told(position.push("c2a"))
    assert ("gift", 0, "c2a", 1, "pavilion") in events
    assert plain(position)["seats"][0]["gifts"] == 1
    assert named(position) == {"E1", "pass"}


def test_a_boat_pond_may_be_shaded_like_others() -> None:
    position = table(seat(step="die"), seat(step=None), dice="GGGG")
    assert "b2a" in named(position)
    position.push("b2a")
    assert zone("b2a") in plain(position)["seats"][0]["shaded"]


def test_completing_an_inner_platform_pond_offers_the_eight_free_zones_around_it() -> None:
    position = table(seat("c3a", step="die"), seat(step="die"), dice="PPPP")
    events = told(position.push("c3b", 0))
    assert ("completed", 0, "c3", 1, "die") in events
    assert ("offered", 0, "c3", 8, "platform") in events
    assert named(position, 0) == {"c2a", "c2b", "b3a", "b3b", "d3a", "d3b", "c4a", "c4b", "pass"}


def test_zones_already_shaded_are_not_offered_by_a_platform() -> None:
    position = table(seat("c3a c2 b3a c4b", step="die", gifts=0), seat(step="die"), dice="PPPP")
    position.push("c3b", 0)
    assert named(position, 0) == {"b3b", "d3a", "d3b", "c4a", "pass"}


def test_a_platform_at_the_shore_has_three_neighbours() -> None:
    position = table(seat("a4a", step="die"), seat(step="die"), dice="RRRR")
    position.push("a4b", 0)
    assert named(position, 0) == {"a3a", "a3b", "b4a", "b4b", "a5a", "a5b", "pass"}


def test_a_platforms_zone_comes_before_anything_else_and_is_lost_if_declined() -> None:
    position = table(seat("c3a", step="die"), seat(step="die"), dice="PPPP")
    position.push("c3b", 0)
    assert plain(position)["seats"][0]["platform"] == pond("c3")
    assert told(position.push("pass", 0))[0] == ("lost", 0, "c3", 1, "choice")
    assert plain(position)["seats"][0]["platform"] is None
    assert plain(position)["seats"][0]["step"] == "bonus"


def test_platforms_that_touch_make_a_chain() -> None:
    position = table(seat("c3a c2a", step="die", gifts=2), seat(step=None), dice="PPPP", turn=1)
    position.push("c3b")
    events = told(position.push("c2b"))
    assert events[0] == ("shaded", 0, "c2b", 1, "platform")
    assert ("offered", 0, "c2", 6, "platform") in events
    assert named(position) == {"c1a", "c1b", "b2a", "b2b", "d2a", "d2b", "pass"}
    assert ("gift", 0, "d2b", 1, "pavilion") in told(position.push("d2b"))
    assert plain(position)["seats"][0]["step"] == "emperor"


def test_a_platform_without_a_free_zone_next_to_it_is_not_asked() -> None:
    position = table(seat("c3a c2 b3 d3 c4", step="die", gifts=0), seat(step=None), dice="PPPP", turn=1)
    events = told(position.push("c3b"))
    assert ("lost", 0, "c3", 1, "nothing_free") in events
    assert plain(position)["seats"][0]["platform"] is None


def test_a_half_shaded_platform_pond_gives_nothing() -> None:
    position = table(seat(step="die"), seat(step=None), dice="PPPP")
    assert [e[0] for e in told(position.push("c3b"))] == ["shaded"]


# Emperor


def acting(card: int, side: str, shaded: str = "", *, gifts: int = 3, **more: Any) -> Position:
    """Seat 0, not the active one, is at the emperor step; the card shows that side."""
    sides = "".join(side if i == card else "A" for i in (1, 2, 3))
    earned = "c1b i1b d2b c2a g2a f4a "  # pavilions, so that the gifts are accounted for
    dice = more.pop("dice", "RRGG")
    return table(seat(earned + shaded, gifts=gifts, step="emperor", **more), seat(), dice=dice, turn=1, sides=sides)


def test_an_action_is_paid_first_then_its_zones_follow() -> None:
    position = acting(1, "A")
    assert told(position.push("E1")) == [("paid", 0, "1", 1, "emperor"), ("action", 0, "1A", 1, "choice")]
    assert plain(position)["seats"][0]["gifts"] == 2
    assert plain(position)["seats"][0]["action"] == {"card": 1, "left": 1, "colours": "", "pond": None}


def test_what_an_action_earns_cannot_pay_for_it() -> None:
    assert named(acting(2, "A", gifts=1)) == {"E1", "pass"}
    assert named(acting(2, "A", gifts=2)) == {"E1", "E2", "pass"}


def test_one_action_a_turn() -> None:
    position = acting(1, "A")
    position.push("E1")
    position.push("b1a")
    assert position.actor == CHANCE


def test_the_first_zone_of_an_action_cannot_be_declined_the_others_can() -> None:
    position = acting(3, "A")
    position.push("E3")
    assert "pass" not in named(position)
    position.push("a1a")
    assert "pass" in named(position)
    position.push("pass")
    assert position.actor == CHANCE


def test_card_1a_shades_a_colour_on_any_die_also_one_that_nobody_faces() -> None:
    position = acting(1, "A", dice="RGBW")  # two players face corners 0 and 2
    position.push("E1")
    assert {zone_colour(move.zone) for move in position.legal_moves} == set("RGBW")


def test_card_1b_shades_next_to_ones_own_fireworks() -> None:
    fireworks = [firework("corner", "a1 a2 b2", 0)]
    position = acting(1, "B", "a1 a2 b2", fireworks=fireworks)
    position.push("E1")
    assert named(position) == {"b1a", "b1b", "a3a", "a3b", "b3a", "b3b", "c2b"}
    assert "E1" not in named(acting(1, "B", "a1 a2 b2"))


def test_card_2a_shades_both_zones_of_one_unshaded_pond() -> None:
    position = acting(2, "A")
    position.push("E2")
    offered = {move.zone // 2 for move in position.legal_moves}
    assert offered == set(range(54)) - set(ponds("c1 i1 d2 c2 g2 f4"))
    position.push("b1a")
    assert named(position) == {"b1b", "pass"}
    position.push("b1b")
    assert position.actor == CHANCE


def test_card_2b_shades_a_colour_on_no_die() -> None:
    position = acting(2, "B", dice="RGBW")
    position.push("E2")
    assert {zone_colour(move.zone) for move in position.legal_moves} == set("OP")


def test_card_3a_shades_up_to_two_zones_of_different_colours() -> None:
    position = acting(3, "A")
    position.push("E3")
    position.push("b1a")
    assert {zone_colour(m.zone) for m in position.legal_moves if isinstance(m, Shade)} == set("WOPBG")
    position.push("a1a")
    assert position.actor == CHANCE


def test_card_3b_is_judged_when_a_zone_is_shaded() -> None:
    position = acting(3, "B", "h3b b3a")
    position.push("E3")
    assert named(position) == {"c1a", "i1a", "d2a", "c2b", "g2b", "f4b", "h3a", "b3b"}
    position.push("h3a")  # completes a platform pond: its zone comes before the action's next
    assert named(position) == {"h2a", "h2b", "g3a", "g3b", "i3a", "i3b", "h4a", "h4b", "pass"}
    position.push("h4b")  # leaves another pond that lacks the first zone's colour
    assert named(position) == {"c1a", "h4a", "pass"}
    position.push("h4a")
    position.push("c1a")
    assert position.actor == CHANCE


def test_an_action_ends_when_nothing_is_left_to_shade() -> None:
    position = acting(3, "B")
    position.push("E3")
    for name in ("i1a", "d2a"):
        assert position.pending == (0,)
        position.push(name)
    assert position.actor == CHANCE


def test_no_action_without_an_effect_and_no_step_without_an_action() -> None:
    everything = " ".join(all_zones())
    position = table(seat(everything, gifts=3, step="turn"), seat(gifts=0), step="turn", dice="RRRR")
    position.push("turn:0")
    assert plain(position)["seats"][0]["step"] == "launch"
    other = table(seat(step="die", gifts=0), seat(step=None), dice="RRRR", turn=1)
    other.push("b1a")
    assert other.actor == CHANCE


@pytest.mark.parametrize("colour", ["any", "on_a_die", "on_no_die", "different", "same"])
@pytest.mark.parametrize("where", ["anywhere", "half_shaded", "next_to_firework", "one_unshaded_pond"])
def test_an_owners_card_may_ask_for_any_colour_and_place(colour: str, where: str) -> None:
    data = copy.deepcopy(dict(DATA))
    data["emperor"]["3"]["A"] = {"zones": 3, "colour": colour, "where": where}
    rng = random.Random(f"{colour} {where}")
    for _ in range(6):
        chosen = " ".join(
            ["a1 a2 b2 c1b i1b d2b c2a"] + [n for n in all_zones() if n[:2] not in TAKEN and rng.random() < 0.3]
        )
        fireworks = [firework("corner", "a1 a2 b2", 0)]
        sheet = seat(chosen, gifts=3, step="emperor", fireworks=fireworks)
        dice = "".join(rng.choices("WORPBG", k=4))
        position = table(sheet, seat(), dice=dice, turn=2, components=data, sheets="BA")
        while position.pending:
            view = plain(position)
            assert {as_naive(move) for move in position.legal_moves} == naive.legal(data, view, 0)
            position.push("E3" if "E3" in named(position) else rng.choice(position.legal_moves))


TAKEN = {"a1", "a2", "b2", "c1", "i1", "d2", "c2"}


def as_naive(move: Any) -> Any:
    """A move as the naive rules name it."""
    match move:
        case Shade(number):
            return divmod(number // 2, 9), number % 2
        case Launch(shape, laid):
            return shape, frozenset(divmod(p, 9) for p in laid)
        case Turn(r):
            return r
        case Pass():
            return "pass"
        case Reroll():
            return "reroll"
    return "emperor", move.card


# Fireworks


@pytest.mark.parametrize("four", [["bar", "corner", "tee", "hook"], ["square", "zigzag", "cross", "cup"]])
def test_on_a_complete_lake_every_shape_has_its_number_of_placements(four: list[str]) -> None:
    position = table(seat(" ".join(all_zones()), step="launch"), seat(), fireworks=four)
    launches = [move for move in position.legal_moves if isinstance(move, Launch)]
    assert Counter(move.shape for move in launches) == {shape: PLACEMENTS[shape] for shape in four}
    assert len({(move.shape, move.ponds) for move in launches}) == len(launches)
    for shape in four:
        laid = {frozenset(divmod(p, 9) for p in move.ponds) for move in launches if move.shape == shape}
        assert laid == naive.placements(DATA["fireworks"][shape]["shape"], set(naive.PONDS))


def test_a_firework_lies_on_complete_ponds_without_another() -> None:
    fireworks = [firework("corner", "a1 b1 a2", 0)]
    position = table(seat("a1 b1 a2 b2 c2 c1 a3a", gifts=1, step="launch", fireworks=fireworks), seat(), turn=2)
    assert named(position) == {"corner@c1b2c2", "pass"}


def test_a_launch_takes_the_top_tile_and_its_points() -> None:
    position = table(seat("a1 b1 a2 b2", step="launch"), seat())
    events = told(position.push("square@a1b1a2b2"))
    assert events[0] == ("launched", 0, "square@a1b1a2b2", 5, "choice")
    view = plain(position)
    assert next(s["left"] for s in view["stacks"] if s["shape"] == "square") == [5, 4, 4, 3, 2]
    assert view["seats"][0]["fireworks"] == [firework("square", "a1 b1 a2 b2", 0) | {"points": 5}]
    assert position.count().categories[0]["fireworks"] == 5


def test_one_launch_a_turn() -> None:
    position = table(seat("a1 b1 a2 b2 d4 e4 d5 e5", step="launch"), seat())
    position.push("square@a1b1a2b2")
    assert position.actor == CHANCE


def test_only_the_active_player_launches_during_a_turn() -> None:
    ready = "a1 b1 a2 b2"
    position = table(seat(ready, step="die", gifts=0), seat(ready, step="die", gifts=0), turn=1, dice="RRRR")
    position.push("pass", 0)
    assert position.pending == (1,)
    position.push("pass", 1)
    position.push("pass", 1)
    assert "square@a1b1a2b2" in named(position)


def test_an_empty_stack_is_gone() -> None:
    rows = ["a1 b1 a2", "d1 e1 d2", "g1 h1 g2", "a4 b4 a5", "d4 e4 d5", "g4 h4 g5"]
    five = [firework("corner", where, tile) for tile, where in enumerate(rows[:5])]
    shaded = " ".join(rows)
    position = table(seat(shaded, gifts=0, step="launch", fireworks=five), seat(), turn=10)
    events = told(position.push("corner@g4h4g5"))
    assert ("emptied", None, "corner", 0, "choice") in events
    corner = next(stack for stack in plain(position)["stacks"] if stack["shape"] == "corner")
    assert corner["left"] == []
    more = table(
        seat(shaded + " c5 c6 d6", gifts=0, step="turn", fireworks=[*five, firework("corner", rows[5], 5)]),
        seat(),
        step="turn",
        turn=12,
    )
    more.push("turn:0")
    while plain(more)["seats"][0]["step"] != "launch" and 0 in more.pending:
        more.push("pass", 0)
    assert 0 not in more.pending or not any("corner" in name for name in named(more, 0))


def test_the_order_of_launches_leaves_no_trace() -> None:
    orders = []
    for names in (("square@a1b1a2b2", "corner@d1e1d2"), ("corner@d1e1d2", "square@a1b1a2b2")):
        position = table(seat("a1 b1 a2 b2 d1 e1 d2", gifts=0, step="launch"), seat())
        position.push(names[0])
        while plain(position)["turn"] < 3:
            if position.actor == CHANCE:
                position.push("+R")
            elif names[1] in named(position):
                position.push(names[1])
            else:
                position.push("turn:0" if "turn:0" in named(position) else "pass")
        orders.append(position.bytes())
    assert orders[0] == orders[1]


def test_a_launch_is_a_shape_and_a_set_of_ponds_in_any_order() -> None:
    position = table(seat("a1 b1 a2 b2", step="launch"), seat())
    assert position.id_of("square@b2a1a2b1") == position.id_of("square@a1b1a2b2")
    assert position.id_of({"kind": "launch", "shape": "square", "ponds": [10, 0, 9, 1]}) == position.id_of(
        "square@a1b1a2b2"
    )


@pytest.mark.parametrize("wrong", ["square@a1b1c1d1", "square@a1b1a2", "square@i1a2i2a3", "corner@a1a1b1"])
def test_ponds_that_are_not_the_shape_are_refused(wrong: str) -> None:
    position = table(seat("a1 b1 a2 b2", step="launch"), seat())
    with pytest.raises(IllegalMove):
        position.push(wrong)
    with pytest.raises(IllegalMove):
        position.push("square@d4e4d5e5")


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


# The end


def test_after_the_last_turn_everybody_may_launch_once_more_in_turn_order() -> None:
    ready = "a1 b1 a2 b2"
    position = table(
        seat(ready, gifts=0),
        seat(gifts=0),
        seat(ready, gifts=0, step="die"),
        turn=23,
        dice="RRRR",
        sheets="BCA",
    )
    assert plain(position)["active"] == 1
    events = told(position.push("pass", 2))
    assert [e[0] for e in events] == ["passed", "final"]
    assert plain(position)["step"] == "final"
    assert position.pending == (2,)  # sheet A first
    assert "square@a1b1a2b2" in named(position)
    position.push("square@a1b1a2b2")
    assert position.pending == (0,)
    events = told(position.push("pass"))
    assert ("missed", 1, None, 1, "final") in events  # nobody is asked who cannot launch
    assert events[-1][0] == "end"
    assert position.is_over
    assert position.actor == OVER


def example(**more: Any) -> dict[str, Any]:
    top = "e1 f1 g1 h1 i1 f2 g2 i2 f3 g3 h3 i3"
    bottom = "a4 b4 c4 d4 a5 c5 d5 a6 b6 c6"
    fireworks = [
        firework("tee", "e1 f1 g1 f2", 0),
        firework("tee", "b4 c4 d4 c5", 1),
        firework("corner", "g2 g3 h3", 0),
        firework("corner", "h1 i1 i2", 1),
    ]
    return seat(f"{top} {bottom}", gifts=0, fireworks=fireworks, **more)


def test_the_worked_example_scores_33() -> None:
    position = table(example(), seat(), step="ended", turn=22)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.categories[0] == {"fireworks": 15, "second_group": 10, "boats": 8}
    assert outcome.scores[0] == 33
    assert naive.groups(naive.complete(plain(position), 0)) == [12, 10]
    assert outcome.winners == [0]


def scored(shaded: str) -> dict[str, int]:
    return table(seat(shaded, gifts=0), seat(), step="ended", turn=22).count().categories[0]


@pytest.mark.parametrize(
    ("shaded", "points"),
    [
        ("", 0),
        ("a1 b1 c1", 0),
        ("a1 b1 c1 e1", 1),
        ("a1 b1 d1 e1", 2),
        ("a1 b2 c3", 1),
        ("a1 b1 c1 e1 f1 h1 i1", 2),
        ("a1 b1 d1a e1", 1),
        ("i1 a2", 1),
    ],
)
def test_the_second_largest_group_counts_and_with_two_level_the_other_does(shaded: str, points: int) -> None:
    assert scored(shaded)["second_group"] == points


@pytest.mark.parametrize(
    ("shaded", "points"),
    [
        ("b1 a2 c2 b3", 4),
        ("b1 a2 c2", 0),
        ("b1 a2 c2 b3a", 0),
        ("b1 a2 c2 b3 b2a", 0),
        ("b1 a2 c2 b3 b2", 0),
        ("b1 a2 c2 b3 e3 d4 f4 e5", 8),
    ],
)
def test_a_boat_scores_in_an_untouched_pond_among_four_complete_ones(shaded: str, points: int) -> None:
    assert scored(shaded)["boats"] == points


def test_ponds_under_fireworks_count_for_groups_and_boats() -> None:
    sheet = seat("b1 a2 c2 b3 a1 c1 e5 e6 f6", gifts=0, fireworks=[firework("corner", "a1 b1 a2", 0)])
    assert table(sheet, seat(), step="ended", turn=22).count().categories[0] == {
        "fireworks": 3,
        "second_group": 3,
        "boats": 4,
    }


def test_level_points_are_decided_by_fireworks_and_level_fireworks_are_shared() -> None:
    corner = [firework("corner", "a1 b1 a2", 0)]
    with_firework = seat("a1 b1 a2", gifts=0, fireworks=corner)  # 3
    with_group = seat("a1 b1 c1 e1 f1 g1", gifts=0)  # 3
    outcome = table(with_group, with_firework, step="ended", turn=22).outcome()
    assert outcome is not None
    assert (outcome.scores, outcome.ranks, outcome.decided_by) == ([3, 3], [2, 1], "fireworks")
    shared = table(with_group, with_group, seat(), step="ended", turn=27).outcome()
    assert shared is not None
    assert (shared.ranks, shared.winners, shared.shares) == ([1, 1, 3], [0, 1], [0.5, 0.5, 0.0])


@pytest.mark.parametrize("players", PLAYERS)
def test_nobody_launches_more_than_turns_plus_one_and_games_are_as_short_as_stated(players: int) -> None:
    for options in ({}, {"fireworks": "random", "sides": "random"}, {"sides": "BBB"}):
        done = simulate(standard("dice"), players, 300, seed=players, options=options, threads=1, check=True)
        assert done.longest <= game("dice").longest
    *_, last = play_on(Position("dice", players), 1)
    assert max(len(one["fireworks"]) for one in plain(last)["seats"]) <= TURNS[players] + 1


# A second opinion


@pytest.mark.parametrize("players", daily(PLAYERS, 4))
def test_the_naive_rules_agree_on_what_is_legal_and_what_it_scores(players: int) -> None:
    options = {"fireworks": "random", "sides": "random"}
    asked: Counter[str] = Counter()
    for seed in range(3):
        for number, position in enumerate(play_on(Position("dice", players, options), seed)):
            view = plain(position)
            assert position.broken_fact() is None
            outcome = position.count()
            assert outcome.categories == [naive.score(DATA, view, who) for who in range(players)]
            assert [one["points"] for one in view["seats"]] == outcome.categories
            if number % 3 == 0:
                assert outcome.ranks == naive.ranks(DATA, view)
                for who in position.pending:
                    asked[view["seats"][who]["step"]] += 1
                    assert {as_naive(move) for move in position.legal_moves_of(who)} == naive.legal(DATA, view, who)
    assert set(asked) == {"turn", "die", "bonus", "emperor", "action", "launch"}


def test_the_naive_score_agrees_on_sheets_no_game_would_lead_to() -> None:
    rng = random.Random(8)
    lake = set(naive.PONDS)
    everywhere = {shape: list(naive.placements(DATA["fireworks"][shape]["shape"], lake)) for shape in FIRST_GAME}
    for _ in range(300 if IS_DEEP else 60):
        sheets = []
        gone: Counter[str] = Counter()
        for _ in range(4):
            dense = rng.choice([0.3, 0.6, 0.8, 0.95])
            names = [n for n in all_zones() if rng.random() < dense]
            whole = {n[:2] for n in names if n[:2] + "a" in names and n[:2] + "b" in names}
            free = {divmod(pond(n), 9) for n in whole}
            fireworks = []
            for shape in rng.sample(FIRST_GAME, 4):
                for cells in [cells for cells in everywhere[shape] if cells <= free][:1]:
                    free -= cells
                    where = [row * 9 + column for row, column in cells]
                    fireworks.append({"shape": shape, "ponds": where, "tile": gone[shape]})
                    gone[shape] += 1
            sheets.append(seat(" ".join(names), gifts=0, fireworks=fireworks))
        position = table(*sheets, step="ended", turn=28)
        view = plain(position)
        assert position.count().categories == [naive.score(DATA, view, who) for who in range(4)]
        assert position.count().ranks == naive.ranks(DATA, view)


# Data


def test_every_move_has_a_notation_a_form_in_json_and_an_id() -> None:
    kinds = set()
    for players in PLAYERS:
        position = Position("dice", players, {"fireworks": "random", "sides": "random"})
        for now in play_on(position, players):
            for move in now.legal_moves:
                kinds.add(type(move))
                id = now.id_of(move)
                written = now.notation(id)
                assert now.move(id) == move
                assert now.id_of(written) == id
                assert now.id_of(json.loads(msgspec.json.encode(move))) == id
    assert len(kinds) == 9


@pytest.mark.parametrize(
    "garbage",
    ["", "a7a", "j1a", "a1", "a1c", "E4", "E0", "turn:4", "+K", "+4A", "+1C", "+moon", "square@", "square@a", "moon@a1",
     "PASS", "reroll:1", {"kind": "shade"}, {"kind": "shade", "zone": "a1a"}, {"kind": "moon"}, 3.5, None],
)  # fmt: skip
def test_what_is_no_move_is_refused_and_changes_nothing(garbage: Any) -> None:
    position = table(seat(step="die"), seat(step="die"))
    before = position.bytes()
    with pytest.raises(Unreadable):
        position.push(garbage)
    assert position.bytes() == before


@pytest.mark.parametrize(
    "move",
    [{"kind": "shade", "zone": 108}, {"kind": "shade", "zone": -1}, {"kind": "emperor", "card": 4},
     {"kind": "turn", "r": 4}, {"kind": "side", "card": 0, "side": "A"},
     {"kind": "launch", "shape": "square", "ponds": [0, 1, 9, 99]},
     {"kind": "launch", "shape": "square", "ponds": []}, {"kind": "roll", "colour": "R"}, "a1b", "E1", "turn:0"],
)  # fmt: skip
def test_a_move_that_cannot_be_made_now_is_refused_and_changes_nothing(move: Any) -> None:
    position = table(seat(step="die"), seat(step="die"), dice="WWWW")
    before = position.bytes()
    with pytest.raises(IllegalMove):
        position.push(move)
    assert position.bytes() == before


def test_typed_dice_are_chance_moves() -> None:
    position = Position("dice", 2)
    for letter in "RGBW":
        position.push({"kind": "roll", "colour": letter}, CHANCE)
    assert plain(position)["dice"] == list("RGBW")


@pytest.mark.parametrize("players", PLAYERS)
def test_a_view_can_be_set_up_again_and_hides_nothing(players: int) -> None:
    options = {"fireworks": "random", "sides": "random", "sheets": "CDAB"[:players]}
    for number, position in enumerate(play_on(Position("dice", players, options), 20 + players)):
        if number % 4 == 0:
            data = json.loads(msgspec.json.encode(position.view(EVERYTHING)))
            assert Position.from_view("dice", players, options, data) == position
            assert all(plain(position) == msgspec.to_builtins(position.view(viewer)) for viewer in range(-1, players))


BROKEN: list[tuple[str, dict[str, Any]]] = [
    ("players", {"players": 2, "seats": []}),
    ("sheets", {"seats.1.sheet": "A"}),
    ("setup", {"sides": ["A", "A"]}),
    ("setup", {"sides": ["A", "A", None]}),
    ("setup", {"turn": 99}),
    ("setup", {"turn": 20}),
    ("setup", {"step": "final"}),
    ("setup", {"stacks": []}),
    ("stacks", {"stacks.0.left": [3, 2, 2, 1, 1, 1]}),
    ("stacks", {"stacks.0.left": [3, 2, 2, 1, 1]}),
    ("zones", {"seats.0.shaded": [108]}),
    ("zones", {"seats.0.shaded": [4, 4]}),
    ("gifts", {"seats.0.gifts": 2}),
    ("gifts", {"seats.0.gifts": -1}),
    ("fireworks", {"seats.0.fireworks": [{"shape": "corner", "ponds": [0, 1, 9], "tile": 0}]}),
    ("fireworks", {"seats.0.fireworks": [{"shape": "corner", "ponds": [0, 1, 2], "tile": 0}]}),
    ("dice", {"dice": ["R", "R", "R", None]}),
    ("dice", {"dice": ["R"]}),
    ("step", {"seats.0.step": "emperor", "seats.0.gifts": 0}),
    ("step", {"seats.0.step": "launch"}),
    ("step", {"seats.1.step": "bonus"}),
    ("step", {"seats.1.step": "bonus", "seats.1.platform": 20, "seats.1.shaded": [40, 41]}),
    ("step", {"seats.1.step": "die", "seats.1.platform": 20, "seats.1.shaded": [40, 41]}),
    ("step", {"seats.0.step": "turn"}),
    ("step", {"seats.0.step": None, "seats.1.step": None}),
    ("step", {"seats.0.platform": 3}),
    ("step", {"seats.0.platform": 4}),
    ("step", {"seats.0.action": {"card": 1, "left": 1}}),
    ("step", {"seats.0.step": "action", "seats.0.action": {"card": 1, "left": 2}}),
    ("step", {"seats.0.step": "action", "seats.0.action": {"card": 1, "left": 1, "colours": "R"}}),
    ("step", {"seats.0.step": "action", "seats.0.action": {"card": 3, "left": 2, "colours": "RG"}}),
    ("step", {"seats.0.step": "action", "seats.0.action": {"card": 3, "left": 2, "colours": "R", "pond": 3}}),
    ("step", {"seats.0.step": "action", "seats.0.action": {"card": 4, "left": 1}}),
]


@pytest.mark.parametrize(("fact", "changes"), BROKEN)
def test_a_position_that_cannot_be_is_refused_with_the_fact_it_breaks(fact: str, changes: dict[str, Any]) -> None:
    good = plain(table(seat("a1a", step="die"), seat(step="die"), dice="RRRR"))
    with pytest.raises(BadPosition) as refused:
        Position.from_view("dice", 2, None, changed(good, changes))
    assert refused.value.key == f"dice.fact.{fact}"


@pytest.mark.parametrize(
    ("field", "value", "shown"),
    [
        ("turns", 9, "turns"),
        ("active", 1, "active"),
        ("bonus", "B", "bonus"),
        ("seats.0.corner", 3, "seats[0].corner"),
        ("seats.1.faces", "B", "seats[1].faces"),
        ("seats.0.bonuses", "WWWWWWWWWW", "seats[0].bonuses"),
        ("seats.0.spent", 3, "seats[0].spent"),
        ("seats.0.points", {"boats": 4}, "seats[0].points.boats"),
        ("seats.0.points", {"fame": 1}, "seats[0].points.fame"),
        ("seats.0.fireworks.0.points", 1, "seats[0].fireworks"),
    ],
)
def test_a_field_that_disagrees_with_the_rest_of_the_position_is_named(field: str, value: Any, shown: str) -> None:
    good = plain(
        table(
            seat("a1 b1 a2", step="die", gifts=1, fireworks=[firework("corner", "a1 b1 a2", 0)]),
            seat(step="die"),
            dice="RRRR",
            turn=2,
        )
    )
    Position.from_view("dice", 2, None, good)
    with pytest.raises(BadPosition) as refused:
        Position.from_view("dice", 2, None, changed(good, {field: value}))
    assert refused.value.key == "error.position_field"
    assert refused.value.values["field"] == shown


def test_the_fireworks_option_must_be_that_of_the_position() -> None:
    others = ["bar", "hook", "zigzag", "cup"]
    for fireworks in (FIRST_GAME, others):
        view = plain(table(seat(step="die"), seat(step="die"), fireworks=fireworks))
        is_first = fireworks == FIRST_GAME
        assert Position.from_view("dice", 2, None, view).options["fireworks"] == (
            "first_game" if is_first else sorted(others, key=SHAPE_NAMES.index)
        )
        Position.from_view("dice", 2, {"fireworks": fireworks[::-1]}, view)
        assert Position.from_view("dice", 2, {"fireworks": "random"}, view).options["fireworks"] == "random"
        for option in ("first_game", FIRST_GAME, others):
            if is_first != (option in ("first_game", FIRST_GAME)):
                with pytest.raises(BadPosition) as refused:
                    Position.from_view("dice", 2, {"fireworks": option}, view)
                assert refused.value.key == "error.position_option"


def test_fireworks_that_are_still_being_drawn_are_left_to_chance() -> None:
    position = Position("dice", 2, {"fireworks": "random"})
    position.push_chance(Seeded(1))
    view = plain(position)
    assert view["step"] == "fireworks"
    assert Position.from_view("dice", 2, None, view).options["fireworks"] == "random"
    with pytest.raises(BadPosition, match="first_game"):
        Position.from_view("dice", 2, {"fireworks": "first_game"}, view)


@pytest.mark.parametrize("players", PLAYERS)
def test_only_the_active_seat_is_ever_at_the_bonus_also_at_a_platform(players: int) -> None:
    waiting = 0
    for number in range(3):
        for position in play_on(Position("dice", players), number):
            view = position.view(EVERYTHING)
            for who, sheet in enumerate(view.seats):
                if who != view.active:
                    assert sheet.step != "bonus"
                    waiting += sheet.platform is not None
    assert waiting > 1


def changed(data: Any, changes: dict[str, Any]) -> Any:
    """Data with some values changed, by dotted name."""
    data = copy.deepcopy(data)
    for name, value in changes.items():
        *path, last = name.split(".")
        at = data
        for part in path:
            at = at[int(part) if isinstance(at, list) else part]
        at[int(last) if isinstance(at, list) else last] = value
    return data


def test_fireworks_may_not_overlap_nor_outnumber_the_turns() -> None:
    two = [firework("corner", "a1 b1 a2", 0), firework("corner", "b1 b2 a2", 1)]
    with pytest.raises(BadPosition, match=r"overlap"):
        table(seat("a1 b1 a2 b2", gifts=0, fireworks=two), seat(), step="ended", turn=22)
    apart = [firework("corner", "a1 b1 a2", 0), firework("corner", "d1 e1 d2", 1)]
    sheet = seat("a1 b1 a2 d1 e1 d2", gifts=0, fireworks=apart)
    with pytest.raises(BadPosition, match=r"more fireworks"):
        table(sheet, seat(step="die"), turn=1)
    table(sheet, seat(step="die"), turn=3)


def test_every_event_has_its_sentence_in_both_languages() -> None:
    kinds = set()
    position = Position("dice", 3, {"fireworks": "random", "sides": "random"})
    rng, chance = random.Random(3), Seeded(3)
    events = position.opening(EVERYTHING)
    for _ in range(12):
        position = Position("dice", 3, {"fireworks": "random", "sides": "random"})
        while not position.is_over:
            if position.actor == CHANCE:
                events += position.push_chance(chance)
            else:
                who = rng.choice(position.pending)
                lively = rng.random() < 0.7
                events += position.push(
                    keen(position, who, rng) if lively else rng.choice(position.legal_moves_of(who)), who
                )
        chance = Seeded(rng.randrange(100))
    for event in events:
        kinds.add((event.kind, event.why))
        for language in ("fr", "en"):
            with speaking(language):
                said = sentence(position.game, event, ["Ana", "Ben", "Cleo"], box=position.edition.box)
            assert said
            assert "{" not in said
    assert {kind for kind, _ in kinds} >= {kind.name for kind in position.game.events.EVENTS} - {"emptied"}


def test_the_two_languages_have_the_same_words() -> None:
    position = Position("dice", 2)
    assert position.game.name == "dice"
    english, french = ({k for k in catalogue(name) if k.startswith("dice.")} for name in ("en", "fr"))
    assert english == french
    for fact in position.game.invariants:
        assert f"dice.fact.{fact}" in english
    for category in position.game.categories:
        assert f"dice.category.{category}" in english


@pytest.mark.parametrize("players", daily(PLAYERS, 4))
@pytest.mark.parametrize("language", ["en", "fr"])
def test_pictures_show_every_sheet_and_are_well_formed(players: int, language: str) -> None:
    names = ["Ana", "Ben", "Cleo & co", "Dan"][:players]
    with speaking(language):
        options = {"fireworks": "random", "sides": "random"}
        for number, position in enumerate(play_on(Position("dice", players, options), 30)):
            if number % 40 == 0 or position.is_over:
                text = position.text(EVERYTHING, names)
                assert all(name in text for name in names)
                for viewer in range(-2, players):
                    ElementTree.fromstring(position.svg(viewer, names))


def test_a_position_has_no_byte_that_is_not_a_field() -> None:
    fields = game("dice").state.fields
    assert fields is not None
    assert sum(field[0].itemsize for field in fields.values()) == game("dice").state.itemsize


def test_features_show_the_own_sheet_first_and_are_finite() -> None:
    position = table(seat("a1a", step="die"), seat("b1b c1a", step="die"), dice="RGBW")
    own, other = position.features(0), position.features(1)
    assert len(own) == game("dice").features
    assert own[: 2 * 54].nonzero()[0].tolist() == [0]
    assert other[: 2 * 54].nonzero()[0].tolist() == [2, 54 + 1]
    for now in play_on(Position("dice", 4), 2):
        if now.ply % 25 == 0:
            assert all(np.isfinite(now.features(who)).all() for who in range(4))


# Components

GOOD = json.loads(json.dumps(DATA))
WRONG: list[tuple[str, str, Any]] = [
    ("unknown", "lamps", {}),
    ("unknown", "lake.boats", 5),
    ("count", "lake.ponds", GOOD["lake"]["ponds"][:5]),
    ("count", "lake.ponds.0", "WB RO"),
    ("pond", "lake.ponds.0", GOOD["lake"]["ponds"][0].replace("OB#", "OB!")),
    ("pond", "lake.ponds.0", GOOD["lake"]["ponds"][0].replace("WB", "W")),
    ("colour", "lake.ponds.0", GOOD["lake"]["ponds"][0].replace("WB", "WK")),
    ("one_colour", "lake.ponds.0", GOOD["lake"]["ponds"][0].replace("WB", "Ww")),
    ("shore", "lake.ponds.0", GOOD["lake"]["ponds"][0].replace("WB", "WB^")),
    ("diagonals", "lake.diagonals.2", "/\\/\\"),
    ("text", "lake.ponds.3", 7),
    ("list", "lake.ponds", "WB"),
    ("table", "sheets", []),
    ("missing", "sheets.D", None),
    ("count", "sheets.A.all", "RGPOW"),
    ("colour", "sheets.B.two", "OPGK"),
    ("range", "gifts.at_start", -1),
    ("whole", "gifts.at_start", "1"),
    ("slots", "gifts.slots", 12),
    ("unknown", "fireworks.moon", {}),
    ("missing", "fireworks.bar", None),
    ("word", "fireworks.bar.size", "tiny"),
    ("shape", "fireworks.bar.shape", ["X.X", "..."]),
    ("shape", "fireworks.bar.shape", ["XYX"]),
    ("cells", "fireworks.bar.shape", ["X"]),
    ("twins", "fireworks.corner.shape", ["X", "X", "X"]),
    ("forms", "fireworks.cup.shape", ["XX..", ".XXX"]),
    ("count", "fireworks.bar.values", [3, 2, 1]),
    ("order", "fireworks.bar.values", [3, 3, 2, 2, 1, 2]),
    ("range", "fireworks.bar.values", [3, 3, 2, 2, 1, 0]),
    ("first_game", "fireworks.first_game", ["bar", "bar", "cup", "tee"]),
    ("first_game", "fireworks.first_game", ["bar", "cup", "tee"]),
    ("first_game", "fireworks.first_game", ["bar", "cup", "tee", "moon"]),
    ("unknown", "emperor.4", {}),
    ("missing", "emperor.2.B", None),
    ("range", "emperor.1.A.zones", 4),
    ("word", "emperor.1.A.colour", "red"),
    ("word", "emperor.1.A.where", "here"),
]


@pytest.mark.parametrize(("reason", "name", "value"), WRONG)
def test_components_that_are_wrong_are_refused_by_name(reason: str, name: str, value: Any) -> None:
    data = copy.deepcopy(GOOD)
    if value is None:
        *path, last = name.split(".")
        at = data
        for part in path:
            at = at[part]
        del at[last]
    else:
        data = changed(data, {name: value}) if name.partition(".")[0] in data else data | {name: value}
    with pytest.raises(BadComponents) as refused:
        edition(game("dice"), data)
    assert refused.value.code == reason
    stem = name.rstrip("0123456789").rstrip(".") if name.startswith("lake") else name
    assert stem in str(refused.value)


def test_a_draw_needs_fireworks_of_every_size() -> None:
    data = copy.deepcopy(GOOD)
    for shape in ("cross", "cup"):
        data["fireworks"][shape]["size"] = "medium"
    with pytest.raises(BadComponents, match="large"):
        edition(game("dice"), data)


def test_our_lake_is_what_the_docs_say() -> None:
    every = [naive.code(DATA, p) for p in naive.PONDS]
    colours = Counter(letter.upper() for text in every for letter in text[:2])
    assert colours == dict.fromkeys("WORPBG", 18)
    assert Counter(letter for text in every for letter in text[:2] if letter.islower()) == dict.fromkeys("worpbg", 2)
    assert sum(text.endswith("#") for text in every) == 12
    assert sum(text.endswith("^") for text in every) == 5
