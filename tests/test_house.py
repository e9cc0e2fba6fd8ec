"""The house is as CONTRIBUTING draws it: which room imports which, no circles, nothing too long, tests included."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "lampion"

ROOMS: dict[str, str] = {
    "locale": "",
    "bounds": "locale",
    "deprecation": "",
    "extras": "",
    "engine": "",
    "games": "locale bounds engine",
    "play": "locale bounds engine games",
    "bots": "locale bounds engine games play",
    "insight": "locale deprecation engine games play bots",
    "arena": "locale extras engine games play bots",
    "adapters": "locale bounds engine games play bots",
    "learning": "locale extras engine games bots",
    "testing": "locale engine games play",
    "server": "locale extras bounds engine games play bots insight",
    "new_game": "locale engine games play testing",
    "page": "locale bounds engine games play bots insight arena server",
    "cli": "locale extras bounds engine games play bots insight arena adapters learning new_game page server",
    "__main__": "cli",
}
"""Each room, and the rooms that it may import."""

SERVER_ROOMS: dict[str, str] = {
    "metrics": "",
    "logs": "",
    "protocol": "",
    "storage": "protocol",
    "tables": "metrics protocol storage",
    "routes": "metrics protocol storage tables",
    "http": "metrics protocol storage tables routes",
    "database_admin": "protocol storage tables",
    "serve": "database_admin http logs protocol routes storage tables",
}
"""The rooms inside the server, and those inside it that each may import."""


def module_of(file: Path) -> str:
    """Return the dotted name of a file."""
    parts = file.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_of(file): file for file in sorted(SOURCE.rglob("*.py"))}


def imports_of(module: str) -> Iterator[str]:
    """Yield the modules of ours that a module imports, anywhere in it."""
    for node in ast.walk(ast.parse(FILES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} has a relative import"
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            found = [name if name in FILES else str(node.module) for name in inner]
        else:
            continue
        yield from (name for name in found if name in FILES)


IMPORTS = {module: set(imports_of(module)) - {module, "lampion"} for module in FILES}


def room_of(module: str) -> str:
    """Return the room that a module stands in."""
    return module.split(".")[1] if "." in module else ""


def drawn() -> dict[str, str]:
    """Return what CONTRIBUTING says of each room of the package, in its order."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    house = text[text.index("\n## The house\n") : text.index("\n## A release\n")]
    lines = re.findall(r"^    (\w+)(?:/|\.py) +(.+)$", house, re.MULTILINE)
    assert len(lines) == len(dict(lines))
    return dict(lines)


def test_every_room_is_drawn() -> None:
    assert {room_of(module) for module in FILES} - {""} == set(ROOMS)
    assert set(drawn()) == set(ROOMS) - {"__main__"}


def test_a_room_stands_below_those_that_it_may_import() -> None:
    order = list(drawn())
    wrong = [
        (room, other)
        for room, allowed in ROOMS.items()
        for other in allowed.split()
        if room != "__main__" and order.index(other) > order.index(room)
    ]
    assert not wrong


@pytest.mark.parametrize("room", SERVER_ROOMS)
def test_a_room_of_the_server_imports_only_what_it_may(room: str) -> None:
    def inner(module: str) -> str:
        return module.split(".")[2] if module.startswith("lampion.server.") else ""

    assert {inner(module) for module in FILES} - {""} == set(SERVER_ROOMS)
    assert SERVER_ROOMS.keys() - {file.stem for file in (SOURCE / "server").glob("*.py")} == set(
        re.findall(r"(\w+)/", drawn()["server"])
    )
    allowed = {"", room, *SERVER_ROOMS[room].split()}
    wrong = [
        (module, other)
        for module, found in IMPORTS.items()
        for other in found
        if inner(module) == room and inner(other) not in allowed
    ]
    assert not wrong


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_what_it_may(room: str) -> None:
    allowed = {room, *ROOMS[room].split()}
    wrong = [
        (module, other)
        for module, found in IMPORTS.items()
        for other in found
        if room_of(module) == room and room_of(other) not in allowed
    ]
    assert not wrong


def test_no_file_imports_itself_by_way_of_others() -> None:
    reached = {module: set(found) for module, found in IMPORTS.items()}
    for middle in FILES:
        for module in FILES:
            if middle in reached[module]:
                reached[module] |= reached[middle]
    circles = [module for module in FILES if module in reached[module]]
    assert not circles


MOST_LINES, MOST_FUNCTION_LINES, MOST_PARAMETERS = 450, 60, 10
RULES = {*SOURCE.glob("games/*/rules.py"), *SOURCE.glob("new_game/template/src/*/rules.py")}
"""The rules of a game are as long as its rulebook."""


def python_files() -> Iterator[Path]:
    """Yield our own Python files: the program, its tests and its benchmarks."""
    for folder in (SOURCE, ROOT / "tests", ROOT / "benchmarks"):
        for file in sorted(folder.rglob("*.py")):
            if not any(part.startswith(".") or part == "node_modules" for part in file.relative_to(ROOT).parts):
                yield file


def too_long(file: Path) -> Iterator[str]:
    """Yield the name of a file if it is too long, and of every function in it that is or has too many parameters."""
    text, name = file.read_text(encoding="utf-8"), file.relative_to(ROOT).as_posix()
    if text.count("\n") > MOST_LINES:
        yield name
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            given = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
            lines = (node.end_lineno or 0) - node.lineno + 1
            if lines > MOST_FUNCTION_LINES or len(given) > MOST_PARAMETERS:
                yield f"{name}: {node.name}"


def test_files_and_functions_are_short_enough() -> None:
    assert not [found for file in python_files() if file not in RULES for found in too_long(file)]
