"""The messages between browser and server, one JSON object each: `do` from the browser, `say` from the server.

docs/protocol.md is the manual, web/src/messages.ts the same in TypeScript, made from this file.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from lampion.games.move_types import Event
from lampion.insight.hint_types import MoveHint
from lampion.server.protocol.fields import (
    Digest,
    Emoji,
    Fields,
    Language,
    Level,
    Name,
    NewToken,
    SeatNumber,
    Seq,
    Token,
)
from lampion.server.protocol.table_info import TableInfo

VERSION = 2
LONGEST = 64 * 1024
"""Characters that a message to the server may have."""


class Wish(msgspec.Struct, frozen=True, tag_field="do", forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A request of the browser. `id`, if given, comes back with the answer."""

    id: Annotated[int, Meta(ge=0, le=1 << 40)] | None = None


class Numbered(msgspec.Struct, frozen=True):
    """The id of a message that is refused, so that whoever waits for an answer gets it."""

    id: Annotated[int, Meta(ge=0, le=1 << 40)] | None = None


class Hello(Wish, frozen=True, kw_only=True, tag="hello"):
    """The first message: which seats the socket holds and what it has seen."""

    version: Annotated[int, Meta(ge=0, le=1 << 30)]
    tokens: Annotated[list[Token], Meta(max_length=9)] = []
    since: Seq = 0
    language: Language = "en"


class Speak(Wish, frozen=True, kw_only=True, tag="speak"):
    """Use another language from now on."""

    language: Language


class Sit(Wish, frozen=True, kw_only=True, tag="sit"):
    """Take a free seat; the answer is `yours`, with its token.

    A client that chooses the token at random, and keeps it first, has the seat even if the answer is lost.
    """

    seat: SeatNumber
    name: Name
    commit: Digest | None = None
    token: NewToken | None = None


class Commit(Wish, frozen=True, kw_only=True, tag="commit"):
    """Commit an own seat to a nonce, before the game: `commit` is the SHA-256 of the nonce's 32 bytes."""

    seat: SeatNumber
    commit: Digest


class Reveal(Wish, frozen=True, kw_only=True, tag="reveal"):
    """Reveal the nonce of an own seat, after the commitments were sealed."""

    seat: SeatNumber
    nonce: Digest


class Stand(Wish, frozen=True, kw_only=True, tag="stand"):
    """Leave a seat: before the game it is free again, later a bot plays on."""

    seat: SeatNumber
    level: Level | None = None


class PutBot(Wish, frozen=True, kw_only=True, tag="put_bot"):
    """The host: a bot for a seat."""

    seat: SeatNumber
    level: Level


class Kick(Wish, frozen=True, kw_only=True, tag="kick"):
    """The host: free a seat; during the game a bot plays on and the seat's token is worth nothing."""

    seat: SeatNumber
    level: Level | None = None


class Start(Wish, frozen=True, kw_only=True, tag="start"):
    """The host: begin. Where somebody committed to a nonce, commitments are sealed and nonces revealed first."""


class Move(Wish, frozen=True, kw_only=True, tag="move"):
    """Move; `seq` is the last the sender has seen. Anything else is stale, except in a simultaneous step."""

    seat: SeatNumber
    seq: Seq
    move: Fields


class Undo(Wish, frozen=True, kw_only=True, tag="undo"):
    """Take the last own move back, or ask the others to."""

    seat: SeatNumber
    seq: Seq


class Answer(Wish, frozen=True, kw_only=True, tag="answer"):
    """Agree to a step back, or not."""

    seat: SeatNumber
    agrees: bool


class Preview(Wish, frozen=True, kw_only=True, tag="preview"):
    """Ask what these moves would do; with `views`, also what the seat would see then."""

    seat: SeatNumber
    moves: Annotated[list[Fields], Meta(min_length=1, max_length=400)]
    views: bool = False


class Hint(Wish, frozen=True, kw_only=True, tag="hint"):
    """Ask for the best moves of an own seat, where the table has hints. The answer is `hinted`."""

    seat: SeatNumber


