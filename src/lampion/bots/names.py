"""The names of bots on a command line, in a message and in a record."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path

from lampion.bots.greedy import Greedy
from lampion.bots.learned import Learned
from lampion.bots.levels import LEVELS, STRONGEST, Level
from lampion.bots.player import Maker
from lampion.bots.program import Program, command
from lampion.bots.random import Random
from lampion.bots.searcher import Search
from lampion.locale import Problem, say

EFFORTS = {"ms": (1, 600_000), "sims": (1, 10_000_000), "threads": (1, 256)}
PROGRAM = "cmd"
NET = "net="


class BadBot(Problem):
    """A text that is not the name of a bot."""


def known() -> dict[str, Maker]:
    """Return the makers of all built-in bots by name."""
    levels = {name: Level(name, name) for name in LEVELS}
    alone: dict[str, Maker] = {"random": Random(), "greedy": Greedy(), "learned": Learned()}
    return {**alone, **levels, "strongest": Level(STRONGEST, "strongest")}


def is_bot(text: str) -> bool:
    """Return whether a text is meant as the name of a bot, valid or not, rather than of a person."""
    word = text.strip().partition(":")[0]
    return word in known() or (word == PROGRAM and ":" in text)


def is_program(text: str) -> bool:
    """Return whether a text is meant as the command of a user's program."""
    return text.strip().startswith(f"{PROGRAM}:")


def as_recorded(text: str) -> str:
    """Return the text of a bot with its name as records write it: people may write the one they see, in any case."""
    word, colon, efforts = text.partition(":")
    for name in known():
        if word.casefold() in (name, title(name).casefold()):
            return name + colon + efforts
    return text


def nearest_bot(text: str) -> str | None:
    """Return the bot whose name a text nearly spells; None where no name comes close."""
    names = {shown.casefold(): name for name in known() for shown in (name, title(name))}
    near = difflib.get_close_matches(text.casefold(), names, n=1, cutoff=0.8)
    return names[near[0]] if near else None


def named(text: str) -> Maker:
    """Return the maker for a text such as NAME, NAME:ms=200, NAME:net=FILE, NAME:sims=5000:threads=2 or cmd:PROGRAM."""
    text = text.strip()
    if not text:
        raise BadBot("error.bot_missing")
    if is_program(text):
        return program_named(text)
    word, *settings = text.split(":")
    makers = known()
    if word not in makers:
        raise BadBot("error.bot", bot=word[:40], known=", ".join([*makers, f"{PROGRAM}:…"]))
    maker = makers[word]
    if not settings:
        return maker
    nets = [setting for setting in settings if setting.startswith(NET)]
    efforts = [setting for setting in settings if not setting.startswith(NET)]
    if nets and not (isinstance(maker, Learned | Level) and maker.stands_on_net):
        raise BadBot("error.bot_no_net", bot=word)
    if efforts and not (isinstance(maker, Learned | Level) and maker.searches):
        raise BadBot("error.bot_no_effort", bot=word)
    assert isinstance(maker, Learned | Level)
    return maker.set(text, effort_of(text, word, efforts) if efforts else None, net_of(text, nets) if nets else "")


def net_of(bot: str, nets: list[str]) -> str:
    """Return the file of the net that a bot is named with. It is read when the bot takes its seat, not before."""
    if len(nets) > 1:
        raise BadBot("error.bot_two_efforts", bot=bot[:80], effort=NET)
    return nets[0].removeprefix(NET)


def effort_of(text: str, word: str, efforts: list[str]) -> Search:
    """Return the effort that a bot is named with."""
    chosen: dict[str, int] = {}
    for effort in efforts:
        name, value = read_effort(word, effort)
        if name in chosen or {name, *chosen} >= {"ms", "sims"}:
            raise BadBot("error.bot_two_efforts", bot=text[:80], effort=effort[:40])
        chosen[name] = value
    if "ms" not in chosen and "sims" not in chosen:
        raise BadBot("error.bot_needs_effort", bot=text[:80], effort=":".join(efforts)[:40])
    return Search(sims=chosen.get("sims", 0), ms=chosen.get("ms", 0), threads=chosen.get("threads", 1))


def read_effort(bot: str, effort: str) -> tuple[str, int]:
    """Return the name and the number of an effort; raise BadBot where it is unknown or out of bounds."""
    name, _, value = effort.partition("=")
    if name not in EFFORTS or not (value.isdecimal() and value.isascii() and len(value) < 40):
        raise BadBot("error.bot_effort", bot=bot, effort=effort[:40])
    low, high = EFFORTS[name]
    if not low <= int(value) <= high:
        raise BadBot("error.bot_bounds", effort=effort[:40], name=name, least=low, most=high)
    return name, int(value)


def program_named(text: str) -> Maker:
    """Return the maker for cmd:PROGRAM ARGUMENTS:ms=200; words are separated and quoted as in a shell."""
    try:
        words, effort = command(text.removeprefix(f"{PROGRAM}:"))
    except ValueError:
        raise BadBot("error.bot_command", bot=text[:80]) from None
    if not words or not words[0] or "\0" in text:
        raise BadBot("error.bot_command", bot=text[:80].replace("\0", " "))
    if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
        raise BadBot("error.bot_letters", bot=text[:80].encode("utf-8", "replace").decode())
    if effort is None:
        return Program(text, words)
    if not effort.startswith("ms="):
        raise BadBot("error.bot_program_effort", bot=text[:80])
    return Program(text, words, read_effort("cmd:…", effort)[1])


def split_names(text: str) -> list[str]:
    """Return the names in a list separated by commas, except commas in quotation marks or after a backslash.

    The names of bots are returned as records write them.
    """
    names, quote, escaped = [""], "", False
    for letter in text:
        if letter == "," and not quote and not escaped:
            names.append("")
            continue
        names[-1] += letter
        if escaped or not is_program(names[-1]):
            escaped = False
        elif letter == "\\" and quote != "'":
            escaped = True
        elif quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
    if quote:
        raise BadBot("error.bot_command", bot=names[-1][:80].strip())
    return [as_recorded(name.strip()) for name in names]


def numbered(names: Sequence[str], are_bots: Sequence[bool]) -> list[str]:
    """Return the names of all seats; bots with the same name get numbers."""
    return [
        say("play.same_bot", name=name, number=names[: seat + 1].count(name))
        if is_bot and names.count(name) > 1
        else name
        for seat, (name, is_bot) in enumerate(zip(names, are_bots, strict=True))
    ]


def title(text: str) -> str:
    """Return the name of a bot for people, in their language; of a program, its command."""
    maker = named(text)
    if isinstance(maker, Program):
        return " ".join([Path(maker.words[0]).name, *maker.words[1:]])[:40]
    return say(f"bot.{maker.level if isinstance(maker, Level) else text.partition(':')[0]}")
