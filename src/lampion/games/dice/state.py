"""A position of Lanternes Dice and the box as records, and the numbers of moves, stages and steps.

A zone is `pond * 2`, one more for the lower triangle; a set of zones is two sets of ponds, upper and lower (see
`lake`).
"""

from __future__ import annotations

from typing import Literal, get_args

from lampion.engine.arrays import record_type
from lampion.games.dice.lake import PONDS

SEATS = 4
COLOURS = 6
ALL_COLOURS = (1 << COLOURS) - 1
CORNERS = 4
SHEETS = 4
CARDS = 3
SIDES = 2
ZONES = 2 * PONDS
MOST_TURNS = 10
ALL_TURNS = 24  # turns of all players together
MOST_GIFTS = 24
MOST_ZONES = 3  # of one emperor action
SHAPES = 8
IN_PLAY = 4
TILES = 6
FORMS = 28  # all ways to turn and flip the eight shapes
MOST_CELLS = 6
LAUNCHES_EACH = MOST_TURNS + 1
BOAT_POINTS = 4
SMALL, MEDIUM, LARGE = 0, 1, 2
NO_COLOUR = -1
NO_SIDE = -1

LETTERS = "WORPBG"
"""The colours, as everybody writes them."""
SHEET_LETTERS = "ABCD"
SIDE_LETTERS = "AB"
Shape = Literal["bar", "corner", "tee", "hook", "square", "zigzag", "cross", "cup"]
Side = Literal["A", "B"]
SHAPE_NAMES: tuple[Shape, ...] = get_args(Shape)

STAGES = ("fireworks", "sides", "roll", "turn", "shade", "final", "ended")
"""The stages of the game."""
DRAW_FIREWORKS, DRAW_SIDES, ROLLING, TURNING, SHADING, FINISHING, ENDED = range(len(STAGES))

STEPS = (None, "turn", "die", "bonus", "emperor", "action", "launch")
"""The steps of a seat."""
NOTHING, TRAY, DIE, BONUS, EMPEROR, ACTING, LAUNCH, THROUGH = range(len(STEPS) + 1)

COLOUR_RULES = ("any", "on_a_die", "on_no_die", "different", "same")
"""The colours that an emperor action shades."""
ANY, ON_A_DIE, ON_NO_DIE, DIFFERENT, SAME = range(len(COLOUR_RULES))

WHERE_RULES = ("anywhere", "half_shaded", "next_to_firework", "one_unshaded_pond")
"""The ponds in which an emperor action shades."""
ANYWHERE, HALF_SHADED, NEXT_TO_FIREWORK, ONE_UNSHADED_POND = range(len(WHERE_RULES))

# Move ids, one range after another
SHADES = 0
EMPERORS = SHADES + ZONES
LAUNCHES = EMPERORS + CARDS
REROLL = LAUNCHES + FORMS * PONDS
TURNS = REROLL + 1
PASS = TURNS + CORNERS
ROLLS = PASS + 1
FIREWORKS = ROLLS + COLOURS
SIDES_OF = FIREWORKS + SHAPES
IDS = SIDES_OF + CARDS * SIDES
MOST = FORMS * PONDS + 1
ROWS = 16

LONGEST = (
    IN_PLAY
    + CARDS
    + ALL_TURNS * (CORNERS + 1)  # roll, turn the tray
    + ALL_TURNS * (2 * SEATS + 2)  # die, emperor; bonus, launch
    + SEATS * MOST_GIFTS * (CORNERS + 1)  # a gift buys a roll, which is longer than any action
    + SEATS * PONDS  # a platform each
    + SEATS  # final launches
)

SOURCE_FIREWORKS = 0
SOURCE_SIDES = SOURCE_FIREWORKS + IN_PLAY
SOURCE_DICE = SOURCE_SIDES + CARDS
SOURCES = SOURCE_DICE + ALL_TURNS * CORNERS

BOX = record_type(
    [
        ("colours", "i8", (ALL_COLOURS + 1, 2)),
        ("pavilions", "i8", (2,)),
        ("platforms", "i8"),
        ("boats", "i8"),
        ("falling", "i8"),
        ("anchors", "i8", (FORMS,)),
        ("forms", "i8", (FORMS,)),
        ("offsets", "i1", (FORMS, MOST_CELLS)),
        ("shape_of", "i1", (FORMS,)),
        ("first_form", "i1", (SHAPES + 1,)),
        ("cells", "i1", (SHAPES,)),
        ("sizes", "i1", (SHAPES,)),
        ("values", "i1", (SHAPES, TILES)),
        ("first_game", "u1"),
        ("zones", "i1", (ZONES,)),
        ("bonuses", "i1", (SEATS + 1, SHEETS, MOST_TURNS)),
        ("turns", "i1", (SEATS + 1,)),
        ("actions", "i1", (CARDS, SIDES, 3)),
        ("gifts", "i1"),
    ]
)
"""`colours` (of every set of colours) and `pavilions` are zones as sets of ponds, upper and lower; `zones` the colour
of each; `falling` the ponds whose diagonal runs down to the right. A form is one way to turn and flip a shape: its
ponds when it stands at the top left (`forms`, `offsets`), and where its top left can stand (`anchors`); a shape's forms
begin at `first_form`. `bonuses` and `turns` go by number of players; an action is a number of zones, the rule of
their colours and the rule of their ponds."""

STATE = record_type(
    [
        ("shaded", "i8", (SEATS, 2)),
        ("lit", "i8", (SEATS,)),
        ("launched", "i2", (SEATS, LAUNCHES_EACH)),
        ("shapes", "i2"),
        ("turn", "i2"),
        ("owing", "i2"),
        ("gifts", "i1", (SEATS,)),
        ("at", "i1", (SEATS,)),
        ("platform", "i1", (SEATS,)),
        ("card", "i1", (SEATS,)),
        ("left", "i1", (SEATS,)),
        ("used", "i1", (SEATS,)),
        ("pond", "i1", (SEATS,)),
        ("sheets", "i1", (SEATS,)),
        ("dice", "i1", (CORNERS,)),
        ("taken", "i1", (SHAPES,)),
        ("sides", "i1", (CARDS,)),
        ("players", "i1"),
        ("first", "i1"),
        ("stage", "i1"),
    ]
)
"""`shaded` is upper and lower zones; `lit` the ponds under fireworks; `launched` 1 + (form * PONDS + anchor) * TILES +
tile, ascending, 0 behind; `taken` the number of tiles gone from a shape's stack; `shapes` the bits of those in play.
`turn` counts the turns of all players and then the final launches. `dice` lie as their corners see them. `owing` is the
bits of the seats that are asked something.

A seat's `platform` is 1 + the pond whose bonus it may use now, before it goes on with `at`. While it performs an
action: 1 + the `card`, zones `left`, colours `used`, and 1 + the `pond` begun where both zones of one are asked for.

The fields fill the record to its last byte: what lies between fields is not kept when NumPy copies one."""
