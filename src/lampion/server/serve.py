"""Run the server: `lampion serve`."""

from __future__ import annotations

import errno
import logging
import os
import re
import secrets
import socket
import sys
import threading
import time
import webbrowser
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from lampion.locale import say, why
from lampion.server.database_admin import (
    BadServe,
    backup,
    check,
    delete_tables,
    export_records,
    import_records,
    list_records,
    run,
    store_for,
    try_store,
)
from lampion.server.http.app import App
from lampion.server.http.connection_limits import MOST_OF_ADDRESS, RESERVE, Config, Transports, raise_descriptor_limit
from lampion.server.http.guard import addresses
from lampion.server.logs import set_logs
from lampion.server.protocol import messages as wire
from lampion.server.routes.admin_routes import LONG
from lampion.server.storage.sqlite import SqliteStore
from lampion.server.tables.hub import Hub

__all__ = [
    "Settings",
    "backup",
    "check",
    "delete_tables",
    "export_records",
    "import_records",
    "list_records",
    "run",
    "serve",
]

log = logging.getLogger("lampion.server")

LOCAL = ("localhost", "127.0.0.1", "::1")
SWITCH_SECONDS = 0.001
"""How long the event loop waits for Python's lock while another thread works."""


@dataclass(frozen=True)
class Settings:
    """How a server is started."""

    host: str = "localhost"
    port: int = 8000
    db: str | None = None
    open: bool = False
    lan: bool = False
    keep: int = 180
    hosts: tuple[str, ...] = ()
    base_path: str = ""
    trust_proxy: bool = False
    admin: str | None = None
    log: str = "text"
    bot_threads: int | None = None


def pages_folder() -> Path:
    """Return the folder of the built browser pages."""
    return Path(__file__).resolve().parent / "pages"


def checked_path(path: str) -> str:
    """Return the path that the server is mounted at, with a slash before it and none after; refuse an odd one."""
    bare = path.strip("/")
    if bare and not re.fullmatch(r"[\w~-][\w.~-]*(/[\w~-][\w.~-]*)*", bare, re.ASCII):
        raise BadServe("serve.base_path", path=path)
    return "/" + bare if bare else ""


def check_name(name: str) -> None:
    """Refuse a URL where the name of a machine is meant: it would never match."""
    if name != "*" and not re.fullmatch(r"[\w.-]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*:[0-9a-fA-F:.]*", name):
        raise BadServe("serve.name", name=name)


def bind(settings: Settings) -> socket.socket:
    """Return the socket to listen on; refuse to be open to others unless that was asked for."""
    host = "0.0.0.0" if settings.lan and settings.host in LOCAL else settings.host
    if host not in LOCAL and not settings.lan and not settings.hosts:
        raise BadServe("serve.explicit", host=host)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, settings.port))
    except (socket.gaierror, UnicodeError):
        raise BadServe("serve.host", host=host) from None
    except OSError as error:
        if error.errno == errno.EADDRNOTAVAIL:
            raise BadServe("serve.host", host=host) from None
        raise BadServe("serve.port", port=settings.port, detail=why(error)) from error
    return listener


def serve(settings: Settings) -> None:
    """Run the server until it is stopped."""
    base = checked_path(settings.base_path)
    for name in settings.hosts:
        check_name(name)
    set_logs(settings.log)
    listener = bind(settings)
    store = store_for(settings.db)
    new = store.path if isinstance(store, SqliteStore) and not store.path.exists() else None
    store.claim()
    run(try_store(settings.db))
    port = listener.getsockname()[1]
    admin = settings.admin or os.environ.get("LAMPION_ADMIN") or secrets.token_urlsafe(18)
    if len(admin) < LONG:
        log.warning("the admin's token is short and can be guessed", extra={"characters": len(admin), "least": LONG})
    hub = Hub(store, keep_days=settings.keep, bot_threads=settings.bot_threads)
    app = App(
        hub,
        admin=admin,
        hosts=settings.hosts,
        trust_proxy=settings.trust_proxy,
        base_path=base,
        lan=settings.lan,
        pages=pages_folder(),
    )
    sys.setswitchinterval(SWITCH_SECONDS)
    most = raise_descriptor_limit() - RESERVE
    config = Config(
        app.asgi,
        Transports(most, None if settings.trust_proxy else MOST_OF_ADDRESS),
        log_config=None,
        access_log=False,
        server_header=False,
        ws_max_size=4 * wire.LONGEST,
        ws_per_message_deflate=False,  # costs more time and memory than a table's messages are worth
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_graceful_shutdown=3,
        proxy_headers=False,
    )
    local = f"http://localhost:{port}{base}/"
    announce(settings, local, port, base, admin)
    if new is not None:
        print(say("serve.new", file=str(new)), flush=True)
    if settings.open:
        threading.Thread(target=open_browser, args=(port, local), daemon=True).start()
    server = GracefulServer(config, app)
    server.run(sockets=[listener])
    if not server.started:
        sys.exit(1)


class GracefulServer(uvicorn.Server):
    """A uvicorn server that says goodbye to participants before it closes their connections."""

    def __init__(self, config: uvicorn.Config, app: App) -> None:
        super().__init__(config)
        self.app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop listening, say goodbye, then close."""
        for server in self.servers:
            server.close()
        await self.app.goodbye()
        await super().shutdown(sockets)
        if not self.force_exit:
            with suppress(OSError):  # nobody may read it any more
                print(say("serve.closed"), flush=True)


def announce(settings: Settings, local: str, port: int, base: str, admin: str) -> None:
    """Print the addresses of the server."""
    print(say("serve.here", address=local), flush=True)
    if sys.stdin.isatty():
        print(say("serve.close"), flush=True)
    if settings.lan:
        found = [address for address in addresses() if ":" not in address]
        for address in found:
            link = f"http://{address}:{port}{base}/"
            print(say("serve.lan", address=link), flush=True)
            print_qr(link)
        if not found:
            print(say("serve.no_lan"), flush=True)
    if settings.admin is None and "LAMPION_ADMIN" not in os.environ and sys.stdout.isatty():
        print(say("serve.admin", address=f"{local}#admin={admin}"), flush=True)


def print_qr(link: str) -> None:
    """Print a link as a QR code."""
    import segno

    segno.make(link, error="m").terminal(compact=True)


def open_browser(port: int, link: str) -> None:
    """Open the browser as soon as the server answers."""
    for _ in range(200):
        try:
            socket.create_connection(("localhost", port), 0.5).close()
            break
        except OSError:
            time.sleep(0.05)
    webbrowser.open(link)
