"""The ids of tables, and tokens: random, so that nobody can guess them."""

from __future__ import annotations

import re
import secrets


def new_table_id() -> str:
    """Return a new table's id, which is its link: 96 random bits.

    It does not begin with a dash, which a command line would take for an option.
    """
    while (id := secrets.token_urlsafe(12)).startswith("-"):
        pass
    return id


def is_table_id(text: str) -> bool:
    """Return whether a text can be the id of a table; only such are looked for in the store."""
    return re.fullmatch(r"[A-Za-z0-9_-]{1,64}", text) is not None


def new_token() -> str:
    """Return a random token of 192 bits."""
    return secrets.token_urlsafe(24)
