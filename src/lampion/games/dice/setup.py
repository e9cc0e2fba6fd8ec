"""What can be changed of a position of Lanternes Dice by hand: the dice, the emperor cards, the turn, and of each sheet
gifts, shaded zones, fireworks and what its player is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from lampion.games.core import BadPosition
from lampion.games.dice.lake import PONDS, WIDTH
from lampion.games.dice.sheet import firework_name, ponds_under, shape_name
from lampion.games.dice.state import COLOUR_RULES, FORMS, LETTERS, SHAPE_NAMES, SIDE_LETTERS, WHERE_RULES, ZONES
from lampion.games.dice.view import Launched, Seat, Stack, View
from lampion.games.setup_types import Choice, Control, Option, Stepper, one_of, parts_of, whole
from lampion.locale import say

STAGES = ("turn", "shade")
"""The stages in which a position can be changed: the dice lie in the tray."""
ASKED = ("die", "bonus", "emperor", "launch")
"""What a player can be asked once the dice are turned, in this order."""

replace = msgspec.structs.replace


def controls(box: Any, view: View, names: Sequence[str]) -> list[Control]:
    """Return what can be changed while the dice lie in the tray; nothing else."""
    if view.step not in STAGES:
        return []
    turns = int(box.turns[view.players]) * view.players
    label = say("dice.setup.turn", who=names[view.active or 0])
    found: list[Control] = [
        Stepper(name="turn", seat=None, group="", label=label, value=view.turn + 1, least=1, most=turns)
    ]
    colours = [Option(letter, say(f"dice.colour.{letter}")) for letter in LETTERS]
    for corner, colour in enumerate(view.dice):
        seat = next((number for number, one in enumerate(view.seats) if one.corner == corner), None)
        label = say("dice.setup.die", number=corner + 1) if seat is None else names[seat]
        found.append(
            Choice(
                name=f"die:{corner}", seat=None, group=say("dice.setup.dice"), label=label, value=str(colour),
                options=colours,
            )
        )  # fmt: skip
    for card, side in enumerate(view.sides):
        sides = [Option(str(letter), effect(box, card, number)) for number, letter in enumerate(SIDE_LETTERS)]
        found.append(
            Choice(
                name=f"side:{card}", seat=None, group=say("dice.setup.sides"), label=say(f"dice.card.{card + 1}"),
                value=str(side), options=sides,
            )
        )  # fmt: skip
    for seat in range(view.players):
        found += seat_controls(box, view, seat)
        found += firework_controls(box, view, seat)
    return found


def effect(box: Any, card: int, side: int) -> str:
    """Return what a side of an emperor card offers, in words."""
    count, colour, where = box.actions[card, side]
    return say(f"dice.effect.{count}.{COLOUR_RULES[colour]}.{WHERE_RULES[where]}")


def seat_controls(box: Any, view: View, seat: int) -> list[Control]:
    """Return what can be changed of a player's sheet."""
    its = view.seats[seat]
    nothing = Option("", say("dice.setup.none"))
    free = [Option(str(zone), zone_words(box, zone)) for zone in range(ZONES) if zone not in its.shaded]
    shaded = [Option(str(zone), zone_words(box, zone)) for zone in sorted(its.shaded)]
    return [
        Stepper(
            name=f"gifts:{seat}", seat=seat, group="", label=say("dice.web.gifts"), value=its.gifts, least=0,
            most=its.gifts + (its.spent or 0),
        ),
        Choice(
            name=f"shade:{seat}", seat=seat, group="", label=say("dice.setup.shade"), value="",
            options=[nothing, *free],
        ),
        Choice(
            name=f"clear:{seat}", seat=seat, group="", label=say("dice.setup.clear"), value="",
            options=[nothing, *shaded],
        ),
    ]  # fmt: skip


