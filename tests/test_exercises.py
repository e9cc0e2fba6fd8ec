"""Exercises: those of our games ask what the rules answer, and what is wrong in one is found and named."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import msgspec
import pytest

from lampion.games.core import EVERYTHING
from lampion.games.registry import game
from lampion.play import Position
from lampion.play.exercises import BadExercises, Exercise, exercises, parsed, position_of
from lampion.play.tutorial import is_right, reply, shown_move
from lampion.testing import check_exercises
from lampion.testing.tutorials import check_exercise

OURS = ("dice", "iles", "lanternes", "lumens")

RIGHT = {
    ("lanternes", "match_and_face"): {"16@0,1/1"},
    ("lanternes", "two_boats"): {"5@1,1/1", "5@1,1/3"},
    ("lanternes", "three_boats"): {"18@0,1/0"},
    ("lanternes", "exchange"): {"W>R", "O>R", "P>R", "G>R", "K>R"},
    ("lanternes", "last_card"): {"15@0,-1/0", "15@0,1/0", "15@1,0/0", "15@0,-1/2", "15@0,1/2", "15@1,0/2"},
    ("dice", "tray"): {"turn:1"},
    ("dice", "platform"): {"c3b"},
    ("dice", "chain"): {"c2b"},
    ("dice", "boat"): {"e3a"},
    ("dice", "second_group"): {"a6a"},
    ("lumens", "second_place"): {"6@3,3"},
    ("lumens", "level_first"): {"5@2,3"},
    ("lumens", "level_second"): {"4@2,4"},
    ("lumens", "cover"): {"3@3,4", "4@3,4"},
    ("iles", "pair"): {"0@1"},
    ("iles", "gems"): {"0@0"},
    ("iles", "lamps"): {"0@2"},
    ("iles", "snake"): {"1@2"},
    ("iles", "brigands"): {"1@1"},
}
"""All answers that are right, found by hand in the rules."""


def exercise(name: str, id: str) -> tuple[Exercise, Position]:
    found = next(one for one in exercises(name) if one.id == id)
    return found, position_of(name, found)


def done(name: str, id: str) -> tuple[Any, Any]:
    """What everybody sees before the move that is shown, and after it."""
    found, position = exercise(name, id)
    before = msgspec.to_builtins(position.view(EVERYTHING))
    position.push(shown_move(position, found.seat, found), found.seat)
    return before, msgspec.to_builtins(position.view(EVERYTHING))


@pytest.mark.parametrize("name", OURS)
def test_ours_have_right_and_wrong_answers_and_speak_every_language(name: str) -> None:
    check_exercises(game(name))
    assert 3 <= len(exercises(name)) <= 6


@pytest.mark.parametrize(("name", "id"), RIGHT)
def test_the_right_answers_are_those_that_the_rules_give_and_no_others(name: str, id: str) -> None:
    found, position = exercise(name, id)
    legal = [int(move) for move in position.legal_ids(found.seat)]
    right = {position.notation(move) for move in legal if is_right(position, found.seat, found, move)}
    assert right == RIGHT[name, id]
    assert position.notation(shown_move(position, found.seat, found)) in right


def test_none_of_ours_is_left_out() -> None:
    assert set(RIGHT) == {(name, one.id) for name in OURS for one in exercises(name)}


def gains(id: str, seat: int) -> tuple[str, int]:
    """The cards and the boats that a seat gains in an exercise of Lanternes."""
    before, after = (one["seats"][seat] for one in done("lanternes", id))
    cards = "".join(colour * (count - before["cards"][colour]) for colour, count in after["cards"].items())
    return cards, after["boats"] - before["boats"]


def test_the_examples_of_lanternes_bring_what_the_words_say() -> None:
    assert [gains("match_and_face", seat) for seat in range(4)] == [("RR", 0), ("", 0), ("G", 0), ("B", 0)]
    assert [gains("three_boats", seat) for seat in range(4)] == [("RPK", 3), ("", 0), ("P", 0), ("R", 0)]
    assert gains("two_boats", 1)[1] == 2
    assert [gains("last_card", seat)[0].count("B") for seat in range(4)] == [0, 0, 0, 1]
    after = done("lanternes", "exchange")[1]
    assert (after["seats"][0]["cards"]["R"], after["seats"][0]["boats"], after["step"]) == (4, 1, "reward")
    assert after["stacks"]["four"][0] == 8


def test_the_examples_of_the_other_games_bring_what_the_words_say() -> None:
    seats = done("dice", "second_group")[1]["seats"]
    assert (sum(seats[0]["points"].values()), seats[0]["groups"]) == (33, [12, 10])
    before, after = (one["seats"][0] for one in done("iles", "gems"))
    assert (before["points"]["gem_columns"], sum(after["points"].values())) == (4, 35)
    assert [cell["down"] for cell in done("iles", "lamps")[1]["seats"][0]["island"][0] if cell] == [True, False, True]
    sums = {id: done("lumens", id)[1]["rooms"]["5"]["sums"] for id in ("second_place", "level_first", "level_second")}
    assert sums == {"second_place": [9, 10, 4], "level_first": [10, 10, 6], "level_second": [4, 9, 4]}
    assert done("lumens", "cover")[1]["rooms"]["5"]["sums"] == [9, 6, 4]
    assert done("dice", "tray")[1]["seats"][1]["faces"] == "R"


def test_a_try_is_answered_by_what_it_brings() -> None:
    found, position = exercise("iles", "brigands")
    level, many = (reply(position, found.seat, found, move) for move in ("0@1", "2@1"))
    assert level is not None
    assert "Four each" in level["en"]
    assert many is None, "said by what stands for all other moves"


def test_a_game_without_exercises_is_fine() -> None:
    assert exercises("fireflies") == ()
    check_exercises(game("fireflies"))


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"right": [{"points": {"snake": 11}}]}, "no legal move is right answer 1"),
        ({"right": [{"points": {"2 snake": 10}}]}, "no legal move is right answer 1"),
        ({"right": [{"does": ["1 laid"]}]}, "no legal move is right answer 1"),
        ({"right": [{"lacks": ["laid"]}]}, "no legal move is right answer 1"),
        ({"right": [{"does": ["0 laid"]}]}, "all is right"),
        ({"tries": [{"when": {"points": {"snake": 10}}, "say": {"en": "So.", "fr": "Ainsi."}}]}, "gets answer 1"),
        ({"well": {"en": "Well."}}, "well: in en, not in"),
        ({"ask": {"en": "{3}?", "fr": "{3}?"}}, "names a seat that is not there"),
        ({"seat": 1}, "the learner is asked and cannot move"),
        ({"players": 4}, "no position of the game"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(more: dict[str, Any], why: str) -> None:
    found, _ = exercise("iles", "snake")
    bad = msgspec.convert({**msgspec.to_builtins(found), **more}, Exercise)
    with pytest.raises(AssertionError, match=why):
        check_exercise(game("iles"), bad)


def test_a_position_that_breaks_a_fact_is_named() -> None:
    found, _ = exercise("iles", "snake")
    view = json.loads(found.position)
    view["seats"][0]["dreams"] = ["snake"] * 2
    with pytest.raises(AssertionError, match="no position of the game"):
        check_exercise(game("iles"), msgspec.structs.replace(found, position=json.dumps(view)))


@pytest.mark.parametrize("text", [b"", b"exercises = []", b"\xff", b"exercises = [1]", b"[[exercises]]\nid = 'x'"])
def test_what_is_no_file_of_exercises_is_refused(text: bytes) -> None:
    with pytest.raises(BadExercises):
        parsed(text)


def test_the_example_in_the_manual_is_one() -> None:
    manual = (game("lanternes").folder.parents[3] / "docs" / "tutorial.md").read_text(encoding="utf-8")
    example = manual.partition("## Exercises")[2].partition("```toml\n")[2].partition("```")[0]
    assert parsed(example.encode())[0].id == "gems"
    assert tomllib.loads(example)["exercises"][0]["players"] == 3