class LookBack(Wish, frozen=True, kw_only=True, tag="look"):
    """Ask what the receiver saw after `ply` moves. The answer is `looked`."""

    ply: Annotated[int, Meta(ge=0, le=1 << 20)]


class Pause(Wish, frozen=True, kw_only=True, tag="pause"):
    """Stop the clocks, or let them run."""

    seat: SeatNumber
    on: bool


class Replace(Wish, frozen=True, kw_only=True, tag="replace"):
    """The host: a bot for somebody who has been away for as long as the table says."""

    seat: SeatNumber
    level: Level


class Return(Wish, frozen=True, kw_only=True, tag="return"):
    """Play again instead of the bot."""

    seat: SeatNumber


class Handover(Wish, frozen=True, kw_only=True, tag="handover"):
    """Ask for a one-time code that moves an own seat to another device; outside the game the host may ask for any."""

    seat: SeatNumber


class Claim(Wish, frozen=True, kw_only=True, tag="claim"):
    """Use such a code; the answer is `yours`. A token may be chosen as in `sit`."""

    code: Token
    token: NewToken | None = None


class Curtain(Wish, frozen=True, kw_only=True, tag="curtain"):
    """Show the private view of one of the seats this socket holds, or of none."""

    seat: SeatNumber | None = None


class Greet(Wish, frozen=True, kw_only=True, tag="greet"):
    """Show an emoji to all."""

    seat: SeatNumber
    emoji: Emoji


class GoOn(Wish, frozen=True, kw_only=True, tag="go_on"):
    """In a guided game: a step was read, the next one please."""

    seat: SeatNumber
    step: Annotated[int, Meta(ge=0, le=1 << 20)]


class Rematch(Wish, frozen=True, kw_only=True, tag="rematch"):
    """Make a table for the same people, each in the same seat."""


class Close(Wish, frozen=True, kw_only=True, tag="close"):
    """The host: close the table."""


class Ping(Wish, frozen=True, kw_only=True, tag="ping"):
    """Ask for a `pong`."""


WISHES = (
    Hello | Speak | Sit | Commit | Reveal | Stand | PutBot | Kick | Start | Move | GoOn | Undo | Answer | Preview
    | Hint | LookBack | Pause | Replace | Return | Handover | Claim | Curtain | Greet | Rematch | Close | Ping
)  # fmt: skip


class Word(msgspec.Struct, frozen=True, tag_field="say", omit_defaults=True, kw_only=True):
    """A message of the server."""


class Change(msgspec.Struct, frozen=True, tag_field="kind", omit_defaults=True, kw_only=True):
    """One event of the table, as the viewer may know it."""

    seq: int
    at: int


class MovedChange(Change, frozen=True, kw_only=True, tag="moved"):
    """A move: `seat` -1 is chance; `move` is missing where the viewer cannot tell which it was.

    `held`: of a simultaneous step in progress. The move follows, under the same number, when the step is over.
    """

    seat: int
    by: Literal["player", "bot", "clock"]
    move: Any = None
    notation: str | None = None
    """The move in the notation of the game, for experts."""
    held: bool = False
    events: list[Event]
    told: list[str]
    """The events in words, one after another, in the receiver's language.

    What a sentence is about stands between U+2068 and U+2069, which are invisible.
    """
    gained: list[int] | None = None
    """By seat, the points that it brought or cost; missing where none or where not everybody may know the score."""


class TableChange(Change, frozen=True, kw_only=True, tag="table"):
    """Any other event of a table; `what` names it."""

    what: Literal[
        "made", "sat", "nonce_added", "committed", "bot_sat", "freed", "sealed", "revealed", "started",
        "undone", "undo_asked", "undo_answered", "paused", "resumed", "replaced", "returned", "code_made", "reseated",
        "greeted", "guided", "hinted", "ended", "closed", "followed", "noted",
    ]  # fmt: skip
    seat: int | None = None
    name: str | None = None
    level: str | None = None
    emoji: str | None = None
    agrees: bool | None = None
    kicked: bool | None = None
    ply: int | None = None
    """Of a move taken back: how many moves came before it."""
    whole: bool | None = None
    """And whether all that came after it went too."""


