"""The games for OpenSpiel: explicit chance, information states made of what a seat sees, and resampling by `conceal`.

Importing this module registers a game for each that is installed.

>>> import pyspiel
>>> import lampion.adapters.openspiel
>>> game = pyspiel.load_game("lampion_lumens(players=3)")
>>> state = game.new_initial_state()
>>> state.is_chance_node(), game.num_players()
(True, 3)
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from typing import Any

import msgspec
import numpy as np
import pyspiel

from lampion.adapters.setting import FEATURES, RETURNS, BadEnvironment, Setting
from lampion.engine.constants import NOTES
from lampion.engine.rng import below, new_rng
from lampion.games import core, registry
from lampion.games.core import CHANCE, EVERYTHING, MOST_KEYS, OVER, BadPosition, Game, Option
from lampion.games.move_types import notation
from lampion.locale import say
from lampion.play import compiled_calls
from lampion.play.position import Position

PREFIX = "lampion_"
RNG_BITS = 53
"""Random bits in a float below 1."""
UNREADABLE = ",=()"
"""Characters that a value in a text of OpenSpiel cannot have."""


MOST_CACHED_VIEWS = 20_000
_view_cache: dict[tuple[str, int, bytes], str] = {}


class World:
    """A position without its history: two states, of which the first is the position.

    Decisions of a simultaneous step are held back until all are taken, so that no seat sees another's.
    """

    def __init__(
        self, setting: Setting, states: np.ndarray[Any, Any] | None = None, held: Mapping[int, int] | None = None
    ) -> None:
        self.setting = setting
        self.held = dict(held or {})
        game, self.boxes = setting.game, setting.edition.boxes
        if states is None:
            states = game.new_states(2)
            compiled_calls.set_up(self.boxes, states, setting.players, game.code_options(setting.options), _no_log())
        self.states = states
        self.actor = self._asked()

    def copy(self) -> World:
        """Return an independent copy."""
        return World(self.setting, self.states.copy(), self.held)

    def __deepcopy__(self, memo: Any) -> World:
        """Return an independent copy: OpenSpiel clones the states of Python games so."""
        return self.copy()

    def __reduce__(self) -> Any:
        """Return how to pickle it: OpenSpiel serialises the states of Python games so."""
        return World, (self.setting, self.states, self.held)

    def _asked(self) -> int:
        """Return the actor; in a simultaneous step, the lowest seat that has not decided."""
        actor = int(compiled_calls.actor_at(self.boxes, self.states, 0))
        return next((seat for seat in self.pending() if seat not in self.held), actor) if self.held else actor

    def pending(self) -> list[int]:
        """Return the seats that owe a decision, or have decided and wait for others."""
        bits = int(compiled_calls.pending_at(self.boxes, self.states, 0))
        return [seat for seat in range(self.setting.players) if bits >> seat & 1]

    def moves(self, seat: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Return the ids of the moves of a seat or of chance, and the weights of chance."""
        ids = np.empty(self.setting.game.most + 1, dtype=np.int32)
        weights = np.empty(self.setting.game.most + 1, dtype=np.int32)
        n = 0 if seat in self.held else compiled_calls.moves_at(self.boxes, self.states, 0, seat, ids, weights)
        return ids[:n], weights[:n]

    def play(self, id: int) -> None:
        """Make a move of the actor, or hold it back while others decide at the same time."""
        if not self.setting.game.simultaneous or self.actor == CHANCE:
            self._push(self.actor, id)
        elif id not in self.moves(self.actor)[0]:
            raise core.IllegalMove("error.illegal_action", action=id, seat=self.actor)
        else:
            self.held[self.actor] = id
            if len(self.held) == len(self.pending()):
                self.commit()
        self.actor = self._asked()

    def commit(self) -> None:
        """Make the decisions that were held back."""
        for seat, id in self.held.items():
            self._push(seat, id)
        self.held = {}

    def _push(self, seat: int, id: int) -> None:
        game = self.setting.game
        ids, weights = np.empty(game.most + 1, dtype=np.int32), np.empty(game.most + 1, dtype=np.int32)
        if compiled_calls.push_at(self.boxes, self.states, 0, seat, id, ids, weights, _no_log()) < 0:
            key = "error.illegal_outcome" if seat == CHANCE else "error.illegal_action"
            raise core.IllegalMove(key, action=id, seat=seat)
        self.states[0] = self.states[1]

    def information_state(self, seat: int) -> str:
        """Return the view of a seat as JSON, and its decision if that is held back.

        The view is taken from a concealed copy: positions that look the same to the seat are equal once concealed with
        the same draws. Views are cached, since a search asks for the same ones often and they are slow to build.
        """
        alike = self.states[:1].copy()
        compiled_calls.conceal_at(self.boxes, alike, 0, seat, new_rng())
        key = (self.setting.edition.hash, seat, alike.tobytes())
        if key not in _view_cache:
            if len(_view_cache) >= MOST_CACHED_VIEWS:
                _view_cache.clear()
            view = self.setting.game.view.view(self.boxes[0], alike[0], seat)
            _view_cache[key] = f"{seat} {msgspec.json.encode(view).decode()}"
        return f"{_view_cache[key]} {self.held[seat]}" if seat in self.held else _view_cache[key]

    def shares(self) -> list[float]:
        """Return every seat's share of the victory as it stands."""
        players = self.setting.players
        tallies = np.zeros((players, len(self.setting.game.categories)), dtype=np.int64)
        keys = np.zeros((players, MOST_KEYS), dtype=np.int64)
        ranks, shares = np.zeros(players, dtype=np.int64), np.zeros(players, dtype=np.float64)
        compiled_calls.count_at(self.boxes, self.states, 0, players, tallies, keys, ranks, shares)
        return [float(share) for share in shares]


