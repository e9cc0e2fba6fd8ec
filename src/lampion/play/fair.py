"""Provably fair chance: promised before the game by commitments, checked after it.

The server shows the SHA-256 of a secret when a table is made (the promise), and every person's client the SHA-256 of a
nonce (its commitment). When all of them are fixed (the seal), the clients reveal their nonces. The k-th draw from a
source follows from HMAC-SHA-256 over secret, nonces, epoch, source and k: the server fixed its secret before it knew
any nonce, and each client its nonce without knowing the secret or the other nonces. The secret is published at the end.
The epoch rises by one with each undo that takes back a draw, so that the same draw is not met again. docs/fair-play.md
says what this proves against whom, and how to check it by hand.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from lampion.play.chance import by_weight

WORD = 8
"""Bytes of one number; 2 to the power of its bits is RANGE."""
RANGE = 1 << (8 * WORD)


def new_secret() -> str:
    """Return a new secret of 256 bits, in hexadecimal."""
    return secrets.token_hex(32)


def promise(secret: str) -> str:
    """Return the SHA-256 of a secret, which is shown before the game."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def commitment(nonce: str) -> str:
    """Return the commitment to a nonce: the SHA-256 of its bytes."""
    return hashlib.sha256(bytes.fromhex(nonce)).hexdigest()


class Terms(NamedTuple):
    """All that is agreed on before a game except the seats."""

    game: str
    rules: int
    players: int
    options: Mapping[str, Any]
    edition: str
    """The hash of the components."""


def seal_of(promise: str, terms: Terms, seats: Sequence[str | None]) -> str:
    """Return the hash of a promise, the terms of a game and its seats.

    `seats` has the commitment of each person, "" where there is none, and None for a bot.
    """
    options = json.dumps(terms.options, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    written = ["bot" if commit is None else commit or "-" for commit in seats]
    head = ["lampion seal 2", promise, terms.game, str(terms.rules), str(terms.players), options, terms.edition]
    return hashlib.sha256("\n".join([*head, *written]).encode()).hexdigest()


def numbers(secret: str, nonces: Sequence[str], epoch: int, source: int, k: int) -> Iterator[int]:
    """Yield the 64-bit numbers of one draw, four from each HMAC, whose blocks are counted from 0."""
    block = 0
    while True:
        text = "\n".join(["lampion 1", *nonces, f"{epoch} {source} {k} {block}"])
        digest = hmac.digest(bytes.fromhex(secret), text.encode(), "sha256")
        for i in range(0, len(digest), WORD):
            yield int.from_bytes(digest[i : i + WORD], "big")
        block += 1


class Promised:
    """Draws that follow from a secret, the players' nonces and the epoch."""

    def __init__(self, secret: str, nonces: Sequence[str], epoch: int = 0) -> None:
        self.secret, self.nonces, self.epoch = secret, list(nonces), epoch

    def draw(self, source: int, k: int, weights: Sequence[int]) -> int:
        """Return the outcome of the first number below the largest multiple of the total: no outcome is favoured."""
        total = sum(weights)
        even = RANGE - RANGE % total
        for number in numbers(self.secret, self.nonces, self.epoch, source, k):
            if number < even:
                return by_weight(number % total, weights)
        raise AssertionError
