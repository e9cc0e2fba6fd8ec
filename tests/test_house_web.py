"""The rooms of the browser's pages: which may import which, no circles, and no file that has outgrown its subject."""

import os
import re
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[1] / "web" / "src"
LONGEST = 450
GENERATED = {"messages.ts"}

ALLOWED = {
    "core": {"core"},
    "site": {"core", "site"},
    "parts": {"core", "site", "parts"},
    "boards": {"core", "parts", "boards"},
    "pages": {"core", "site", "parts", "boards", "pages"},
    "start": {"core", "site", "parts", "boards", "pages", "start", "art"},
}
"""By room, the rooms that it may import from. `core` is the files directly in src, `start` is App and main,
`site` what only a room in the page needs."""

IMPORT = re.compile(r"""(?:\bfrom|^\s*import|\bimport\()\s*["'](\.[^"']+)["']""", re.MULTILINE)
GLOB = re.compile(r"""\bimport\.meta\.glob(?:<[^(]*>)?\(\s*["'](\.[^"']+)["']""")


def files() -> list[str]:
    """Return all files with code, relative to src."""
    found = [path for ending in ("*.ts", "*.svelte") for path in SOURCES.rglob(ending)]
    return sorted(path.relative_to(SOURCES).as_posix() for path in found)


def imports(name: str) -> list[str]:
    """Return the files in src that a file imports; what lies outside src is left out."""
    text = (SOURCES / name).read_text(encoding="utf-8")
    found = []
    for target in IMPORT.findall(text):
        path = os.path.normpath(os.path.join(os.path.dirname(name), target.split("?")[0])).replace(os.sep, "/")
        choices = [path, f"{path}.ts", f"{path}/index.ts"]
        if not path.startswith(".."):
            found.append(next(choice for choice in choices if (SOURCES / choice).is_file()))
    return found


def globbed(name: str) -> list[str]:
    """Return the files in src that a file finds by a pattern."""
    folder = (SOURCES / name).parent
    patterns = GLOB.findall((SOURCES / name).read_text(encoding="utf-8"))
    found = [path for pattern in patterns for path in SOURCES.glob(os.path.relpath(folder / pattern, SOURCES))]
    return [path.relative_to(SOURCES).as_posix() for path in found]


def room(name: str) -> str:
    """Return the room of a file."""
    if "/" in name:
        return name.split("/")[0]
    return "start" if name in ("App.svelte", "main.ts") else "core"


def test_every_room_is_drawn_after_those_that_it_imports() -> None:
    house = (SOURCES.parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    house = house[house.index("`web/src`") : house.index("\n## A release\n")]
    drawn = re.findall(r"^    (\w+)  +\S", house, re.MULTILINE)
    assert set(drawn) == {path.name for path in SOURCES.iterdir() if path.is_dir()}
    for name, allowed in ALLOWED.items():
        before = drawn if name == "start" else drawn[: drawn.index(name)] if name in drawn else []
        assert allowed <= {"core", name, *before}


def test_rooms_import_only_from_the_rooms_below_them() -> None:
    wrong = [
        f"{name} imports {used}"
        for name in files()
        for used in (*imports(name), *globbed(name))
        if room(used) not in ALLOWED[room(name)]
    ]
    assert not wrong, "\n".join(wrong)


def test_boards_do_not_import_each_other() -> None:
    def board(name: str) -> str | None:
        parts = name.split("/")
        return parts[1] if parts[0] == "boards" and len(parts) == 3 else None

    wrong = [
        f"{name} imports {used}" for name in files() for used in imports(name) if board(used) not in (None, board(name))
    ]
    assert not wrong, "\n".join(wrong)


def test_no_file_imports_itself_through_others() -> None:
    graph = {name: imports(name) for name in files()}
    done: set[str] = set()

    def visit(name: str, path: list[str]) -> None:
        assert name not in path, " -> ".join([*path[path.index(name) :], name])
        if name in done:
            return
        for used in graph.get(name, []):
            visit(used, [*path, name])
        done.add(name)

    for name in graph:
        visit(name, [])


@pytest.mark.parametrize("name", [name for name in files() if name not in GENERATED])
def test_no_file_is_too_long(name: str) -> None:
    lines = len((SOURCES / name).read_text(encoding="utf-8").splitlines())
    assert lines <= LONGEST, f"{name} has {lines} lines: is it two subjects?"
