"""What one connection says to a live table, message by message."""

from __future__ import annotations

import asyncio

import msgspec

from lampion.locale import Problem, speaking
from lampion.locale.decode_errors import wrong_form
from lampion.server.metrics import METRICS
from lampion.server.protocol import messages as wire
from lampion.server.protocol.refusals import Refused
from lampion.server.tables.live_table import LiveTable
from lampion.server.tables.participant import Participant
from lampion.server.tables.rate_limits import TokenBucket
from lampion.server.tables.wish_handlers import ASIDE, handle

RATE, BURST = 30.0, 120.0
"""Messages of one connection a second, and at once."""
PENALTY = 0.05
"""Seconds for which a connection is not read after a message was refused for its rate or form."""
MOST_STRIKES = 200
"""Refusals for rate or form after which a connection is closed."""


class Dialogue:
    """The messages of one participant to one table."""

    def __init__(self, live: LiveTable, participant: Participant) -> None:
        self.live, self.participant = live, participant
        self._bucket = TokenBucket(RATE, BURST)
        self._strikes = 0

    @property
    def is_over(self) -> bool:
        """Whether too many messages were refused for their rate or form."""
        return self._strikes >= MOST_STRIKES

    async def hear(self, data: str) -> None:
        """Handle a message; return when its wish is done, or goes on in the background."""
        METRICS.messages.add()
        participant = self.participant
        with speaking(participant.language):
            try:
                wish = read(data, participant, self._bucket)
            except Problem as problem:
                self._strikes += 1
                self.live.refuse(participant, wire.id_of(data) if len(data) <= wire.LONGEST else None, problem)
                await asyncio.sleep(PENALTY)
                return
        doing = handle(self.live, participant, wish)
        if isinstance(wish, ASIDE):
            self.live.run_aside(doing)
        else:
            await doing

    def end(self) -> None:
        """Let the participant leave the table."""
        self.live.leave(self.participant)


def read(data: str, participant: Participant, bucket: TokenBucket) -> wire.WISHES:
    """Return the wish in a message; raise a Problem where it is too long, malformed or too early."""
    if not bucket.take():
        raise Refused("server.too_fast")
    if len(data) > wire.LONGEST:
        raise Refused("server.too_long", most=wire.LONGEST)
    try:
        wish = wire.decode(data)
    except msgspec.ValidationError as error:
        raise Refused("server.bad_message", detail=wrong_form(error)) from None
    except (msgspec.DecodeError, RecursionError):
        raise Refused("server.not_json") from None
    if participant.greeted == isinstance(wish, wire.Hello):
        raise Refused("server.hello_again" if participant.greeted else "server.hello_first")
    return wish