def _no_log() -> np.ndarray[Any, np.dtype[np.int32]]:
    return np.zeros((0, core.ROW), dtype=np.int32)


class LampionState(pyspiel.State):
    """A position with the interface of OpenSpiel.

    Decisions of a simultaneous step are taken one seat at a time, and made when all are taken.
    """

    def __init__(self, game: LampionGame, world: World | None = None) -> None:
        super().__init__(game)
        self.world = World(game.setting) if world is None else world
        self.seen: dict[int, str] = {}
        """Information states asked for since the last move."""

    def current_player(self) -> int:
        """Return the actor: a seat, chance, or the mark of a finished game."""
        actor = self.world.actor
        if actor >= 0:
            return actor
        return int(pyspiel.PlayerId.CHANCE if actor == CHANCE else pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.world.actor == OVER

    def is_chance_node(self) -> bool:
        """Return whether chance moves next."""
        return self.world.actor == CHANCE

    def _legal_actions(self, player: int) -> list[int]:
        listed: list[int] = self.world.moves(player)[0].tolist()
        return listed

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the moves of chance with their probabilities."""
        ids, weights = self.world.moves(CHANCE)
        return list(zip(ids.tolist(), (weights / weights.sum()).tolist(), strict=True))

    def _apply_action(self, action: int) -> None:
        self.world.play(action)
        self.seen = {}

    def _action_to_string(self, player: int, action: int) -> str:
        moves, world = self.world.setting.game.notation, self.world
        return str(notation(moves.move(world.boxes[0], world.states[0], action)))

    def returns(self) -> list[float]:
        """Return every seat's share of the victory; zeros until the game is over."""
        return self.world.shares() if self.is_terminal() else [0.0] * self.world.setting.players

    def information_state_string(self, player: int | None = None) -> str:
        """Return all that a seat knows as JSON; positions that look the same to the seat have the same text."""
        seat = self._seat(self.current_player() if player is None else player)
        if seat not in self.seen:
            self.seen[seat] = self.world.information_state(seat)
        return self.seen[seat]

    def observation_string(self, player: int | None = None) -> str:
        """Return the information state: a seat knows nothing beyond what it sees."""
        return self.information_state_string(player)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> LampionState:
        """Return a random position that looks the same to the seat, without history, which would reveal more."""
        seat, world = self._seat(player), self.world.copy()
        rng = new_rng(int(sampler() * 2**RNG_BITS))
        compiled_calls.conceal_at(world.boxes, world.states, 0, seat, rng)
        for other in [other for other in world.held if other != seat]:
            del world.held[other]
            ids = world.moves(other)[0]
            world.held[other] = int(ids[below(rng, len(ids))])
        return LampionState(self.get_game(), world)

    def _seat(self, player: int) -> int:
        """Return the number of a seat; raise ValueError where there is no such seat."""
        last = self.world.setting.players - 1
        if not 0 <= int(player) <= last:
            raise ValueError(say("stdio.seat", seat=int(player), last=last))
        return int(player)

    def __str__(self) -> str:
        """Return the position with nothing hidden, and decisions held back, for debugging."""
        world = self.world
        text = msgspec.json.encode(world.setting.game.view.view(world.boxes[0], world.states[0], EVERYTHING)).decode()
        return f"{text} {world.held}" if world.held else text


class Observer:
    """OpenSpiel's observer: numbers of what a seat sees as the tensor, its view as the text."""

    def __init__(self, game: LampionGame, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"no parameters: {params}")
        if kind is not None and kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError("a seat's own view is the only one: private_info must be SINGLE_PLAYER")
        self.setting = game.setting
        self.tensor = np.zeros(self.setting.observation_size, dtype=np.float32)
        self.dict = {self.setting.observation: self.tensor}
        self.notes = np.zeros(NOTES, dtype=np.int64)

    def set_from(self, state: LampionState, player: int) -> None:
        """Write the numbers of a seat into the tensor."""
        world = state.world
        if world.setting.game.name != self.setting.game.name:
            raise ValueError(f"a state of {world.setting.game.name}, not of {self.setting.game.name}")
        if self.setting.observation == FEATURES:
            compiled_calls.features_at(world.boxes, world.states, 0, player, self.tensor)
        else:
            compiled_calls.net_inputs_at(world.boxes, world.states, 0, player, self.notes, self.tensor)

    def string_from(self, state: LampionState, player: int) -> str:
        """Return the information state of a seat."""
        return state.information_state_string(player)


def written(value: Any) -> str:
    """Return an option's value as text for OpenSpiel, which would not read a number back as text."""
    return "+".join(value) if isinstance(value, list) else f"seat{value}" if isinstance(value, int) else str(value)


def read_option(option: Option, players: int, text: str) -> Any:
    """Return the value that `written` made a text of; other texts unchanged, to be refused with a reason later."""
    return next((value for value in option.choices(players) if text in (written(value), str(value))), text)


def readable_path(text: str) -> str:
    """Return a path as absolute text that OpenSpiel can hold; raise BadEnvironment where it cannot."""
    path = os.path.abspath(text)
    if found := next((sign for sign in path if sign in UNREADABLE), None):
        raise BadEnvironment("error.path_sign", file=path, sign=found)
    return path


def game_type(game: Game) -> Any:
    """Return what OpenSpiel knows of a game before it is loaded.

    All are registered with imperfect information, also Dice, where nothing is hidden: search over information sets
    requires it.
    """
    return pyspiel.GameType(
        short_name=PREFIX + game.name,
        long_name=say(f"{game.name}.name"),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.CONSTANT_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.players[-1],
        min_num_players=game.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            "players": game.players[0],
            "components": "",
            "observation": FEATURES,
            **{option.name: "" for option in game.options},
        },
    )


