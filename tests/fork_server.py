"""Processes of Lampion that begin where everything is imported and the games are loaded.

Each is forked from one that has done nothing else: to import and load again is most of what a short-lived server or
command does, and a run of all tests starts a hundred of them. What is tested about starting itself starts anew.
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
from importlib import import_module
from pathlib import Path
from typing import IO, Any, NoReturn

LARGEST = 1 << 18
"""Bytes of a request: words, environment and folder."""
CAN_FORK = sys.platform == "linux"


class Forked:
    """A forked process, as `subprocess.Popen` shows one."""

    def __init__(self, told: int, stdout: IO[str] | None) -> None:
        self._told = os.fdopen(told, "rb", buffering=0)
        self.pid = int(self._told.readline())
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
        if self.returncode is None and select.select([self._told], [], [], timeout)[0]:
            self.returncode = int(self._told.readline() or -signal.SIGKILL)
            self._told.close()
        return self.returncode

    def send_signal(self, sent: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            os.kill(self.pid, sent)

    def terminate(self) -> None:
        """Ask the process to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End the process."""
        self.send_signal(signal.SIGKILL)


class ForkServer:
    """The process that others are forked from, and the way to it."""

    def __init__(self) -> None:
        self._asks, answers = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with answers:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(answers.fileno())], stdin=subprocess.DEVNULL, pass_fds=[answers.fileno()]
            )
        atexit.register(self.stop)

    def stop(self) -> None:
        """Let it go, with all that was forked."""
        self._asks.close()
        self._process.wait()

    def start(self, words: list[str], stdout: int | None = None, stderr: int | None = None) -> Forked:
        """Fork a process that runs `words`, the first of which is `lampion` or a Python file with a `main`.

        `stdout` and `stderr` are file descriptors; without a stdout the process has one that reads it.
        """
        told, tells = os.pipe()
        reads, writes = os.pipe() if stdout is None else (None, os.dup(stdout))
        request = {"words": words, "environment": dict(os.environ), "folder": os.getcwd()}
        socket.send_fds(self._asks, [json.dumps(request).encode()], [tells, writes, 2 if stderr is None else stderr])
        os.close(tells)
        os.close(writes)
        return Forked(told, None if reads is None else os.fdopen(reads, encoding="utf-8"))


_here: ForkServer | None = None


def here() -> ForkServer:
    """Return the process of this worker that others are forked from."""
    global _here
    _here = _here or ForkServer()
    return _here


def start(words: list[str], *, errors: Path | None = None) -> Any:
    """Start `words` with a stdout to read, and a stderr that is the tests' own or a file; forked where possible."""
    with contextlib.ExitStack() as stack:
        stderr = None if errors is None else stack.enter_context(errors.open("a")).fileno()
        if CAN_FORK:
            return here().start(words, stderr=stderr)
        return subprocess.Popen(command(words), stdout=subprocess.PIPE, stderr=stderr, text=True)


def run(words: list[str], timeout: float = 120) -> subprocess.CompletedProcess[str]:
    """Run `words` to their end and return what they wrote: forked where possible."""
    if not CAN_FORK:
        return subprocess.run(command(words), capture_output=True, text=True, timeout=timeout)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        process = here().start(words, out.fileno(), errors.fileno())
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


# What follows runs in the process that others are forked from.

PRELOADED = (
    "lampion.cli", "lampion.server.serve", "lampion.server.storage.sqlite", "encodings.idna", "uvicorn.lifespan.on",
    "uvicorn.loops.uvloop", "uvicorn.protocols.http.httptools_impl", "uvicorn.protocols.websockets.websockets_impl",
)  # fmt: skip
"""What servers and commands import, sooner or later."""


def preload() -> None:
    """Import what will be imported, and load the games that are compiled."""
    from lampion.games import registry
    from lampion.server.tables.precompiler import PARTS, compiled_mark, load

    for name in PRELOADED:
        import_module(name)
    for game in registry.games():
        for part in PARTS:
            if compiled_mark(game, part).exists():
                load(game, part)


def become(words: list[str]) -> None:
    """Run what was asked for, in the forked process."""
    if words[0] == "lampion":
        from lampion.cli import main

        main(words[1:])
        return
    sys.path.insert(0, str(Path(words[0]).parent))
    program = __import__(Path(words[0]).stem)
    del sys.path[0]
    program.main(*words[1:])


class Forker:
    """Forks what it is asked for and tells how each ended."""

    def __init__(self, asked: socket.socket) -> None:
        self.asked = asked
        self.running: dict[int, int] = {}
        """By process, where its end is told."""
        self.woken, wakes = os.pipe()
        os.set_blocking(wakes, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wakes)
        self.wakes = wakes

    def serve(self) -> list[str]:
        """Answer requests until nobody asks any more; return the words, in a process that was forked."""
        while True:
            ready = select.select([self.asked.fileno(), self.woken], [], [])[0]
            if self.woken in ready:
                os.read(self.woken, LARGEST)
                self.tell_ends()
            if self.asked.fileno() in ready:
                message, files, _, _ = socket.recv_fds(self.asked, LARGEST, 3)
                if not message:
                    self.end()
                if words := self.fork(json.loads(message), *files):
                    return words

    def fork(self, request: dict[str, Any], tells: int, stdout: int, stderr: int) -> list[str] | None:
        """Fork; return the words to run in the process that was forked."""
        process = os.fork()
        if process:
            os.write(tells, f"{process}\n".encode())
            self.running[process] = tells
            os.close(stdout)
            os.close(stderr)
            return None
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self.asked.close()
        for descriptor in (self.woken, self.wakes, tells, *self.running.values()):
            os.close(descriptor)
        for descriptor, standard in ((stdout, 1), (stderr, 2)):
            os.dup2(descriptor, standard)
            os.close(descriptor)
        sys.stdout = sys.__stdout__ = os.fdopen(1, "w", closefd=False)  # type: ignore[misc]
        sys.stderr = sys.__stderr__ = os.fdopen(2, "w", 1, closefd=False)  # type: ignore[misc]
        os.environ.clear()
        os.environ.update(request["environment"])
        os.chdir(request["folder"])
        words: list[str] = request["words"]
        return words

    def tell_ends(self) -> None:
        """Tell how each process ended that did."""
        with contextlib.suppress(ChildProcessError):
            while True:
                process, status = os.waitpid(-1, os.WNOHANG)
                if process == 0:
                    return
                tells = self.running.pop(process)
                with contextlib.suppress(BrokenPipeError):
                    os.write(tells, f"{os.waitstatus_to_exitcode(status)}\n".encode())
                os.close(tells)

    def end(self) -> NoReturn:
        """End all that still runs, and this process."""
        signal.set_wakeup_fd(-1)
        for process in self.running:
            os.kill(process, signal.SIGKILL)
        os._exit(0)


def main(descriptor: str) -> None:
    """Wait for requests; what comes back from that is another process, which does what was asked."""
    import gc

    preload()
    gc.collect()
    gc.freeze()
    words = Forker(socket.socket(fileno=int(descriptor))).serve()
    become(words)


if __name__ == "__main__":
    del sys.path[0]  # this folder, whose names are not the program's
    main(*sys.argv[1:])
