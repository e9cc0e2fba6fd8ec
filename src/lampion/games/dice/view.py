"""What everybody sees in Lanternes Dice, as plain data, and the position that such data describes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from lampion.engine.record_fields import box_fields, fields_of
from lampion.games.core import BadPosition, IllegalMove
from lampion.games.dice.choices import corner_of
from lampion.games.dice.goals import boats_left, group_sizes, ponds_lacking
from lampion.games.dice.lake import PONDS
from lampion.games.dice.notation import Colour, where_of
from lampion.games.dice.scoring import points_of
from lampion.games.dice.sheet import active_of, bonus_now, fireworks_on, gifts_spent, ponds_under, shaded_zones
from lampion.games.dice.state import (
    ACTING,
    CARDS,
    COLOUR_RULES,
    CORNERS,
    IN_PLAY,
    LAUNCHES_EACH,
    LETTERS,
    MOST_GIFTS,
    MOST_ZONES,
    NO_COLOUR,
    NO_SIDE,
    NOTHING,
    SEATS,
    SHADING,
    SHAPE_NAMES,
    SHEET_LETTERS,
    SIDE_LETTERS,
    STAGES,
    STEPS,
    TILES,
    WHERE_RULES,
    ZONES,
    Shape,
    Side,
)
from lampion.games.move_types import UNORDERED, Plain, number_check
from lampion.locale import has

Stage = Literal["fireworks", "sides", "roll", "turn", "shade", "final", "ended"]
Step = Literal["turn", "die", "bonus", "emperor", "action", "launch"]

whole = number_check("dice")


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


class Boat(Plain, frozen=True):
    """A boat that can still score: its pond, and how many of the four beside it are not yet complete."""

    pond: int
    missing: int


class Seat(Plain, frozen=True, kw_only=True):
    """A player's sheet and what the player is asked. `platform` is the pond whose bonus is to be used now.

    `groups` are the sizes of the groups of complete ponds, the largest first; `lacking` the ponds that each firework in
    stock still needs, without those that have no place left.

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
    groups: list[int] | None = None
    boats: list[Boat] | None = None
    lacking: dict[Shape, int] | None = None


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
    """Return what everybody sees: nothing is hidden."""
    rules, at = box_fields(box), fields_of(state)
    players, shapes = at.players, at.shapes
    return View(
        players=players,
        step=STAGES[at.stage],  # type: ignore[arg-type]
        turn=at.turn,
        sides=[None if side == NO_SIDE else SIDE_LETTERS[side] for side in at.sides],  # type: ignore[misc]
        dice=[colour_letter(colour) for colour in at.dice],
        stacks=[
            Stack(name, rules.values[shape][at.taken[shape] :])
            for shape, name in enumerate(SHAPE_NAMES)
            if shapes >> shape & 1
        ],
        seats=[seat_view(box, state, rules, at, seat) for seat in range(players)],
        turns=rules.turns[players],
        active=active_of(state),
        bonus=colour_letter(bonus_now(box, state)),
    )


def colour_letter(colour: int) -> Colour | None:
    """Return the letter of a colour; None for NO_COLOUR."""
    return None if colour == NO_COLOUR else LETTERS[colour]  # type: ignore[return-value]


def fireworks_of(box: Any, state: Any, seat: int) -> list[Launched]:
    """Return the fireworks on a seat's sheet."""
    return [
        Launched(shape, ponds_under(box, where), tile, points)
        for shape, where, tile, points in fireworks_on(box, state, seat)
    ]


def seat_view(box: Any, state: Any, rules: Any, at: Any, seat: int) -> Seat:
    """Return a seat's sheet and what the seat is asked; `rules` and `at` are the fields of `box` and `state`."""
    corner, sheet = corner_of(state, seat), at.sheets[seat]
    return Seat(
        sheet=SHEET_LETTERS[sheet],  # type: ignore[arg-type]
        gifts=at.gifts[seat],
        shaded=shaded_zones(at, seat),
        fireworks=fireworks_of(rules, at, seat),
        step=STEPS[at.at[seat]],  # type: ignore[arg-type]
        platform=at.platform[seat] - 1 if at.platform[seat] else None,
        action=Action(
            at.card[seat],
            at.left[seat],
            "".join(letter for i, letter in enumerate(LETTERS) if at.used[seat] >> i & 1),
            at.pond[seat] - 1 if at.pond[seat] else None,
        )
        if at.at[seat] == ACTING
        else None,
        corner=corner,
        faces=colour_letter(at.dice[corner]) if at.stage == SHADING else None,
        bonuses="".join(LETTERS[c] for c in rules.bonuses[at.players][sheet][: rules.turns[at.players]]),
        spent=gifts_spent(rules, at, seat),
        points=points_of(box, state, seat),
        groups=group_sizes(at, seat),
        boats=[Boat(pond, missing) for pond, missing in boats_left(rules, at, seat).items()],
        lacking=ponds_lacking(rules, at, seat),
    )


def options_of(view: View) -> dict[str, Any]:
    """Return the options that a position shows."""
    found: dict[str, Any] = {"sheets": "".join(seat.sheet for seat in view.seats)}
    if len(view.stacks) == IN_PLAY:
        found["fireworks"] = sorted((stack.shape for stack in view.stacks), key=SHAPE_NAMES.index)
    if None not in view.sides:
        found["sides"] = "".join(str(side) for side in view.sides)
    return found


def asked(box: Any, state: Any, seat: int) -> str:
    """Return the key of the words for what a seat is asked in its step; without a step, for the stage."""
    if seat >= 0 and state.platform[seat]:
        return "dice.asked.platform"
    step = STEPS[state.at[seat]] if seat >= 0 else None
    if step is None:
        return f"dice.step.{STAGES[state.stage]}"
    if step == "turn":
        return "dice.asked.turn" if state.gifts[seat] else "dice.asked.turn.no_gift"
    if step == "die":
        return f"dice.asked.die.{colour_letter(state.dice[corner_of(state, seat)])}"
    if step == "bonus":
        return f"dice.asked.bonus.{colour_letter(bonus_now(box, state))}"
    return asked_by_card(box, state, seat) if step == "action" else f"dice.asked.{step}"


def asked_by_card(box: Any, state: Any, seat: int) -> str:
    """Return the key of the words for the next zone of an emperor action."""
    card = int(state.card[seat]) - 1
    _, colour, where = box.actions[card, state.sides[card]]
    key = f"dice.asked.action.{COLOUR_RULES[colour]}.{WHERE_RULES[where]}"
    more = ".more" if state.used[seat] else ""
    return key + more if has(key + more) else "dice.asked.action" + more


def position(box: Any, view: View, state: Any) -> None:
    """Fill a zeroed state from a view; check the fields, and leave the rest to `broken_invariant`."""
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
    """Write a seat's sheet and what it is asked."""
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
