"""Routes for positions that are explored and set up by hand, and for trees of variations that are kept.

Nothing about a line is kept between two requests: each brings its record, which is read where files of strangers are.
"""

from __future__ import annotations

import zlib
from contextlib import suppress
from functools import partial

from lampion import bounds
from lampion.play.position import Position
from lampion.play.record import Record
from lampion.server.protocol.explore_types import KeptBoard, NewBoard
from lampion.server.protocol.refusals import Refused
from lampion.server.routes.exchange import Request, Response, Route, body_of, encoded, json_of, localized
from lampion.server.routes.replay_routes import answer
from lampion.server.storage.store import Unavailable
from lampion.server.tables.explored_record import Question
from lampion.server.tables.hub import Hub
from lampion.server.tables.ids import is_table_id, new_table_id
from lampion.server.tables.rate_limits import AddressLimiter, asker
from lampion.server.tables.replay import MOST_ANSWER
from lampion.server.tables.sandbox_worker import ExploreRecord

MOST_BODY = bounds.MOST_RECORD + (64 << 10)
"""Bytes of a request: a record, and moves that are asked about."""
QUESTIONS = (10, 100)
"""Questions of one address a second, and at once."""
KEPT = (1 / 20, 20)
"""Trees that one address may keep: one in twenty seconds, twenty at once."""


class ExploreRoutes:
    """The routes of the analysis board."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.questions, self.keeping = AddressLimiter(*QUESTIONS), AddressLimiter(*KEPT)
        self.routes: list[Route] = [
            Route("/api/explore", localized(partial(self.ask, "line")), "POST"),
            Route("/api/explore/new", localized(self.new), "POST"),
            Route("/api/explore/preview", localized(partial(self.ask, "preview")), "POST"),
            Route("/api/explore/setup", localized(partial(self.ask, "setup")), "POST"),
            Route("/api/explore/worth", localized(self.worth), "POST"),
            Route("/api/explore/saved", localized(self.keep), "POST"),
            Route("/api/explore/saved/{board}", localized(self.kept)),
        ]

    async def new(self, request: Request) -> Response:
        """Answer with the record of a game that has not begun."""
        self.questions.take(asker.get())
        wanted = await json_of(request, NewBoard)
        await self.hub.ready(wanted.game)

        def made() -> bytes:
            return Record.of(Position(wanted.game, wanted.players)).to_json().encode()

        return answer(await self.hub.side_work.run("", made), "json")

    async def ask(self, what: Question, request: Request) -> Response:
        """Answer a question about the line in a request."""
        self.questions.take(asker.get())
        body = await body_of(request, MOST_BODY)
        (found,) = await self.hub.sandbox.run(ExploreRecord(what=what, body=body))
        return answer(found, "json")

    async def worth(self, request: Request) -> Response:
        """Answer what a position is worth."""
        return answer(await self.hub.analyses.worth(await body_of(request, MOST_BODY)), "json")

    async def keep(self, request: Request) -> Response:
        """Keep a tree of variations; answer with its id."""
        self.keeping.take(asker.get())
        body = await body_of(request, MOST_BODY)
        (found,) = await self.hub.sandbox.run(ExploreRecord(what="saved", body=body))
        board = new_table_id()
        await self.hub.store.keep_board(board, zlib.compress(found))
        return encoded(KeptBoard(board), status_code=201)

    async def kept(self, request: Request) -> Response:
        """Answer with a tree of variations that was kept."""
        board = request.path_params["board"]
        found = await self.hub.store.board(board) if is_table_id(board) else None
        if found is None:
            raise Refused("explore.no_board")
        with suppress(Unavailable):
            await self.hub.store.touch_board(board)
        return answer(zlib.decompressobj().decompress(found, MOST_ANSWER), "json")
