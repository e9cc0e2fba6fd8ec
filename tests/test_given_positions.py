"""A position that somebody types in is taken as it is or refused: nothing in it is silently put right."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import msgspec
import pytest
from mutations import entry, paths, replaced

from lampion.games.core import EVERYTHING, BadPosition
from lampion.games.registry import game, games
from lampion.locale import LANGUAGES, Problem, speaking
from lampion.play import Position
from lampion.testing import wander

GAMES = pytest.mark.parametrize("name", sorted(games()))
ANY_ORDER = {
    "lake",
    "unseen",
    "hand",
    "shaded",
    "fireworks",
    "ponds",
    "cells",
    "targets",
    "sources",
    "away",
    "dreams",
    "waiting",
}
"""Lists whose order means nothing; so do the stacks of Dice, which are no dictionary, and the colours of an action."""


@cache
def stages(name: str) -> list[Position]:
    """Moments of a game of every number of players."""
    found = []
    for players in game(name).players:
        positions = [position.copy() for position in wander(game(name), players, None, 5)]
        found += [positions[len(positions) * part // 3] for part in range(3)] + positions[-1:]
    return found


def plain(position: Position) -> Any:
    return json.loads(msgspec.json.encode(position.view(EVERYTHING)))


def sorted_out(data: Any, name: str = "") -> Any:
    """Data with every list in order whose order means nothing."""
    if isinstance(data, dict):
        return {key: sorted_out(value, key) for key, value in data.items()}
    if isinstance(data, list):
        items = [sorted_out(item) for item in data]
        is_stacks = name == "stacks" and all(isinstance(item, dict) for item in items)
        return sorted(items, key=json.dumps) if name in ANY_ORDER or is_stacks else items
    return "".join(sorted(data)) if name == "colours" and isinstance(data, str) else data


def near(data: Any, way: tuple[Any, ...], dice: random.Random) -> list[Any]:
    """Values that could stand in place of an entry."""
    value = entry(data, way)
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1]
    if isinstance(value, list):
        return [value[1:], value[::-1], [*value, *value[:1]]]
    if isinstance(value, dict):
        return [{**value, "more": 1}]
    found = [entry(data, other) for other in paths(data) if other[-1] == way[-1]]
    return dice.sample(found, min(2, len(found)))


@GAMES
def test_a_changed_position_is_refused_or_taken_as_it_was_given(name: str) -> None:
    dice, taken, refused = random.Random(1), 0, 0
    for position in stages(name):
        data = plain(position)
        ways = paths(data)
        for way in dice.sample(ways, min(15, len(ways))):
            for value in near(data, way, dice):
                given = replaced(data, way, value)
                if value is None:
                    continue
                try:
                    found = Position.from_view(name, position.players, None, given)
                except Problem:
                    refused += 1
                else:
                    taken += 1
                    assert sorted_out(plain(found)) == sorted_out(given), (way, value)
    assert refused > taken > 10


@GAMES
def test_what_follows_from_the_rest_may_be_left_out(name: str) -> None:
    for position in stages(name):
        data = without_defaults(position.view(EVERYTHING))
        assert Position.from_view(name, position.players, position.options, data) == position


def without_defaults(value: Any) -> Any:
    """A view as plain data, without all that follows from the rest of it."""
    if isinstance(value, msgspec.Struct):
        fields = msgspec.structs.fields(value)
        kept = [field.name for field in fields if field.required or field.name in ("colours", "pond")]
        return {field: without_defaults(getattr(value, field)) for field in kept}
    if isinstance(value, dict):
        return {key: without_defaults(each) for key, each in value.items()}
    return [without_defaults(each) for each in value] if isinstance(value, list) else value


def test_the_first_field_that_disagrees_is_named_in_both_languages() -> None:
    position = stages("iles")[1]
    data = replaced(plain(position), ("seats", 1, "points", "palms"), 77)
    with pytest.raises(BadPosition) as caught:
        Position.from_view("iles", position.players, None, data)
    for language in LANGUAGES:
        with speaking(language):
            assert "seats[1].points.palms" in str(caught.value)
            assert "77" in str(caught.value)


def test_a_name_that_means_nothing_is_refused_wherever_it_stands() -> None:
    position = stages("lanternes")[0]
    for way in (("stacks",), ("seats", 0, "points"), ("seats", 1, "cards")):
        data = plain(position)
        more = replaced(data, way, entry(data, way) | {"five": []})
        with pytest.raises(BadPosition):
            Position.from_view("lanternes", position.players, None, more)
