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

import random
from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from typing import Any

import msgspec
import numpy as np
import pyspiel

from lampion.adapters import batch
from lampion.adapters.episode import Setting
from lampion.games import core
from lampion.games.core import CHANCE, EVERYTHING, MOST_KEYS, OVER, Game, Option
from lampion.games.rng import new_rng
from lampion.locale import say
from lampion.play import entry
from lampion.play.position import Position

PREFIX = "lampion_"
RNG_BITS = 53
"""Random bits in a float below 1."""


MOST_TOLD = 20_000
_told: dict[tuple[str, int, bytes], str] = {}


class World:
    """A position without its history: two records, of which the first is the position."""

    def __init__(self, setting: Setting, states: np.ndarray[Any, Any] | None = None) -> None:
        self.setting = setting
        game, self.boxes = setting.game, setting.edition.boxes
        if states is None:
            states = game.new_states(2)
            entry.set_up(self.boxes, states, setting.players, game.code_options(setting.options), _no_log())
        self.states = states
        self.actor = int(entry.actor_at(self.boxes, states, 0))

    def __deepcopy__(self, memo: Any) -> World:
        """A copy of its own; OpenSpiel clones the states of Python games through this."""
        return World(self.setting, self.states.copy())

    def __reduce__(self) -> Any:
        """How OpenSpiel writes the states of Python games down."""
        return World, (self.setting, self.states)

    def moves(self, seat: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """What a seat or chance may do, and the weights of chance."""
        ids = np.empty(self.setting.game.most + 1, dtype=np.int32)
        weights = np.empty(self.setting.game.most + 1, dtype=np.int32)
        n = entry.moves_at(self.boxes, self.states, 0, seat, ids, weights)
        return ids[:n], weights[:n]

    def play(self, id: int) -> None:
        """Make a move of whoever acts."""
        game = self.setting.game
        ids, weights = np.empty(game.most + 1, dtype=np.int32), np.empty(game.most + 1, dtype=np.int32)
        done = entry.push_at(self.boxes, self.states, 0, self.actor, id, ids, weights, _no_log())
        if done < 0:
            raise core.IllegalMove("error.illegal_action", action=id, seat=self.actor)
        self.states[0] = self.states[1]
        self.actor = done // entry.ACTOR % (entry.MOVE // entry.ACTOR) - 2

    def told(self, seat: int) -> str:
        """The view of a seat as JSON, taken from a world that the seat thinks possible, not from the truth.

        Worlds alike for the seat are equal once concealed by the same draws. A search asks for the same information
        states again and again, and a view is slow to build: it is kept.
        """
        alike = self.states[:1].copy()
        entry.conceal_at(self.boxes, alike, 0, seat, new_rng())
        key = (self.setting.edition.hash, seat, alike.tobytes())
        if key not in _told:
            if len(_told) >= MOST_TOLD:
                _told.clear()
            view = self.setting.game.words.view(self.boxes[0], alike[0], seat)
            _told[key] = f"{seat} {msgspec.json.encode(view).decode()}"
        return _told[key]

    def shares(self) -> list[float]:
        """Everybody's share of the victory as it stands."""
        players = self.setting.players
        tallies = np.zeros((players, len(self.setting.game.categories)), dtype=np.int64)
        keys = np.zeros((players, MOST_KEYS), dtype=np.int64)
        ranks, shares = np.zeros(players, dtype=np.int64), np.zeros(players, dtype=np.float64)
        entry.count_at(self.boxes, self.states, 0, players, tallies, keys, ranks, shares)
        return [float(share) for share in shares]


def _no_log() -> np.ndarray[Any, np.dtype[np.int32]]:
    return np.zeros((0, core.ROW), dtype=np.int32)


class LampionState(pyspiel.State):
    """A position as OpenSpiel knows one. Decisions of a simultaneous step are taken one seat at a time."""

    def __init__(self, game: LampionGame, world: World | None = None) -> None:
        super().__init__(game)
        self.world = World(game.setting) if world is None else world
        self.seen: dict[int, str] = {}
        """Information states asked for since the last move."""

    def current_player(self) -> int:
        """Who acts: a seat, chance, or nobody any more."""
        actor = self.world.actor
        if actor >= 0:
            return actor
        return int(pyspiel.PlayerId.CHANCE if actor == CHANCE else pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.world.actor == OVER

    def is_chance_node(self) -> bool:
        """Whether chance moves next."""
        return self.world.actor == CHANCE

    def _legal_actions(self, player: int) -> list[int]:
        listed: list[int] = self.world.moves(player)[0].tolist()
        return listed

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may do, and how likely."""
        ids, weights = self.world.moves(CHANCE)
        return list(zip(ids.tolist(), (weights / weights.sum()).tolist(), strict=True))

    def _apply_action(self, action: int) -> None:
        self.world.play(action)
        self.seen = {}

    def _action_to_string(self, player: int, action: int) -> str:
        words, world = self.world.setting.game.words, self.world
        return str(words.notation(words.move(world.boxes[0], world.states[0], action)))

    def returns(self) -> list[float]:
        """Everybody's share of the victory; zeros until the game is over."""
        return self.world.shares() if self.is_terminal() else [0.0] * self.world.setting.players

    def information_state_string(self, player: int | None = None) -> str:
        """All that a seat knows: its view as JSON. Positions alike for the seat have the same."""
        seat = self.current_player() if player is None else int(player)
        if not 0 <= seat < self.world.setting.players:
            raise ValueError(say("stdio.seat", seat=seat, last=self.world.setting.players - 1))
        if seat not in self.seen:
            self.seen[seat] = self.world.told(seat)
        return self.seen[seat]

    def observation_string(self, player: int | None = None) -> str:
        """The same: what a seat sees now is all that it knows."""
        return self.information_state_string(player)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> LampionState:
        """One of the positions that the seat thinks possible. It has no history, which would tell more."""
        world = World(self.world.setting, self.world.states.copy())
        entry.conceal_at(world.boxes, world.states, 0, int(player), new_rng(int(sampler() * 2**RNG_BITS)))
        return LampionState(self.get_game(), world)

    def __str__(self) -> str:
        """The position with nothing hidden, for debugging."""
        world = self.world
        return msgspec.json.encode(world.setting.game.words.view(world.boxes[0], world.states[0], EVERYTHING)).decode()


class Observer:
    """What OpenSpiel asks for what a seat sees: its features as the tensor, its view as the text."""

    def __init__(self, game: LampionGame, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"no parameters: {params}")
        if kind is not None and kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError("a seat's own view is the only one: private_info must be SINGLE_PLAYER")
        self.tensor = np.zeros(game.setting.game.features, dtype=np.float32)
        self.dict = {"features": self.tensor}

    def set_from(self, state: LampionState, player: int) -> None:
        """Write the features of a seat into the tensor."""
        entry.features_at(state.world.boxes, state.world.states, 0, player, self.tensor)

    def string_from(self, state: LampionState, player: int) -> str:
        """The view of a seat."""
        return state.information_state_string(player)


def written(value: Any) -> str:
    """The value of an option as OpenSpiel's texts can hold it."""
    return "+".join(value) if isinstance(value, list) else str(value)


def read_option(option: Option, players: int, text: str) -> Any:
    """Its inverse; what is no value of the option is left as it is, to be refused with its reason."""
    return next((value for value in option.choices(players) if written(value) == text), text)


def game_type(game: Game) -> Any:
    """What OpenSpiel knows of a game before it is loaded.

    All are of imperfect information, Dice too, where nothing is hidden: searches over information sets ask for it.
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
        self.setting = Setting.read(game, players, options, chosen.get("components") or None)
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
        """A game set up; what is random is left to chance."""
        return LampionState(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> Observer:
        """What a seat sees."""
        return Observer(self, kind, params)

    def state_of(self, position: Position) -> LampionState:
        """The state of a position that is played elsewhere, without its history."""
        states = self.setting.game.new_states(2)
        states[0] = position.state
        return LampionState(self, World(self.setting, states))


class RandomRollouts:
    """Evaluates states by random games, as OpenSpiel's `RandomRolloutEvaluator` does, in compiled code."""

    def __init__(self, rollouts: int = 1, seed: int | None = None) -> None:
        self.rollouts = rollouts
        self.rng = new_rng(random.getrandbits(64) if seed is None else seed)

    def evaluate(self, state: LampionState) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Everybody's mean share of the victory."""
        game = state.world.setting.game
        ids, weights = np.zeros(game.most + 1, dtype=np.int32), np.zeros(game.most + 1, dtype=np.int32)
        total = np.zeros(state.world.setting.players)
        for _ in range(self.rollouts):
            world = World(state.world.setting, state.world.states.copy())
            batch.play_out(world.boxes, world.states, self.rng, ids, weights, _no_log())
            total += world.shares()
        return total / self.rollouts

    def prior(self, state: LampionState) -> list[tuple[int, float]]:
        """All moves alike."""
        if state.is_chance_node():
            return state.chance_outcomes()
        ids = state.legal_actions()
        return [(id, 1.0 / len(ids)) for id in ids]


def class_of(game: Game) -> type[LampionGame]:
    """The class that loads a game. OpenSpiel lets go of it after Python's end, which only a class outlives."""

    class Loaded(LampionGame):
        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            super().__init__(game, params)

    return Loaded


def register() -> None:
    """Make `lampion_lumens` and its like known to OpenSpiel."""
    known = set(pyspiel.registered_names())
    for each in entry_points(group="lampion.games"):
        if PREFIX + each.name not in known:
            game = core.game(each.name)
            pyspiel.register_game(game_type(game), class_of(game))


register()
