"""The status of a table, computed from its events; nothing else computes it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from lampion.server.protocol import stored_events as stored

Status = Literal["open", "playing", "over", "closed"]

STATUS_AFTER: dict[type, Status] = {stored.Started: "playing", stored.Ended: "over", stored.Closed: "closed"}
"""The status that an event gives to its table; all other events leave it as it is."""


def status_after(events: Iterable[Any], status: Status = "open") -> Status:
    """Return the status of a table after some more events; that of a new table is open."""
    for event in events:
        status = STATUS_AFTER.get(type(event), status)
    return status


def was_aborted(status: Status, is_sealed: bool, has_begun: bool) -> bool:
    """Return whether a table was closed after its promise was sealed and before its game began."""
    return status == "closed" and is_sealed and not has_begun
