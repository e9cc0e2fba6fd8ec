"""Plain requests and answers over HTTP."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from starlette import requests, responses, routing

from lampion.server.routes.exchange import Response, Route
from lampion.server.tables.rate_limits import charged_address


def address_of(connection: requests.HTTPConnection) -> str:
    """Return the address that a request or WebSocket is charged to."""
    return charged_address(connection.client.host if connection.client else "")


def over_http(routes: Iterable[Route]) -> list[routing.BaseRoute]:
    """Return routes as Starlette serves them."""
    return [routing.Route(one.path, carried(one.endpoint), methods=[one.method]) for one in routes]


def carried(endpoint: Callable[[requests.Request], Awaitable[Response]]) -> Callable[..., Any]:
    """Return an endpoint as Starlette calls it."""

    async def answer(request: requests.Request) -> responses.Response:
        try:
            return sent(await endpoint(request))
        except requests.ClientDisconnect:
            return responses.Response(status_code=400)  # which nobody reads

    return answer


def sent(answer: Response) -> responses.Response:
    """Return an answer as Starlette sends it."""
    return responses.Response(answer.content, answer.status_code, answer.headers, answer.media_type)
