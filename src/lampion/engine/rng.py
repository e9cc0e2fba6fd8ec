"""Random numbers: SplitMix64 in one uint64, the same in Python, in compiled code and on a graphics card.

`rng` is a uint64 array of length one. A seeded chance stream gives every draw a generator of its own, named by seed,
source and count, so a draw depends on nothing that happened elsewhere in the game.
"""

from __future__ import annotations

from typing import Any

from lampion.engine.arrays import np
from lampion.engine.compile import compiled, wrapping

STEP = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
S27, S30, S31, S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
TWO_32 = np.uint64(1 << 32)


def new_rng(seed: int = 0) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Return a generator that starts at `seed`."""
    return np.array([seed], dtype=np.uint64)


@wrapping
def mixed(value: np.uint64) -> np.uint64:
    """Return the image of a value under a bijection of 64 bits: every input bit affects every output bit."""
    value = (value ^ (value >> S30)) * MIX_1
    value = (value ^ (value >> S27)) * MIX_2
    return value ^ (value >> S31)


@wrapping
def random_bits(rng: Any) -> np.uint64:
    """Return the next 64 bits."""
    rng[0] += STEP
    return mixed(rng[0])


@wrapping
def below(rng: Any, n: int) -> int:
    """Return a number from 0 to n - 1, all equally likely: what does not fit evenly is drawn again; n < 2**32."""
    wide = np.uint64(n)
    product = (random_bits(rng) >> S32) * wide
    if product & LOW < wide:
        uneven = (TWO_32 - wide) % wide
        while product & LOW < uneven:
            product = (random_bits(rng) >> S32) * wide
    return np.int64(product >> S32)  # type: ignore[return-value]


@wrapping
def name_draw(rng: Any, seed: np.uint64, source: int, k: int) -> None:
    """Set `rng` to the generator of the k-th draw from `source` in the stream `seed`."""
    rng[0] = mixed(mixed(mixed(seed + STEP) + np.uint64(source)) + np.uint64(k))


@compiled
def game_seed(seed: np.uint64, game: int, part: int) -> np.uint64:
    """Return the seed of one game of many; `part` tells its chance (0) from its players (1)."""
    return mixed(mixed(mixed(seed) ^ np.uint64(game)) ^ (np.uint64(part) << S32))