def firework_controls(box: Any, view: View, seat: int) -> list[Control]:
    """Return the controls that lay a firework on complete ponds of a sheet, take one away, and say what is asked."""
    its, group = view.seats[seat], say("dice.setup.fireworks")
    nothing = Option("", say("dice.setup.no_firework"))
    launches = [Option(name, firework_words(*one)) for name, one in places_of(box, view, seat).items()]
    lying = {firework_name(one.shape, one.ponds): one for one in its.fireworks}
    taken = [Option(name, firework_words(one.shape, one.ponds)) for name, one in lying.items()]
    found: list[Control] = [
        Choice(
            name=f"launch:{seat}", seat=seat, group=group, label=say("dice.setup.launch"), value="",
            options=[nothing, *launches],
        ),
        Choice(
            name=f"douse:{seat}", seat=seat, group=group, label=say("dice.setup.douse"), value="",
            options=[nothing, *taken],
        ),
    ]  # fmt: skip
    if view.step == "shade":
        steps = [
            Option("", say("dice.setup.asked.nothing")),
            *(Option(one, say(f"dice.setup.asked.{one}")) for one in ASKED),
        ]
        value = its.step if its.step in ASKED else ""
        found.append(
            Choice(name=f"step:{seat}", seat=seat, group="", label=say("dice.setup.asked"), value=value, options=steps)
        )
    return found


def places_of(box: Any, view: View, seat: int) -> dict[str, tuple[Any, list[int]]]:
    """Return the fireworks that are left and fit on complete ponds of a sheet, by name: shape and ponds."""
    its = view.seats[seat]
    covered = {pond for one in its.fireworks for pond in one.ponds}
    shaded = set(its.shaded)
    complete = sum(1 << pond for pond in range(PONDS) if {2 * pond, 2 * pond + 1} <= shaded and pond not in covered)
    left = {stack.shape for stack in view.stacks if stack.left}
    found = {}
    for form in range(FORMS):
        shape, bits, anchors = shape_name(box, form * PONDS), int(box.forms[form]), int(box.anchors[form])
        for anchor in range(PONDS):
            if anchors >> anchor & 1 and not bits << anchor & ~complete and shape in left:
                ponds = ponds_under(box, form * PONDS + anchor)
                found[firework_name(shape, ponds)] = shape, ponds
    return found


