"""Lanternes Dice as plain data: typed moves and their notation, views, events."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from msgspec import UNSET, UnsetType

from lampion.games import move_types
from lampion.games.core import BadPosition, IllegalMove
from lampion.games.dice.components import LETTERS, SHAPE_NAMES, SHEET_LETTERS, SIDE_LETTERS
from lampion.games.dice.drawing import drawing as drawing
from lampion.games.dice.lake import HEIGHT, PONDS, WIDTH
from lampion.games.dice.picture import picture as picture
from lampion.games.dice.records import (
    ACTING,
    CARDS,
    COLOURS,
    CORNERS,
    EMPERORS,
    FIREWORKS,
    IN_PLAY,
    LAUNCHES,
    LAUNCHES_EACH,
    MOST_GIFTS,
    MOST_ZONES,
    NO_COLOUR,
    NO_SIDE,
    NOTHING,
    PASS,
    REROLL,
    ROLLS,
    SEATS,
    SHADES,
    SHADING,
    SIDES,
    SIDES_OF,
    TILES,
    TURNS,
    ZONES,
)
from lampion.games.dice.sheet import (
    COLUMNS,
    HALVES,
    active_of,
    bonus_now,
    fireworks_on,
    gifts_spent,
    points_of,
    pond_name,
    pond_named,
    ponds_under,
    shaded_zones,
    zone_name,
)
from lampion.games.move_types import UNORDERED, EventKind, Plain, Typed, unreadable
from lampion.locale import short

Colour = Literal["W", "O", "R", "P", "B", "G"]
Shape = Literal["bar", "corner", "tee", "hook", "square", "zigzag", "cross", "cup"]
Side = Literal["A", "B"]
Stage = Literal["fireworks", "sides", "roll", "turn", "shade", "final", "ended"]
Step = Literal["turn", "die", "bonus", "emperor", "action", "launch"]
STAGES = ("fireworks", "sides", "roll", "turn", "shade", "final", "ended")
STEPS = (None, "turn", "die", "bonus", "emperor", "action", "launch")
CATEGORIES = ("fireworks", "second_group", "boats")


class Firework(Typed, frozen=True, tag="firework"):
    """Chance: a firework that is in play."""

    shape: Shape


class SideUp(Typed, frozen=True, tag="side"):
    """Chance: the side of an emperor card, 1 to 3, that is up."""

    card: int
    side: Side


class Roll(Typed, frozen=True, tag="roll"):
    """Chance: a die, corner after corner."""

    colour: Colour


class Reroll(Typed, frozen=True, tag="reroll"):
    """One gift to roll all dice again."""


class Turn(Typed, frozen=True, tag="turn"):
    """Turn the tray: the player at corner k faces the die that lay at (k + r) mod 4."""

    r: int


class Shade(Typed, frozen=True, tag="shade"):
    """Shade a zone: pond * 2, one more for the lower triangle; a pond is row * 9 + column."""

    zone: int


class Emperor(Typed, frozen=True, tag="emperor"):
    """Pay for the action of an emperor card, 1 to 3; its zones follow."""

    card: int


class Launch(Typed, frozen=True, tag="launch"):
    """Lay the top firework of a stack on these ponds."""

    shape: Shape
    ponds: tuple[int, ...]


class Pass(Typed, frozen=True, tag="pass"):
    """Nothing in this step."""


Move = Firework | SideUp | Roll | Reroll | Turn | Shade | Emperor | Launch | Pass


def move(box: Any, state: Any, id: int) -> Move:
    """The typed move of an id."""
    if id >= SIDES_OF:
        card, side = divmod(id - SIDES_OF, SIDES)
        return SideUp(card + 1, SIDE_LETTERS[side])  # type: ignore[arg-type]
    if id >= FIREWORKS:
        return Firework(SHAPE_NAMES[id - FIREWORKS])  # type: ignore[arg-type]
    if id >= ROLLS:
        return Roll(LETTERS[id - ROLLS])  # type: ignore[arg-type]
    if id == PASS:
        return Pass()
    if id >= TURNS:
        return Turn(id - TURNS)
    if id == REROLL:
        return Reroll()
    if id >= LAUNCHES:
        return launch_at(box, id - LAUNCHES)
    if id >= EMPERORS:
        return Emperor(id - EMPERORS + 1)
    return Shade(id - SHADES)


def launch_at(box: Any, where: int) -> Launch:
    """The launch with this form and place."""
    return Launch(SHAPE_NAMES[box.shape_of[where // PONDS]], tuple(ponds_under(box, where)))  # type: ignore[arg-type]


def id_of(box: Any, state: Any, move: Move) -> int:
    """The id of a typed move."""
    match move:
        case SideUp(card, side) if 1 <= card <= CARDS:
            return SIDES_OF + (card - 1) * SIDES + SIDE_LETTERS.index(side)
        case Firework(shape):
            return FIREWORKS + SHAPE_NAMES.index(shape)
        case Roll(colour):
            return ROLLS + LETTERS.index(colour)
        case Pass():
            return PASS
        case Turn(r) if 0 <= r < CORNERS:
            return TURNS + r
        case Reroll():
            return REROLL
        case Launch(shape, ponds):
            return LAUNCHES + where_of(box, shape, ponds)
        case Emperor(card) if 1 <= card <= CARDS:
            return EMPERORS + card - 1
        case Shade(zone) if 0 <= zone < ZONES:
            return SHADES + zone
    raise IllegalMove("dice.illegal.number", move=notation(move))


def where_of(box: Any, shape: str, ponds: tuple[int, ...]) -> int:
    """The form and place of a shape on a set of ponds."""
    if ponds and len(set(ponds)) == len(ponds) and all(0 <= pond < PONDS for pond in ponds):
        bits = sum(1 << pond for pond in ponds)
        anchor = min(pond // WIDTH for pond in ponds) * WIDTH + min(pond % WIDTH for pond in ponds)
        number = SHAPE_NAMES.index(shape)
        for form in range(box.first_form[number], box.first_form[number + 1]):
            if int(box.forms[form]) << anchor == bits and int(box.anchors[form]) >> anchor & 1:
                return form * PONDS + anchor
    raise IllegalMove("dice.illegal.shape", shape=shape, ponds=short(" ".join(map(pond_name, ponds))))


def notation(move: Move) -> str:
    """`c5a` shades, `E2` pays, `bar@a1b1c1` launches; `turn:1`, `reroll`, `pass`; of chance `+R`, `+bar`, `+2B`."""
    match move:
        case SideUp(card, side):
            return f"+{card}{side}"
        case Firework(shape):
            return f"+{shape}"
        case Roll(colour):
            return f"+{colour}"
        case Turn(r):
            return f"turn:{r}"
        case Reroll():
            return "reroll"
        case Shade(zone):
            return zone_name(zone)
        case Emperor(card):
            return f"E{card}"
        case Launch(shape, ponds):
            return f"{shape}@{''.join(map(pond_name, ponds))}"
    return "pass"


def parse(text: str) -> Move:
    """The typed move of a notation."""
    if text == "pass":
        return Pass()
    if text == "reroll":
        return Reroll()
    if found := re.fullmatch(rf"([{COLUMNS}][1-{HEIGHT}])([{HALVES}])", text):
        return Shade(pond_named(found[1]) * 2 + HALVES.index(found[2]))
    if found := re.fullmatch(r"E([1-3])", text):
        return Emperor(int(found[1]))
    if found := re.fullmatch(r"turn:([0-3])", text):
        return Turn(int(found[1]))
    if found := re.fullmatch(rf"\+([{LETTERS}])", text):
        return Roll(found[1])  # type: ignore[arg-type]
    if found := re.fullmatch(rf"\+([1-3])([{SIDE_LETTERS}])", text):
        return SideUp(int(found[1]), found[2])  # type: ignore[arg-type]
    if text[:1] == "+" and text[1:] in SHAPE_NAMES:
        return Firework(text[1:])  # type: ignore[arg-type]
    shape, at, ponds = text.partition("@")
    if shape in SHAPE_NAMES and at and re.fullmatch(rf"([{COLUMNS}][1-{HEIGHT}])+", ponds):
        named = sorted(pond_named(ponds[i : i + 2]) for i in range(0, len(ponds), 2))
        return Launch(shape, tuple(named))  # type: ignore[arg-type]
    raise unreadable("dice", text)


class Launched(Plain, frozen=True):
    """A firework on a sheet: `tile` is its number in the stack from the top, `points` what is printed on it."""

    shape: Shape
    ponds: Annotated[list[int], UNORDERED]
    tile: int
    points: int | None = None


class Action(Plain, frozen=True):
    """An emperor action under way: zones left to shade, colours it has shaded, the pond it is bound to."""

    card: int
    left: int
    colours: Annotated[str, UNORDERED] = ""
    pond: int | None = None


class Seat(Plain, frozen=True, kw_only=True):
    """A player's sheet and what the player is asked. `platform` is the pond whose bonus is to be used now.

    What has a default can be told from the rest: it is always there in a view, and not needed to set a position up.
    """

    sheet: Literal["A", "B", "C", "D"]
    gifts: int
    shaded: Annotated[list[int], UNORDERED]
    fireworks: Annotated[list[Launched], UNORDERED]
    step: Step | None
    platform: int | None
    action: Action | None
    corner: int | None = None
    faces: Colour | None = None
    bonuses: str | None = None
    spent: int | None = None
    points: dict[str, int] | None = None


class Stack(Plain, frozen=True):
    """A firework in play and the points on the tiles that are left, top first."""

    shape: Shape
    left: list[int]


class View(Plain, frozen=True, kw_only=True):
    """What everybody sees. `turn` counts the turns of all players from 0, then the final launches; `dice` lie as their
    corners see them, clockwise; `sides` are those of the emperor cards 1 to 3."""

    players: int
    step: Stage
    turn: int
    sides: list[Side | None]
    dice: list[Colour | None]
    stacks: Annotated[list[Stack], UNORDERED]
    seats: list[Seat]
    turns: int | None = None
    active: int | None = None
    bonus: Colour | None = None


def view(box: Any, state: Any, viewer: int) -> View:
    """Everything is open."""
    players = int(state.players)
    return View(
        players=players,
        step=STAGES[state.stage],  # type: ignore[arg-type]
        turn=int(state.turn),
        sides=[None if side == NO_SIDE else SIDE_LETTERS[side] for side in state.sides],  # type: ignore[misc]
        dice=[colour_letter(colour) for colour in state.dice],
        stacks=[
            Stack(name, [int(x) for x in box.values[shape, state.taken[shape] :]])  # type: ignore[arg-type]
            for shape, name in enumerate(SHAPE_NAMES)
            if state.shapes >> shape & 1
        ],
        seats=[seat_view(box, state, seat) for seat in range(players)],
        turns=int(box.turns[players]),
        active=active_of(state),
        bonus=colour_letter(bonus_now(box, state)),
    )


def colour_letter(colour: int) -> Colour | None:
    """The letter of a colour, None where there is none."""
    return None if colour == NO_COLOUR else LETTERS[colour]  # type: ignore[return-value]


def fireworks_of(box: Any, state: Any, seat: int) -> list[Launched]:
    """The fireworks on a seat's sheet."""
    return [
        Launched(shape, ponds_under(box, where), tile, points)  # type: ignore[arg-type]
        for shape, where, tile, points in fireworks_on(box, state, seat)
    ]


