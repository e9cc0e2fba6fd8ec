"""What can be changed of a position of Lanternes Dice by hand: gifts, shaded zones, dice, emperor cards, the turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from lampion.games.core import BadPosition
from lampion.games.dice.lake import WIDTH
from lampion.games.dice.state import COLOUR_RULES, LETTERS, SIDE_LETTERS, WHERE_RULES, ZONES
from lampion.games.dice.view import Seat, View
from lampion.games.setup_types import Choice, Control, Option, Stepper, one_of, parts_of, whole
from lampion.locale import say

STAGES = ("turn", "shade")
"""The stages in which a position can be changed: the dice lie in the tray."""

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


def zone_words(box: Any, zone: int) -> str:
    """Return where a zone is and its colour, in words."""
    pond = zone >> 1
    half = say("dice.setup.lower" if zone & 1 else "dice.setup.upper")
    colour = say(f"dice.colour.{LETTERS[box.zones[zone]]}")
    return say("dice.setup.zone", row=pond // WIDTH + 1, column=pond % WIDTH + 1, half=half, colour=colour)


def changed(box: Any, view: View, name: str, value: object) -> Iterator[View]:
    """Yield the position with one thing changed: as it stands, then with the turn begun anew."""
    if view.step not in STAGES:
        raise BadPosition("explore.no_control")
    what, which = parts_of(name, 2)
    bare = without_what_follows(view)
    match what:
        case "turn":
            turn = whole(value, 1, int(box.turns[view.players]) * view.players) - 1
            yield begun_anew(replace(bare, turn=turn))
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
    yield begun_anew(wanted)


def with_sheet(box: Any, view: View, bare: View, thing: tuple[str, int], value: object) -> View:
    """Return the position with another sheet of a player; gifts that nothing on it earned are taken away."""
    what, seat = thing
    its = view.seats[seat]
    shaded = set(its.shaded)
    gifts = its.gifts
    match what:
        case "gifts":
            gifts = whole(value, 0, its.gifts + (its.spent or 0))
        case "shade":
            shaded.add(one_of(value, [zone for zone in range(ZONES) if zone not in shaded]))
        case "clear":
            shaded.remove(one_of(value, sorted(shaded)))
        case _:
            raise BadPosition("explore.no_control")
    earned = int(box.gifts) + sum(int(box.pavilions[zone & 1]) >> (zone >> 1) & 1 for zone in shaded)
    seats = list(bare.seats)
    seats[seat] = replace(seats[seat], gifts=min(gifts, earned), shaded=sorted(shaded))
    return replace(bare, seats=seats)


def without_what_follows(view: View) -> View:
    """Return a position without the fields that follow from the others."""
    unset: dict[str, Any] = {field.name: None for field in msgspec.structs.fields(Seat) if not field.required}
    seats = [replace(seat, **unset) for seat in view.seats]
    return replace(view, seats=seats, turns=None, active=None, bonus=None)


def begun_anew(view: View) -> View:
    """Return a position in which the active player's turn begins: the dice may be turned."""
    first = min(range(view.players), key=lambda seat: view.seats[seat].sheet)
    active = (first + view.turn) % view.players
    seats = [
        replace(its, step="turn" if seat == active else None, platform=None, action=None)
        for seat, its in enumerate(view.seats)
    ]
    return replace(view, step="turn", seats=seats)
