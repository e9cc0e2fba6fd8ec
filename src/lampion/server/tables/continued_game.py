"""A game that is played on from a moment of a finished one: its first moves are those of that game.

Its draws come from a secret of its own, but the moves before that moment do not, so its record does not claim that its
chance was promised; it names the game and the moment. Nothing before that can be taken back.
"""

from __future__ import annotations

from typing import Any

import msgspec

from lampion.play.record import Continues
from lampion.play.recorded_chance import ChanceInfo
from lampion.server.protocol import stored_events as stored
from lampion.server.protocol.analysis_types import PlayOnRequest
from lampion.server.protocol.refusals import Refused
from lampion.server.storage.store import now
from lampion.server.tables.seat import hashed
from lampion.server.tables.table import Table


def events_of_continued_game(
    table: Table, ply: int, wanted: PlayOnRequest, *, secret: str, host: str, token: str
) -> list[Any]:
    """Return the events of a table for one person and bots that begins as a game stood after `ply` moves.

    Refused where the game was over there.
    """
    then = table.position.at(ply)
    if then.is_over:
        raise Refused("table.is_over")
    made, at = table.made, now()
    scratch = Table("", table.edition)
    events: list[Any] = []

    def add(more: list[Any]) -> None:
        for one in more:
            scratch.fold(one)
        events.extend(more)

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
    add([fresh])
    for seat in range(made.players):
        if seat != wanted.seat:
            add(scratch.decide_bot(at, seat, wanted.level))
    add(scratch.decide_sit(at, wanted.seat, wanted.name.strip(), token, None))
    moves = [stored.Moved(at, seat=mover, move=msgspec.to_builtins(move)) for mover, move in then.moves]
    add([stored.Started(at), *moves])
    add(scratch.decide_draws(at))
    return events
