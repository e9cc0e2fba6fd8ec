"""Undo never crosses new information, and never undoes what somebody else has done since."""

from __future__ import annotations

from typing import Any

import pytest

from lampion.games.core import CHANCE
from lampion.games.registry import game, games
from lampion.play import Position, Seeded, take_back
from lampion.play.undo import CannotUndo
from lampion.testing import wander


def started(name: str, players: int = 2, seed: int = 1, **options: Any) -> Position:
    """A game up to its first decision."""
    position = Position(name, players, options or None)
    position.push_chances(Seeded(seed))
    return position


def reason(position: Position, seat: int) -> str:
    """Why a seat may not take its last move back."""
    with pytest.raises(CannotUndo) as caught:
        take_back(position, seat)
    assert str(caught.value)
    return str(caught.value.key)


def test_there_is_nothing_to_take_back_at_the_start() -> None:
    assert reason(started("lanternes"), 0) == "undo.nothing"


def test_a_choice_that_showed_nothing_is_taken_back() -> None:
    for position in wander(game("lanternes"), 2, None, 3):
        kinds = {type(move).__name__ for move in position.legal_moves}
        if "Exchange" in kinds and position.actor != CHANCE:
            break
    seat, before = position.actor, position.bytes()
    exchange = next(move for move in position.legal_moves if type(move).__name__ == "Exchange")
    position.push(exchange)
    undone = take_back(position, seat)
    assert undone.bytes() == before
    assert position.bytes() != before


def test_a_placed_tile_was_hidden_and_stays() -> None:
    position = started("lanternes", first=0)
    position.push(position.legal_moves[0])
    assert reason(position, 0) == "undo.revealed"


def test_what_was_drawn_since_stands_against_it() -> None:
    position = started("lanternes", first=0)
    position.push(position.legal_moves[0])
    position.push_chance(Seeded(1))
    assert reason(position, 0) == "undo.chance"


def test_a_firefly_let_go_comes_back_while_nobody_has_answered() -> None:
    position = started("fireflies", 3, first=0)
    before = position.bytes()
    position.push("go")
    assert take_back(position, 0).bytes() == before
    position.push("go")
    assert reason(position, 0) == "undo.answered"
    assert take_back(position, 1).ply == position.ply - 1


def test_a_shown_firefly_stays_shown() -> None:
    position = started("fireflies", 3, first=0)
    position.push(position.legal_moves[1])
    assert reason(position, 0) == "undo.revealed"


def test_moves_of_a_simultaneous_step_stay_when_another_is_taken_back() -> None:
    together = [name for name, each in games().items() if each.simultaneous]
    assert together
    for name in together:
        for position in wander(game(name), 2, None, 2):
            if position.pending == (0, 1):
                break
        mine, theirs = (position.legal_moves_of(seat)[-1] for seat in (0, 1))
        both = position.copy()
        both.push(mine, 0)
        if 1 in both.pending:
            both.push(theirs, 1)
            if any(seat == CHANCE for seat, _ in both.played[position.ply :]):
                continue
            alone = position.copy()
            alone.push(theirs, 1)
            assert take_back(both, 0) == alone


@pytest.mark.parametrize("name", sorted(games()))
def test_an_undone_move_can_be_made_again(name: str) -> None:
    taken = 0
    for players in game(name).players:
        for position in wander(game(name), players, None, 5):
            before = position.bytes()
            for seat in range(players):
                try:
                    undone = take_back(position, seat)
                except CannotUndo:
                    continue
                taken += 1
                ply = max(i for i, played in enumerate(position.played) if played.seat == seat)
                assert undone.ply == position.ply - 1
                assert all(played.seat != CHANCE for played in position.played[ply:])
                undone.push(position.moves[ply][1], seat)
                assert undone == position
            assert position.bytes() == before
    assert taken or game(name).revealing, f"nothing was ever taken back in {name}"
