"""How rules become machine code: one decorator, and a disk cache that notices every change.

Numba keeps compiled functions on disk but looks only at the file of the function itself, not at the files of what it
calls. So the cache folder carries a hash of all sources that compiled code is made of, ours and those of every game
that another package brings.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core import config, types

from lampion.games.whole import INNER, DoorCompiler, Inner, keep_apart

PACKAGE = Path(__file__).resolve().parent.parent
IMPORT = re.compile(r"^from ([\w.]+) import (\([^)]*\)|.*)$", re.MULTILINE)
UNUSED_AFTER = 30 * 24 * 3600.0


def user_cache() -> Path:
    """The folder where this user's programs keep what they can make again."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "lampion"


def _source_folders() -> Iterator[Path]:
    """Our package, and those of the games that others bring."""
    yield PACKAGE
    packages = {entry.value.partition(":")[0].partition(".")[0] for entry in entry_points(group="lampion.games")}
    for package in sorted(packages - {"lampion"}):
        spec = find_spec(package)
        if spec is not None and spec.origin is not None:
            origin = Path(spec.origin).resolve()
            yield origin.parent if spec.submodule_search_locations else origin


def _sources() -> dict[str, bytes]:
    """By module, the files that hold compiled functions and all they import: words and pictures may change freely."""
    files: dict[str, bytes] = {}
    for folder in _source_folders():
        for path in sorted(folder.rglob("*.py")) if folder.is_dir() else [folder]:
            name = ".".join(path.relative_to(folder.parent).with_suffix("").parts).removesuffix(".__init__")
            files[name] = path.read_bytes()
    wanted: dict[str, bytes] = {}
    reach = [name for name, text in files.items() if b"lampion.games.compiled import" in text]
    while reach:
        name = reach.pop()
        if name in files and name not in wanted:
            wanted[name] = files[name]
            for module, names in IMPORT.findall(files[name].decode()):
                reach += [module, *(f"{module}.{one}" for one in re.findall(r"\w+", names))]
    return wanted


@cache
def cache_folder() -> Path:
    """Where compiled code of exactly these sources lives; folders long unused are removed."""
    digest = hashlib.sha256()
    for name, text in sorted(_sources().items()):
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


F = TypeVar("F", bound=Callable[..., Any])


def _widened(kind: Any) -> Any:
    """Constants and narrow whole numbers are passed on as int64."""
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) and getattr(kind, "bitwidth", 64) < 64 else kind


def compile_once(dispatcher: Any) -> None:
    """Keep Numba from compiling a function again for every constant and every narrow type it is called with."""
    if hasattr(dispatcher, "get_call_template"):
        resolve = dispatcher.get_call_template
        dispatcher.get_call_template = lambda args, kws: resolve(tuple(map(_widened, args)), kws)


@contextmanager
def _our_cache() -> Iterator[None]:
    """Numba's cache folder is ours for a moment; a host program's setting is left alone."""
    settings: Any = config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(cache_folder())
    try:
        yield
    finally:
        settings.CACHE_DIR = before


def compiled(function: F, inline: bool = False) -> F:
    """Compile on first use and keep the result on disk; without a JIT it stays the plain function.

    Without reference counts, which would cost more than the rules: compiled code is handed its arrays and makes none.
    Called from Python it is a door, called from compiled code a part of one (see `whole`).
    """
    njit: Any = numba.njit
    options = {"nogil": True, "error_model": "numpy", "_nrt": False, "forceinline": inline}
    with _our_cache():
        door: Any = njit(cache=True, pipeline_class=DoorCompiler, **options)(function)
    if hasattr(door, "get_call_template"):
        keep_apart(door._cache)

        @cache
        def inner() -> Any:
            with _our_cache():
                made = Inner(function, door.targetoptions)
            compile_once(made)
            return made

        INNER[function.__module__, function.__qualname__] = inner
        door.get_call_template = lambda args, kws: inner().get_call_template(args, kws)
        door.get_overload = lambda signature: inner().get_overload(signature)
    return door


def inlined(function: F) -> F:
    """As `compiled`, copied into its callers: for what every move goes through. A third more moves a second."""
    return compiled(function, inline=True)


def wrapping(function: F) -> F:
    """As `compiled`, for arithmetic that wraps around at 64 bits: interpreted runs do so without a warning."""
    if not getattr(config, "DISABLE_JIT", False):
        return compiled(function)

    def interpreted(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*args)

    return interpreted  # type: ignore[return-value]
