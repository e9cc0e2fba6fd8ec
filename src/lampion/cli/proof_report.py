"""Say what a record proves of its game and its chance, and what it does not, for `lampion check`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lampion.locale import say
from lampion.play.record import Record
from lampion.play.recorded_chance import BadRecord

SEAL = re.compile(r"[0-9a-f]{16,64}")


def check(record: Record, seal: str | None = None) -> tuple[list[str], bool]:
    """Replay a record; return the lines to print, and whether its chance is accounted for.

    `seal` is the seal that was shown at the table, or its first characters. Raises BadRecord where something is forged.
    """
    position = record.check()
    chance = record.chance
    if seal is not None:
        compare(record.seal, seal)
    lines = [say("check.good", count=len(record.moves), game=say(f"{record.game}.name"))]
    if chance.kind in ("manual", "entropy"):
        lines.append(say(f"check.{chance.kind}"))
    elif chance.kind == "promised" and chance.secret is None:
        lines.append(say("check.secret"))
    elif chance.kind == "promised":
        lines += promised(record, seal is not None)
    if record.after is not None:
        lines.append(say("check.after", table=printable(record.after)))
    if chance.aborted:
        lines.append(say("check.aborted"))
    elif position.outcome() is None:
        is_closed = chance.kind == "promised" and chance.secret is not None
        lines.append(say("check.closed" if is_closed else "check.unfinished"))
    return lines, not chance.epochs


def compare(found: str | None, given: str) -> None:
    """Raise BadRecord where the seal of a record is not the one that was given."""
    given = given.strip().lower()
    if SEAL.fullmatch(given) is None:
        raise BadRecord("check.seal_form", seal=given[:80])
    if found is None:
        raise BadRecord("check.no_seal")
    if not found.startswith(given):
        raise BadRecord("check.seal_differs", seal=found, given=given)


def promised(record: Record, is_compared: bool) -> Iterator[str]:
    """Yield what is proven and what is not of a game whose secret is known."""
    chance = record.chance
    yield say("check.epochs") if chance.epochs else say("check.promised", promise=chance.promise)
    if record.seal is not None:
        yield say("check.sealed" if is_compared else "check.seal", seal=record.seal)
    people = [number for number, seat in enumerate(record.seats) if seat.kind == "human"]
    added = [seat for seat, nonce in zip(people, chance.nonces, strict=True) if nonce]
    if not chance.aborted:
        yield say("check.added", who=seat_names(record, added)) if added else say("check.nobody_added")
    if added and not chance.commits:
        yield say("check.no_commits")
    for key, seats in (
        ("check.not_committed", [seat for seat, commit in zip(people, chance.commits, strict=False) if not commit]),
        ("check.not_revealed", [
            seat for seat, commit, nonce in zip(people, chance.commits, chance.nonces, strict=False)
            if commit and not nonce
        ]),
    ):  # fmt: skip
        if seats:
            yield say(key, who=seat_names(record, seats))
    if not chance.epochs:
        yield say("check.undos", count=len(chance.undos)) if chance.undos else say("check.no_undos")
        for undo in chance.undos:
            yield say("check.undo", who=seat_names(record, [undo.seat]), before=undo.before, after=undo.after)


def seat_names(record: Record, seats: list[int]) -> str:
    """Return the names of seats, with their numbers."""
    return ", ".join(f"{printable(record.seats[seat].name)} ({seat + 1})" for seat in seats)


def printable(text: str) -> str:
    """Return text without what a terminal would take for a command."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)
