"""The events of a table as they are stored: one a row, never changed and never removed.

Tokens are kept hashed. The secret of the chance is in the first event and leaves the server only when the game is over.
Moves are plain data, not ids: an id may change its meaning with the rules, a typed move may not.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from lampion.locale import Problem
from lampion.play.outcome import Outcome
from lampion.play.record import ChanceInfo, Continues, SeatInfo

VERSION = 1
MOST_ABSENCE = 86_400
USUAL_ABSENCE = 60
"""Seconds of absence after which the host may let a bot play, at most and where nothing else was chosen."""


MOST_HINTS = 1000
"""Hints of a seat, where one may ask for as many as one likes: more than a game has decisions."""


class BadEvent(Problem):
    """A stored event that cannot be read."""


class Stored(msgspec.Struct, frozen=True, tag_field="type", omit_defaults=True):
    """One event; `at` is when, in milliseconds since 1970."""

    at: int


class Clock(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The clock of a table: none, `seconds` for each move, or for the whole game. When it runs out, a bot moves."""

    kind: Literal["none", "move", "game"] = "none"
    seconds: Annotated[int, Meta(ge=0, le=1 << 30)] = 0
    level: Annotated[str, Meta(max_length=40)] = "candle"


class Made(Stored, frozen=True, kw_only=True, tag="made"):
    """A table was made. `host` is the hash of the host's token, `edition` that of its components.

    The components are stored apart; an older Lampion wrote them here.
    """

    version: int
    game: str
    rules: int
    players: int
    options: dict[str, Any]
    edition: str = ""
    components: dict[str, Any] | None = None
    secret: str
    host: str
    clock: Clock = Clock()
    absence: int = USUAL_ABSENCE
    """Seconds of absence after which the host may let a bot play for somebody."""
    after: str | None = None
    """The table whose rematch this is."""
    continues: Continues | None = None
    """Of a game that was played on from a moment of another, whose moves come first."""
    chance: ChanceInfo | None = None
    """Of an imported game: where its chance came from, as nothing was promised here."""
    seats: list[SeatInfo] | None = None
    date: str | None = None
    """Of an imported game: its players and its date."""
    tutorial: str | None = None
    """Of a guided game: the hash of its script."""
    hints: int = 0
    """How many hints each seat may ask for; MOST_HINTS: as many as one likes."""
    hints_used: list[int] | None = None
    """Of an imported game: by seat, the hints that were asked for."""


class Sat(Stored, frozen=True, kw_only=True, tag="sat"):
    """Somebody took a seat. `token` is the hash of what proves it."""

    seat: int
    name: str
    token: str
    commit: str = ""
    """The SHA-256 of the nonce that the seat will reveal."""
    nonce: str = ""
    """Only of tables made before there were commitments."""


class NonceAdded(Stored, frozen=True, kw_only=True, tag="nonce_added"):
    """A seat's nonce, of tables made before there were commitments."""

    seat: int
    nonce: str


class Committed(Stored, frozen=True, kw_only=True, tag="committed"):
    """A seat commits to a nonce, in place of an earlier commitment."""

    seat: int
    commit: str


class Sealed(Stored, frozen=True, tag="sealed"):
    """The host started the game: seats and commitments are fixed, nonces can be revealed."""


class Revealed(Stored, frozen=True, kw_only=True, tag="revealed"):
    """A seat reveals the nonce it committed to."""

    seat: int
    nonce: str


class BotSat(Stored, frozen=True, kw_only=True, tag="bot_sat"):
    """A bot takes a free seat."""

    seat: int
    level: str


class Freed(Stored, frozen=True, kw_only=True, tag="freed"):
    """A seat is free again, before the game."""

    seat: int
    kicked: bool = False


class Started(Stored, frozen=True, tag="started"):
    """The game began."""


class Moved(Stored, frozen=True, kw_only=True, tag="moved"):
    """A move; `seat` -1 is chance. `spent` milliseconds were thought. `by` is who made it for the seat."""

    seat: int
    move: dict[str, Any]
    spent: int = 0
    by: Literal["player", "bot", "clock"] = "player"


class Undone(Stored, frozen=True, kw_only=True, tag="undone"):
    """The seat's move at `ply` was taken back; with `whole`, all that came after it too."""

    seat: int
    ply: int
    whole: bool = False


class UndoAsked(Stored, frozen=True, kw_only=True, tag="undo_asked"):
    """A seat asks to go back to before its move at `ply`."""

    seat: int
    ply: int


class UndoAnswered(Stored, frozen=True, kw_only=True, tag="undo_answered"):
    """A seat agrees, or does not."""

    seat: int
    agrees: bool


class Paused(Stored, frozen=True, kw_only=True, tag="paused"):
    """The clocks stand still and nobody moves."""

    seat: int | None = None


class Resumed(Stored, frozen=True, kw_only=True, tag="resumed"):
    """The game goes on."""

    seat: int | None = None


class Replaced(Stored, frozen=True, kw_only=True, tag="replaced"):
    """A bot plays for somebody who left; the seat stays theirs."""

    seat: int
    level: str


class Returned(Stored, frozen=True, kw_only=True, tag="returned"):
    """The holder of a seat plays again instead of the bot."""

    seat: int


class CodeMade(Stored, frozen=True, kw_only=True, tag="code_made"):
    """A one-time code moves the seat to another device. `code` is its hash; `by_host`: not the holder asked for it."""

    seat: int
    code: str
    by_host: bool = False


class Reseated(Stored, frozen=True, kw_only=True, tag="reseated"):
    """The seat has another token; the old one and every code are invalid from now on."""

    seat: int
    token: str


class Greeted(Stored, frozen=True, kw_only=True, tag="greeted"):
    """A seat shows an emoji to all."""

    seat: int
    emoji: str


class Guided(Stored, frozen=True, kw_only=True, tag="guided"):
    """The learner of a guided game has come to a step of its script; the one after the last ends the guidance."""

    seat: int
    step: int


class Hinted(Stored, frozen=True, kw_only=True, tag="hinted"):
    """A seat was given a hint. `seen` is the hash of the position as the seat knew it: there it costs no other."""

    seat: int
    seen: str


class Noted(Stored, frozen=True, kw_only=True, tag="noted"):
    """After the game: a seat's note about the moment after `ply` moves, in place of an earlier one; "" removes it."""

    seat: int
    ply: int
    text: str


class Ended(Stored, frozen=True, kw_only=True, tag="ended"):
    """The game is over."""

    result: Outcome


class Closed(Stored, frozen=True, tag="closed"):
    """The host closed the table."""


class Followed(Stored, frozen=True, kw_only=True, tag="followed"):
    """The same people go on at another table."""

    table: str


EVENTS = (
    Made | Sat | NonceAdded | Committed | BotSat | Freed | Sealed | Revealed | Started | Moved | Undone | UndoAsked
    | UndoAnswered | Paused | Resumed | Replaced | Returned | CodeMade | Reseated | Greeted | Guided | Hinted | Ended
    | Closed | Followed | Noted
)  # fmt: skip

encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(EVENTS).decode


def decode(body: bytes) -> Any:
    """Return a stored event; BadEvent where this version cannot read it."""
    try:
        return _decode(body)
    except msgspec.MsgspecError as error:
        raise BadEvent("store.event", detail=str(error)) from error
