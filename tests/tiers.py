"""What is tried every time, and what every night."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest

IS_DEEP = "LAMPION_DEEP" in os.environ
"""Whether `--deep` asks for what is tried every night."""


def daily(values: Iterable[Any], *chosen: Any) -> list[Any]:
    """Return values for a test, all but those chosen marked to be tried with `--deep` alone."""
    return [value if value in chosen else pytest.param(value, marks=pytest.mark.deep) for value in values]
