"""Processes of Lampion that begin where everything is imported and the games are loaded.

Each is forked from one that has done nothing else (`fork_loop.py`): to import and load again is most of what a
short-lived server or command does, and a run of all tests starts ninety of them. It is a process of its own all the
same. What is tested about starting itself is started anew: by `anew`, and where the environment names other caches.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO, Any

CAN_FORK = sys.platform == "linux"
LOOP = Path(__file__).with_name("fork_loop.py")


class ForkedProcess:
    """A forked process, as `subprocess.Popen` shows one."""

    def __init__(self, reports: int, stdout: IO[str] | None) -> None:
        """Read the number of the process from the pipe that will also report its end."""
        self._reports = os.fdopen(reports, "rb", buffering=0)
        number = self._reports.readline()
        if not number:
            raise RuntimeError("the process that others are forked from has ended")
        self.pid = int(number)
        self.stdout = stdout
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return the status if the process has ended."""
        return self._status(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end and return the status; subprocess.TimeoutExpired where it does not come."""
        status = self._status(timeout)
        if status is None:
            raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0.0)
        return status

    def _status(self, timeout: float | None) -> int | None:
        if self.returncode is None:
            waiting = select.poll()
            waiting.register(self._reports, select.POLLIN)
            if waiting.poll(None if timeout is None else 1000 * timeout):
                # Without a report the process that it was forked from is gone, and has taken it along.
                self.returncode = int(self._reports.readline() or -signal.SIGKILL)
                self._reports.close()
        return self.returncode

    def send_signal(self, sent: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, sent)

    def terminate(self) -> None:
        """Ask the process to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End the process."""
        self.send_signal(signal.SIGKILL)


def shaping_environment() -> dict[str, str]:
    """Return what of the environment decides what is imported and loaded, and from which caches."""
    prefixes = ("NUMBA_", "PYTHON", "XDG_", "LAMPION_ENGINE", "HOME")
    return {name: value for name, value in os.environ.items() if name.startswith(prefixes)}


class ForkServer:
    """The process that others are forked from, and the way to it."""

    def __init__(self) -> None:
        self.environment = shaping_environment()
        self._requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, LOOP, str(theirs.fileno())], stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()]
            )
        atexit.register(self.stop)

    @property
    def is_running(self) -> bool:
        """Return whether processes can be forked from it."""
        return self._process.poll() is None

    def stop(self) -> None:
        """Let it go, with all that was forked."""
        self._requests.close()
        self._process.wait()

    def start(self, words: list[str], stdout: int | None = None, stderr: int | None = None) -> ForkedProcess:
        """Fork a process that runs `words`, the first of which is `lampion` or a Python file with a `main`.

        `stdout` and `stderr` are file descriptors; without a stdout the process has one that reads it.
        """
        reports, reporter = os.pipe()
        reads, writes = os.pipe() if stdout is None else (None, os.dup(stdout))
        request = {"words": words, "environment": dict(os.environ), "folder": os.getcwd()}
        files = [reporter, writes, 2 if stderr is None else stderr]
        socket.send_fds(self._requests, [json.dumps(request).encode()], files)
        os.close(reporter)
        os.close(writes)
        return ForkedProcess(reports, None if reads is None else os.fdopen(reads, encoding="utf-8"))


_server: ForkServer | None = None


def server() -> ForkServer | None:
    """Return the process of this worker that others are forked from; None where a process must be started anew."""
    global _server
    if not CAN_FORK:
        return None
    if _server is None or not _server.is_running:
        _server = ForkServer()
    return _server if _server.environment == shaping_environment() else None


def start(words: list[str], *, errors: Path | None = None, anew: bool = False) -> Any:
    """Start `words` with a stdout to read, and a stderr that is the tests' own or a file; forked where possible."""
    with contextlib.ExitStack() as stack:
        stderr = None if errors is None else stack.enter_context(errors.open("a")).fileno()
        if not anew and (forks := server()):
            return forks.start(words, stderr=stderr)
        return subprocess.Popen(command(words), stdout=subprocess.PIPE, stderr=stderr, text=True)


def run(words: list[str], timeout: float = 120) -> subprocess.CompletedProcess[str]:
    """Run `words` to their end and return what they wrote: forked where possible."""
    forks = server()
    if forks is None:
        return subprocess.run(command(words), capture_output=True, text=True, timeout=timeout)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        process = forks.start(words, out.fileno(), errors.fileno())
        try:
            status = process.wait(timeout)
        finally:
            process.kill()
        out.seek(0)
        errors.seek(0)
        return subprocess.CompletedProcess(words, status, out.read().decode(), errors.read().decode())


def command(words: list[str]) -> list[str]:
    """Return what starts `words` without a fork."""
    return [sys.executable, *(["-m", *words] if words[0] == "lampion" else words)]
