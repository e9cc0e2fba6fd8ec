"""How a bot is named on a command line, in a message and in a record."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lampion.bots.greedy import Greedy
from lampion.bots.levels import LEVELS, STRONGEST
from lampion.bots.player import Maker
from lampion.bots.random import Random
from lampion.bots.searcher import Search
from lampion.locale import Problem

EFFORTS = {"ms": (1, 600_000), "sims": (1, 10_000_000), "threads": (1, 256)}


class BadBot(Problem):
    """A text that names no bot."""


def known() -> dict[str, Maker]:
    """All bots of the house by name."""
    return {"random": Random(), "greedy": Greedy(), **LEVELS, "strongest": LEVELS[STRONGEST]}


def named(text: str) -> Maker:
    """The bot that a text names: NAME, NAME:ms=200, NAME:sims=5000, NAME:sims=5000:threads=2."""
    word, *efforts = text.strip().split(":")
    makers = known()
    if word not in makers:
        raise BadBot("error.bot", bot=word[:40], known=", ".join(makers))
    maker = makers[word]
    chosen: dict[str, Any] = {}
    for effort in efforts:
        name, _, value = effort.partition("=")
        low, high = EFFORTS.get(name, (0, 0))
        if not value.isdigit() or not low <= int(value) <= high:
            raise BadBot("error.bot_effort", bot=word, effort=effort[:40])
        if not isinstance(maker, Search):
            raise BadBot("error.bot_no_effort", bot=word)
        chosen[name] = int(value)
    if not chosen:
        return maker
    assert isinstance(maker, Search)
    if "ms" in chosen:
        chosen.setdefault("sims", 0)
    return replace(maker, name=text.strip(), **chosen)
