"""Requests that come without an HTTP server: as a method, an address, headers and a body."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote, urlsplit

from lampion.locale import speaking
from lampion.server.protocol.refusals import Refused
from lampion.server.routes.exchange import Response, Route, language_of, refusal


@dataclass(frozen=True)
class PlainRequest:
    """A request whose whole body has arrived."""

    headers: Mapping[str, str] = field(default_factory=dict)
    path_params: Mapping[str, str] = field(default_factory=dict)
    query_params: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    async def stream(self) -> AsyncIterator[bytes]:
        """Yield the body."""
        yield self.body


class PlainRouter:
    """Answers requests by the first route that matches."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self._routes = [(pattern(route.path), route) for route in routes]

    async def answer(self, method: str, address: str, headers: Mapping[str, str], body: bytes) -> Response:
        """Answer a request for the path and the query of an address."""
        parts = urlsplit(address)
        query = dict(parse_qsl(parts.query))
        fitting = [(found, route) for one, route in self._routes if (found := one.fullmatch(parts.path))]
        for found, route in fitting:
            if route.method == method:
                open_parts = {name: unquote(part) for name, part in found.groupdict().items()}
                return await route.endpoint(PlainRequest(headers, open_parts, query, body))
        with speaking(language_of(PlainRequest(headers, query_params=query))):
            return refusal(Refused("server.no_method" if fitting else "server.no_page"))


def pattern(path: str) -> re.Pattern[str]:
    """Return the pattern that matches a path and captures its open parts."""
    return re.compile("".join(f"(?P<{part[1:-1]}>[^/]+)" if part[:1] == "{" else re.escape(part)
                              for part in re.split(r"(\{\w+\})", path)))  # fmt: skip
