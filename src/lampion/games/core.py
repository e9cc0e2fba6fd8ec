"""The contract of a game: everything the rest of the house knows about one.

A position is one NumPy record, `state`; what is in the box is another, `box`, read-only and never a global. A game
gives the functions below as plain Python that Numba compiles; they run interpreted, on a core, on all cores and on a
graphics card from one source. Algorithms that serve every game (playing at random, search, simulation) call the
functions of this module, which find the game by the type of the record, at compile time or, interpreted, by its dtype.

Seats are 0, 1, 2, ...; CHANCE moves the dice and the piles; OVER acts when the game has ended; a viewer is a seat or
SPECTATOR. A move is a number, its id, valid where `legal` or `chances` lists it.

    setup(box, state, players, options, log) -> rows  fill a zeroed state; what is random is left to chance
    pending(box, state) -> bits                the seats that owe a decision now; 0 at chance and at the end
    actor(box, state) -> seat                  the lowest pending seat, CHANCE or OVER
    legal(box, state, seat, ids) -> n          the moves of a pending seat, ascending and distinct; 0 for any other
    chances(box, state, ids, weights) -> n     what chance may do now, ascending, with whole weights
    source(box, state) -> number               which pile, bag or die chance draws from now, below Game.sources
    apply(box, state, seat, id, log) -> rows   make a legal move and write what happened, one row an event
    seen(box, state, mover, id, viewer) -> code  asked before apply: equal codes, and the viewer cannot tell them apart
    conceal(box, state, viewer, rng)           draw anew all that the viewer cannot see
    tally(box, state, seat, out)               points by category, as the rulebook counts them
    key(box, state, seat, out)                 what orders the places, weightiest first, more is better; first the score
    features(box, state, seat, out)            float32 numbers for learning, from what the seat sees
    holds(box, state) -> fact                  0, or the number (from 1) of the fact in Game.facts that is broken

A game may also give, for speed and for good play:

    pick(box, state, seat, rng, ids, weights) -> id   one move at random, as listing would return for the same rng
    guide(box, state, seat, rng, ids, weights) -> id  a sensible move at random, fast: how playouts of a search go on
    worth(box, state, seat, keys) -> points           the score that a seat may hope for at the end, in this world
    worths(box, state, players, keys, out)            the same for every seat at once; `keys` has a row a seat

A row of the log is (kind, seat, thing, number, why, viewers): the event's kind, whom it concerns, a thing (-1: none),
how many, the reason, and the bits of the seats that may know the thing (EVERYONE: spectators too). An empty log costs
nothing: write rows through `note`.

Laws, all tested by `lampion.testing`: equal positions have equal bytes (no insertion order, no scratch, no padding);
all that a seat knows is in the state, no history is needed; `conceal` depends only on what the viewer sees and on the
rng; views, lists, features and filtered rows do not change when only hidden things change; moves of different pending
seats commute; an id means the same move in every world its mover thinks possible.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
from numba.core import cgutils, types
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import lower_builtin, type_callable

from lampion.games.compiled import compiled, inlined
from lampion.games.rng import below
from lampion.locale import Problem, add_words, short, written

CHANCE = -1
OVER = -2
SPECTATOR = -1
EVERYTHING = -2
"""The viewer from whom nothing is hidden: records, replays after the end, tests. Never a seat's."""
EVERYONE = -1
"""Viewers of a row that hides nothing: all bits."""

ROW = 6
MOST_KEYS = 8
MOST_SEATS = 8


@dataclass(frozen=True)
class Option:
    """A choice made before the game: its values by number of players, and the number the rules read."""

    name: str
    default: Any
    """The value, or a function of the number of players."""
    choices: Callable[[int], Sequence[Any]]
    code: Callable[[Any], int]
    normal: Callable[[Any], Any] = lambda value: value

    def default_for(self, players: int) -> Any:
        """The value where nothing is chosen."""
        return self.default(players) if callable(self.default) else self.default


def first_player(default: Any = "drawn") -> Option:
    """The option of the games whose first player is drawn by chance or chosen; the rules read -1 or the seat."""
    return Option(
        "first",
        default,
        choices=lambda players: ["drawn", *range(players)],
        code=lambda value: CHANCE if value == "drawn" else int(value),
    )


