"""Refuses requests by host, origin and size, and adds security headers to every answer."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import re
import socket
import time
from collections.abc import Iterable, MutableMapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lampion import bounds
from lampion.locale import FALLBACK, LANGUAGES, say, speaking
from lampion.server.http.responses import address_of
from lampion.server.routes.content_policy import policy
from lampion.server.tables.rate_limits import asker

log = logging.getLogger("lampion.server")

MOST_BODY = 1 << 20
HOST = re.compile(
    r"(?:[\w.-]{1,253}|\[[0-9a-f:.]{2,45}(?:%25[\w.-]{1,20})?\])(?::([0-9]{1,5}))?", re.ASCII | re.IGNORECASE
)
"""A Host header, with its port as a group."""
LOOK_AGAIN = 10.0
"""Seconds between lookups of this machine's names, made when an unknown host is asked for."""
POLICY = policy({"frame-ancestors": "'none'"})
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


def own_names() -> set[str]:
    """Return the names and addresses of this machine."""
    name = socket.gethostname().lower()
    return {"localhost", "127.0.0.1", "::1", name, f"{name}.local", *addresses()}


def addresses() -> list[str]:
    """Return the machine's addresses on the local network, those of its default routes first."""
    found: dict[str, None] = {}
    for family, target in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((target, 9))
                found[probe.getsockname()[0]] = None
        except OSError:
            pass
    try:
        for info in socket.getaddrinfo(socket.gethostname(), None):
            found[str(info[4][0])] = None
    except OSError:
        pass
    return [address for address in found if not ipaddress.ip_address(address.partition("%")[0]).is_loopback]


def host_name(host: str) -> str:
    """Return a Host header without its port, in lower case."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


def is_host(host: str) -> bool:
    """Return whether a Host header is a name or an address, with or without a port."""
    found = HOST.fullmatch(host)
    return found is not None and int(found[1] or 0) < 1 << 16


class Guard:
    """Middleware that refuses foreign hosts and origins and long bodies, and adds security headers."""

    def __init__(self, app: ASGIApp, *, hosts: Iterable[str] = ()) -> None:
        self.app = app
        self.listed = {host.lower() for host in hosts}
        self._logged: set[tuple[str, str, str]] = set()
        self._own = own_names()
        self._looked = time.monotonic()

    async def knows(self, host: str) -> bool:
        """Return whether a host is listed or names this machine, which may have changed networks meanwhile."""
        name = host_name(host)
        if "*" in self.listed or name in self.listed or name in self._own:
            return True
        if time.monotonic() - self._looked > LOOK_AGAIN:
            self._looked = time.monotonic()
            self._own = await asyncio.to_thread(own_names)
        return name in self._own

    async def refuses(self, scope: MutableMapping[str, Any]) -> str | None:
        """Return why a request is refused: host, origin or size; None where it is not."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or not is_host(host) or not await self.knows(host):
            return "host"
        if scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD"):
            origin = headers.get("origin")
            if origin is None:
                own = headers.get("sec-fetch-site", "none") in ("none", "same-origin")
            else:
                own = origin.partition("://")[2].lower() == host.lower()
            if not own:
                return "origin"
        if bounds.whole_number(headers.get("content-length", "0"), MOST_BODY) is None:
            return "size"
        return None

    def explain(self, scope: MutableMapping[str, Any], reason: str) -> str:
        """Return the reason of a refusal as text, and log it once for each reason and name."""
        headers = Headers(scope=scope)
        host, origin = host_name(headers.get("host", ""))[:80], headers.get("origin", "")[:80]
        if (reason, host, origin) not in self._logged and len(self._logged) < 100:
            self._logged.add((reason, host, origin))
            log.warning("request refused", extra={"why": reason, "host": host, "origin": origin})
        asked = headers.get("accept-language", "")[:2].lower()
        with speaking(asked if asked in LANGUAGES else FALLBACK):
            return say(f"guard.{reason}", host=host, origin=origin, most=MOST_BODY)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        asker.set(address_of(HTTPConnection(scope)))
        reason = await self.refuses(scope)
        if reason is not None:
            text = self.explain(scope, reason)
            if scope["type"] == "websocket":
                await receive()
                await send({"type": "websocket.close", "code": 4403, "reason": reason})
                return
            status = 413 if reason == "size" else 403
            await PlainTextResponse(text, status_code=status, headers=HEADERS)(scope, receive, send)
            return
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, with_headers)
