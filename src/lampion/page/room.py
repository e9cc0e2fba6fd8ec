"""A games room inside a page: the tables, bots and routes of the server, called through messages from the page.

A request is a method, an address, headers and a body; a connection to a table is a number. What the room says to a
connection is handed to `send`, with None at its end.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping

from lampion import __version__, bounds
from lampion.games import registry
from lampion.games.editions import standard
from lampion.locale import LANGUAGES, Problem, catalogue, say, speaking
from lampion.page.shelf_store import Shelf, ShelfStore
from lampion.page.worker_jobs import Messages, OtherWorker
from lampion.server.protocol import http_types
from lampion.server.protocol import messages as wire
from lampion.server.protocol import stored_events as stored
from lampion.server.protocol.refusals import Refused
from lampion.server.routes.dialogue import Dialogue
from lampion.server.routes.exchange import Request, Response, Route, body_of, encoded, language_of, localized
from lampion.server.routes.in_process_router import PlainRequest, PlainRouter
from lampion.server.routes.room_routes import RoomRoutes
from lampion.server.storage.store import now
from lampion.server.tables.hub import Hub
from lampion.server.tables.ids import new_token
from lampion.server.tables.job_runner import Program
from lampion.server.tables.participant import Participant
from lampion.server.tables.precompiler import Part
from lampion.server.tables.record_import import store_finished
from lampion.server.tables.sandbox_worker import ImportRecord

log = logging.getLogger("lampion.page")

FOREVER = 36_500
"""Days that a table stays, which only its owner removes."""


def prepare() -> None:
    """Load all that tables of every game need, so that a memory kept from now on holds it."""
    for language in LANGUAGES:
        catalogue(language)
    for game in registry.games():
        standard(game)


class AllLoaded:
    """The games of a page: their modules come compiled."""

    def is_loaded(self, game: str, part: Part = "rules") -> bool:
        """Return whether there is such a game."""
        return game in registry.games()

    def is_settled(self, game: str, part: Part) -> bool:
        """Return True: nothing is still being loaded."""
        return True

    async def load(self, game: str, part: Part = "rules") -> None:
        """Refuse an unknown game."""
        registry.game(game)

    async def load_all(self) -> None:
        """Load nothing."""

    def close(self) -> None:
        """Do nothing."""


class Room:
    """A room and the connections to its tables."""

    def __init__(
        self, shelf: Shelf, thinker: Messages, analyst: Messages, send: Callable[[int, str | None], None]
    ) -> None:
        """Make a room from a shelf for its games, workers for short and long jobs, and a receiver of its messages."""
        self._send = send
        quick, slow = OtherWorker(thinker), OtherWorker(analyst)

        async def start(program: Program) -> OtherWorker:
            return slow if program.takes_long else quick

        self.hub = Hub(
            ShelfStore(shelf),
            keep_days=FOREVER,
            bot_threads=1,
            games=AllLoaded(),
            start=start,
            elsewhere=quick.think,
        )
        self._router = PlainRouter(
            [
                *RoomRoutes(self.hub).routes,
                Route("/api/server", localized(self.about)),
                Route("/api/records", localized(self.take_in), "POST"),
                Route("/api/tables/{table}", localized(self.delete), "DELETE"),
            ]
        )
        self._connections: dict[int, asyncio.Queue[str | None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Open the room."""
        await self.hub.open()

    async def close(self) -> None:
        """Close the room and its tables."""
        await self.hub.close()

    # Requests

    async def ask(self, method: str, address: str, headers: Mapping[str, str], body: bytes) -> Response:
        """Answer a request."""
        try:
            return await self._router.answer(method, address, headers, body)
        except Exception as error:
            log.error("fault", exc_info=error)
            with speaking(language_of(PlainRequest(headers))):
                return encoded({"say": "no", "code": "fault", "reason": say("server.fault")}, 500)

    async def about(self, request: Request) -> Response:
        """Answer with the version; there is no address, since nobody else can connect."""
        known = http_types.Server(
            version=__version__, protocol=wire.VERSION, languages=list(LANGUAGES), address="", alone=True
        )
        return encoded(known)

    async def take_in(self, request: Request) -> Response:
        """Store a finished game from a record file."""
        record = await body_of(request, bounds.MOST_RECORD)
        bodies = await self.hub.sandbox.run(ImportRecord(record=record, at=now(), host=new_token()))
        table = await store_finished(self.hub.store, [stored.decode(body) for body in bodies])
        return encoded({"table": table}, 201)

    async def delete(self, request: Request) -> Response:
        """Remove a table for good."""
        id = request.path_params["table"]
        live = self.hub.live_tables.get(id)
        if live is not None:
            await self.hub.remove(live)
        elif not await self.hub.store.delete(id):
            raise Refused("server.no_table")
        return Response(status_code=204)

    # Connections

    def connect(self, number: int, table: str, language: str) -> None:
        """Connect to a table, under a number that the page chose."""
        waiting = self._connections[number] = asyncio.Queue()
        task = asyncio.create_task(self._serve(number, table, language, waiting))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def hear(self, number: int, data: str) -> None:
        """Handle a message from a connection."""
        if number in self._connections:
            self._connections[number].put_nowait(data)

    def disconnect(self, number: int) -> None:
        """End a connection that the page has closed."""
        if number in self._connections:
            self._connections[number].put_nowait(None)

    async def _serve(self, number: int, table: str, language: str, waiting: asyncio.Queue[str | None]) -> None:
        """Handle the messages of a connection until it ends."""
        participant = Participant(lambda message: self._send(number, message.decode()), lambda: self.disconnect(number))
        participant.language = language
        try:
            dialogue = Dialogue(await self.hub.expect(table), participant)
            try:
                while not dialogue.is_over and (data := await waiting.get()) is not None:
                    await dialogue.hear(data)
            finally:
                dialogue.end()
        except Problem as problem:
            with speaking(language):
                participant.say(wire.No(code=problem.code, reason=str(problem)))
        except Exception as error:
            log.error("connection fault", exc_info=error)
        finally:
            del self._connections[number]
            self._send(number, None)
