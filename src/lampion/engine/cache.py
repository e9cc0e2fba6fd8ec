"""Keep compiled code on disk, and notice every change of what it was made from.

Numba keeps compiled functions on disk but looks only at the file of the function itself, not at the files of what it
calls. So the cache folder carries a hash of all sources that compiled code is made of, ours and those of every game
that another package brings.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import sys
import time
from collections.abc import Iterator
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, InTreeCacheLocator

PACKAGE = Path(__file__).resolve().parent.parent
IMPORT = re.compile(r"^from ([\w.]+) import (\([^)]*\)|.*)$", re.MULTILINE)
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
def compiled_sources() -> dict[str, bytes]:
    """Return, by module, the files with compiled functions and all that they import: no others affect machine code."""
    files: dict[str, bytes] = {}
    for folder in _source_folders():
        for path in sorted(folder.rglob("*.py")) if folder.is_dir() else [folder]:
            name = ".".join(path.relative_to(folder.parent).with_suffix("").parts).removesuffix(".__init__")
            files[name] = path.read_bytes()
    reached: dict[str, bytes] = {}
    left = [name for name, text in files.items() if b"lampion.engine.compile import" in text]
    while left:
        name = left.pop()
        if name in files and name not in reached:
            reached[name] = files[name]
            for module, names in IMPORT.findall(files[name].decode()):
                left += [module, *(f"{module}.{one}" for one in re.findall(r"\w+", names))]
    return reached


@cache
def cache_folder() -> Path:
    """Return the folder for code compiled from exactly these sources; remove folders that were not used for long."""
    digest = hashlib.sha256()
    for name, text in sorted(compiled_sources().items()):
        digest.update(name.encode() + b"\0" + text + b"\0")
    root = user_cache() / "compiled"
    folder = root / digest.hexdigest()[:20]
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
    return cache_folder() / f"{name}-{numba.__version__}-{platform.machine()}.warm"


class FolderLocator(InTreeCacheLocator):
    """Locates the cache of a function in `cache_folder`.

    By the module's name, so that copies of the same sources, whose marks are the same files, share what is compiled; by
    its path where the folder's hash does not stand for it.
    """

    def __init__(self, py_func: Any, py_file: str) -> None:
        super().__init__(py_func, py_file)
        name = py_func.__module__
        self._is_hashed = name in compiled_sources()
        its_own = name if self._is_hashed else self.get_suitable_cache_subpath(py_file)
        self._cache_path = str(cache_folder() / its_own)

    def get_source_stamp(self) -> Any:
        """Return what else the code depends on; the folder stands for the sources, however new their files are."""
        return (sys.version_info[:2], np.__version__) if self._is_hashed else super().get_source_stamp()


class EntryPointCacheImpl(CompileResultCacheImpl):
    """How Numba caches a function, in our folder where that can be written."""

    _locator_classes = [FolderLocator, *CompileResultCacheImpl._locator_classes]  # noqa: RUF012 - as Numba declares it


class FilePerSignature(IndexDataCacheFile):
    """A cache that has a file for each signature, named by a hash of it.

    Numba numbers its files in an index: two processes that add to one at once, each for a game of its own, gave the
    same number to both, and the machine code of one was called for the other.
    """

    def _file(self, key: Any) -> str:
        named = repr((self._version, self._source_stamp, key))
        return f"{self._index_name.removesuffix('.nbi')}.{hashlib.sha256(named.encode()).hexdigest()[:24]}.nbc"

    def save(self, key: Any, data: Any) -> None:
        """Write the data of a signature."""
        self._save_data(self._file(key), data)

    def load(self, key: Any) -> Any:
        """Return the data of a signature, or None."""
        try:
            return self._load_data(self._file(key))
        except OSError:
            return None


class EntryPointCache(FunctionCache):
    """The cache of one function that Python calls."""

    _impl_class: Any = EntryPointCacheImpl

    def __init__(self, py_func: Any) -> None:
        super().__init__(py_func)
        self._cache_file = FilePerSignature(
            cache_path=self._cache_path,
            filename_base=self._impl.filename_base,
            source_stamp=self._impl.locator.get_source_stamp(),
        )
