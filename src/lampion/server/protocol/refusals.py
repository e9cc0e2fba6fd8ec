"""The problems with which the server refuses a request; the reason is in the language of whoever sent it."""

from __future__ import annotations

from lampion.locale import Problem


class Refused(Problem):
    """A request that is not granted; nothing was changed."""


class Stale(Refused):
    """A wish about a position that is no longer the current one."""
