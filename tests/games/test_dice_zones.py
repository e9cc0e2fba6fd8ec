"""Lanternes Dice: what may be shaded, what it gives, and the actions of the emperor cards."""

from __future__ import annotations

import copy
import random
from typing import Any

import naive_dice as naive
import pytest
from dice_positions import DATA, all_zones, as_naive, firework, named, pond, ponds, seat, table, zone, zone_colour
from plain_data import as_tuples, plain

from lampion.games.core import CHANCE
from lampion.games.dice.notation import Shade
from lampion.play import Position

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
    events = as_tuples(position.push("turn:0"))
    assert ("missed", 0, "R", 1, "die") in events
    assert ("missed", 0, "R", 1, "bonus") in events
    assert position.pending == (1,)


def test_a_pavilion_gives_a_gift_that_can_pay_in_the_same_turn() -> None:
    position = table(seat(step="die", gifts=0), seat(step=None), dice="BBBB", turn=1)
    events = as_tuples(position.push("c2a"))
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
    events = as_tuples(position.push("c3b", 0))
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
    assert as_tuples(position.push("pass", 0))[0] == ("lost", 0, "c3", 1, "choice")
    assert plain(position)["seats"][0]["platform"] is None
    assert plain(position)["seats"][0]["step"] == "bonus"


def test_platforms_that_touch_make_a_chain() -> None:
    position = table(seat("c3a c2a", step="die", gifts=2), seat(step=None), dice="PPPP", turn=1)
    position.push("c3b")
    events = as_tuples(position.push("c2b"))
    assert events[0] == ("shaded", 0, "c2b", 1, "platform")
    assert ("offered", 0, "c2", 6, "platform") in events
    assert named(position) == {"c1a", "c1b", "b2a", "b2b", "d2a", "d2b", "pass"}
    assert ("gift", 0, "d2b", 1, "pavilion") in as_tuples(position.push("d2b"))
    assert plain(position)["seats"][0]["step"] == "emperor"


def test_a_platform_without_a_free_zone_next_to_it_is_not_asked() -> None:
    position = table(seat("c3a c2 b3 d3 c4", step="die", gifts=0), seat(step=None), dice="PPPP", turn=1)
    events = as_tuples(position.push("c3b"))
    assert ("lost", 0, "c3", 1, "nothing_free") in events
    assert plain(position)["seats"][0]["platform"] is None


def test_a_half_shaded_platform_pond_gives_nothing() -> None:
    position = table(seat(step="die"), seat(step=None), dice="PPPP")
    assert [e[0] for e in as_tuples(position.push("c3b"))] == ["shaded"]


# Emperor


def acting(card: int, side: str, shaded: str = "", *, gifts: int = 3, **more: Any) -> Position:
    """Seat 0, not the active one, is at the emperor step; the card shows that side."""
    sides = "".join(side if i == card else "A" for i in (1, 2, 3))
    earned = "c1b i1b d2b c2a g2a f4a "  # pavilions, so that the gifts are accounted for
    dice = more.pop("dice", "RRGG")
    return table(seat(earned + shaded, gifts=gifts, step="emperor", **more), seat(), dice=dice, turn=1, sides=sides)


def test_an_action_is_paid_first_then_its_zones_follow() -> None:
    position = acting(1, "A")
    assert as_tuples(position.push("E1")) == [("paid", 0, "1", 1, "emperor"), ("action", 0, "1A", 1, "choice")]
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