@dataclass(frozen=True, eq=False)
class Game:
    """The traits of a game: what may be known without playing it."""

    name: str
    version: int
    """Of the rules; raised by a change that would alter old records."""
    players: range
    options: tuple[Option, ...]
    box: np.dtype[Any]
    state: np.dtype[Any]
    rules: tuple[ModuleType, ...]
    """The modules that hold the compiled functions."""
    words: ModuleType
    components: ModuleType
    ids: int
    most: int
    """Most moves or outcomes to choose from at once."""
    rows: int
    """Most rows one move writes."""
    sources: int
    longest: int
    """Most moves of one game, chance included."""
    features: int
    categories: tuple[str, ...]
    keys: tuple[str, ...]
    facts: tuple[str, ...]
    """What must hold at every move; `holds` numbers them from 1."""
    hidden: bool
    simultaneous: bool
    revealing: frozenset[str] = field(default_factory=frozenset)
    """Kinds of events that show somebody what was hidden: no undo goes back over them."""
    open_score: bool = False
    """Whether the score as it stands follows from what everybody sees: it may be shown while the game goes on."""
    search: Mapping[str, float] = field(default_factory=dict)
    """How a search is best set for this game, where that differs from what suits most (`bots.search.SETTINGS`)."""
    levels: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """By level what differs in this game (`bots.levels.LEVELS`)."""
    levels_of_many: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """By level what differs once more with more than two players."""

    def __reduce__(self) -> Any:
        """How it travels to another process: by its name."""
        return game, (self.name,)

    def __deepcopy__(self, memo: Any) -> Game:
        """Itself: nothing in it changes."""
        return self

    def read_options(self, players: int, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """All options with their defaults filled in; a refusal names the option and its values."""
        if not isinstance(players, (int, np.integer)) or players not in self.players:
            least, most = self.players[0], self.players[-1]
            raise BadSetup("error.players", game=self.name, players=written(players), least=least, most=most)
        given = dict(given or {})
        options: dict[str, Any] = {}
        for option in self.options:
            value = option.normal(given.pop(option.name, option.default_for(players)))
            choices = option.choices(players)
            if not any(value == choice and type(value) is type(choice) for choice in choices):
                shown = ", ".join(map(written, choices[:12])) + (", …" if len(choices) > 12 else "")
                raise BadSetup("error.option_value", option=option.name, value=written(value), choices=shown)
            options[option.name] = value
        if given:
            known = ", ".join(option.name for option in self.options) or "-"
            raise BadSetup("error.option_name", option=short(str(next(iter(given)))), game=self.name, known=known)
        return options

    def code_options(self, options: Mapping[str, Any]) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The options as the rules read them."""
        return np.array([option.code(options[option.name]) for option in self.options] or [0], dtype=np.int64)

    def new_states(self, count: int) -> np.ndarray[Any, Any]:
        """That many zeroed positions."""
        return np.zeros(count, dtype=self.state)


class BadSetup(Problem):
    """A game that cannot be set up like this."""


class BadMove(Problem):
    """A move that cannot be made; the position is as it was."""


class UnreadableMove(BadMove):
    """Not a move of this game in any position."""


class IllegalMove(BadMove):
    """A move of this game, but not here and now."""


class OutOfTurn(BadMove):
    """A move of a seat that owes no decision."""


class BadPosition(Problem):
    """A position that no game can be in."""


class BadComponents(Problem):
    """A components file that is not a complete box of its game."""


@cache
def installed() -> dict[str, EntryPoint]:
    """Where the games are, by name: ours and other packages'. To look for them takes a while."""
    return {entry.name: entry for entry in sorted(entry_points(group="lampion.games"))}


@cache
def games() -> dict[str, Game]:
    """All games that are installed, by name."""
    return {name: game(name) for name in installed()}


@cache
def game(name: str) -> Game:
    """The game of that name."""
    if name not in installed():
        raise BadSetup("error.game", game=short(name), known=", ".join(installed()))
    loaded: Game = installed()[name].load()
    register(loaded)
    return loaded


_by_type: dict[Any, Game] = {}


def register(game: Game) -> None:
    """Make the functions of this module know the game by its record type."""
    if sum(game.state[name].itemsize for name in game.state.names or ()) != game.state.itemsize:
        raise TypeError(f"{game.name}: the state has padding, which NumPy does not copy: equal positions would differ")
    kind = numba.from_dtype(game.state)
    if _by_type.setdefault(kind, game) is not game:
        raise TypeError(f"{game.name}: another game has a state of exactly these fields")
    add_words(Path(str(game.words.__file__)).parent)


def rule(kind: Any, name: str, default: Any = None) -> Any:
    """The function of that name in the rules of the game with this record type."""
    for module in _by_type[kind].rules:
        if hasattr(module, name):
            return getattr(module, name)
    return default


_types: dict[int, tuple[Any, Any]] = {}


def _type_of(dtype: Any) -> Any:
    """Numba's name of a dtype, which is slow to make and, for interpreted runs, asked at every call."""
    known = _types.get(id(dtype))
    if known is None:
        known = _types[id(dtype)] = (dtype, numba.from_dtype(dtype))
    return known[1]


def _generic(name: str, default: Any = None) -> Any:
    """A function that calls the one of that name in the rules of the game whose state it is given, or the default."""

    def by_dtype(*args: Any) -> Any:
        return rule(_type_of(args[1].dtype), name, default)(*args)

    by_dtype.__name__ = name

    class ByType(AbstractTemplate):
        key = by_dtype

        def generic(self, args: Any, kws: Any) -> Any:
            return self.context.resolve_value_type(rule(args[1], name, default)).get_call_type(self.context, args, kws)

    infer_global(by_dtype, types.Function(ByType))

    @lower_builtin(by_dtype, types.VarArg(types.Any))
    def call(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        found = context.typing_context.resolve_value_type(rule(signature.args[1], name, default))
        return context.get_function(found, signature)(builder, args)

    return by_dtype


setup = _generic("setup")
pending = _generic("pending")
actor = _generic("actor")
legal = _generic("legal")
chances = _generic("chances")
source = _generic("source")
apply = _generic("apply")
seen = _generic("seen")
conceal = _generic("conceal")
tally = _generic("tally")
key = _generic("key")
features = _generic("features")
holds = _generic("holds")


def copy(target: Any, state: Any) -> None:
    """Make one position equal to another of the same game, in one memory copy."""
    for name in state.dtype.names:
        target[name] = state[name]


@type_callable(copy)
def _copies(context: Any) -> Any:
    def result(target: Any, state: Any) -> Any:
        return types.none if isinstance(target, types.Record) and target == state else None

    return result


@lower_builtin(copy, types.Record, types.Record)
def _copy_bytes(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    size = context.get_constant(types.intp, signature.args[0].size)
    cgutils.raw_memcpy(builder, args[0], args[1], size, 1)
    return context.get_dummy_value()


@inlined
def note(log: Any, row: int, kind: int, seat: int, thing: int, number: int, why: int, viewers: int) -> int:
    """Write one event into `log` if there is room; the number of rows from now on."""
    if row < len(log):
        log[row, 0] = kind
        log[row, 1] = seat
        log[row, 2] = thing
        log[row, 3] = number
        log[row, 4] = why
        log[row, 5] = viewers
    return row + 1


@compiled
def lowest_seat(bits: int) -> int:
    """The lowest seat in `bits`, which is not 0."""
    seat = 0
    while not (bits >> seat) & 1:
        seat += 1
    return seat


@inlined
def is_listed(ids: Any, n: int, move: int) -> bool:
    """Whether a move stands in an ascending list."""
    low, high = 0, n
    while low < high:
        middle = (low + high) >> 1
        if ids[middle] < move:
            low = middle + 1
        else:
            high = middle
    return low < n and int(ids[low]) == move


@inlined
def pick_listed(box: Any, state: Any, seat: int, rng: Any, ids: Any, weights: Any) -> int:
    """One move at random: of chance by its weights, of a seat with equal odds."""
    if seat != CHANCE:
        return int(ids[below(rng, legal(box, state, seat, ids))])
    n = chances(box, state, ids, weights)
    total = 0
    for i in range(n):
        total += int(weights[i])
    left = below(rng, total)
    for i in range(n):
        left -= int(weights[i])
        if left < 0:
            return int(ids[i])
    return -1


@compiled
def score(box: Any, state: Any, seat: int, keys: Any) -> float:
    """The points of a seat as they stand; `keys` is a row to write a key into."""
    key(box, state, seat, keys)
    return float(keys[0])


pick = _generic("pick", pick_listed)
guide = _generic("guide", pick)
worth = _generic("worth", score)


@inlined
def worth_of_each(box: Any, state: Any, players: int, keys: Any, out: Any) -> None:
    """What a position is worth to every seat, one after another."""
    for seat in range(players):
        out[seat] = worth(box, state, seat, keys[seat])


worths = _generic("worths", worth_of_each)


@compiled
def standing(box: Any, state: Any, players: int, keys: Any) -> None:
    """The key of every seat, a row each; `keys` was all zeros or holds those of another position of the game."""
    for seat in range(players):
        key(box, state, seat, keys[seat])


@compiled
def is_before(keys: Any, a: int, b: int) -> int:
    """1 where seat a stands before seat b."""
    for i in range(keys.shape[1]):
        if keys[a, i] != keys[b, i]:
            return 1 if keys[a, i] > keys[b, i] else 0
    return 0


@compiled
def place_of(keys: Any, players: int, seat: int) -> int:
    """A seat's place from 1; level seats share it and the next place stays empty (1, 1, 3)."""
    place = 1
    for other in range(players):
        place += is_before(keys, other, seat)
    return place


@compiled
def winners(keys: Any, players: int) -> int:
    """How many seats share the victory."""
    n = 0
    for seat in range(players):
        n += place_of(keys, players, seat) == 1
    return n