def seat_view(box: Any, state: Any, seat: int) -> Seat:
    """A seat's sheet."""
    zones = shaded_zones(state, seat)
    acting = state.at[seat] == ACTING
    corner = seat * 2 if state.players == 2 else seat
    return Seat(
        sheet=SHEET_LETTERS[state.sheets[seat]],  # type: ignore[arg-type]
        gifts=int(state.gifts[seat]),
        shaded=zones,
        fireworks=fireworks_of(box, state, seat),
        step=STEPS[state.at[seat]],  # type: ignore[arg-type]
        platform=int(state.platform[seat]) - 1 if state.platform[seat] else None,
        action=Action(
            int(state.card[seat]),
            int(state.left[seat]),
            "".join(letter for i, letter in enumerate(LETTERS) if state.used[seat] >> i & 1),
            int(state.pond[seat]) - 1 if state.pond[seat] else None,
        )
        if acting
        else None,
        corner=corner,
        faces=colour_letter(state.dice[corner]) if state.stage == SHADING else None,
        bonuses="".join(LETTERS[c] for c in box.bonuses[state.players, state.sheets[seat], : box.turns[state.players]]),
        spent=gifts_spent(box, state, seat),
        points=points_of(box, state, seat),
    )


def options_of(view: View) -> dict[str, Any]:
    """The options that a position shows."""
    found: dict[str, Any] = {"sheets": "".join(seat.sheet for seat in view.seats)}
    if len(view.stacks) == IN_PLAY:
        found["fireworks"] = sorted((stack.shape for stack in view.stacks), key=SHAPE_NAMES.index)
    if None not in view.sides:
        found["sides"] = "".join(str(side) for side in view.sides)
    return found


