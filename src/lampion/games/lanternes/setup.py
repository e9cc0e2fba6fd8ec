"""What can be changed of a position of Lanternes by hand: cards, boats, rewards, tiles, the lake and the turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from lampion.games.core import BadPosition
from lampion.games.lanternes.events import tile_code, tile_words
from lampion.games.lanternes.state import COMBINATIONS, DRAW, HAND, LETTERS, START, STEPS, TILES
from lampion.games.lanternes.view import LakeTile, Seat, View
from lampion.games.setup_types import (
    Choice,
    Control,
    Option,
    Part,
    Placing,
    Stepper,
    one_of,
    parts_of,
    pieces,
    whole,
)
from lampion.locale import say

DECISIONS = ("exchange", "reward", "discard", "place")
"""The steps of a turn, in their order."""
MOST_BOATS = 40
MOST_NEUTRAL = 20

replace = msgspec.structs.replace


def controls(box: Any, view: View, names: Sequence[str]) -> list[Control]:
    """Return what can be changed; nothing before the tiles are dealt."""
    if view.active is None or view.step not in (*DECISIONS, STEPS[DRAW]):
        return []
    turn = say("lanternes.setup.turn")
    seats = [Option(str(seat), name) for seat, name in enumerate(names)]
    found: list[Control] = [Choice(name="turn", seat=None, group="", label=turn, value=str(view.active), options=seats)]
    if view.step in DECISIONS:
        steps = [Option(step, say(f"lanternes.web.step.{step}")) for step in DECISIONS]
        label = say("lanternes.setup.step")
        found.append(Choice(name="step", seat=None, group="", label=label, value=view.step, options=steps))
    tiles = [Option(str(tile), tile_words(tile_code(box, tile))) for tile in loose_tiles(view)]
    if tiles:
        label = say("lanternes.setup.lift")
        tiles.insert(0, Option("", say("lanternes.setup.none")))
        found.append(Choice(name="lift", seat=None, group="", label=label, value="", options=tiles))
    found.append(lay_control(box, view, names[0]))
    for seat in range(view.players):
        found += seat_controls(box, view, seat)
    return found


def loose_tiles(view: View) -> list[int]:
    """Return the tiles that can be removed from the lake so that it stays one piece with the start tile."""
    cells = {(laid.x, laid.y): laid.tile for laid in view.lake}
    found = []
    for place, tile in cells.items():
        reached, reach = set(), [(0, 0)]
        while reach:
            x, y = at = reach.pop()
            if at in cells and at != place and at not in reached:
                reached.add(at)
                reach += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        if tile != START and len(reached) == len(cells) - 1:
            found.append(tile)
    return sorted(found)


def lay_control(box: Any, view: View, who: str) -> Placing:
    """Return the control that lays an unseen tile on the lake, or moves and turns one that lies there.

    Places are named as the first seat sees them, which sits in the south: the board is turned for others.
    """
    columns, rows = columns_and_rows(view)
    tiles = [Option(str(tile), tile_words(tile_code(box, tile))) for tile in movable_tiles(view)]
    across = [Option(str(x), far_words(x, "left", "right")) for x in columns]
    away = [Option(str(y), far_words(y, "nearer", "farther")) for y in rows]
    turns = [Option(str(turn), say(f"lanternes.setup.points.{turn}", who=who)) for turn in range(4)]
    labels = ("tile", "across", "away", "turned")
    start = (tiles[0].value, "0", str(rows[-1]), "0")
    return Placing(
        name="lay",
        seat=None,
        group=say("lanternes.setup.lake"),
        label=say("lanternes.setup.lay"),
        parts=[
            Part(label=say(f"lanternes.setup.lay.{label}", who=who), value=value, options=options)
            for label, value, options in zip(labels, start, (tiles, across, away, turns), strict=True)
        ],
    )


def columns_and_rows(view: View) -> tuple[range, range]:
    """Return the columns and the rows on which a tile can touch the lake."""
    xs, ys = [laid.x for laid in view.lake], [laid.y for laid in view.lake]
    return range(min(xs) - 1, max(xs) + 2), range(min(ys) - 1, max(ys) + 2)


def movable_tiles(view: View) -> list[int]:
    """Return the tiles that can be put on the lake: those that nobody has seen, then those that lie there."""
    return [*sorted(view.unseen), *sorted(laid.tile for laid in view.lake if laid.tile != START)]


def far_words(far: int, before: str, behind: str) -> str:
    """Return how far something is from the start tile, in words."""
    where = "level" if far == 0 else before if far < 0 else behind
    return say(f"lanternes.setup.{where}", count=abs(far))


def seat_controls(box: Any, view: View, seat: int) -> list[Control]:
    """Return the controls of a player's cards, boats, rewards and hand."""
    its, cards, things = view.seats[seat], say("lanternes.setup.cards"), say("lanternes.setup.things")
    found: list[Control] = [
        Stepper(
            name=f"card:{seat}:{letter}", seat=seat, group=cards, label=say(f"lanternes.colour.{letter}"),
            value=its.cards[letter], least=0, most=its.cards[letter] + view.supply[letter],  # type: ignore[index]
        )
        for letter in LETTERS
    ]  # fmt: skip
    boats = say("lanternes.setup.boats")
    found.append(
        Stepper(
            name=f"boats:{seat}", seat=seat, group=things, label=boats, value=its.boats, least=0,
            most=max(MOST_BOATS, its.boats),
        )
    )  # fmt: skip
    for stack in range(len(COMBINATIONS)):
        found.append(reward_control(box, view, seat, stack))
    each = int(box.neutral)
    neutral = its.points["neutral"] // each
    label = say("lanternes.setup.neutral", count=its.points["neutral"])
    found.append(
        Stepper(
            name=f"neutral:{seat}", seat=seat, group=things, label=label, value=neutral, least=0,
            most=max(MOST_NEUTRAL, neutral),
        )
    )  # fmt: skip
    for place, tile in enumerate(its.hand or []):
        known = [Option(str(one), tile_words(tile_code(box, one))) for one in (tile, *sorted(view.unseen))]
        label = say("lanternes.setup.tile", number=place + 1)
        group = say("lanternes.setup.hand")
        found.append(
            Choice(name=f"hand:{seat}:{place}", seat=seat, group=group, label=label, value=str(tile), options=known)
        )
    return found


