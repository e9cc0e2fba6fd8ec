"""Lumens once more, slowly and straight from the rulebook: plain Python on what an all-seeing viewer sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Place = tuple[int, int]


def board(data: Mapping[str, Any], players: int) -> Mapping[str, Any]:
    """The board for that many players."""
    return next(board for board in data["boards"].values() if players in board["players"])


def starts(data: Mapping[str, Any], players: int) -> list[Place]:
    """The start markers by seat."""
    return [(x, y) for x, y in board(data, players)["starts"][str(players)]]


def stacks(view: Mapping[str, Any]) -> dict[Place, list[tuple[int, int]]]:
    """The tokens on every cell that has any, the covered one first: (seat, number)."""
    return {(cell["x"], cell["y"]): [(t["seat"], t["face"]) for t in cell["tokens"]] for cell in view["cells"]}


def targets(data: Mapping[str, Any], view: Mapping[str, Any], seat: int) -> dict[Place, set[Place]]:
    """Where a seat may place, each with the tokens whose lines lead there.

    Count from each of its tokens, then see what speaks against the cell.
    """
    rows = board(data, view["players"])["rows"]
    lying = stacks(view)
    found: dict[Place, set[Place]] = {}
    for (x, y), tokens in lying.items():
        owner, number = tokens[-1]
        if owner != seat:
            continue
        for dx, dy in ((0, -1), (0, 1), (-1, 0), (1, 0)):
            way = [(x + dx * i, y + dy * i) for i in range(1, number + 1)]
            end_x, end_y = way[-1]
            inside = 0 <= end_y < len(rows) and 0 <= end_x < len(rows[0])
            if inside and not any(cell in lying for cell in way[:-1]):
                found.setdefault(way[-1], set()).add((x, y))
    markers = starts(data, view["players"])
    own = markers[seat]
    if len(lying[own]) == 1:
        found.setdefault(own, set())
    return {
        cell: sources
        for cell, sources in found.items()
        if len(lying.get(cell, [])) < 2 and (cell not in markers or cell == own)
    }


def sums(data: Mapping[str, Any], view: Mapping[str, Any]) -> dict[str, list[int]]:
    """Every seat's visible total, room by room."""
    rows = board(data, view["players"])["rows"]
    totals = {room: [0] * view["players"] for row in rows for room in row if room != "."}
    for (x, y), tokens in stacks(view).items():
        if rows[y][x] != ".":
            seat, number = tokens[-1]
            totals[rows[y][x]][seat] += number
    return totals


def room_points(totals: list[int]) -> list[int]:
    """Four points for the first, two for the second; no second behind several firsts, nor with two players."""
    points = [0] * len(totals)
    present = {total for total in totals if total > 0}
    if not present:
        return points
    first = max(present)
    for seat, total in enumerate(totals):
        if total == first:
            points[seat] = 4
    others = present - {first}
    if len(totals) > 2 and totals.count(first) == 1 and others:
        for seat, total in enumerate(totals):
            if total == max(others):
                points[seat] = 2
    return points


def points(data: Mapping[str, Any], view: Mapping[str, Any]) -> dict[str, list[int]]:
    """Victory points by room and seat."""
    return {room: room_points(totals) for room, totals in sums(data, view).items()}


def ranks(data: Mapping[str, Any], view: Mapping[str, Any]) -> list[int]:
    """The places: points, then the sum in the central room; who has no token there comes behind who has."""
    seats = range(view["players"])
    totals = [sum(room[seat] for room in points(data, view).values()) for seat in seats]
    central = sums(data, view)[board(data, view["players"])["central"]]
    standing = [(totals[seat], central[seat] if central[seat] else -1) for seat in seats]
    return [1 + sum(other > mine for other in standing) for mine in standing]
