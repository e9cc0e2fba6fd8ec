"""A PostgreSQL of one's own for tests: a folder, a port, started, stopped and started again."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from .people import Server


def programs() -> Path | None:
    """The folder of the newest PostgreSQL on this machine."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    one = shutil.which("pg_ctl")
    return Path(one).resolve().parent if one else None


def need_programs() -> Path:
    """PostgreSQL, from Debian's package where it may be installed; without it a test is skipped, but never in CI."""
    folder = programs()
    if folder is None and os.environ.get("CI") and os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-qq"], env=quiet, check=False)
        subprocess.run(
            ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "postgresql"], env=quiet, check=True
        )
        folder = programs()
    if folder is None:
        reason = "PostgreSQL is not on this machine (Debian: apt-get install postgresql)"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return folder


TRIES = 5
"""Ports that are tried before it is given up."""


def free_port() -> int:
    """Return a port on which nothing listens now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Postgresql:
    """One that listens on this machine alone. It refuses to run as root, so that then another user runs it."""

    def __init__(self) -> None:
        self.bin = need_programs()
        self.folder = Path(tempfile.mkdtemp(prefix="lampion-postgresql-"))
        self.user = self._user()
        if self.user is not None:
            shutil.chown(self.folder, self.user)
        self._run("initdb", "-D", self.data, "-U", "lampion", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
        self.port = self._start_somewhere()

    @property
    def data(self) -> str:
        """Its files."""
        return str(self.folder / "data")

    def _user(self) -> str | None:
        if os.geteuid() != 0:
            return None
        for name in ("postgres", "nobody"):
            try:
                return pwd.getpwnam(name).pw_name
            except KeyError:
                continue
        pytest.fail("there is no user but root to run PostgreSQL")

    def _run(self, program: str, *words: str) -> None:
        as_user = [] if self.user is None else ["runuser", "-u", self.user, "--"]
        done = subprocess.run(
            [*as_user, str(self.bin / program), *words], cwd=self.folder, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, f"{program}: {done.stdout}"

    def _start_somewhere(self) -> int:
        """Start on a free port and return it; another program may take a port before PostgreSQL does."""
        for _ in range(TRIES - 1):
            self.port = free_port()
            with suppress(AssertionError):
                self.start()
                return self.port
        self.port = free_port()
        self.start()
        return self.port

    def start(self) -> None:
        """Start, and wait until it answers."""
        settings = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", self.data, "-l", log, "-o", settings, "-w", "-t", "60", "start")

    def stop(self, how: str = "immediate") -> None:
        """Stop it without asking those who are connected."""
        self._run("pg_ctl", "-D", self.data, "-m", how, "-w", "-t", "60", "stop")

    def remove(self) -> None:
        """Leave nothing."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, database: str = "postgres") -> str:
        """Its address."""
        return f"postgresql://lampion@127.0.0.1:{self.port}/{database}"

    def new(self, database: str) -> str:
        """The address of a new database."""
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "lampion", database)
        return self.url(database)


@contextmanager
def two_servers(url: str, errors: Path, time_to_report: float = 5) -> Iterator[tuple[Server, Server]]:
    """Two servers of one database, which log no fault; they report who is there again after that many seconds."""
    with ExitStack() as stack:
        one = Server(url, errors=errors, time_to_report=time_to_report)
        stack.callback(one.stop)
        other = Server(url, errors=errors, time_to_report=time_to_report)
        stack.callback(other.stop)
        yield one, other
    assert not [line for line in errors.read_text().splitlines() if "fault" in line or "Traceback" in line]
