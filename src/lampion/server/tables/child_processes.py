"""What the processes that the server starts are given of its environment."""

from __future__ import annotations

import os


def environment_without_secrets() -> dict[str, str]:
    """Return this process's environment for a child that compiles or reads files: no admin's token, no database."""
    kept = {name: value for name, value in os.environ.items() if not is_secret(name.upper())}
    return {**kept, "PYTHONWARNINGS": "ignore"}


def is_secret(name: str) -> bool:
    """Return whether a variable is for the server alone; PostgreSQL's all begin with PG, its password's too."""
    return name == "LAMPION_ADMIN" or name.startswith("PG")
