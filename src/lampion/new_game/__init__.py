"""A new game in a package of its own, written from a small complete one that stands in `template`."""

from __future__ import annotations

import importlib.util
import keyword
import re
from pathlib import Path

from lampion.games import registry
from lampion.locale import Problem, short, why

TEMPLATE = Path(__file__).parent / "template"
NAME = re.compile(r"[a-z][a-z0-9_]{1,29}")
SAMPLE = "fireflies"
TITLES = re.compile(r"\b(Fireflies|Lucioles)\b")
AS_A_NAME = re.compile(
    "|".join(
        (
            rf"(?<=[\"'`/]){SAMPLE}\b",
            rf"\b{SAMPLE}(?=\.[a-z_]|:GAME| = | --)",
            rf"(?<=from ){SAMPLE}\b",
            rf"(?<=play ){SAMPLE}\b",
        )
    )
)
"""The name of the game as a program reads it, apart from the word for the insects."""


def check_name(name: str) -> None:
    """Refuse a name that is not valid for a Python package, or that is already taken."""
    if keyword.iskeyword(name):
        raise Problem("new_game.keyword", name=name)
    if not NAME.fullmatch(name):
        raise Problem("new_game.name", name=short(name))
    if name in registry.installed() or name == SAMPLE or importlib.util.find_spec(name) is not None:
        raise Problem("new_game.taken", name=name)


def renamed(text: str, name: str) -> str:
    """Return a text of the template with the name of the new game in it."""
    title = name.replace("_", " ").title()
    return TITLES.sub(title, AS_A_NAME.sub(name, text))


def write_game(name: str, folder: Path) -> list[Path]:
    """Write a complete small game into a new folder; return its files."""
    check_name(name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Problem("new_game.folder", folder=str(folder))
    written = []
    for file in sorted(TEMPLATE.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            place = folder / str(file.relative_to(TEMPLATE)).replace(SAMPLE, name)
            try:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(renamed(file.read_text(encoding="utf-8"), name), encoding="utf-8")
            except OSError as error:
                raise Problem("report.unwritable", file=str(place), detail=why(error)) from error
            written.append(place)
    return written