class LampionGame(pyspiel.Game):
    """A game with its number of players, options and edition; an option left empty has its usual value."""

    def __init__(self, game: Game, params: Mapping[str, Any] | None = None) -> None:
        chosen = dict(params or {})
        players = int(chosen.get("players", game.players[0]))
        options = {
            option.name: read_option(option, players, str(chosen[option.name]))
            for option in game.options
            if chosen.get(option.name)
        }
        if chosen.get("components"):
            chosen["components"] = readable_path(chosen["components"])
        components, observation = chosen.get("components") or None, chosen.get("observation") or FEATURES
        self.setting = Setting.read(game, players, options, components, RETURNS, observation)
        chosen |= {name: written(self.setting.options[name]) for name in options}
        info = pyspiel.GameInfo(
            num_distinct_actions=game.ids,
            max_chance_outcomes=game.ids,
            num_players=players,
            min_utility=0.0,
            max_utility=1.0,
            utility_sum=1.0,
            max_game_length=game.longest,
        )
        super().__init__(game_type(game), info, chosen)

    def new_initial_state(self, text: str | None = None) -> LampionState:
        """Return the state after the set-up, before chance moves."""
        return LampionState(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> Observer:
        """Return an observer of what a seat sees."""
        return Observer(self, kind, params)

    def state_of(self, position: Position) -> LampionState:
        """Return the state of a `Position`, without its history; raise BadPosition where it is of another game."""
        setting = self.setting
        ours, theirs = ((one.game.name, one.players, one.edition.hash) for one in (setting, position))
        if ours != theirs:
            raise BadPosition("error.other_position", game=position.game.name, players=position.players)
        states = self.setting.game.new_states(2)
        states[0] = position.state
        return LampionState(self, World(self.setting, states))


class RandomRollouts:
    """Evaluates states by random games, as OpenSpiel's `RandomRolloutEvaluator` does, in compiled code."""

    def __init__(self, rollouts: int = 1, seed: int | None = None) -> None:
        self.rollouts = rollouts
        self.rng = new_rng(random.getrandbits(64) if seed is None else seed)

    def evaluate(self, state: LampionState) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return every seat's mean share of the victory."""
        game = state.world.setting.game
        ids, weights = np.zeros(game.most + 1, dtype=np.int32), np.zeros(game.most + 1, dtype=np.int32)
        total = np.zeros(state.world.setting.players)
        for _ in range(self.rollouts):
            world = state.world.copy()
            world.commit()
            compiled_calls.play_out_at(world.boxes, world.states, 0, self.rng, ids, weights, _no_log())
            total += world.shares()
        return total / self.rollouts

    def prior(self, state: LampionState) -> list[tuple[int, float]]:
        """Return all moves with equal probabilities; of chance, their real ones."""
        if state.is_chance_node():
            return state.chance_outcomes()
        ids = state.legal_actions()
        return [(id, 1.0 / len(ids)) for id in ids]


def class_of(game: Game) -> type[LampionGame]:
    """Return a class that loads a game; a class, since OpenSpiel releases it after Python has shut down."""

    class Loaded(LampionGame):
        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            super().__init__(game, params)

    # Its own name here, by which pickle finds it.
    Loaded.__name__ = Loaded.__qualname__ = f"{game.name.capitalize()}Game"
    globals()[Loaded.__name__] = Loaded
    return Loaded


def register() -> None:
    """Register a name such as `lampion_lumens` with OpenSpiel for every installed game."""
    known = set(pyspiel.registered_names())
    for each in entry_points(group="lampion.games"):
        if PREFIX + each.name not in known:
            game = registry.game(each.name)
            pyspiel.register_game(game_type(game), class_of(game))


register()
