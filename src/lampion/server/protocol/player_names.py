"""Players' names: which characters they may have, and which look alike.

A name is shown beside moves and points, so that nobody can pass for another, for a bot or for chance: letters that are
not seen, or that turn the text around, are refused or left out, and names that look alike are not both taken.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from lampion.bots.levels import LEVELS
from lampion.games.core import MOST_SEATS
from lampion.locale import LANGUAGES, Problem, say, speaking

MOST_MARKS = 4
"""The most combining marks on one letter."""
UNSEEN = (
    r"\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e"
    r"\u2060-\u206f\u2800\u3164\ue000-\uf8ff\ufe00-\ufe0e\ufeff\uffa0\ufff0-\uffff\U0001d173-\U0001d17a"
    r"\U000e0000-\U0010ffff"
)
"""Characters that are invisible, have no agreed look or reverse text, as part of a regular expression."""
JOINERS = "\u200c\u200d"
EMOJI_LOOK = "\ufe0f"
LEFT_OUT = dict.fromkeys(map(ord, JOINERS + EMOJI_LOOK))

GREEK = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανηικορυχγ", "ABEZHIKMNOPTYXavnikopuxy"
CYRILLIC = "АВЕЅІЈКМНОРСТУХҮԚԜӀаеѕіјкорсухүһԁԛԝӏ", "ABESIJKMHOPCTYXYQWIaesijkopcyxyhdqwl"
LATIN = "ıɑɡǀ’‘ʼ`´‐‑–—−", "iagl'''''-----"
LOOK_ALIKE = str.maketrans(*map("".join, zip(GREEK, CYRILLIC, LATIN, strict=True)))
STROKES = str.maketrans("I1|0", "lllO")


class BadName(Problem):
    """A name that cannot be taken."""


def cleaned(name: str) -> str:
    """Return a name normalised: composed letters, single spaces, nothing invisible; BadName where nothing is left."""
    text = unicodedata.normalize("NFC", name)
    if re.search(f"[{UNSEEN}]", text):
        raise BadName("table.name_letters")
    text = " ".join(_without_loose_joiners(text).split())
    marks = 0
    for before, letter in zip(" " + text, text, strict=False):
        marks = marks + 1 if unicodedata.category(letter).startswith("M") and letter != EMOJI_LOOK else 0
        if marks > MOST_MARKS or (marks and before == " "):
            raise BadName("table.name_letters")
    if not text:
        raise BadName("table.name_blank")
    return text


def _without_loose_joiners(text: str) -> str:
    """Return a text without joiners that join nothing and without emoji selectors after other characters."""
    kept = ""
    for place, letter in enumerate(text):
        after = text[place + 1] if place + 1 < len(text) else " "
        if letter == EMOJI_LOOK and not (kept and _is_symbol(kept[-1])):
            continue
        if letter in JOINERS and not (kept and _joins(kept[-1]) and _joins(after)):
            continue
        kept += letter
    return kept


def _is_symbol(letter: str) -> bool:
    return unicodedata.category(letter) in ("So", "Sk", "Sm", "Po")


def _joins(letter: str) -> bool:
    return letter == EMOJI_LOOK or unicodedata.category(letter)[0] in "LMS"


def looks(name: str) -> frozenset[str]:
    """Return the looks of a name; two names look alike where they have one in common.

    The ways: without regard to case; with the letters of Greek and Cyrillic that look like Latin ones taken for them;
    and with I, l, 1 and O, 0 taken for one another.
    """
    seen = unicodedata.normalize("NFKC", name).translate(LEFT_OUT)
    latin = unicodedata.normalize("NFC", unicodedata.normalize("NFD", seen).translate(LOOK_ALIKE))
    return frozenset((f"case {seen.casefold()}", f"latin {latin.casefold()}", f"strokes {latin.translate(STROKES)}"))


def look_alike(name: str, other: str) -> bool:
    """Return whether two names cannot well be told apart."""
    return not looks(name).isdisjoint(looks(other))


@cache
def reserved(seat: int) -> frozenset[str]:
    """Return the looks of names that nobody at a seat can have: those of bots, of chance, and of other seats."""
    names: list[str] = []
    for language in LANGUAGES:
        with speaking(language):
            numbers = range(1, MOST_SEATS + 1)
            bots = [say(f"bot.{level}") for level in LEVELS]
            names += [*LEVELS, *bots, say("play.chance")]
            names += [say("play.same_bot", name=bot, number=number) for bot in bots for number in numbers]
            for key in ("seat.name", "seat.place"):
                names += [say(key, number=number) for number in numbers if number != seat + 1]
    return frozenset().union(*map(looks, names))
