"""Tutorials: those of our games can be played through, and what is wrong in a script is found and named."""

from __future__ import annotations

import tomllib
from typing import Any

import msgspec
import pytest

from lampion.games.registry import game
from lampion.play.tutorial import BadTutorial, Tutorial, is_right, opening, parsed, reply, shown_move, spoken, tutorial
from lampion.testing import check_tutorial
from lampion.testing.tutorials import check_script

WORDS = {"en": "So.", "fr": "Ainsi."}
OURS = ("dice", "iles", "lanternes", "lumens")


def script(name: str) -> Tutorial:
    found = tutorial(name)
    assert found is not None
    return found


def changed(name: str, number: int, **more: Any) -> Tutorial:
    """A script with one step changed."""
    steps = list(script(name).steps)
    steps[number] = msgspec.structs.replace(steps[number], **more)
    return msgspec.structs.replace(script(name), steps=steps)


def step_number(name: str, id: str) -> int:
    return [step.id for step in script(name).steps].index(id)


@pytest.mark.parametrize("name", OURS)
def test_ours_can_be_played_through_by_every_right_answer(name: str) -> None:
    check_tutorial(game(name))
    found = script(name)
    assert 10 <= len(found.steps) <= 25
    assert sum(step.ask is not None for step in found.steps) >= 4
    assert any(step.moves for step in found.steps), "the others never move"
    assert all(step.point for step in found.steps), "a step that points at nothing"


def test_a_game_without_a_script_is_fine() -> None:
    assert tutorial("fireflies") is None
    check_tutorial(game("fireflies"))


@pytest.mark.parametrize(
    ("number", "more", "why"),
    [
        ("first_tile", {"right": [{"like": {"tile": 34}}]}, "no legal move is right answer 1"),
        ("first_tile", {"draws": ["+8"]}, "what is drawn after the answer cannot be"),
        ("match", {"moves": [(1, "13@9,9/1")]}, "another cannot be made"),
        ("match", {"moves": [(2, "22@0,1/3")]}, "another cannot be made"),
        ("faces", {"say": {"en": "One."}}, "not in en, fr"),
        ("faces", {"say": {"en": "{7}", "fr": "{7}"}}, "names a seat that is not there"),
        ("faces", {"say": {"en": "word " * 61 + "end", "fr": "mot"}}, "more than 60 words"),
        ("faces", {"id": "welcome"}, "two steps have the same name"),
        ("reward", {"tries": [{"when": {"like": {"kind": "place"}}, "say": WORDS}]}, "no legal move gets answer 1"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(number: str, more: dict[str, Any], why: str) -> None:
    step = script("lanternes").steps[step_number("lanternes", number)]
    typed = msgspec.convert({**msgspec.to_builtins(step), **more}, type(step))
    bad = changed("lanternes", step_number("lanternes", number), **{key: getattr(typed, key) for key in more})
    with pytest.raises(AssertionError, match=why):
        check_script(game("lanternes"), bad)


def test_a_wrong_try_is_answered_and_the_right_one_shown() -> None:
    found = script("lanternes")
    position = opening(game("lanternes"), found)
    step = found.steps[step_number("lanternes", "first_tile")]
    right = shown_move(position, 0, step)
    assert position.notation(right) == "8@1,0/2"
    assert is_right(position, 0, step, right)
    assert not is_right(position, 0, step, "8@1,0/1")
    assert "green is at the bottom" in said(reply(position, 0, step, "8@1,0/1"))
    assert "another tile" in said(reply(position, 0, step, "4@1,0/1"))


def said(words: dict[str, str] | None) -> str:
    assert words is not None
    return spoken(words, ["", "", ""])


@pytest.mark.parametrize("text", [b"", b"players = 2", b"\xff", b"players = ["])
def test_what_is_no_script_is_refused(text: bytes) -> None:
    with pytest.raises(BadTutorial):
        parsed(text)


def test_the_example_in_the_manual_is_a_script() -> None:
    manual = (game("lanternes").folder.parents[3] / "docs" / "tutorial.md").read_text(encoding="utf-8")
    example = manual.partition("```toml\n")[2].partition("```")[0]
    assert len(parsed(example.encode()).steps) == 3
    assert tomllib.loads(example)["seat"] == 0
