"""Every installed game keeps the contract, ours and one of another package: the public suite, run on all of them."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lampion.games.core import Game
from lampion.games.registry import game, games
from lampion.play import Record
from lampion.testing import OF_A_GAME, OF_A_TABLE, check_options, spread, wander

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
