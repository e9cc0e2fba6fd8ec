"""The bits of an integer as a set of small numbers, and those of a float; compiled, one instruction each."""

from __future__ import annotations

import struct


def popcount(bits: int) -> int:
    """Return how many of the lower 64 bits are set."""
    return (int(bits) & 0xFFFF_FFFF_FFFF_FFFF).bit_count()


def lowest_bit(bits: int) -> int:
    """Return the number of the lowest set bit; `bits` is not 0."""
    return (int(bits) & -int(bits)).bit_length() - 1


def bits_of(number: float) -> int:
    """Return the 64 bits of a float as a signed integer."""
    return int(struct.unpack("<q", struct.pack("<d", number))[0])


def float_of(bits: int) -> float:
    """Return the float that has these 64 bits, as a signed integer."""
    return float(struct.unpack("<d", struct.pack("<q", bits))[0])
