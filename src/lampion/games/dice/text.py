"""A position of Lanternes Dice as text, for terminals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lampion.games import art
from lampion.games.dice.choices import corner_of
from lampion.games.dice.lake import HEIGHT, WIDTH
from lampion.games.dice.scoring import points_of
from lampion.games.dice.sheet import (
    COLUMNS,
    active_of,
    bonus_now,
    is_shaded,
)
from lampion.games.dice.state import (
    CARDS,
    COLOUR_RULES,
    CORNERS,
    LETTERS,
    NO_COLOUR,
    NO_SIDE,
    NOTHING,
    SHAPE_NAMES,
    SHEET_LETTERS,
    SIDE_LETTERS,
    STAGES,
    STEPS,
    WHERE_RULES,
)
from lampion.games.move_types import Paint, no_paint
from lampion.locale import has, say

SHADED, COMPLETE, LIT = "░", "█", "*"
BETWEEN = "   "


def draw_text(box: Any, state: Any, viewer: int, names: Sequence[str], paint: Paint = no_paint) -> str:
    """Return the dice, the stacks, the emperor's cards, and everybody's sheet, two abreast, as lines of text.

    A pond is its upper and its lower zone and its installation: a letter is a free zone, small with a pavilion; # is a
    platform, ^ a boat. Shaded zones are grey, complete ponds full, ponds under a firework starred.
    """
    lines = [turn_text(box, state, names), say("dice.picture.dice", dice=dice_text(state, names, paint))]
    stacks = [
        f"{say('dice.shape.' + name)} {' '.join(map(str, box.values[shape, state.taken[shape] :])) or '-'}"
        for shape, name in enumerate(SHAPE_NAMES)
        if state.shapes >> shape & 1
    ]
    lines.append(say("dice.picture.fireworks", stacks=" | ".join(stacks)))
    for card in range(CARDS):
        if state.sides[card] != NO_SIDE:
            name = f"{card + 1}{SIDE_LETTERS[state.sides[card]]}"
            lines.append(
                say(
                    "dice.picture.card", number=card + 1, name=name, text=action_text(box, card, int(state.sides[card]))
                )
            )
    sheets = [sheet_lines(box, state, seat, names[seat], paint) for seat in range(state.players)]
    for left in range(0, len(sheets), 2):
        lines.append("")
        for pair in zip(*sheets[left : left + 2], strict=True):
            lines.append(BETWEEN.join(text + " " * (4 * WIDTH + 1 - width) for text, width in pair).rstrip())
    return "\n".join(lines)


def turn_text(box: Any, state: Any, names: Sequence[str]) -> str:
    """Return whose turn it is and its number, or the stage of the game."""
    active = active_of(state)
    bonus = bonus_now(box, state)
    if active is None or bonus == NO_COLOUR:
        whose = "" if active is None else f" ({names[active]})"
        return say(f"dice.step.{STAGES[state.stage]}") + whose
    players = int(state.players)
    return say(
        "dice.picture.turn",
        name=names[active],
        turn=int(state.turn) // players + 1,
        turns=int(box.turns[players]),
        colour=say(f"dice.colour.{LETTERS[bonus]}"),
    )


def dice_text(state: Any, names: Sequence[str], paint: Paint) -> str:
    """Return the four dice clockwise, each with the player who stands at its corner."""
    texts = []
    for corner in range(CORNERS):
        colour = int(state.dice[corner])
        seat = seat_at(state, corner)
        shown = "-" if colour == NO_COLOUR else letter(colour, paint)
        texts.append(shown if seat is None else f"{shown} ({names[seat]})")
    return "  ".join(texts)


def seat_at(state: Any, corner: int) -> int | None:
    """Return the seat that stands at a corner of the tray."""
    return next((seat for seat in range(state.players) if corner_of(state, seat) == corner), None)


def action_text(box: Any, card: int, side: int) -> str:
    """Return what an emperor card does, in words."""
    zones, colour, where = (int(x) for x in box.actions[card, side])
    words = f"dice.effect.{zones}.{COLOUR_RULES[colour]}.{WHERE_RULES[where]}"
    if has(words):
        return say(words)
    return say(
        "dice.action",
        count=zones,
        number=zones,
        colour=say(f"dice.asks.{COLOUR_RULES[colour]}"),
        where=say(f"dice.asks.{WHERE_RULES[where]}"),
    )


def letter(colour: int, paint: Paint) -> str:
    """Return the letter of a colour, painted in it."""
    return paint(LETTERS[colour], art.LANTERNS[LETTERS[colour]])


def sheet_lines(box: Any, state: Any, seat: int, name: str, paint: Paint) -> list[tuple[str, int]]:
    """Return a sheet as lines of text with their widths, in which colour codes do not count."""
    points = points_of(box, state, seat)
    step = say(f"dice.task.{STEPS[state.at[seat]]}") if state.at[seat] != NOTHING else ""
    if state.platform[seat]:
        step = say("dice.task.platform")
    head = say("dice.picture.sheet", name=name, sheet=SHEET_LETTERS[state.sheets[seat]], gifts=int(state.gifts[seat]))
    total = say("dice.picture.points", total=sum(points.values()), **points)
    lines = [(text, len(text)) for text in (head, total, f"> {step}" if step else "")]
    lines.append(("  " + "".join(f" {column}  " for column in COLUMNS), 2 + 4 * WIDTH))
    for row in range(HEIGHT):
        ponds = [pond_text(box, state, seat, row * WIDTH + column, paint) for column in range(WIDTH)]
        lines.append((f"{row + 1} " + " ".join(ponds), 1 + 4 * WIDTH))
    return lines


def pond_text(box: Any, state: Any, seat: int, pond: int, paint: Paint) -> str:
    """Return a pond as three characters."""
    mark = "#" if int(box.platforms) >> pond & 1 else "^" if int(box.boats) >> pond & 1 else " "
    shaded = [is_shaded(state, seat, pond * 2 + half) for half in range(2)]
    if int(state.lit[seat]) >> pond & 1:
        return LIT * 2 + mark
    if all(shaded):
        return COMPLETE * 2 + mark
    text = ""
    for half in range(2):
        name = LETTERS[box.zones[pond * 2 + half]]
        shown = name.lower() if int(box.pavilions[half]) >> pond & 1 else name
        text += SHADED if shaded[half] else paint(shown, art.LANTERNS[name])
    return text + mark
