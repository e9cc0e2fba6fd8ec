"""Reading HTTP requests and answering them: JSON in the asker's language, a reason where one is refused."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response

from lampion.locale import FALLBACK, LANGUAGES, Problem, speaking
from lampion.locale.decode_errors import wrong_form
from lampion.server.metrics import METRICS
from lampion.server.protocol import messages as wire
from lampion.server.protocol.refusals import Refused
from lampion.server.tables.rate_limits import charged_address

MOST_JSON = 16 << 10
"""Bytes of a JSON body, where nothing else is said."""

Endpoint = Callable[[Request], Awaitable[Response]]
T = TypeVar("T")

STATUS = {
    "admin_only": 401,
    "no_seat_token": 403,
    "no_table": 404,
    "no_game": 404,
    "game": 404,
    "no_page": 404,
    "no_rules": 404,
    "no_analysis": 404,
    "no_decision": 404,
    "no_puzzle": 404,
    "no_board": 404,
    "language": 404,
    "no_method": 405,
    "unfinished": 409,
    "is_closed": 409,
    "in_use": 409,
    "too_long": 413,
    "size": 413,
    "too_much_work": 413,
    "busy": 429,
    "too_many_tries": 429,
    "disk_full": 503,
    "not_writable": 503,
    "store_away": 503,
    "stops": 503,
    "not_judged": 503,
    "table_damaged": 503,
    "no_edition": 503,
}
"""The status of a refusal by its code; 400 for all others."""


class EncodedResponse(Response):
    """A response with a value that msgspec encodes as JSON."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return msgspec.json.encode(content)


def address_of(connection: HTTPConnection) -> str:
    """Return the address that a request or WebSocket is charged to."""
    return charged_address(connection.client.host if connection.client else "")


def language_of(request: HTTPConnection) -> str:
    """Return the language for a request: `?lang=`, else the known one that its browser prefers."""
    asked = request.query_params.get("lang", "")[:2].lower()
    if asked in LANGUAGES:
        return asked
    liked = []
    for place, part in enumerate(request.headers.get("accept-language", "")[:400].split(",")):
        name, _, weight = part.strip().partition(";")
        found = re.fullmatch(r"\s*q=([01](?:\.\d{1,3})?)\s*", weight)
        if name[:2].lower() in LANGUAGES and (found or not weight):
            liked.append((-float(found[1]) if found else -1.0, place, name[:2].lower()))
    return min(liked)[2] if liked else FALLBACK


def refusal(problem: Problem) -> Response:
    """Return the response to a request that is refused."""
    METRICS.refusals.add()
    return EncodedResponse(
        wire.No(code=problem.code, reason=str(problem)),
        status_code=STATUS.get(problem.code, 400),
        headers={"www-authenticate": "Bearer"} if problem.code == "admin_only" else None,
    )


def localized(endpoint: Endpoint) -> Endpoint:
    """Return an endpoint that answers in the asker's language and turns a Problem into a response."""

    async def answer(request: Request) -> Response:
        with speaking(language_of(request)):
            try:
                return await endpoint(request)
            except Problem as problem:
                return refusal(problem)
            except ClientDisconnect:
                return Response(status_code=400)  # which nobody reads

    return answer


async def body_of(request: Request, most: int) -> bytes:
    """Return the body, or refuse it where it has more than `most` bytes."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise Refused("server.too_long", most=most)
    return bytes(body)


async def json_of(request: Request, kind: type[T], most: int = MOST_JSON) -> T:
    """Return the body decoded as a type, or refuse it."""
    try:
        return msgspec.json.decode(await body_of(request, most), type=kind)
    except msgspec.ValidationError as error:
        raise Refused("server.bad_message", detail=wrong_form(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refused("server.not_json") from None


def bearer(request: Request) -> str | None:
    """Return the bearer token of a request; never taken from the URL, which logs would keep."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else None
