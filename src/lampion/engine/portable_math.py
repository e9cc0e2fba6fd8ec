"""The exponential and the logarithm from sums, products and the bits of floats alone: the same on every machine.

What a C library computes differs in the last bit from one to the next, and a search that adds such numbers up would
grow a different tree. The error here is below 1e-15 of the result, as theirs is.
"""

from __future__ import annotations

from lampion.engine.bits import bits_of, float_of
from lampion.engine.compile import inlined

PER_DOUBLING = 1.4426950408889634
"""1 / log(2)."""
LOG_2_HIGH = 0.6931471803691238
"""log(2) rounded to few enough bits that its product with an exponent is exact."""
LOG_2_LOW = 1.9082149292705877e-10
"""The rest of log(2)."""
EXPONENT = 1 << 52
"""The lowest bit of the exponent of a float."""
BIAS = 1023
ROOT_OF_HALF = 0x3FE6A09E667F3BCD
"""The bits of the square root of 1/2."""
FEWEST, MOST = -708.0, 709.0


@inlined
def exp(x: float) -> float:
    """Return e to the power of x: a power of two by its bits, and a polynomial for what is left of x.

    An x outside FEWEST ... MOST is clamped: beyond them a float holds no result, or hardly one.
    """
    x = min(max(x, FEWEST), MOST)
    doublings = int(x * PER_DOUBLING + (0.5 if x >= 0.0 else -0.5))
    r = (x - doublings * LOG_2_HIGH) - doublings * LOG_2_LOW
    r2 = r * r
    r4 = r2 * r2
    low = (1.0 + r) + r2 * (1.0 / 2.0 + r * (1.0 / 6.0))
    middle = (1.0 / 24.0 + r * (1.0 / 120.0)) + r2 * (1.0 / 720.0 + r * (1.0 / 5040.0))
    high = (1.0 / 40320.0 + r * (1.0 / 362880.0)) + r2 * (1.0 / 3628800.0 + r * (1.0 / 39916800.0))
    return (low + r4 * (middle + r4 * (high + r4 * (1.0 / 479001600.0)))) * float_of((doublings + BIAS) * EXPONENT)


@inlined
def log(x: float) -> float:
    """Return the natural logarithm of a normal positive number: from its exponent, and a series for its mantissa."""
    bits = bits_of(x)
    doublings = (bits - ROOT_OF_HALF) >> 52
    s = float_of(bits - doublings * EXPONENT)
    s = (s - 1.0) / (s + 1.0)
    z = s * s
    z2 = z * z
    z4 = z2 * z2
    low = (1.0 / 3.0 + z * (1.0 / 5.0)) + z2 * (1.0 / 7.0 + z * (1.0 / 9.0))
    high = (1.0 / 11.0 + z * (1.0 / 13.0)) + z2 * (1.0 / 15.0 + z * (1.0 / 17.0))
    rest = 2.0 * s * z * (low + z4 * (high + z4 * (1.0 / 19.0)))
    return doublings * LOG_2_HIGH + (2.0 * s + (rest + doublings * LOG_2_LOW))