def reward_control(box: Any, view: View, seat: int, stack: int) -> Stepper:
    """Return the control of the rewards that a player took from a stack: up takes the next, down puts the last back."""
    name = COMBINATIONS[stack]
    owners = owners_of(box, view, stack, seat)
    count = owners.count(seat)
    return Stepper(
        name=f"reward:{seat}:{name}",
        seat=seat,
        group=say("lanternes.setup.things"),
        label=say("lanternes.setup.reward", set=say(f"lanternes.category.{name}"), count=view.seats[seat].points[name]),
        value=count,
        least=count - (owners[-1:] == [seat]),
        most=count + bool(view.stacks[name]),
    )


def owners_of(box: Any, view: View, stack: int, last: int) -> list[int]:
    """Return who may have taken the cards that are gone from a stack, in their order; the last of them, if that can be,
    the seat `last`."""
    name = COMBINATIONS[stack]
    gone = int(box.stack_sizes[view.players, stack]) - len(view.stacks[name])
    values = box.rewards[view.players, stack, :gone].tolist()
    order = [last, *(seat for seat in range(view.players) if seat != last)]

    def share(left: int, points: list[int]) -> list[int] | None:
        if left == 0:
            return [] if not any(points) else None
        for seat in order:
            if points[seat] >= values[left - 1]:
                rest = list(points)
                rest[seat] -= values[left - 1]
                found = share(left - 1, rest)
                if found is not None:
                    return [*found, seat]
        return None

    return share(gone, [seat.points[name] for seat in view.seats]) or []


def changed(box: Any, view: View, name: str, value: object) -> Iterator[View]:
    """Yield the position with one thing changed, first at its present step, then at the other steps of the turn."""
    what, owner, which = parts_of(name, 3)
    if view.active is None or view.step not in (*DECISIONS, STEPS[DRAW]):
        raise BadPosition("explore.no_control")
    if what == "turn":
        active = one_of(value, range(view.players))
        first = view.first if view.final else (active - len(view.lake) + 1) % view.players
        yield from at_steps(box, replace(view, active=active, first=first), DECISIONS)
        return
    if what in ("lift", "lay"):
        wanted = with_lake(view, *(lifted(view, value) if what == "lift" else laid_out(view, value)))
        yield from at_steps(box, wanted, DECISIONS)
        return
    if what == "step":
        yield settled(box, replace(view, step=one_of(value, DECISIONS)))
        return
    seat = one_of(owner, range(view.players))
    steps = (view.step, *(step for step in DECISIONS if step != view.step))
    yield from at_steps(box, with_thing(box, view, seat, (what, which), value), steps)