def firework_words(shape: str, ponds: Sequence[int]) -> str:
    """Return a firework and its ponds in words."""
    where = ", ".join(say("dice.setup.pond", row=pond // WIDTH + 1, column=pond % WIDTH + 1) for pond in ponds)
    return say("dice.setup.firework", firework=say(f"dice.firework.{shape}"), where=where)


def zone_words(box: Any, zone: int) -> str:
    """Return where a zone is and its colour, in words."""
    pond = zone >> 1
    half = say("dice.setup.lower" if zone & 1 else "dice.setup.upper")
    colour = say(f"dice.colour.{LETTERS[box.zones[zone]]}")
    return say("dice.setup.zone", row=pond // WIDTH + 1, column=pond % WIDTH + 1, half=half, colour=colour)


def changed(box: Any, view: View, name: str, value: object) -> Iterator[View]:
    """Yield the position with one thing changed: at the present step, then at the beginning of the turn."""
    if view.step not in STAGES:
        raise BadPosition("explore.no_control")
    what, which = parts_of(name, 2)
    bare = without_what_follows(view)
    match what:
        case "turn":
            turn = whole(value, 1, int(box.turns[view.players]) * view.players) - 1
            yield at_start_of_turn(replace(bare, turn=turn))
            return
        case "die":
            dice: list[Any] = list(view.dice)
            dice[one_of(which, range(len(dice)))] = one_of(value, LETTERS)
            wanted = replace(bare, dice=dice)
        case "side":
            sides: list[Any] = list(view.sides)
            sides[one_of(which, range(len(sides)))] = one_of(value, SIDE_LETTERS)
            wanted = replace(bare, sides=sides)
        case _:
            wanted = with_sheet(box, view, bare, (what, one_of(which, range(view.players))), value)
    yield wanted
    if what != "step":
        yield at_start_of_turn(wanted)


def with_sheet(box: Any, view: View, bare: View, thing: tuple[str, int], value: object) -> View:
    """Return the position with a player's sheet changed; gifts beyond those that the sheet earned are taken away."""
    what, seat = thing
    its = view.seats[seat]
    shaded = set(its.shaded)
    gifts = its.gifts
    match what:
        case "launch":
            return launched(
                box, bare, seat, *places_of(box, view, seat)[one_of(value, list(places_of(box, view, seat)))]
            )
        case "douse":
            lying = {firework_name(one.shape, one.ponds): one for one in its.fireworks}
            return without_firework(box, bare, seat, lying[one_of(value, list(lying))])
        case "step":
            step: Any = one_of(value, ("", *ASKED)) or None
            return with_seat(bare, seat, step=step, platform=None, action=None)
        case "gifts":
            gifts = whole(value, 0, its.gifts + (its.spent or 0))
        case "shade":
            shaded.add(one_of(value, [zone for zone in range(ZONES) if zone not in shaded]))
        case "clear":
            shaded.remove(one_of(value, sorted(shaded)))
        case _:
            raise BadPosition("explore.no_control")
    earned = int(box.gifts) + sum(int(box.pavilions[zone & 1]) >> (zone >> 1) & 1 for zone in shaded)
    return with_seat(bare, seat, gifts=min(gifts, earned), shaded=sorted(shaded))


def with_seat(view: View, seat: int, **changes: Any) -> View:
    """Return a position with some fields of a player's sheet changed."""
    seats = list(view.seats)
    seats[seat] = replace(seats[seat], **changes)
    return replace(view, seats=seats)


def launched(box: Any, view: View, seat: int, shape: Any, ponds: list[int]) -> View:
    """Return a position in which the top tile of a stack lies on a sheet."""
    stacks, gone = with_gone(box, view, shape, 1)
    fireworks = [*view.seats[seat].fireworks, Launched(shape, ponds, gone - 1)]
    return with_seat(replace(view, stacks=stacks), seat, fireworks=fireworks)


def without_firework(box: Any, view: View, seat: int, firework: Launched) -> View:
    """Return a position without a firework; later tiles of its shape each become the one before."""
    stacks, _ = with_gone(box, view, firework.shape, -1)
    seats = []
    for number, its in enumerate(view.seats):
        stays = [one for one in its.fireworks if number != seat or one.ponds != firework.ponds]
        moved = [
            replace(one, tile=one.tile - (one.shape == firework.shape and one.tile > firework.tile), points=None)
            for one in stays
        ]
        seats.append(replace(its, fireworks=moved))
    return replace(view, stacks=stacks, seats=seats)


def with_gone(box: Any, view: View, shape: Any, more: int) -> tuple[list[Stack], int]:
    """Return the stacks with `more` further tiles gone from one of them, and how many are then gone from it."""
    values = [int(points) for points in box.values[SHAPE_NAMES.index(shape)]]
    gone = len(values) - next(len(stack.left) for stack in view.stacks if stack.shape == shape) + more
    return [Stack(shape, values[gone:]) if stack.shape == shape else stack for stack in view.stacks], gone


def without_what_follows(view: View) -> View:
    """Return a position without the fields that follow from the others."""
    unset: dict[str, Any] = {field.name: None for field in msgspec.structs.fields(Seat) if not field.required}
    seats = [replace(seat, **unset) for seat in view.seats]
    return replace(view, seats=seats, turns=None, active=None, bonus=None)


def at_start_of_turn(view: View) -> View:
    """Return a position in which the active player's turn begins: the dice may be turned."""
    first = min(range(view.players), key=lambda seat: view.seats[seat].sheet)
    active = (first + view.turn) % view.players
    seats = [
        replace(its, step="turn" if seat == active else None, platform=None, action=None)
        for seat, its in enumerate(view.seats)
    ]
    return replace(view, step="turn", seats=seats)
