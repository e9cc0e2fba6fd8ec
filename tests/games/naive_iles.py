"""1001 Îles once more, slowly and straight from the rulebook: plain Python on what an all-seeing viewer sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

ROWS = ("top", "centre", "bottom")
GEMS = {"R", "E", "D"}


def faces(data: Mapping[str, Any], seat: Mapping[str, Any]) -> list[list[str]]:
    """What can be seen on an island, row by row: nothing on a free cell, nothing on a tile turned over."""
    return [
        ["" if cell is None or cell["down"] else data["islands"][name][cell["tile"]] for cell in row]
        for name, row in zip(ROWS, seat["island"], strict=True)
    ]


def turned_over(seat: Mapping[str, Any]) -> int:
    """How many tiles show the genie."""
    return sum(cell is not None and cell["down"] for row in seat["island"] for cell in row)


def elements(data: Mapping[str, Any], seat: Mapping[str, Any]) -> Counter[str]:
    """Every visible element."""
    return Counter("".join("".join(row) for row in faces(data, seat)))


def dream(data: Mapping[str, Any], seat: Mapping[str, Any], name: str) -> int:
    """The points of one dream tile."""
    seen = elements(data, seat)
    island = faces(data, seat)
    if name == "rokh":
        return 2 * seen["r"]
    if name == "monkey":
        return 2 * seen["m"]
    if name == "fennec":
        return 3 * seen["f"]
    if name == "camel":
        return 4 * seen["c"]
    if name == "elephant":
        return 5 * seen["e"]
    if name == "lamp":
        return {1: 4, 2: 12}.get(seen["l"], 0)
    if name == "snake":
        return {1: 10, 2: 5}.get(seen["s"], 0)
    if name == "genie":
        return 4 * turned_over(seat)
    if name == "gem_rows":
        return sum((0, 2, 5, 10)[len(GEMS & set("".join(row)))] for row in island)
    assert name == "gem_columns"
    return sum((0, 2, 6, 12)[len(GEMS & set("".join(column)))] for column in zip(*island, strict=True))


def score(data: Mapping[str, Any], view: Mapping[str, Any]) -> list[dict[str, int]]:
    """Everybody's points by category, those that are not 0."""
    most = max(elements(data, seat)["b"] for seat in view["seats"])
    scores = []
    for seat in view["seats"]:
        seen = elements(data, seat)
        points: Counter[str] = Counter()
        for name in seat["dreams"]:
            points[name] += dream(data, seat, name)
        points["palms"] = seen["p"]
        rokhs, eggs = seen["r"], seen["o"]
        while rokhs and eggs:
            points["pairs"] += 7
            rokhs, eggs = rokhs - 1, eggs - 1
        if seen["b"] == most:
            points["brigands"] = -seen["b"]
        scores.append({name: n for name, n in points.items() if n})
    return scores


def places(data: Mapping[str, Any], view: Mapping[str, Any], scores: list[dict[str, int]]) -> list[int]:
    """Everybody's rank: most points, then fewest visible brigands, then shared."""
    keys = [
        (sum(points.values()), -elements(data, seat)["b"]) for points, seat in zip(scores, view["seats"], strict=True)
    ]
    return [1 + sum(other > key for other in keys) for key in keys]


def cells_for(seat: Mapping[str, Any], row: int) -> set[int]:
    """The columns where a tile of this row may lie: free, and beside the board or a tile, whichever side it shows."""
    island = seat["island"]

    def lies(y: int, x: int) -> bool:
        return 0 <= y < 3 and 0 <= x < 4 and island[y][x] is not None

    return {
        x
        for x in range(4)
        if not lies(row, x) and (x == 0 or lies(row, x - 1) or lies(row, x + 1) or lies(row - 1, x) or lies(row + 1, x))
    }
