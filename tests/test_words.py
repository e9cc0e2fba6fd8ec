"""The words people read: the same in every language, as the language writes them, and none too few or too many."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

from lampion.locale import LANGUAGES

ROOT = Path(__file__).parents[1]
HOUSE = ROOT / "src" / "lampion"
GAMES = sorted(path.parent.name for path in (HOUSE / "games").glob("*/fr.json"))
FOLDERS = [HOUSE / "locale", HOUSE / "locale" / "web", *(HOUSE / "games" / game for game in GAMES)]
PAGES = sorted(path for path in (ROOT / "web" / "src").rglob("*") if path.suffix in (".svelte", ".ts"))

NARROW, WIDE = "\u202f", "\u00a0"
SLIPS = {
    "no narrow space before ; ! ? or %": re.compile(rf"[^{NARROW}][;!?%](?!\w)"),
    "no fixed space before a colon": re.compile(rf"[^{WIDE}]:(?=[\s*]|$)"),
    "no fixed space inside « »": re.compile(rf"«(?!{WIDE})|(?<!{WIDE})»"),
    "a straight apostrophe": re.compile(r"\w'[\w{«]"),
    "a straight quotation mark": re.compile(r'"'),
}
FOR_A_MACHINE = re.compile(r"\{\{.*?\}\}|\bcmd: |pip install [\"']?[\w\[\]]+[\"']?")


@cache
def words(folder: Path, language: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((folder / f"{language}.json").read_text(encoding="utf-8"))
    return found


def french() -> list[tuple[str, str]]:
    """Every French text with where it stands."""
    said = [(key, text) for folder in FOLDERS for key, text in words(folder, "fr").items()]
    for path in sorted((HOUSE / "locale" / "rules").glob("*.fr.md")):
        lines = path.read_text(encoding="utf-8").splitlines()
        said += [(f"{path.name}:{i}", re.sub(r" \{#.*\}$", "", line)) for i, line in enumerate(lines, 1)]
    return said


@pytest.mark.parametrize("slip", SLIPS)
def test_french_is_written_as_french_is(slip: str) -> None:
    found = [f"{where}: {text}" for where, text in french() if SLIPS[slip].search(FOR_A_MACHINE.sub("", text))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_languages_have_the_same_keys(folder: Path) -> None:
    keys = [list(words(folder, language)) for language in LANGUAGES]
    assert keys[0] == keys[1]


# The browser: its keys are literals, or put together from a literal with gaps.

GAP = r"\$\{[^}]*\}"
BEGINNING = "|".join(["web", "bot", "outcome", "seat", "table", "server", *GAMES, r"\$\{[\w.]*game\}"])
KEY = re.compile(rf"""(["'`])((?:{BEGINNING})(?:\.(?:\w|{GAP})+)+)\1""")


def asked() -> dict[str, re.Pattern[str]]:
    """What the pages ask the catalogue for."""
    found = {}
    for path in PAGES:
        for _, key in KEY.findall(path.read_text(encoding="utf-8")):
            pattern = r"[^.]+".join(re.escape(part) for part in re.split(GAP, key))
            found[key] = re.compile(rf"{pattern}(\.one|\.other)?")
    return found


def test_every_word_a_page_asks_for_is_there() -> None:
    known = [key for folder in FOLDERS for key in words(folder, "en")]
    missing = [key for key, pattern in asked().items() if not any(pattern.fullmatch(one) for one in known)]
    assert not missing, f"no words for {', '.join(missing)}"
    assert len(asked()) > 200


def test_every_word_for_a_page_is_asked_for() -> None:
    patterns = asked().values()
    kept = [key for folder in FOLDERS for key in words(folder, "en") if "web" in key.split(".")[:2]]
    unused = [key for key in kept if not any(pattern.fullmatch(key) for pattern in patterns)]
    assert not unused, f"nobody says {', '.join(unused)}"
