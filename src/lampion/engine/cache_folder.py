"""The folder of compiled code, whose name stands for all sources that the code was made from.

Numba looks only at the file of a function itself, not at the files of what it calls. So the folder carries a hash of
all sources that compiled code is made of, ours and those of every game that another package brings.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import entry_points, version
from importlib.util import find_spec
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
IMPORT = re.compile(r"^ *from ([\w.]+) import (\([^)]*\)|.*)$", re.MULTILINE)
UNUSED_AFTER = 30 * 24 * 3600.0


def user_cache() -> Path:
    """Return the folder for files of this user that can be made again."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "lampion"


def _source_folders() -> Iterator[Path]:
    """Yield our package and the packages of other games."""
    yield PACKAGE
    packages = {entry.value.partition(":")[0].partition(".")[0] for entry in entry_points(group="lampion.games")}
    for package in sorted(packages - {"lampion"}):
        spec = find_spec(package)
        if spec is not None and spec.origin is not None:
            origin = Path(spec.origin).resolve()
            yield origin.parent if spec.submodule_search_locations else origin


@cache
def _sources() -> dict[str, bytes]:
    """Return all our files and those of other games, by module."""
    files: dict[str, bytes] = {}
    for folder in _source_folders():
        for path in sorted(folder.rglob("*.py")) if folder.is_dir() else [folder]:
            name = ".".join(path.relative_to(folder.parent).with_suffix("").parts).removesuffix(".__init__")
            files[name] = path.read_bytes()
    return files


def sources_behind(modules: Iterable[str]) -> dict[str, bytes]:
    """Return, by module, the files of these modules and of all that they import, also where they import it later."""
    files, left = _sources(), list(modules)
    reached: dict[str, bytes] = {}
    while left:
        name = left.pop()
        if name in files and name not in reached:
            reached[name] = files[name]
            for module, names in IMPORT.findall(files[name].decode()):
                left += [module, *(f"{module}.{one}" for one in re.findall(r"\w+", names))]
    return reached


@cache
def compiled_sources() -> dict[str, bytes]:
    """Return, by module, the files with compiled functions and all that they import: no others affect machine code."""
    return sources_behind(name for name, text in _sources().items() if b"lampion.engine.compile import" in text)


def digest_of(sources: Mapping[str, bytes]) -> str:
    """Return a name for exactly these sources."""
    made = hashlib.sha256()
    for name, text in sorted(sources.items()):
        made.update(name.encode() + b"\0" + text + b"\0")
    return made.hexdigest()[:20]


@cache
def cache_folder() -> Path:
    """Return the folder for code compiled from exactly these sources; remove folders that were not used for long."""
    root = user_cache() / "compiled"
    folder = root / digest_of(compiled_sources())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        for old in root.iterdir():
            if time.time() - old.stat().st_mtime > UNUSED_AFTER:
                shutil.rmtree(old, ignore_errors=True)
    except OSError:
        pass  # a read-only home: Numba then keeps its cache beside the sources or compiles anew
    return folder


def marker(name: str) -> Path:
    """Return a file that says, where it exists, that `name` was compiled with this Numba on such a machine."""
    return cache_folder() / f"{name}-{version('numba')}-{platform.machine()}.warm"
