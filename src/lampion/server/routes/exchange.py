"""Requests and answers as plain data: JSON in the asker's language, a reason where a request is refused.

A request may come over HTTP or through a message port; its asker's address is in `rate_limits.asker`.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import msgspec

from lampion.locale import FALLBACK, LANGUAGES, Problem, speaking
from lampion.locale.decode_errors import wrong_form
from lampion.server.metrics import METRICS
from lampion.server.protocol import messages as wire
from lampion.server.protocol.refusals import Refused

MOST_JSON = 16 << 10
"""Bytes of a JSON body, where nothing else is said."""


class Asking(Protocol):
    """A request or a connection: what both have."""

    @property
    def query_params(self) -> Mapping[str, str]:
        """The query parameters of the address."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers, by their names in lower case."""


class Request(Asking, Protocol):
    """A request."""

    @property
    def path_params(self) -> Mapping[str, str]:
        """The parts of the path that its route leaves open."""

    def stream(self) -> AsyncIterator[bytes]:
        """Yield the body in parts."""


@dataclass(frozen=True)
class Response:
    """The answer to a request."""

    content: bytes = b""
    status_code: int = 200
    media_type: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


Endpoint = Callable[[Request], Awaitable[Response]]
T = TypeVar("T")
R = TypeVar("R", bound=Asking)


@dataclass(frozen=True)
class Route:
    """A path, with open parts in braces, and what answers requests for it."""

    path: str
    endpoint: Endpoint
    method: str = "GET"


STATUS = {
    "admin_only": 401,
    "no_seat_token": 403,
    "others_play": 403,
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


def encoded(value: Any, status_code: int = 200) -> Response:
    """Return a response with a value that msgspec encodes as JSON."""
    return Response(msgspec.json.encode(value), status_code, "application/json")


def language_of(request: Asking) -> str:
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
    return Response(
        msgspec.json.encode(wire.No(code=problem.code, reason=str(problem))),
        STATUS.get(problem.code, 400),
        "application/json",
        {"www-authenticate": "Bearer"} if problem.code == "admin_only" else {},
    )


def localized(endpoint: Callable[[R], Awaitable[Response]]) -> Callable[[R], Awaitable[Response]]:
    """Return an endpoint that answers in the asker's language and turns a Problem into a response."""

    async def answer(request: R) -> Response:
        with speaking(language_of(request)):
            try:
                return await endpoint(request)
            except Problem as problem:
                return refusal(problem)

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
