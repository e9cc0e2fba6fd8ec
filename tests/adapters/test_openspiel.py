"""OpenSpiel's own test passes on our games, its search plays them, and an information state holds what a seat sees."""

from __future__ import annotations

import doctest
import pickle
import random
from typing import Any

import msgspec
import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts

import lampion.adapters.openspiel as adapter
from lampion.games import registry
from lampion.games.core import BadPosition, BadSetup, IllegalMove
from lampion.play import Position, Seeded

GAMES = ["lanternes", "dice", "lumens", "iles"]


def loaded(name: str, **parameters: Any) -> Any:
    return pyspiel.load_game(f"lampion_{name}", parameters)


def some_action(state: Any, dice: random.Random) -> int:
    if not state.is_chance_node():
        return int(dice.choice(state.legal_actions()))
    ids, odds = zip(*state.chance_outcomes(), strict=True)
    return int(dice.choices(ids, odds)[0])


def wander(game: Any, seed: int) -> Any:
    """The states of a random game in which a seat decides."""
    state, dice = game.new_initial_state(), random.Random(seed)
    while not state.is_terminal():
        if state.is_player_node():
            yield state
        state.apply_action(some_action(state, dice))


@pytest.mark.parametrize("name", GAMES)
def test_their_random_simulation_passes(name: str) -> None:
    pyspiel.random_sim_test(loaded(name), 1, True, False)


def test_their_random_simulation_passes_for_the_most_players() -> None:
    pyspiel.random_sim_test(loaded("iles", players=5), 1, True, False)


@pytest.mark.parametrize("name", GAMES)
def test_their_search_over_information_sets_plays(name: str) -> None:
    game, state, dice = loaded(name), loaded(name).new_initial_state(), random.Random(1)
    evaluators = [mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)), adapter.RandomRollouts(seed=1)]
    bots = [ismcts.ISMCTSBot(game, each, 1.0, 6, random_state=np.random.RandomState(1)) for each in evaluators]
    searched = 0
    while searched < 6:
        if state.is_chance_node():
            state.apply_action(some_action(state, dice))
        else:
            searched += len(state.legal_actions()) > 1
            action = bots[searched % 2].step(state)
            assert action in state.legal_actions()
            state.apply_action(action)


@pytest.mark.parametrize("name", GAMES)
def test_positions_alike_for_a_seat_have_the_same_information_state_and_others_do_not(name: str) -> None:
    game, rng = loaded(name), random.Random(3)
    changed, told, different = False, set(), 0
    for number, state in enumerate(wander(game, 2)):
        if number >= 25:
            break
        for seat in range(2):
            world = state.resample_from_infostate(seat, rng.random)
            adapter._view_cache.clear()
            truth = registry.game(name).view.view(state.world.boxes[0], state.world.states[0], seat)
            own = f" {state.world.held[seat]}" if seat in state.world.held else ""
            assert state.information_state_string(seat) == f"{seat} {msgspec.json.encode(truth).decode()}{own}"
            adapter._view_cache.clear()
            assert world.information_state_string(seat) == state.information_state_string(seat)
            assert world.observation_tensor(seat) == state.observation_tensor(seat)
            assert world.legal_actions(seat) == state.legal_actions(seat)
            assert world.current_player() == state.current_player()
            changed |= str(world) != str(state)
            told.add(state.information_state_string(seat))
        different += 2 - len(state.world.held)  # a seat is told nothing of a decision that is held back
        assert state.information_state_string() == state.information_state_string(state.current_player())
    assert changed == (registry.game(name).hidden or registry.game(name).simultaneous)
    assert len(told) == different


def test_a_deal_changes_the_information_state_of_those_who_see_it() -> None:
    state, dice = loaded("lanternes").new_initial_state(), random.Random(5)
    kept, shown = 0, 0
    for _ in range(12):
        before = [state.information_state_string(seat) for seat in range(2)]
        state.apply_action(some_action(state, dice))
        after = [state.information_state_string(seat) for seat in range(2)]
        shown += before != after
        kept += before == after
    assert shown > kept


def test_a_state_goes_on_alone_after_a_copy_and_survives_writing_down() -> None:
    game = loaded("iles", players=3)
    state = next(iter(wander(game, 4)))
    world = state.resample_from_infostate(0, random.Random(1).random)
    for original in (state, world):
        copies = [original.clone(), pickle.loads(pickle.dumps(original))]
        text = str(original)
        for copied in copies:
            assert str(copied) == text
            copied.apply_action(copied.legal_actions()[0])
            assert str(original) == text
            assert str(copied) != text


def test_returns_are_the_shares_of_the_victory() -> None:
    game = loaded("lumens", players=4)
    state, dice = game.new_initial_state(), random.Random(8)
    while not state.is_terminal():
        assert state.returns() == [0.0] * 4
        state.apply_action(some_action(state, dice))
    assert sum(state.returns()) == pytest.approx(1.0)
    assert max(state.returns()) >= 0.25
    assert list(adapter.RandomRollouts(seed=1).evaluate(state)) == state.returns()


def test_compiled_rollouts_agree_with_theirs() -> None:
    state = next(iter(wander(loaded("iles", first="0"), 6)))
    for _ in range(12):
        state.apply_action(some_action(state, random.Random(2)))
    theirs = mcts.RandomRolloutEvaluator(150, np.random.RandomState(2)).evaluate(state)
    ours = adapter.RandomRollouts(3000, seed=2).evaluate(state)
    assert ours.sum() == pytest.approx(1.0)
    assert ours[0] == pytest.approx(theirs[0], abs=0.16)


def test_options_are_parameters() -> None:
    game = pyspiel.load_game("lampion_dice(players=3,sides=ABA,fireworks=random)")
    assert game.setting.options["sides"] == "ABA"
    assert game.setting.options["sheets"] == "ABC"
    assert pyspiel.load_game(str(game)).setting == game.setting
    four = loaded("dice").setting.game.options[0].choices(2)[-1]
    assert loaded("dice", fireworks="+".join(four)).setting.options["fireworks"] == four
    assert loaded("lumens", first="1").setting.options["first"] == 1
    with pytest.raises(BadSetup, match="cannot be"):
        loaded("lumens", first="7")


def test_what_is_no_seat_no_outcome_and_no_position_of_the_game_is_refused() -> None:
    state = loaded("lumens").new_initial_state()
    for seat in (-1, 2):
        with pytest.raises(ValueError, match="no seat"):
            state.resample_from_infostate(seat, random.random)
    with pytest.raises(IllegalMove, match="chance_outcomes"):
        state.world.play(0)
    for other in (Position("lumens", 4), Position("iles", 2)):
        with pytest.raises(BadPosition, match="number of players and edition"):
            loaded("lumens").state_of(other)


def test_a_position_played_elsewhere_becomes_a_state() -> None:
    position = Position("lumens", 2)
    position.push_chances(Seeded(1))
    state = loaded("lumens").state_of(position)
    assert state.current_player() == position.actor
    assert state.legal_actions() == position.legal_ids().tolist()
    state.apply_action(state.legal_actions()[0])
    assert position.ply == len(position.played)
    assert position.actor != state.current_player() or str(state) != str(loaded("lumens").state_of(position))


def test_the_example_in_the_module_works() -> None:
    failed, tried = doctest.testmod(adapter)
    assert tried > 3
    assert failed == 0
