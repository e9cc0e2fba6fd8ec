"""Deprecated names: they work for at least one more release, with a warning that names their replacement."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Mapping
from typing import Any


def renamed(module: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a module whose old names still lead to new ones, with a DeprecationWarning.

    `names` has by old name the full path of the new one, such as `{"Game": "lampion.play.position.Position"}`.
    """

    def find(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        place, _, new = names[name].rpartition(".")
        message = f"{module}.{name} is deprecated and will be removed; use {names[name]}"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return getattr(importlib.import_module(place), new)

    return find
