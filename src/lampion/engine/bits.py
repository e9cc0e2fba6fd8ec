"""Sets of small numbers in the bits of one integer."""

from __future__ import annotations

from lampion.engine.compile import compiled, inlined


@inlined
def popcount(bits: int) -> int:
    """Return how many of the lower 64 bits are set."""
    bits -= (bits >> 1) & 0x5555555555555555
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    bits += bits >> 8
    bits += bits >> 16
    return (bits + (bits >> 32)) & 0x7F


@compiled
def lowest_bit(bits: int) -> int:
    """Return the number of the lowest set bit; `bits` is not 0."""
    return popcount((bits - 1) & ~bits)
