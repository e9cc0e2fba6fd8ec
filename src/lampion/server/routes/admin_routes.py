"""Routes for the admin alone: list tables, close and remove them, send people away, import finished games.

The admin's token is in the Authorization header, never in an address, and is compared in constant time. Only a wrong
token counts as a failure: a page of another site, whose requests carry none, cannot use up the admin's tries. A long
token cannot be guessed and always enters; with a short one an address that was wrong too often must wait, also when it
is right then.
"""

from __future__ import annotations

import hmac

from lampion import bounds
from lampion.server.protocol import stored_events as stored
from lampion.server.protocol.http_types import KickRequest
from lampion.server.protocol.refusals import Refused
from lampion.server.routes.exchange import (
    Endpoint,
    Request,
    Response,
    Route,
    bearer,
    body_of,
    encoded,
    json_of,
    localized,
)
from lampion.server.storage.store import Damaged, now
from lampion.server.tables.hub import Hub
from lampion.server.tables.ids import new_token
from lampion.server.tables.live_table import LiveTable
from lampion.server.tables.rate_limits import AddressLimiter, asker
from lampion.server.tables.record_import import store_finished
from lampion.server.tables.sandbox_worker import ImportRecord
from lampion.server.tables.summaries import TableSummaries

MOST_LISTED = 1000
LONG = 20
"""Characters of a token that cannot be guessed, however often somebody tries."""


class AdminRoutes:
    """The routes below /api/admin."""

    def __init__(self, hub: Hub, summaries: TableSummaries, admin: str | None) -> None:
        self.hub, self.summaries, self.admin = hub, summaries, admin
        self.failures = AddressLimiter(0.1, 10)
        self.routes: list[Route] = [
            Route("/api/admin/tables", self.only(self.tables)),
            Route("/api/admin/tables/{table}", self.only(self.delete), "DELETE"),
            Route("/api/admin/tables/{table}/close", self.only(self.close), "POST"),
            Route("/api/admin/tables/{table}/kick", self.only(self.kick), "POST"),
            Route("/api/admin/records", self.only(self.take_in), "POST"),
        ]

    def only(self, endpoint: Endpoint) -> Endpoint:
        """Return an endpoint that refuses everybody but the admin."""

        async def answer(request: Request) -> Response:
            given = bearer(request)
            if given is None or not self.admin:
                raise Refused("server.admin_only")
            is_right = hmac.compare_digest(given.encode(), self.admin.encode())
            failures = self.failures.bucket(asker.get())
            if failures.is_spent() and not (is_right and len(self.admin) >= LONG):
                raise Refused("server.too_many_tries", count=failures.seconds_left())
            if not is_right:
                failures.take()
                raise Refused("server.admin_only")
            return await endpoint(request)

        return localized(answer)

    async def tables(self, request: Request) -> Response:
        """List the tables, the last changed first, filtered by `?status=` and `?limit=`."""
        status = request.query_params.get("status")
        if status not in (None, "open", "playing", "over", "closed"):
            raise Refused("server.no_status", status=bounds.shown(str(status)[:20]))
        limit = bounds.whole_number(request.query_params.get("limit", "200"), MOST_LISTED)
        if not limit:
            raise Refused("server.no_limit", most=MOST_LISTED)
        return encoded(await self.summaries.listed(await self.hub.store.headings(status, limit)))

    async def find(self, request: Request) -> LiveTable:
        """Return the live table that a request names, or refuse."""
        return await self.hub.expect(request.path_params["table"])

    async def close(self, request: Request) -> Response:
        """Close a table that is not over."""
        live = await self.find(request)
        async with live.lock:
            await live.store(live.table.decide_close)
        return encoded(await self.summaries.look(live.table.id))

    async def kick(self, request: Request) -> Response:
        """Take a seat from its holder, as the table's host could."""
        live, wish = await self.find(request), await json_of(request, KickRequest)
        async with live.lock:
            await live.kick(wish.seat, wish.level)
        return encoded(await self.summaries.look(live.table.id))

    async def delete(self, request: Request) -> Response:
        """Remove a table that is over or closed, or that cannot be read."""
        try:
            live = await self.find(request)
        except (stored.BadEvent, Damaged):
            await self.hub.store.delete(request.path_params["table"])
            return Response(status_code=204)
        async with live.lock:
            if not live.table.is_revealed and live.table.broken is None:
                raise Refused("server.in_use")
            await self.hub.remove(live)
        return Response(status_code=204)

    async def take_in(self, request: Request) -> Response:
        """Store a finished game from a record file."""
        record = await body_of(request, bounds.MOST_RECORD)
        bodies = await self.hub.sandbox.run(ImportRecord(record=record, at=now(), host=new_token()))
        table = await store_finished(self.hub.store, [stored.decode(body) for body in bodies])
        return encoded({"table": table}, status_code=201)
