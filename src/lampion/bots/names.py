"""How a bot is named on a command line, in a message and in a record."""

from __future__ import annotations

from lampion.bots.greedy import Greedy
from lampion.bots.levels import LEVELS, STRONGEST, Level
from lampion.bots.player import Maker
from lampion.bots.random import Random
from lampion.bots.searcher import Search
from lampion.locale import Problem

EFFORTS = {"ms": (1, 600_000), "sims": (1, 10_000_000), "threads": (1, 256)}


class BadBot(Problem):
    """A text that names no bot."""


def known() -> dict[str, Maker]:
    """All bots of the house by name."""
    levels = {name: Level(name, name) for name in LEVELS}
    return {"random": Random(), "greedy": Greedy(), **levels, "strongest": Level(STRONGEST, "strongest")}


def named(text: str) -> Maker:
    """The bot that a text names: NAME, NAME:ms=200, NAME:sims=5000, NAME:sims=5000:threads=2."""
    word, *efforts = text.strip().split(":")
    makers = known()
    if word not in makers:
        raise BadBot("error.bot", bot=word[:40], known=", ".join(makers))
    maker = makers[word]
    if not efforts:
        return maker
    if not (isinstance(maker, Level) and maker.searches):
        raise BadBot("error.bot_no_effort", bot=word)
    chosen: dict[str, int] = {}
    for effort in efforts:
        name, _, value = effort.partition("=")
        low, high = EFFORTS.get(name, (1, 0))
        if name in chosen or not value.isdecimal() or not low <= int(value) <= high:
            raise BadBot("error.bot_effort", bot=word, effort=effort[:40])
        chosen[name] = int(value)
    if ("ms" in chosen) == ("sims" in chosen):
        raise BadBot("error.bot_effort", bot=word, effort=":".join(efforts)[:40])
    effort_set = Search(sims=chosen.get("sims", 0), ms=chosen.get("ms", 0), threads=chosen.get("threads", 1))
    return maker.set(text.strip(), effort_set)