class Standing(msgspec.Struct, frozen=True):
    """The score as it stands, by seat, where everybody may know it: in all, and by category."""

    scores: list[int]
    categories: list[dict[str, int]]


class SeatView(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What one viewer sees: `seat` is missing for a spectator. `moves` are the legal ones, typed."""

    seat: int | None = None
    view: Any
    asked: str | None = None
    moves: list[Any] = []
    can_undo: bool = False
    standing: Standing | None = None


class Update(Word, frozen=True, kw_only=True, tag="update"):
    """All that is new since `since`, the table as it is now, and what the receiver may see."""

    since: int
    seq: int
    table: TableInfo
    changes: list[MovedChange | TableChange]
    view: SeatView


class Welcome(Word, frozen=True, kw_only=True, tag="welcome"):
    """The answer to `hello`; an `update` follows."""

    version: int
    server: str
    seats: list[int]
    host: bool


class Presence(Word, frozen=True, kw_only=True, tag="presence"):
    """The seats whose holders are connected, and the number of watchers."""

    here: list[int]
    watchers: int


class Yours(Word, frozen=True, kw_only=True, tag="yours"):
    """A seat is the receiver's: its token, to be kept and shown to nobody."""

    id: int | None = None
    seat: int
    token: str


class Code(Word, frozen=True, kw_only=True, tag="code"):
    """A one-time code that moves a seat to another device."""

    id: int | None = None
    seat: int
    code: str


class Lost(Word, frozen=True, kw_only=True, tag="lost"):
    """A seat is held by another token now."""

    seat: int


class Outlook(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one move would do, up to the first draw; or why it cannot be made."""

    move: Any
    notation: str = ""
    events: list[Event] = []
    told: list[str] = []
    standing: Standing | None = None
    view: Any = None
    reason: str | None = None


class Previews(Word, frozen=True, kw_only=True, tag="previews"):
    """The answer to `preview`, in the order asked."""

    id: int | None = None
    seat: int
    seq: int
    outlooks: list[Outlook]


class Hinted(Word, frozen=True, kw_only=True, tag="hinted"):
    """The answer to `hint`: the best moves, the best first."""

    id: int | None = None
    seat: int
    seq: int
    hints: list[MoveHint]
    used: int
    """How many hints the seat was given in this game, with this one."""


class Looked(Word, frozen=True, kw_only=True, tag="looked"):
    """The answer to `look`: the table as the receiver saw it then."""

    id: int | None = None
    ply: int
    pending: list[int]
    view: SeatView


class Done(Word, frozen=True, kw_only=True, tag="done"):
    """The wish was fulfilled and is stored; `seq` is the last event."""

    id: int | None = None
    seq: int


class No(Word, frozen=True, kw_only=True, tag="no"):
    """The wish was refused, and nothing was changed. `code` is for programs, `reason` for people."""

    id: int | None = None
    code: str
    reason: str
    seq: int | None = None
    """Where the answer was stale: the number that is expected."""


class Thinking(Word, frozen=True, kw_only=True, tag="thinking"):
    """A bot thinks; `slow` where it must think less because many wait, `preparing` while it is being compiled."""

    seat: int
    slow: bool = False
    preparing: bool = False


class Bye(Word, frozen=True, kw_only=True, tag="bye"):
    """The server stops for a moment: connect again with `since`."""

    reason: str


class Pong(Word, frozen=True, kw_only=True, tag="pong"):
    """The answer to `ping`."""

    id: int | None = None


WORDS = (
    Welcome | Update | Presence | Yours | Code | Lost | Previews | Hinted | Looked | Done | No | Thinking | Bye | Pong
)

decode = msgspec.json.Decoder(WISHES).decode
encode = msgspec.json.Encoder().encode


def id_of(data: str | bytes) -> int | None:
    """Return the id of a message, None where it has none or is malformed."""
    try:
        return msgspec.json.decode(data, type=Numbered).id
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
