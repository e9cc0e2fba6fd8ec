"""Ways to spoil plain data: an entry taken away, doubled, swapped for another or replaced by nonsense."""

from __future__ import annotations

import copy
import datetime
from typing import Any

from hypothesis import strategies as st

NUMBERS = st.sampled_from([-1, 0, 1, 2, 3, 5, 7, 12, 36, 99, 127, 128, 255, 256, 2**15, 2**31, 2**63, 2**64, 10**30])
NONSENSE: st.SearchStrategy[Any] = st.one_of(
    NUMBERS,
    NUMBERS.map(lambda number: -number),
    st.sampled_from([None, True, False, 0.5, 1.0, float("nan"), float("inf"), "", "A", "W", "é", "{who}", "0", "\0"]),
    st.text(max_size=6),
    st.lists(st.integers(-2, 9), max_size=4),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)
DATES = st.just(datetime.date(2001, 1, 1))
"""What TOML can hold and JSON cannot."""


def paths(data: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every entry, however deep."""
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    found = []
    for name, value in entries:
        found.append((*way, name))
        found += paths(value, (*way, name))
    return found


def entry(data: Any, way: tuple[Any, ...]) -> Any:
    """What lies at the end of the way."""
    for name in way:
        data = data[name]
    return data


EXTREMES: tuple[Any, ...] = (-1, 2**63, 10**30, None, True, 1.5, "x", [], {})


def replaced(data: Any, way: tuple[Any, ...], value: Any) -> Any:
    """The data with the entry at the end of the way replaced; what is beside the way is shared."""
    if not way:
        return value
    spoilt = copy.copy(data)
    spoilt[way[0]] = replaced(data[way[0]], way[1:], value)
    return spoilt


@st.composite
def spoiled(draw: st.DrawFn, data: Any, nonsense: st.SearchStrategy[Any] = NONSENSE) -> Any:
    """The data with one to three entries spoilt."""
    data = copy.deepcopy(data)
    for _ in range(draw(st.sampled_from([1, 1, 1, 2, 3]))):
        ways = paths(data)
        if not ways:
            break
        *way, name = draw(st.sampled_from(ways))
        inside = entry(data, tuple(way))
        how = draw(st.sampled_from(["nonsense", "nonsense", "near", "near", "away", "double", "swap", "rename", "add"]))
        value = inside[name]
        if how == "away":
            del inside[name]
        elif how == "double" and isinstance(inside, list):
            inside.insert(draw(st.integers(0, len(inside))), copy.deepcopy(value))
        elif how == "swap":
            inside[name] = copy.deepcopy(entry(data, draw(st.sampled_from(ways))))
        elif how == "rename" and isinstance(inside, dict):
            inside[draw(st.text(max_size=4))] = inside.pop(name)
        elif how == "add" and isinstance(inside, dict):
            inside[draw(st.text(max_size=4))] = draw(nonsense)
        elif how == "near":
            inside[name] = draw(near(value))
        else:
            inside[name] = draw(nonsense)
    return data


def near(value: Any) -> st.SearchStrategy[Any]:
    """Something that could almost be the value."""
    if isinstance(value, bool):
        return st.just(not value)
    if isinstance(value, int):
        return st.integers(-3, 3).map(lambda step: value + step)
    if isinstance(value, str) and value:
        return st.one_of(
            st.integers(0, len(value) - 1).map(lambda i: value[:i] + value[i + 1 :]),
            st.permutations(value).map("".join),
            st.sampled_from("WORPBGKAX*").map(lambda letter: letter + value[1:]),
        )
    if isinstance(value, list):
        return st.permutations(value)
    return NONSENSE
