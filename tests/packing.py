"""A copy of the repository from which packages are built, so that nothing is built in the repository itself."""

from __future__ import annotations

import shutil
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
NOT_COPIED = shutil.ignore_patterns(
    ".git", ".venv*", ".*_cache", ".hypothesis", "node_modules", "__pycache__", "build", "dist"
)


def module(name: str) -> Any:
    """Return a module of the repository's root."""
    found = spec_from_file_location(name, ROOT / f"{name}.py")
    assert found is not None
    assert found.loader is not None
    loaded = module_from_spec(found)
    found.loader.exec_module(loaded)
    return loaded


def copied_tree(folder: Path) -> Path:
    """Copy the repository with its built pages into a new folder; return that."""
    shutil.copytree(ROOT, folder, ignore=NOT_COPIED)
    pages = folder / "src" / "lampion" / "server" / "pages"
    assert (pages / "index.html").exists(), "the pages are not built: python3 run.py test does so"
    made_from = module("hatch_build").digest(folder / "web")
    (pages / "built-from.txt").write_text(made_from, encoding="ascii")  # also where vite ran alone
    return folder