def asked(box: Any, state: Any, seat: int) -> str:
    """What a seat is asked in its own step; before the tray is turned, what the stage is."""
    if seat >= 0 and state.platform[seat]:
        return "dice.asked.platform"
    step = STEPS[state.at[seat]] if seat >= 0 else None
    return f"dice.asked.{step}" if step else f"dice.step.{STAGES[state.stage]}"


def position(box: Any, view: View, state: Any) -> None:
    """The inverse of the view; what the fields alone can tell is checked here, the rest by `broken_invariant`."""
    players = view.players
    if not 2 <= players <= SEATS or len(view.seats) != players:
        raise BadPosition("dice.fact.players")
    state.players = players
    state.stage = STAGES.index(view.step)
    state.turn = whole(view.turn, 0, 127, "setup")
    if len(view.sides) != CARDS:
        raise BadPosition("dice.fact.setup")
    state.sides[:] = [NO_SIDE if side is None else SIDE_LETTERS.index(side) for side in view.sides]
    if len(view.dice) != CORNERS:
        raise BadPosition("dice.fact.dice")
    state.dice[:] = [NO_COLOUR if colour is None else LETTERS.index(colour) for colour in view.dice]
    for stack in view.stacks:
        shape = SHAPE_NAMES.index(stack.shape)
        state.taken[shape] = whole(TILES - len(stack.left), 0, TILES, "stacks")
        if state.shapes >> shape & 1 or stack.left != list(box.values[shape, state.taken[shape] :]):
            raise BadPosition("dice.fact.stacks")
        state.shapes = int(state.shapes) | 1 << shape
    letters = [SHEET_LETTERS.index(given.sheet) for given in view.seats]
    state.sheets[:players] = letters
    state.first = letters.index(min(letters))
    for seat, given in enumerate(view.seats):
        set_seat(box, state, seat, given)


