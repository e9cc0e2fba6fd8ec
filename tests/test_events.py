"""Events name things as moves do: who listens to them alone can follow the game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lampion.games.core import EVERYTHING, SPECTATOR
from lampion.games.move_types import event
from lampion.games.registry import game
from lampion.play import Position, Record
from lampion.testing import wander

RECORDS = Path(__file__).parent / "fixtures" / "records"
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


def games_of(name: str, players: int) -> Iterator[Position]:
    """Every position of some random games, and of the recorded one, in which people do more that makes sense."""
    options = {"sides": "random"} if name == "dice" else None
    for seed in range(4):
        yield from wander(game(name), players, options, seed)
    record = Record.load(RECORDS / f"{name}-rules-1-seeded.json")
    whole = record.replay()
    if whole.players == players or name == "dice":
        yield from (whole.at(ply) for ply in range(whole.ply + 1))


def played(name: str, players: int) -> Iterator[tuple[Position, Any, list[list[Any]]]]:
    """The moves of some games, and of each the events as EVERYTHING, a spectator and two seats know them."""
    before = None
    for position in games_of(name, players):
        if before is not None and position.ply == before.ply + 1:
            seat, id = position.played[-1]
            move = before.move(id)
            told = [
                [event(position.game, position.edition.box, row, viewer) for viewer in (EVERYTHING, SPECTATOR, 0, 1)]
                for row in before.push_rows(id, seat)
            ]
            before.pop()
            yield before, move, told
        before = position.copy()


@pytest.mark.parametrize("name", FIELDS)
def test_an_event_names_its_thing_as_the_move_does(name: str) -> None:
    seen = set()
    for _, move, events in played(name, 2):
        for told, *_ in events:
            fields = FIELDS[name].get((move.kind, told.kind), ())
            if (move.kind, told.kind) == ("take", "laid") and move.column is None:
                continue
            for field in fields:
                seen.add((move.kind, told.kind))
                assert getattr(told, field) == getattr(move, field), (move, told)
    assert seen == set(FIELDS[name])


def test_a_tile_of_iles_is_named_as_its_draw_named_it() -> None:
    drawn: dict[Any, Any] = {}
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
