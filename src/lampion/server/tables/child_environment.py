"""The environment of the processes that the server starts."""

from __future__ import annotations

import os


def environment_without_secrets() -> dict[str, str]:
    """Return this process's environment without the admin's token and the database's address and password."""
    kept = {name: value for name, value in os.environ.items() if not is_secret(name.upper())}
    return {**kept, "PYTHONWARNINGS": "ignore"}


def is_secret(name: str) -> bool:
    """Return whether a variable is for the server alone; all of PostgreSQL's begin with PG."""
    return name == "LAMPION_ADMIN" or name.startswith("PG")
