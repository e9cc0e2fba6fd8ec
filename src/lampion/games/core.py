"""The contract of a game: everything that other modules know about one.

A position is one NumPy record, `state`; what is in the box is another, `box`, read-only and never a global. A game
gives the functions below as plain Python that Numba compiles; they run interpreted, on a core, on all cores and on a
graphics card from one source. Algorithms that serve every game (playing at random, search, simulation) call them
through `lampion.engine.rules`, which finds the game by the type of the record.

Seats are 0, 1, 2, ...; CHANCE moves the dice and the piles; OVER acts when the game has ended; a viewer is a seat or
SPECTATOR. A move is a number, its id, valid where `legal` or `chances` lists it.

    setup(box, state, players, options, log) -> rows  fill a zeroed state; `options` is a record with a field, the
                                               coded value, for each option; what is random is left to chance
    pending(box, state) -> bits                the seats that owe a decision now; 0 at chance and at the end
    actor(box, state) -> seat                  the lowest pending seat, CHANCE or OVER
    legal(box, state, seat, ids) -> n          the moves of a pending seat, ascending and distinct; 0 for any other
    chances(box, state, ids, weights) -> n     what chance may do now, ascending, with whole weights
    source(box, state) -> number               which pile, bag or die chance draws from now, below Game.sources
    apply(box, state, seat, id, log) -> rows   make a legal move and write what happened, one row an event
    seen(box, state, mover, id, viewer) -> code  asked before apply: equal codes, and the viewer cannot tell them apart
    conceal(box, state, viewer, rng)           draw anew all that the viewer cannot see
    tally(box, state, seat, out)               points by category, as the rulebook counts them
    key(box, state, seat, out)                 what ranks the seats: the score, then tie-breaks; higher is better
    features(box, state, seat, out)            float32 numbers for learning, from what the seat sees
    broken_invariant(box, state) -> number     0, or the number (from 1) in Game.invariants of the first that is broken

A game may also give, for speed and for good play:

    pick(box, state, seat, rng, ids, weights) -> id   one move at random, as listing would return for the same rng
    playout_move(box, state, seat, rng, ids, weights) -> id  a sensible move at random, fast, for playouts of a search
    estimate(box, state, seat, keys) -> points        the score to expect for a seat at the end, in this world
    estimates(box, state, players, keys, out)         the same for every seat at once; `keys` has a row a seat
    net_inputs(box, state, seat, notes, out)          float32 numbers for the game's own nets, from what the seat sees:
                                               first Game.items, then the rest; `notes` is room for NOTES numbers

A row of the log is (kind, seat, thing, number, why, viewers): the event's kind, whom it concerns, a thing (-1: none),
how many, the reason, and the bits of the seats that may know the thing (EVERYONE: spectators too). An empty log costs
nothing: write rows through `engine.event_log.note`.

Laws, all tested by `lampion.testing`: equal positions have equal bytes (no insertion order, no scratch, no padding);
all that a seat knows is in the state, no history is needed; `conceal` depends only on what the viewer sees and on the
rng; views, lists, features and filtered rows do not change when only hidden things change; moves of different pending
seats commute; an id means the same move in every world its mover thinks possible.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from lampion.engine.arrays import np, record_type
from lampion.engine.constants import CHANCE, EVERYONE, EVERYTHING, MOST_KEYS, MOST_SEATS, NOTES, OVER, ROW, SPECTATOR
from lampion.locale import Problem, short, written

__all__ = [
    "CHANCE", "EVERYONE", "EVERYTHING", "MOST_KEYS", "MOST_SEATS", "NOTES", "OVER", "ROW", "SPECTATOR",
    "BadComponents", "BadMove", "BadPosition", "BadSetup", "Game", "IllegalMove", "Option", "OutOfTurn",
    "UnreadableMove", "first_player",
]  # fmt: skip


@dataclass(frozen=True)
class Option:
    """A choice made before the game: its values by number of players, and the number under which the rules read it."""

    name: str
    default: Any
    """The value, or a function of the number of players."""
    choices: Callable[[int], Sequence[Any]]
    code: Callable[[Any], int]
    normal: Callable[[Any], Any] = lambda value: value

    def default_for(self, players: int) -> Any:
        """Return the value where nothing is chosen."""
        return self.default(players) if callable(self.default) else self.default


FIRST_PLAYER = "first"
"""The name of the option for who begins."""


def first_player(default: Any = "drawn") -> Option:
    """Return the option of games whose first player is drawn by chance or chosen; the rules read -1 or the seat."""
    return Option(
        FIRST_PLAYER,
        default,
        choices=lambda players: ["drawn", *range(players)],
        code=lambda value: CHANCE if value == "drawn" else int(value),
    )


@dataclass(frozen=True, eq=False)
class Game:
    """The traits of a game: what is known about it without playing."""

    name: str
    version: int
    """Of the rules; raised by a change that would alter old records."""
    players: range
    options: tuple[Option, ...]
    box: np.dtype[Any]
    state: np.dtype[Any]
    rules: tuple[ModuleType, ...]
    """The modules that hold the compiled functions."""
    notation: ModuleType
    view: ModuleType
    events: ModuleType
    text: ModuleType
    svg: ModuleType
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
    invariants: tuple[str, ...]
    """The names of what must be true after every move; `broken_invariant` numbers them from 1."""
    hidden: bool
    simultaneous: bool
    revealing: frozenset[str] = field(default_factory=frozenset)
    """Kinds of events that reveal hidden information: no undo goes back past them."""
    open_score: bool = False
    """Whether the current score follows from public information and may be shown during the game."""
    own_inputs: int = 0
    """How many numbers `net_inputs` writes; 0 in a game whose nets are given its features."""
    items: tuple[int, int] = (0, 0)
    """The number of items that `net_inputs` begins with (colours, rooms, other seats), and the numbers of each."""
    search: Mapping[str, float] = field(default_factory=dict)
    """The settings of a search that differ for this game from `bots.search.SETTINGS`."""
    net_search: Mapping[str, float] = field(default_factory=dict)
    """Those of a search on its net that differ."""
    hesitation: float = 0.0
    """In an analysis, the scale of the random error with which the players who reply judge moves."""
    sharpness: Mapping[int, float] = field(default_factory=dict)
    """In an analysis, by number of players, to which power chances by the net are raised before they are made to add up
    to 1; 1 where nothing is said."""
    instant: int = 20
    """The number of simulations on its net that take about five milliseconds."""
    levels: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """By level, the settings that differ for this game from `bots.levels.LEVELS`."""
    levels_of_many: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """By level, the settings that differ again with more than two players."""
    reasons: ModuleType | None = None
    """Why one move is better than another, in facts (see `games.reason_types`), where a game says so."""
    setup: ModuleType | None = None
    """What can be changed of a position by hand (see `games.setup_types`), where a game says so."""

    @property
    def folder(self) -> Path:
        """The folder of its package, with its words, its rules for players and its components."""
        return Path(str(self.rules[0].__file__)).parent

    @property
    def inputs(self) -> int:
        """The number of inputs of its nets."""
        return self.own_inputs or self.features

    def __deepcopy__(self, memo: Any) -> Game:
        """Return itself: nothing in it changes."""
        return self

    def read_options(self, players: int, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return all options with defaults filled in; raise BadSetup, which names the option and its values."""
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

    @cached_property
    def coded_options(self) -> np.dtype[Any]:
        """The record of the options as the rules read them: a field for each option, by its name."""
        names = [option.name for option in self.options] or ["none"]  # Numba has no record without fields
        return record_type([(name, "i8") for name in names])

    def code_options(self, options: Mapping[str, Any]) -> np.ndarray[Any, Any]:
        """Return the options as the rules read them, in an array of one record."""
        coded = np.zeros(1, dtype=self.coded_options)
        for option in self.options:
            coded[0][option.name] = option.code(options[option.name])
        return coded

    def new_states(self, count: int) -> np.ndarray[Any, Any]:
        """Return `count` zeroed positions."""
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
