"""Takes the address, scheme and host of a request from the headers of a proxy; only with `--trust-proxy`.

One proxy is trusted. It adds the last part of a header; the client may have made up the parts before it.
"""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send


def last(headers: Headers, name: str) -> str:
    """Return the last part of a header, or an empty text."""
    return headers.getlist(name)[-1].rpartition(",")[2].strip() if name in headers else ""


class TrustedProxy:
    """Middleware that replaces address, scheme and host by those that the proxy forwards."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] in ("http", "websocket"):
            headers = Headers(scope=scope)
            scope = dict(scope)
            if address := last(headers, "x-forwarded-for"):
                scope["client"] = (address, 0)
            if (scheme := last(headers, "x-forwarded-proto")) in ("http", "https"):
                scope["scheme"] = scheme if scope["type"] == "http" else scheme.replace("http", "ws")
            if host := last(headers, "x-forwarded-host"):
                others = [pair for pair in scope["headers"] if pair[0] != b"host"]
                scope["headers"] = [*others, (b"host", host.encode("latin-1"))]
        await self.app(scope, receive, send)
