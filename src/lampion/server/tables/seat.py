"""A seat of a table, and the hashes by which its holder is recognised."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from typing import Literal


def hashed(token: str) -> str:
    """Return the hash of a token, which is what is stored of it."""
    return hashlib.sha256(token.encode()).hexdigest()


def has_hash(token: str, hash: str) -> bool:
    """Return whether a token has this hash, compared in constant time; none has the empty one."""
    return bool(hash) and hmac.compare_digest(hashed(token), hash)


@dataclass
class Seat:
    """A seat of a table: who plays it, how its holder is recognised, what it adds to the chance."""

    kind: Literal["free", "human", "bot"] = "free"
    name: str = ""
    level: str | None = None
    """The level of a bot; of a person, that of the bot that plays for them while they are away."""
    token: str = ""
    code: str = ""
    code_made: int = 0
    commit: str = ""
    code_by_host: bool = False
    nonce: str = ""
    hints: int = 0
    """The number of hints that this seat was given."""
    hinted: str = ""
    """The hash of the position, as this seat knew it, in which it was given the last one."""
    undos: int = 0
    """The number of undos of this seat that took back a draw."""
    remaining: int = 0
    """Milliseconds left on the clock, where it is one for the whole game."""

    @property
    def plays_itself(self) -> bool:
        """Whether a person makes the moves of this seat now."""
        return self.kind == "human" and self.level is None

    @property
    def owes_nonce(self) -> bool:
        """Whether the seat committed to a nonce and has not revealed it."""
        return self.commit != "" and self.nonce == ""

    @property
    def is_held(self) -> bool:
        """Whether a person holds a token for this seat."""
        return self.kind == "human" and self.token != ""