def lifted(view: View, value: object) -> tuple[list[LakeTile], list[int]]:
    """Return the lake without a tile, and the tiles that nobody has seen then."""
    tile = one_of(value, loose_tiles(view))
    return [laid for laid in view.lake if laid.tile != tile], [*view.unseen, tile]


def laid_out(view: View, value: object) -> tuple[list[LakeTile], list[int]]:
    """Return the lake with a tile laid or moved, and the tiles that nobody has seen then."""
    tile, x, y, turn = pieces(value, movable_tiles(view), *columns_and_rows(view), range(4))
    rest = [laid for laid in view.lake if laid.tile != tile]
    return [*rest, LakeTile(tile, x, y, turn)], [one for one in view.unseen if one != tile]


def with_lake(view: View, lake: list[LakeTile], unseen: list[int]) -> View:
    """Return the position with another lake: who began follows from how many tiles were laid."""
    assert view.active is not None
    first = (view.active - len(lake) + 1) % view.players
    return replace(view, lake=lake, unseen=unseen, first=first, final=False)


def with_thing(box: Any, view: View, seat: int, thing: tuple[str, str], value: object) -> View:
    """Return the position with a player's cards, boats, rewards or hand changed, and the supply changed to match."""
    its = view.seats[seat]
    match thing:
        case "card", letter:
            colour: Any = one_of(letter, LETTERS)
            count = whole(value, 0, its.cards[colour] + view.supply[colour])
            supply = view.supply | {colour: view.supply[colour] + its.cards[colour] - count}
            return with_seat(replace(view, supply=supply), seat, cards=its.cards | {colour: count})
        case "boats", "":
            return with_seat(view, seat, boats=whole(value, 0, max(MOST_BOATS, its.boats)))
        case "neutral", "":
            points = int(box.neutral) * whole(value, 0, max(MOST_NEUTRAL, its.points["neutral"]))
            return with_seat(view, seat, points=its.points | {"neutral": points})
        case "reward", stack:
            return with_reward(box, view, seat, one_of(stack, COMBINATIONS), value)
        case "hand", place:
            hand = list(its.hand or [])
            number = one_of(place, range(len(hand)))
            tile = one_of(value, (hand[number], *view.unseen))
            unseen = sorted({*view.unseen, hand[number]} - {tile})
            hand[number] = tile
            return with_seat(replace(view, unseen=unseen), seat, hand=hand)
    raise BadPosition("explore.no_control")


def with_reward(box: Any, view: View, seat: int, name: str, value: object) -> View:
    """Return the position after a player took the next reward of a stack, or put the last one back."""
    stack, its = COMBINATIONS.index(name), view.seats[seat]
    now = reward_control(box, view, seat, stack)
    more = whole(value, now.least, now.most) - now.value
    size = int(box.stack_sizes[view.players, stack])
    cards = box.rewards[view.players, stack, :size].tolist()
    gone = size - len(view.stacks[name])
    points = more * cards[gone if more > 0 else gone - 1] if more else 0
    stacks = view.stacks | {name: cards[gone + more :]}
    return with_seat(replace(view, stacks=stacks), seat, points=its.points | {name: its.points[name] + points})


def with_seat(view: View, seat: int, **changes: Any) -> View:
    """Return a position with some fields of a player's seat changed."""
    seats = list(view.seats)
    seats[seat] = replace(seats[seat], **changes)
    return replace(view, seats=seats)


def at_steps(box: Any, view: View, steps: Sequence[str]) -> Iterator[View]:
    """Yield a position at several steps of the turn, one after another."""
    for step in steps:
        yield settled(box, replace(view, step=step))


def settled(box: Any, view: View) -> View:
    """Return a position with hands of the size that they have at that turn, filled up from the unseen tiles."""
    assert view.first is not None
    assert view.active is not None
    players, first, placed = view.players, view.first, len(view.lake) - 1
    removed = int(box.removed[players])
    each, drawing = (TILES - removed) // players, view.step == STEPS[DRAW]
    now = (view.active - first) % players
    unseen = sorted(view.unseen)
    seats: list[Seat] = []
    for seat, its in enumerate(view.seats):
        turn = (seat - first) % players
        left = each - (placed - drawing) // players - (turn < now and not view.final)
        size = HAND - 1 if drawing and turn == now else max(0, min(HAND, left))
        hand = list(its.hand or [])
        unseen, hand = sorted([*unseen, *hand[size:]]), hand[:size]
        while len(hand) < size and unseen:
            hand.append(unseen.pop(0))
        seats.append(replace(its, hand=sorted(hand), tiles=len(hand)))
    return replace(view, seats=seats, unseen=unseen, pile=max(0, len(unseen) - removed))