def set_seat(box: Any, state: Any, seat: int, given: Seat) -> None:
    """A seat's sheet and what it is asked."""
    state.gifts[seat] = whole(given.gifts, 0, MOST_GIFTS, "gifts")
    for zone in given.shaded:
        whole(zone, 0, ZONES - 1, "zones")
        if int(state.shaded[seat, zone & 1]) >> (zone >> 1) & 1:
            raise BadPosition("dice.fact.zones")
        state.shaded[seat, zone & 1] |= 1 << (zone >> 1)
    codes = []
    for firework in given.fireworks:
        try:
            where = where_of(box, firework.shape, tuple(firework.ponds))
        except IllegalMove:
            raise BadPosition("dice.fact.fireworks") from None
        codes.append(1 + where * TILES + whole(firework.tile, 0, TILES - 1, "stacks"))
        state.lit[seat] |= int(box.forms[where // PONDS]) << where % PONDS
    if len(codes) > LAUNCHES_EACH:
        raise BadPosition("dice.fact.launches")
    state.launched[seat, : len(codes)] = sorted(codes)
    state.at[seat] = STEPS.index(given.step)
    state.owing |= (state.at[seat] != NOTHING) << seat
    if given.platform is not None:
        state.platform[seat] = whole(given.platform, 0, PONDS - 1, "step") + 1
    if given.action is not None:
        state.card[seat] = whole(given.action.card, 1, CARDS, "step")
        state.left[seat] = whole(given.action.left, 0, MOST_ZONES, "step")
        if set(given.action.colours) - set(LETTERS):
            raise BadPosition("dice.fact.step")
        state.used[seat] = sum(1 << LETTERS.index(letter) for letter in set(given.action.colours))
        if given.action.pond is not None:
            state.pond[seat] = whole(given.action.pond, 0, PONDS - 1, "step") + 1


def whole(value: int, least: int, most: int, fact: str) -> int:
    """A number in its bounds, or the fact that it breaks."""
    if not least <= value <= most:
        raise BadPosition(f"dice.fact.{fact}")
    return value


class Event(move_types.Event, frozen=True):
    """An event of Lanternes Dice, with the zone, pond or emperor card it is about, or the firework and its ponds."""

    zone: int | UnsetType = UNSET
    pond: int | UnsetType = UNSET
    card: int | UnsetType = UNSET
    side: Side | UnsetType = UNSET
    shape: Shape | UnsetType = UNSET
    ponds: tuple[int, ...] | UnsetType = UNSET


def _zone_field(box: Any, thing: int, number: int) -> dict[str, Any]:
    return {"zone": thing}


def _pond_field(box: Any, thing: int, number: int) -> dict[str, Any]:
    return {"pond": thing}


def _card_fields(box: Any, thing: int, number: int) -> dict[str, Any]:
    return {"card": thing // SIDES + 1, "side": SIDE_LETTERS[thing % SIDES]}


def _launch_fields(box: Any, thing: int, number: int) -> dict[str, Any]:
    launch = launch_at(box, thing)
    return {"shape": launch.shape, "ponds": launch.ponds}


def _colour(box: Any, thing: int) -> str:
    return LETTERS[thing]


def _shape(box: Any, thing: int) -> str:
    return SHAPE_NAMES[thing]


def _shape_launched(box: Any, thing: int) -> str:
    return launch_at(box, thing).shape


def _pond(box: Any, thing: int) -> str:
    return pond_name(thing)


def _zone(box: Any, thing: int) -> str:
    return zone_name(thing)


def _card(box: Any, thing: int) -> str:
    return f"{thing // SIDES + 1}{SIDE_LETTERS[thing % SIDES]}"


EVENTS = (
    EventKind("firework", _shape, "shape"),
    EventKind("side", _card, fields=_card_fields),
    EventKind("first", lambda box, thing: SHEET_LETTERS[thing]),
    EventKind("began", _colour, "colour"),
    EventKind("rolled", _colour, "colour"),
    EventKind("turned"),
    EventKind("faced", _colour, "colour"),
    EventKind("shaded", _zone, fields=_zone_field),
    EventKind("completed", _pond, fields=_pond_field),
    EventKind("gift", _zone, fields=_zone_field),
    EventKind("offered", _pond, fields=_pond_field),
    EventKind("lost", _pond, fields=_pond_field),
    EventKind("missed", _colour, "colour"),
    EventKind("paid", lambda box, thing: str(thing + 1), fields=lambda box, thing, number: {"card": thing + 1}),
    EventKind("action", _card, fields=_card_fields),
    EventKind(
        "launched",
        lambda box, thing: notation(launch_at(box, thing)),
        fields=_launch_fields,
        earns=(_shape_launched, "shape"),
    ),
    EventKind("emptied", _shape, "shape"),
    EventKind("passed", lambda box, thing: STEPS[thing], "task"),
    EventKind("final"),
    EventKind("end"),
)
WHYS = (
    "chance",
    "choice",
    "lowest_sheet",
    "die",
    "bonus",
    "emperor",
    "platform",
    "pavilion",
    "reroll",
    "nothing_free",
    "final",
)
assert (len(LETTERS), len(COLUMNS)) == (COLOURS, WIDTH)
