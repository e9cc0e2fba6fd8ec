"""The story of a game: what its steps say beside their events."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lampion.games.core import EVERYTHING
from lampion.locale import speaking
from lampion.play import Record
from lampion.server.protocol.http_types import Step
from lampion.server.tables.replay import story

RECORDS = Path(__file__).parents[1] / "fixtures" / "records"


def decisions(game: str, viewer: int = EVERYTHING) -> Iterator[tuple[Step, list[int]]]:
    """Yield the steps of a recorded game that a seat made, each with the scores before it."""
    record = Record.load(RECORDS / f"{game}-rules-1-seeded.json")
    with speaking("en"):
        steps = story(record, record.replay(), viewer).steps
    before = [0] * record.players
    for step in steps:
        if step.seat >= 0:
            yield step, before
        before = step.scores


@pytest.mark.parametrize("viewer", [EVERYTHING, 0, 1])
def test_gains_of_lanternes_are_the_points_of_rewards(viewer: int) -> None:
    gained = 0
    for step, before in decisions("lanternes", viewer):
        assert sum(step.gains) == step.scores[step.seat] - before[step.seat]
        for points, sentence in zip(step.gains, step.told, strict=bool(step.gains)):
            assert (f"takes {points} points" in sentence) == (points > 0)
        gained += sum(step.gains)
    assert gained > 0


def test_gains_of_dice_are_the_points_of_launches_alone() -> None:
    launches = 0
    for step, _ in decisions("dice"):
        points = [event.number if event.kind == "launched" else 0 for event in step.events]
        assert step.gains == (points if any(points) else [])
        launches += any(points)
    assert launches > 0


@pytest.mark.parametrize("game", ["lumens", "iles"])
def test_no_event_gives_points_where_the_whole_board_is_counted(game: str) -> None:
    """A leader's sum is not points, and points told in the final count were there before it."""
    assert not any(step.gains for step, _ in decisions(game))
