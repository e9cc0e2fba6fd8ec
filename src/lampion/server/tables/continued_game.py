"""Games that are played on: from a moment of a finished game, or in another room than the one they began in.

The first moves are those of the game before. Later draws come from a new secret, but those before that moment do not,
so the record does not claim that its chance was promised; it names the game and the moment. Nothing before that
moment can be taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from lampion.games.editions import Edition, edition
from lampion.games.registry import game
from lampion.play.position import Position
from lampion.play.record import Continues, Record
from lampion.play.recorded_chance import ChanceInfo
from lampion.server.protocol import stored_events as stored
from lampion.server.protocol.analysis_types import PlayOnRequest
from lampion.server.protocol.refusals import Refused
from lampion.server.storage.store import now
from lampion.server.tables.bot_pool import is_level
from lampion.server.tables.seat import has_hash, hashed
from lampion.server.tables.table import Table

Sit = Callable[[Table, int], list[Any]]
"""Returns the events by which a seat of a table is taken."""


def events_of_continued_game(
    table: Table, ply: int, wanted: PlayOnRequest, *, secret: str, host: str, token: str
) -> list[Any]:
    """Return the events of a table for one person and bots that begins as a game stood after `ply` moves.

    Raise Refused where the game was over by then.
    """
    made, at = table.made, now()
    fresh = stored.Made(
        at,
        version=stored.VERSION,
        game=made.game,
        rules=table.game.version,
        players=made.players,
        options=dict(made.options),
        edition=table.edition.hash,
        secret=secret,
        host=hashed(host),
        chance=ChanceInfo("entropy"),
        continues=Continues(table.id, ply),
        hints=stored.MOST_HINTS,
    )

    def sit(table: Table, seat: int) -> list[Any]:
        if seat == wanted.seat:
            return table.decide_sit(at, seat, wanted.name.strip(), token, None)
        return table.decide_bot(at, seat, wanted.level)

    return events_from(fresh, table.edition, sit, table.position.at(ply))


def unfinished_record(table: Table, tokens: Sequence[str]) -> bytes:
    """Return a table's unfinished game as a file, for whoever holds the seats of all people at it.

    Everything is in the file, also what a single seat must not know.
    """
    if table.status != "playing" or table.position.is_over:
        raise Refused("table.is_open" if table.status == "open" else "table.is_over")
    people = [seat for seat in table.seats if seat.kind != "bot"]
    if not all(any(has_hash(token, seat.token) for token in tokens) for seat in people):
        raise Refused("table.others_play")
    record = table.record()
    return (
        msgspec.structs.replace(record, continues=Continues(table.id, len(record.moves)), milliseconds=None)
        .to_json()
        .encode()
    )


def events_of_unfinished_record(record: Record, at: int, *, secret: str, host: str, tokens: Sequence[str]) -> list[Any]:
    """Return the events of a table at which the game of a record is played on; its components are in the first one.

    People sit in their seats by `tokens`, one for each seat. Refused unless the game goes on, from its set-up.
    """
    position = record.check()
    if record.start is not None:
        raise Refused("server.no_beginning")
    fresh = stored.Made(
        at,
        version=stored.VERSION,
        game=record.game,
        rules=game(record.game).version,
        players=record.players,
        options=record.options,
        edition=record.edition.hash,
        components=record.edition.components,
        secret=secret,
        host=hashed(host),
        chance=ChanceInfo("entropy"),
        continues=record.continues and Continues(record.continues.table, len(record.moves)),
        hints=0 if record.hints is None else record.hints.allowed,
    )

    def sit(table: Table, seat: int) -> list[Any]:
        info = record.seats[seat]
        if info.kind == "human":
            return table.decide_sit(at, seat, info.name, tokens[seat], None)
        if not is_level(info.level or ""):
            raise Refused("table.no_level", level=info.level or info.name)
        return table.decide_bot(at, seat, info.level or "")

    return events_from(fresh, edition(game(record.game), record.edition.components), sit, position)


def events_from(fresh: stored.Made, played_with: Edition, sit: Sit, then: Position) -> list[Any]:
    """Return the events of a table whose game begins with the moves of `then`, and with the draws that are due."""
    if then.is_over:
        raise Refused("table.is_over")
    scratch = Table("", played_with)
    events: list[Any] = []

    def add(more: list[Any]) -> None:
        for one in more:
            scratch.fold(one)
        events.extend(more)

    add([fresh])
    for seat in range(fresh.players):
        add(sit(scratch, seat))
    moves = [stored.Moved(fresh.at, seat=mover, move=msgspec.to_builtins(move)) for mover, move in then.moves]
    add([stored.Started(fresh.at), *moves])
    add(scratch.decide_draws(fresh.at))
    return events
