"""Every installed game keeps the contract, ours and one of another package: the public suite, run on all of them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lampion.games.core import Game
from lampion.games.registry import game, games
from lampion.play import Position, Record
from lampion.testing import OF_A_GAME, OF_A_TABLE, check_options, spread, wander
from lampion.testing.rule_laws import check_rows

NAMES = sorted(games())
TABLES = [
    pytest.param(
        name, players, id=f"{name}-{players}",
        marks=[] if players == game(name).players[-1] or (name, players) == ("iles", 2) else pytest.mark.deep,
    )
    for name in NAMES
    for players in game(name).players
]  # fmt: skip
"""Every game with every number of players; by day with the most, and 1001 Îles with two, which has rules of its own."""


@pytest.mark.parametrize("check", OF_A_GAME, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", NAMES)
def test_a_game(name: str, check: Callable[[Game], None]) -> None:
    check(game(name))


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_options(name: str, players: int) -> None:
    check_options(game(name), players)


@pytest.mark.parametrize("check", OF_A_TABLE, ids=lambda check: check.__name__)
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_table(name: str, players: int, check: Callable[..., None]) -> None:
    options = spread(game(name), players, 2)[players % 2]
    check(game(name), players, options, players)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ([999, 0, 0, 0, 0, 0], "an event of no kind"),
        ([0, 0, 0, 0, 999, 0], "an event without a reason"),
        ([0, 7, 0, 0, 0, 0], "an event of nobody"),
        ([0, 0, -2, 0, 0, 0], "it is written -1"),
        ([0, 0, 0, 0, 0, 1 << 9], "unknown viewers"),
    ],
)
def test_what_no_event_can_be_is_said_with_the_game_and_the_move(row: list[int], said: str) -> None:
    check_rows(Position("lumens", 2), np.zeros((1, len(row)), np.int64), "move 1")
    with pytest.raises(AssertionError, match=f"^lumens, 2 players, .*: move 1 .*{said}"):
        check_rows(Position("lumens", 2), np.array([row]), "move 1")


@st.composite
def tables(draw: st.DrawFn) -> tuple[Game, int, dict[str, Any], int]:
    """Any game, number of players, options and seed."""
    chosen = game(draw(st.sampled_from(NAMES)))
    players = draw(st.sampled_from(chosen.players))
    options = {option.name: draw(st.sampled_from(option.choices(players))) for option in chosen.options}
    return chosen, players, options, draw(st.integers(0, 2**64 - 1))


@given(tables())
def test_any_game_ends_and_replays(table: tuple[Game, int, dict[str, Any], int]) -> None:
    for position in wander(*table):
        assert position.broken_fact() is None
    again = Record.from_json(Record.of(position).to_json()).check()
    assert again == position
    assert again.outcome() == position.outcome()
