"""Positions explored and set up by hand: nothing is told that the eyes cannot see, and what cannot be is refused."""

from __future__ import annotations

import doctest
import itertools
from typing import Any

import msgspec
import pytest
from games_played import TINY, random_game

import lampion.insight.explorer
from lampion.engine.rng import new_rng
from lampion.games import registry
from lampion.games.core import CHANCE, EVERYTHING, BadPosition
from lampion.games.setup_types import Choice, Placing, Stepper
from lampion.insight.board_worth import board_worth
from lampion.insight.explorer import draw, explore, outlooks
from lampion.insight.setting_up import Change, changed, controls, given
from lampion.play import Position, Seeded

GAMES = ("lanternes", "dice", "lumens", "iles")
NONSENSE = [("", 1), ("card:9:W", 1), ("card:0:Q", 1), ("card:0:W", 10**9), ("turn", "x"), ("turn", -1), ("a:b:c:d", 0)]


def begun(game: str, players: int = 3, plies: int = 30) -> Position:
    """Return a random game at a decision, some moves on."""
    final = random_game(game, players).replay()
    while final.at(plies).actor < 0:
        plies += 1
    return final.at(plies)


def test_the_example() -> None:
    assert doctest.testmod(lampion.insight.explorer).failed == 0


@pytest.mark.parametrize("game", GAMES)
def test_who_sees_everything_moves_for_whoever_is_to_decide(game: str) -> None:
    position = begun(game)
    found = explore(position, position.names(), EVERYTHING, since=position.ply - 2)
    assert (found.turn, found.seat) == ("seat", position.actor)
    assert found.moves == list(position.legal_moves)
    assert [step.seat for step in found.steps] == [one.seat for one in position.played[-2:]]
    assert all(len(step.told) == len(step.events) for step in found.steps)
    seat = (position.actor + 1) % position.players
    if seat not in position.pending:
        other = explore(position, position.names(), seat)
        assert (other.seat, other.moves, other.steps) == (None, [], [])


@pytest.mark.parametrize("game", ["lanternes", "lumens", "iles"])
def test_a_seat_is_shown_nothing_hidden(game: str) -> None:
    position = begun(game, 2)
    seat = position.actor
    told = msgspec.json.encode(explore(position, position.names(), seat))
    worth = msgspec.json.encode(board_worth(position, position.names(), seat, TINY))
    for seed in (1, 2):
        other = position.concealed(seat, new_rng(seed))
        after = msgspec.structs.replace(explore(other, position.names(), seat), ply=position.ply)
        assert msgspec.json.encode(after) == told
        assert msgspec.json.encode(board_worth(other, position.names(), seat, TINY)) == worth


def test_chance_is_dealt_by_hand_or_by_weight() -> None:
    position = Position("lanternes", 3)
    found = explore(position, position.names(), EVERYTHING)
    assert (found.turn, len(found.chances), found.moves) == ("chance", 3, [])
    assert len({outcome.told[0] for outcome in found.chances}) == 3
    assert explore(position, position.names(), 0).chances == [], "a seat does not know what is in the pile"
    position.push(found.chances[1].move, CHANCE)
    draw(position, Seeded(1), every=False)
    assert position.ply == 2
    draw(position, Seeded(1), every=True)
    assert position.actor == 1


def test_outlooks_leave_the_position_and_refuse_in_words() -> None:
    position = begun("lumens")
    before = position.bytes()
    moves = [position.legal_moves[0], {"kind": "place", "x": 99, "y": 0, "face": 1}]
    good, bad = outlooks(position, position.names(), EVERYTHING, moves, True)
    assert good.view is not None
    assert good.told
    assert bad.reason
    assert position.bytes() == before


def test_the_best_moves_are_told_with_reasons() -> None:
    position = begun("lanternes", 2)
    found = board_worth(position, position.names(), EVERYTHING, TINY)
    assert found.mover == position.actor
    assert sum(seat.share for seat in found.seats) == pytest.approx(1.0, abs=1e-4)
    assert found.moves[0].behind == 0
    assert all(move.told for move in found.moves)
    assert any(move.why for move in found.moves)


def with_setup() -> list[str]:
    return [game for game in GAMES if registry.game(game).setup is not None]


def values_of(control: Stepper | Choice | Placing) -> list[Any]:
    """Return all values that a control offers, but for long lists the ends alone."""
    if isinstance(control, Placing):
        ends = [[part.options[0].value, part.options[-1].value] for part in control.parts]
        return [":".join(values) for values in itertools.product(*ends)]
    if isinstance(control, Stepper):
        return [control.least, min(control.value + 1, control.most)]
    return [option.value for option in control.options if option.value][:2]


@pytest.mark.parametrize("game", with_setup())
def test_whatever_a_control_offers_is_a_position_or_refused_with_a_fact(game: str) -> None:
    position = begun(game, 3, 50)
    before = position.bytes()
    done, odd = 0, []
    for control in controls(position, position.names()):
        for value in values_of(control):
            try:
                after = changed(position, Change(control.name, value))
            except BadPosition as problem:
                odd += [(control.name, value, problem.key)] * (".fact." not in problem.key)
                continue
            assert after.broken_fact() is None
            done += 1
            if isinstance(control, Placing):
                continue
            now = {one.name: one.value for one in controls(after, position.names()) if not isinstance(one, Placing)}
            if control.value and control.name in now and not control.name.startswith(("hand", "dream")):
                assert now[control.name] == value, (control.name, value)
    assert done > 10
    assert odd == []
    assert position.bytes() == before


@pytest.mark.parametrize("game", with_setup())
@pytest.mark.parametrize("change", NONSENSE, ids=str)
def test_what_no_control_offers_is_refused(game: str, change: tuple[str, Any]) -> None:
    with pytest.raises(BadPosition):
        changed(begun(game), Change(*change))


@pytest.mark.parametrize("game", GAMES)
def test_a_position_given_as_data_is_itself(game: str) -> None:
    position = begun(game)
    assert given(position, msgspec.to_builtins(position.view(EVERYTHING))).bytes() == position.bytes()


def test_a_card_comes_from_the_supply() -> None:
    position = begun("lanternes")
    view = position.view(EVERYTHING)
    colour = next(letter for letter, count in view.supply.items() if count)
    after = changed(position, Change(f"card:0:{colour}", view.seats[0].cards[colour] + 1)).view(EVERYTHING)
    assert after.supply[colour] == view.supply[colour] - 1
    with pytest.raises(BadPosition):
        changed(position, Change(f"card:0:{colour}", 100))
