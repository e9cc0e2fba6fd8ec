"""Lanternes Dice, a dice game by Chris Bryan: shade lanterns on a lake, launch fireworks over it."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any

from lampion.games.assemble import assemble
from lampion.games.core import Option
from lampion.games.dice.components import shape_bits
from lampion.games.dice.state import IN_PLAY, SHAPE_NAMES, SHEET_LETTERS, SIDE_LETTERS

FIRST_GAME, RANDOM = "first_game", "random"
ALL_SIDES = [a + b + c for a in SIDE_LETTERS for b in SIDE_LETTERS for c in SIDE_LETTERS]


def in_box_order(value: Any) -> Any:
    """Return four fireworks in the order of the box; they may be given as one text with commas."""
    if isinstance(value, str) and "," in value:
        value = value.split(",")
    if isinstance(value, (list, tuple)):
        value = [name.strip() if isinstance(name, str) else name for name in value]
        return sorted(value, key=lambda name: SHAPE_NAMES.index(name) if name in SHAPE_NAMES else len(SHAPE_NAMES))
    return value


def code_fireworks(value: Any) -> int:
    """Return 0 for a draw, 1 for those of a first game, else the bits of the fireworks."""
    return 0 if value == RANDOM else 1 if value == FIRST_GAME else shape_bits(value)


def code_sides(value: str) -> int:
    """Return -1 for a draw, else a bit for each card that shows B."""
    return -1 if value == RANDOM else sum(SIDE_LETTERS.index(side) << card for card, side in enumerate(value))


def code_sheets(value: str) -> int:
    """Return the numbers of the sheets, two bits for each seat."""
    return sum(SHEET_LETTERS.index(letter) << 2 * seat for seat, letter in enumerate(value))


def sheets_of(players: int) -> list[str]:
    """Return every choice of different sheets by seat."""
    return ["".join(letters) for letters in permutations(SHEET_LETTERS, players)]


GAME = assemble(
    __name__,
    "choices",
    "lake",
    version=1,
    players=range(2, 5),
    options=(
        Option(
            "fireworks",
            FIRST_GAME,
            choices=lambda players: [FIRST_GAME, RANDOM, *map(list, combinations(SHAPE_NAMES, IN_PLAY))],
            code=code_fireworks,
            normal=in_box_order,
        ),
        Option("sides", ALL_SIDES[0], choices=lambda players: [*ALL_SIDES, RANDOM], code=code_sides),
        Option("sheets", lambda players: SHEET_LETTERS[:players], choices=sheets_of, code=code_sheets),
    ),
    keys=("points", "fireworks"),
    hidden=False,
    open_score=True,
    simultaneous=True,
    search={"exploration": 0.08, "horizon": 30, "scale": 4, "trust": 15},
    net_search={"exploration": 0.01},
    hesitation=0.01,
    sharpness={2: 1.4, 3: 1.4, 4: 1.4},
    instant=60,
    levels={
        "spark": {"noise": 0.022},
        "candle": {"noise": 0.04},
        "lantern": {"noise": 0.022},
        "lighthouse": {"times": 0},
        "sun": {"times": 1},
    },
    levels_of_many={"spark": {"noise": 0.02}, "candle": {"noise": 0.036}, "lantern": {"noise": 0.021}},
)
