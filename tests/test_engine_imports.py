"""Only the engine knows Numba and LLVM, and the engine knows no game."""

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "lampion"
COMPILERS = {"numba", "llvmlite"}


def imported(path: Path) -> Iterator[str]:
    """Yield the full names of the modules that a file imports, also inside its functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield from (f"{node.module}.{name.name}" for name in node.names)


def files_that_import(packages: set[str]) -> set[str]:
    """Return the files of Lampion that import one of these packages."""
    return {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if any(name.partition(".")[0] in packages for name in imported(path))
    }


def test_only_the_engine_imports_numba_or_llvmlite() -> None:
    assert files_that_import(COMPILERS) == {
        "engine/cache.py",
        "engine/compile.py",
        "engine/linking.py",
        "engine/lowering.py",
        "engine/wasm.py",
    }


def test_the_engine_imports_nothing_else_of_lampion() -> None:
    names = {name for path in (PACKAGE / "engine").glob("*.py") for name in imported(path)}
    assert not {name for name in names if name.startswith("lampion.") and not name.startswith("lampion.engine")}


def test_the_contract_imports_no_compiler() -> None:
    names = [name for name in imported(PACKAGE / "games" / "core.py") if name.startswith("lampion.engine")]
    assert all(name.startswith(("lampion.engine.constants.", "lampion.engine.arrays.")) for name in names)


def test_what_a_page_runs_imports_no_numpy() -> None:
    rooms = ("games/", "play/", "bots/", "insight/", "locale/", "server/")
    assert not {path for path in files_that_import({"numpy"}) if path.startswith(rooms)}
