"""Every reason that is given is a fact: recomputed here from views and events, on random positions of every game."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, get_args

import msgspec
import pytest
from games_played import NAMES, random_game
from tiers import IS_DEEP

from lampion.games import registry
from lampion.games.core import EVERYTHING
from lampion.games.dice.lake import PONDS
from lampion.games.lumens import reasons as lumens_reasons
from lampion.games.lumens.components import LETTERS
from lampion.games.lumens.state import WIDTH, is_in
from lampion.games.reason_types import favour
from lampion.insight.decision_positions import judged_positions
from lampion.insight.reasons import reasons_for, sentences
from lampion.locale import LANGUAGES, speaking

TABLES = [
    ("lanternes", 2),
    ("lanternes", 4),
    ("dice", 2),
    ("dice", 4),
    ("lumens", 2),
    ("lumens", 4),
    ("iles", 2),
    ("iles", 4),
]
POSITIONS = 1000 if IS_DEEP else 160
EACH = 20
"""Positions that are drawn from a game."""


class After:
    """What a move comes to, as everybody can read it."""

    def __init__(self, position: Any, id: int, seat: int) -> None:
        after = position.copy()
        self.events = after.push(id, seat)
        self.view = after.view(EVERYTHING)
        self.points = after.count().categories
        self.said = [(event.kind, event.seat) for event in self.events]
        self.box, self.state = after.edition.box, after.state


def more(reason: Any, number: Callable[[After], int], better: After, other: After) -> bool:
    """Return whether a number differs by what the reason says."""
    return bool(reason.more == number(better) - number(other) != 0)


def only_after(reason: Any, fact: Callable[[After], bool], better: After, other: After) -> bool:
    """Return whether a fact is true after the one move that the reason says, and not after the other."""
    return bool(fact(better) == reason.after_better and fact(other) != reason.after_better)


def has_set(after: After, seat: int, combination: str) -> bool:
    counts = after.view.seats[seat].cards.values()
    if combination == "four":
        return any(count > 3 for count in counts)
    return sum(count > 1 for count in counts) > 2 if combination == "pairs" else all(counts)


def lanternes(reason: Any, better: After, other: After) -> bool:
    match reason.kind:
        case "reward":
            return more(reason, lambda a: sum(a.points[reason.seat].values()), better, other)
        case "cards":
            return more(reason, lambda a: a.view.seats[reason.seat].cards[reason.colour], better, other)
        case "boats":
            return more(reason, lambda a: a.view.seats[reason.seat].boats, better, other)
        case "ready":
            seen = better if reason.after_better else other
            top = [*seen.view.stacks[reason.combination], 4][0]
            ready = only_after(reason, lambda a: has_set(a, reason.seat, reason.combination), better, other)
            return ready and top == reason.points
        case "supply":
            return only_after(reason, lambda a: a.view.supply[reason.colour] == 0, better, other)
        case "top":
            return more(reason, lambda a: [*a.view.stacks[reason.combination], 4][0], better, other)
        case "kept":
            hands = [after.view.seats[reason.seat].hand for after in (better, other)]
            return reason.tile in hands[0] and reason.tile not in hands[1]
    return False


def complete(after: After, seat: int) -> int:
    shaded = set(after.view.seats[seat].shaded)
    return sum(zone % 2 == 0 and zone + 1 in shaded for zone in shaded)


def dice(reason: Any, better: After, other: After) -> bool:
    seat = reason.seat
    match reason.kind:
        case "points":
            return more(reason, lambda a: a.view.seats[seat].points[reason.category], better, other)
        case "ready":
            return only_after(
                reason, lambda a: (a.view.seats[seat].lacking or {}).get(reason.shape) == 0, better, other
            )
        case "ponds":
            return more(reason, lambda a: complete(a, seat), better, other)
        case "zones":
            return more(reason, lambda a: len(a.view.seats[seat].shaded), better, other)
        case "gifts":
            return more(reason, lambda a: a.view.seats[seat].gifts, better, other)
        case "bonus":
            return more(reason, lambda a: a.said.count(("offered", seat)), better, other)
        case "die":
            faced = [{e.seat: e.thing for e in a.events if e.kind == "faced"}[seat] for a in (better, other)]
            return faced == [reason.colour, reason.instead]
        case "missed":

            def misses(after: After) -> bool:
                return any((e.kind, e.seat, e.thing) == ("missed", seat, reason.colour) for e in after.events)

            return only_after(reason, misses, better, other)
    return False


def lumens(reason: Any, better: After, other: After) -> bool:
    seat = reason.seat
    match reason.kind:
        case "points":
            room = reason.category.removeprefix("room_")
            return more(reason, lambda a: a.view.rooms[room].points[seat], better, other)
        case "sum":
            return more(reason, lambda a: a.view.rooms[reason.room].sums[seat], better, other)
        case "covered":
            seen, unseen = (better, other) if reason.after_better else (other, better)
            covered = [[(e.seat, e.number) for e in a.events if e.kind == "covered"] for a in (seen, unseen)]
            return (seat, reason.face) in covered[0] and covered[0] != covered[1]
        case "lines":
            return bool(reason.more)  # the ends of lines are compared with the rules' own below
        case "reach":
            reached = only_after(reason, lambda a: bool(within_reach(a, reason)), better, other)
            return reached and lies_there(better, reason) and ends_a_lead(better, reason) == reason.lead
    return False


def within_reach(after: After, reason: Any) -> list[Any]:
    """The tokens that are as a reason says, at the end of a line of its seat."""
    view, rooms = after.view, after.box.rooms[len(after.view.seats)]
    if view.seats[reason.seat].out or not sum(view.seats[reason.seat].left):
        return []
    ends = lumens_reasons.line_ends(after.box, after.state, reason.seat)
    wanted = (reason.whose, reason.face, reason.room)
    return [
        cell
        for cell in view.cells
        if (at := cell.y * WIDTH + cell.x) in ends
        and rooms[at] >= 0
        and (cell.tokens[-1].seat, cell.tokens[-1].face, LETTERS[rooms[at]]) == wanted
    ]


def lies_there(after: After, reason: Any) -> bool:
    """Whether a token as a reason says lies in its room."""
    rooms = after.box.rooms[len(after.view.seats)]
    wanted = (reason.whose, reason.face, reason.room)
    return any(
        (cell.tokens[-1].seat, cell.tokens[-1].face, LETTERS[rooms[at]]) == wanted
        for cell in after.view.cells
        if cell.tokens and rooms[at := cell.y * WIDTH + cell.x] >= 0
    )


def ends_a_lead(after: After, reason: Any) -> bool:
    """Whether somebody else leads a room once a token of the reason is covered, were it by a 1."""
    sums = list(after.view.rooms[reason.room].sums)
    leads = sums[reason.whose] == max(sums)
    sums[reason.whose] -= reason.face
    sums[reason.seat] += 1
    return bool(leads and sums[reason.whose] < max(sums))


def brigands(position: Any, after: After, seat: int) -> int:
    rows = position.edition.data["islands"]
    found = 0
    for row, name in zip(after.view.seats[seat].island, ("top", "centre", "bottom"), strict=True):
        found += sum(rows[name][cell.tile].count("b") for cell in row if cell is not None and not cell.down)
    return found


def iles(reason: Any, better: After, other: After) -> bool:
    match reason.kind:
        case "points":
            return more(reason, lambda a: a.points[reason.seat].get(reason.category, 0), better, other)
        case "dream":
            counts = [after.view.seats[reason.seat].dreams.count(reason.dream) for after in (better, other)]
            return counts[0] > counts[1]
        case "flipped":
            return more(reason, lambda a: a.said.count(("flipped", reason.seat)), better, other)
        case "brigands":
            return more(reason, lambda a: brigands(iles.position, a, reason.seat), better, other)  # type: ignore[attr-defined]
        case "named":
            named = [next(seat for kind, seat in after.said if kind == "named") for after in (better, other)]
            return named == [reason.seat, reason.instead]
        case "left" | "unseen":
            return True  # compared with the table below
    return False


CHECKS = {"lanternes": lanternes, "dice": dice, "lumens": lumens, "iles": iles}


def line_ends(position: Any, view: Any, seat: int) -> set[tuple[int, int]]:
    """Where lines of a seat end: straight from its visible tokens, over empty cells, onto at most one token."""
    tokens = {(cell.x, cell.y): cell.tokens for cell in view.cells}
    ends = set()
    for (x, y), pile in tokens.items():
        if pile[-1].seat != seat:
            continue
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            way = [(x + dx * far, y + dy * far) for far in range(1, pile[-1].face + 1)]
            is_free = all(is_lake(position, *at) for at in way) and not any(at in tokens for at in way[:-1])
            if is_free and len(tokens.get(way[-1], ())) < 2 and may_end(position, seat, *way[-1]):
                ends.add(way[-1])
    return ends


def is_lake(position: Any, x: int, y: int) -> bool:
    """Whether a cell belongs to the board of so many players."""
    return 0 <= x < WIDTH and y >= 0 and bool(is_in(position.edition.box.inside[position.players], y * WIDTH + x))


def may_end(position: Any, seat: int, x: int, y: int) -> bool:
    """Whether a seat may place there at all."""
    return bool(is_in(position.edition.box.allowed[position.players, seat], y * WIDTH + x))


def lines_differ(reason: Any, position: Any, seat: int, better: After, other: After) -> bool:
    return more(reason, lambda after: len(line_ends(position, after.view, reason.seat)), better, other)


def is_left(reason: Any, position: Any, seat: int, better: After, other: After) -> bool:
    """Whether a tile that the mover sees is still on the table after the one move and not after the other."""
    view = position.view(seat)
    letters = position.edition.data["islands"].get(view.open)

    def same(slot: int, after: After) -> bool:
        lying = after.view.table[slot] if after.view.table else None
        return lying is not None and lying.tile == view.table[slot].tile

    left = [
        one.tile if letters is None else letters[one.tile]
        for slot, one in enumerate(view.table)
        if one is not None and one.tile is not None and same(slot, better) and not same(slot, other)
    ]
    return any(Counter(tile) == Counter(reason.tile) for tile in left)


def is_unseen(reason: Any, position: Any, seat: int, better: After, other: After) -> bool:
    """Whether what the mover does not see is taken by the one move and not by the other."""

    def takes(after: After) -> bool:
        slots = [event.number for event in after.events if event.kind == "took"]
        return any(position.view(seat).table[slot].tile is None for slot in slots)

    return only_after(reason, takes, better, other)


OF_BOARDS = {"lines": lines_differ, "left": is_left, "unseen": is_unseen}
"""Kinds of reasons for which the position before the moves is needed."""


def pairs_of_moves(game: str, count: int) -> Iterator[tuple[Any, int, list[int]]]:
    """Random positions of a game with any number of players, with who decides and two of the moves."""
    dealt = random.Random(1)
    for seed in itertools.count():
        tables = registry.game(game).players
        final = random_game(game, tables[seed % len(tables)], seed).replay()
        seen = judged_positions(final)
        for ply in sorted(dealt.sample(sorted(seen), min(EACH, len(seen)))):
            position, seat = seen[ply][0], final.played[ply].seat
            yield position, seat, dealt.sample(position.legal_ids(seat).tolist(), 2)
            count -= 1
            if count == 0:
                return


def kinds_of(game: str) -> set[str]:
    """All kinds of reasons that a game gives."""
    reasons = registry.game(game).reasons
    assert reasons is not None
    return {kind.__struct_config__.tag for kind in get_args(reasons.AnyReason)}


def check_reasons(game: str, position: Any, seat: int, moves: list[int]) -> set[str]:
    """Recompute what the reasons for the first of two moves say; return their kinds."""
    better, other = (After(position, id, seat) for id in moves)
    iles.position = position  # type: ignore[attr-defined]
    found = reasons_for(position, seat, *moves)
    favours = [favour(reason, seat) for reason in found]
    assert favours == sorted(favours, reverse=True)
    for reason in found:
        shown = reason, *(position.notation(id) for id in moves)
        assert CHECKS[game](reason, better, other), shown
        if check := OF_BOARDS.get(reason.kind):
            assert check(reason, position, seat, better, other), shown
    return {reason.kind for reason in found}


BOTH_WAYS = {"points", "cards", "sum", "gifts"}
"""What is more after the one move is less after the other."""


@pytest.mark.parametrize("game", CHECKS)
def test_reasons_are_true(game: str) -> None:
    told = set()
    for position, seat, moves in pairs_of_moves(game, POSITIONS):
        kinds = check_reasons(game, position, seat, moves)
        assert kinds & BOTH_WAYS == check_reasons(game, position, seat, moves[::-1]) & BOTH_WAYS
        told |= kinds
    assert told == kinds_of(game) - {"missed"}


def test_a_colour_that_is_missed_is_told() -> None:
    """Nobody shades so much in a random game: a sheet is filled by hand."""
    told = set()
    for position, seat, moves in pairs_of_moves("dice", 30):
        position.state.shaded[(seat + 1) % position.players] = (1 << PONDS) - 1
        told |= check_reasons("dice", position, seat, moves)
    assert "missed" in told


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_reasons_are_said_in_whole_sentences(game: str, players: int, language: str) -> None:
    final = random_game(game, players).replay()
    told = set()
    with speaking(language):
        for ply, (position, _) in list(judged_positions(final).items())[::3]:
            seat = final.played[ply].seat
            ids = position.legal_ids(seat).tolist()
            found = reasons_for(position, seat, ids[0], ids[-1])
            assert msgspec.json.encode(found)
            told |= {*sentences(position, found, NAMES)}
    assert told
    assert all(text.endswith(".") and "{" not in text and "@" not in text for text in told)


@pytest.mark.parametrize("players", [2, 4])
def test_lines_end_where_the_rules_let_them(players: int) -> None:
    final = random_game("lumens", players).replay()
    checked = 0
    for ply, (seat, _) in enumerate(final.played):
        position = final.at(ply)
        if seat < 0 or position.view(seat).step != "place":
            continue
        box, state = position.edition.box, position.state
        ends = lumens_reasons.line_ends(box, state, seat)
        start = int(box.starts[players, seat])
        targets = {cell for cell in range(len(box.rooms[players])) if is_in(state.targets, cell)}
        assert ends - {start} == targets - {start}
        checked += 1
    assert checked > 20


def test_a_face_down_tile_gives_no_reason_to_who_cannot_see_it() -> None:
    """Of two players the lookout hides a tile: whatever it is, the other is told the same."""
    from lampion.engine.rng import new_rng

    final = random_game("iles", 2).replay()
    checked = 0
    for ply, (position, _) in judged_positions(final).items():
        seat = final.played[ply].seat
        if position.view(seat).step != "take" or seat == position.view(seat).lookout:
            continue
        ids = position.legal_ids(seat).tolist()
        told = reasons_for(position, seat, ids[0], ids[-1])
        for seed in range(3):
            assert reasons_for(position.concealed(seat, new_rng(seed)), seat, ids[0], ids[-1]) == told
        checked += 1
    assert checked > 5
