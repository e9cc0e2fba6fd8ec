"""The `lampion` command: one module for each group of commands, and what they print."""

from lampion.cli.entry import main

__all__ = ["main"]
