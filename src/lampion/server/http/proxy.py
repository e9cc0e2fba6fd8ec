"""Behind a proxy: the forwarded headers become what the rest of the server reads. Only with `--trust-proxy`.

One proxy stands in front. Of a header that several hands wrote it is the last part that this one added; what stands
before it the asker may have made up.
"""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send


def last(headers: Headers, name: str) -> str:
    """The last part of a header, or nothing."""
    return headers.getlist(name)[-1].rpartition(",")[2].strip() if name in headers else ""


class TrustedProxy:
    """Takes address, scheme and host of the asker from the proxy in front."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
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
