"""Events name things as moves do: who listens to them alone can follow the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from lampion.games.core import EVERYTHING, SPECTATOR, game
from lampion.games.plain import event
from lampion.play import Position
from lampion.testing import wander

FIELDS: dict[str, dict[tuple[str, str], tuple[str, ...]]] = {
    "lanternes": {
        ("place", "placed"): ("tile", "x", "y", "turn"),
        ("draw", "drew"): ("tile",),
    },
    "dice": {
        ("side", "side"): ("card", "side"),
        ("shade", "shaded"): ("zone",),
        ("emperor", "paid"): ("card",),
        ("launch", "launched"): ("shape", "ponds"),
    },
    "lumens": {
        ("place", "placed"): ("x", "y", "face"),
        ("draw", "drew"): ("token",),
    },
    "iles": {
        ("pile", "opened"): ("pile",),
        ("hide", "hid"): ("slot",),
        ("take", "took"): ("slot",),
        ("take", "laid"): ("column",),
        ("lay", "laid"): ("column",),
    },
}
"""By game, move and event: what both name, and name alike."""


def played(name: str, players: int, options: Any = None) -> Iterator[tuple[Position, Any, list[list[Any]]]]:
    """The moves of some games, and of each the events as EVERYTHING, every seat and a spectator know them."""
    for seed in range(6):
        before = None
        for position in wander(game(name), players, options, seed):
            if before is not None:
                seat, id = position.played[-1]
                move = before.move(id)
                rows = before.push_rows(id, seat).copy()
                yield (
                    before,
                    move,
                    [
                        [
                            event(position.game, position.edition.box, row, viewer)
                            for viewer in (EVERYTHING, SPECTATOR, 0, 1)
                        ]
                        for row in rows
                    ],
                )
            before = position.copy()


@pytest.mark.parametrize("name", FIELDS)
def test_an_event_names_its_thing_as_the_move_does(name: str) -> None:
    seen = set()
    options = {"sides": "random"} if name == "dice" else None
    for _, move, events in played(name, 2, options):
        for told, *_ in events:
            fields = FIELDS[name].get((move.kind, told.kind), ())
            if (move.kind, told.kind) == ("take", "laid") and move.column is None:
                continue
            for field in fields:
                seen.add((move.kind, told.kind))
                assert getattr(told, field) == getattr(move, field), (move, told)
    assert seen == set(FIELDS[name])


def test_a_tile_of_iles_is_named_as_its_draw_named_it() -> None:
    drawn = {}
    for position, move, events in played("iles", 3):
        if position.ply == 0:
            drawn.clear()
        for told, *_ in events:
            if told.kind == "drew":
                assert told.tile == move.tile
                drawn[told.pile, told.slot] = told.tile
            if told.kind == "took":
                assert told.tile == drawn[told.pile, told.slot]


@pytest.mark.parametrize("name", FIELDS)
def test_who_may_not_know_the_thing_is_not_given_its_fields(name: str) -> None:
    hidden = 0
    for _, _, events in played(name, 2):
        for everything, *others in events:
            for told in others:
                if told.thing is None:
                    hidden += everything.thing is not None
                    assert set(msgspec.to_builtins(told)) == {"kind", "seat", "thing", "number", "why"}
                else:
                    assert told == everything
    assert hidden or name == "dice"
