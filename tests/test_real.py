"""The exponential and the logarithm of our own: near the true ones, and the same compiled and interpreted."""

from __future__ import annotations

import math
import os
import struct
import subprocess
import sys
from typing import Any

import numpy as np

from lampion.engine.compile import compiled
from lampion.engine.portable_math import exp, log

NEAR = 1e-15
PROGRAM = """
from test_real import digest
print(digest())
"""


@compiled
def all_exp(numbers: Any, out: Any) -> None:
    """Write the exponential of each number."""
    for i in range(len(numbers)):
        out[i] = exp(float(numbers[i]))


@compiled
def all_log(numbers: Any, out: Any) -> None:
    """Write the logarithm of each number."""
    for i in range(len(numbers)):
        out[i] = log(float(numbers[i]))


def numbers() -> list[float]:
    """Return numbers all over the range, some near zero."""
    spread = np.random.default_rng(1).uniform(-700.0, 700.0, 3000).tolist()
    near = np.random.default_rng(2).uniform(-3.0, 3.0, 3000).tolist()
    return [*spread, *near, 0.0, -0.0, 1e-300, -1e-17, 0.34657359027997264]


def results() -> tuple[list[float], list[float]]:
    """Return the exponentials of the numbers, and the logarithms of these."""
    given = np.array(numbers())
    raised, back = np.zeros_like(given), np.zeros_like(given)
    all_exp(given, raised)
    all_log(raised, back)
    return raised.tolist(), back.tolist()


def digest() -> str:
    """Return all results to their last bit."""
    return "".join(struct.pack(f"<{len(one)}d", *one).hex() for one in results())


def test_they_are_near_the_true_ones() -> None:
    raised, back = results()
    for given, found in zip(numbers(), raised, strict=True):
        assert math.isclose(found, math.exp(given), rel_tol=NEAR), given
    for given, found in zip(raised, back, strict=True):
        assert math.isclose(found, math.log(given), rel_tol=NEAR, abs_tol=NEAR / 4), given


def test_beyond_the_range_nothing_overflows() -> None:
    given, out = np.array([-1e9, 1e9, -math.inf, math.inf]), np.zeros(4)
    all_exp(given, out)
    assert np.isfinite(out).all()
    assert out[0] == out[2] > 0.0


def test_interpreted_they_are_the_same_bits() -> None:
    environment = {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == digest()
