"""Routes for analyses: ask for one, read it, try a decision again, play on from a moment of a finished game.

Whoever may see the replay of a finished game may do all of it. Each address has limits, which `analyses` names.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import msgspec

from lampion.insight.analysis_types import Analysis
from lampion.insight.decision_positions import judged_positions
from lampion.locale import language
from lampion.play.position import Position
from lampion.server.protocol.analysis_types import PlayOnRequest, PreviewAnswer, PreviewRequest, TryRequest
from lampion.server.protocol.messages import LONGEST
from lampion.server.protocol.refusals import Refused
from lampion.server.routes.exchange import Request, Response, Route, encoded, json_of, localized
from lampion.server.routes.replay_routes import answer, ply_of, record_of
from lampion.server.tables.analysis_report import report, scenes
from lampion.server.tables.hub import Hub
from lampion.server.tables.live_table import LiveTable
from lampion.server.tables.rate_limits import AddressLimiter, asker
from lampion.server.tables.replay import bounded
from lampion.server.tables.table import Table
from lampion.server.tables.update_builder import outlooks
from lampion.server.tables.wish_handlers import SLICE

MOST_GAMES = 16
"""Games whose decisions are kept in memory for exercises."""
PREVIEWS = (20, 100)
"""Requests for previews of one address a second, and at once."""

Decisions = dict[int, tuple[Position, int]]


class AnalysisRoutes:
    """The routes of analyses, exercises and games that are played on."""

    def __init__(self, hub: Hub, find: Callable[[Request], Awaitable[LiveTable]], making: AddressLimiter) -> None:
        self.hub, self.find, self.making = hub, find, making
        self.previews = AddressLimiter(*PREVIEWS)
        self._decisions: dict[str, Decisions] = {}
        of_table = "/api/tables/{table}/analysis"
        self.routes: list[Route] = [
            Route(of_table, localized(self.state)),
            Route(of_table, localized(self.ask), "POST"),
            Route(of_table, localized(self.withdraw), "DELETE"),
            Route(of_table + "/figures", localized(self.figures)),
            Route(of_table + "/report", localized(self.report)),
            Route(of_table + "/{ply}", localized(self.decision)),
            Route(of_table + "/{ply}/preview", localized(self.preview), "POST"),
            Route(of_table + "/{ply}/try", localized(self.judge), "POST"),
            Route("/api/tables/{table}/replay/{ply}/play", localized(self.play_on), "POST"),
        ]

    async def finished(self, request: Request) -> Table:
        """Return the table that a request names; refuse it unless its game was played to its end."""
        table = (await self.find(request)).table
        if table.broken is not None:
            raise Refused("table.broken", reason=table.broken)
        if table.status != "over":
            raise Refused("table.is_closed" if table.status == "closed" else "server.unfinished")
        return table

    async def record(self, table: Table) -> bytes:
        """Return the record of a table's game as a file."""
        return await self.hub.side_work.made_once((table.id, table.seq, "record"), table.id, partial(record_of, table))

    # The analysis

    async def state(self, request: Request) -> Response:
        """Answer how far an analysis is."""
        return encoded(await self.hub.analyses.state((await self.finished(request)).id))

    async def ask(self, request: Request) -> Response:
        """Have a game analysed, once."""
        table = await self.finished(request)
        found = await self.hub.analyses.ask(table.id, partial(self.record, table))
        return encoded(found, status_code=200 if found.state == "done" else 202)

    async def withdraw(self, request: Request) -> Response:
        """Take back what this address asked for."""
        return encoded(await self.hub.analyses.withdraw((await self.finished(request)).id))

    async def figures_of(self, table: Table) -> bytes:
        """Return the analysis of a table's game; refuse where there is none yet."""
        found = await self.hub.analyses.figures(table.id)
        if found is None:
            raise Refused("server.no_analysis")
        return found

    async def figures(self, request: Request) -> Response:
        """Answer with all figures, as `lampion analyse --json` writes them."""
        return answer(await self.figures_of(await self.finished(request)), "json")

    async def report(self, request: Request) -> Response:
        """Answer with the analysis in words."""
        table = await self.finished(request)
        found = await self.figures_of(table)

        def made() -> bytes:
            return bounded(msgspec.json.encode(report(table.record(), Analysis.from_json(found))))

        key = table.id, "report", language()
        return answer(await self.hub.side_work.made_once(key, table.id, made), "json")

    # Decisions tried again

    async def decisions_of(self, table: Table) -> Decisions:
        """Return the decisions of a game, by the number of moves before each, as their seats knew them."""
        found = self._decisions.pop(table.id, None)
        if found is None:
            found = await self.hub.side_work.run(table.id, partial(judged_positions, table.position.copy()))
        self._decisions[table.id] = found
        while len(self._decisions) > MOST_GAMES:
            del self._decisions[next(iter(self._decisions))]
        return found

    async def decided(self, request: Request) -> tuple[Table, int, Position, int]:
        """Return the table, the number of the move, the position before it and the move; refuse what is no decision."""
        table, ply = await self.finished(request), ply_of(request)
        found = (await self.decisions_of(table)).get(ply - 1)
        if found is None:
            raise Refused("server.no_decision")
        return table, ply, found[0].copy(), found[1]

    async def decision(self, request: Request) -> Response:
        """Answer with a decision as its seat knew it, and what followed from the played move and from the best."""
        table, ply, position, played = await self.decided(request)
        figures = await self.figures_of(table)

        seat, names = table.position.played[ply - 1].seat, table.names()

        def made() -> bytes:
            judged = Analysis.from_json(figures).steps[ply - 1].decision
            best = played if judged is None else judged.moves[0].id
            return bounded(msgspec.json.encode(scenes(position, ply, seat, (played, best), names)))

        key = table.id, "decision", ply, language()
        return answer(await self.hub.side_work.made_once(key, table.id, made), "json")

    async def preview(self, request: Request) -> Response:
        """Answer with what moves would do in the place of one that was played."""
        self.previews.take(asker.get())
        table, ply, position, _ = await self.decided(request)
        wish = await json_of(request, PreviewRequest, LONGEST)
        seat, names = table.position.played[ply - 1].seat, table.names()
        made: list[Any] = []
        for i in range(0, len(wish.moves), SLICE):
            part = wish.moves[i : i + SLICE]
            made += await self.hub.side_work.run(table.id, partial(outlooks, position, seat, part, names, wish.views))
        return encoded(PreviewAnswer(made))

    async def judge(self, request: Request) -> Response:
        """Answer how good a move is in the place of one that was played."""
        table, ply, position, _ = await self.decided(request)
        wish = await json_of(request, TryRequest)
        position.preview(position.id_of(wish.move), table.position.played[ply - 1].seat)  # refuses what is illegal
        return answer(await self.hub.analyses.judged(await self.record(table), ply, wish.move), "json")

    async def play_on(self, request: Request) -> Response:
        """Make a table that begins at a moment of a finished game."""
        self.making.take(asker.get())
        table = await self.finished(request)
        wanted = await json_of(request, PlayOnRequest)
        return encoded(await self.hub.play_on(table, ply_of(request), wanted), status_code=201)
