"""The process that `fork_server` forks others from: it imports and loads, and then waits for requests.

    python fork_loop.py DESCRIPTOR

A request names words, an environment and a folder, and brings three descriptors: where to report, stdout and stderr.
Reported are the number of the process and, when it has ended, its status. When nobody can ask any more, this process
ends, and all that was forked with it.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import os
import select
import signal
import socket
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

LARGEST = 1 << 18
"""Bytes of a request; a socket passes no more at once."""
SIGNAL_AT_END_OF_PARENT = 1
"""The first argument of Linux' `prctl`."""

PRELOADED = (
    "lampion.cli", "lampion.server.serve", "lampion.server.storage.sqlite", "encodings.idna", "uvicorn.lifespan.on",
    "uvicorn.loops.uvloop", "uvicorn.protocols.http.httptools_impl",
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


def run_words(words: list[str]) -> None:
    """Run what was asked for, in the process that was forked."""
    if words[0] == "lampion":
        from lampion.cli import main

        main(words[1:])
        return
    sys.path.insert(0, str(Path(words[0]).parent))
    program = import_module(Path(words[0]).stem)
    del sys.path[0]
    program.main(*words[1:])


class ForkLoop:
    """Forks what it is asked for and reports how each ended."""

    def __init__(self, requests: socket.socket) -> None:
        self.requests = requests
        self.reporters: dict[int, int] = {}
        """By process, where its end is reported."""
        self.woken, self.wakes = os.pipe()
        os.set_blocking(self.wakes, False)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the tests, which then let this process go
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self.wakes)

    def serve(self) -> list[str]:
        """Answer requests until nobody can ask any more; return the words, in a process that was forked."""
        while True:
            ready = select.select([self.requests.fileno(), self.woken], [], [])[0]
            if self.woken in ready:
                os.read(self.woken, LARGEST)
                self.report_ends()
            if self.requests.fileno() in ready:
                message, files, _, _ = socket.recv_fds(self.requests, LARGEST, 3)
                if not message:
                    os._exit(0)
                if words := self.fork(json.loads(message), *files):
                    return words

    def fork(self, request: dict[str, Any], reporter: int, stdout: int, stderr: int) -> list[str] | None:
        """Fork; return the words to run in the process that was forked."""
        process = os.fork()
        if process:
            self.reporters[process] = reporter
            with contextlib.suppress(BrokenPipeError):
                os.write(reporter, f"{process}\n".encode())
            os.close(stdout)
            os.close(stderr)
            return None
        ctypes.CDLL(None).prctl(SIGNAL_AT_END_OF_PARENT, signal.SIGKILL)
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self.requests.close()
        for descriptor in (self.woken, self.wakes, reporter, *self.reporters.values()):
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

    def report_ends(self) -> None:
        """Report the status of each process that has ended."""
        with contextlib.suppress(ChildProcessError):
            while True:
                process, status = os.waitpid(-1, os.WNOHANG)
                if process == 0:
                    return
                reporter = self.reporters.pop(process)
                with contextlib.suppress(BrokenPipeError):
                    os.write(reporter, f"{os.waitstatus_to_exitcode(status)}\n".encode())
                os.close(reporter)


def main(descriptor: str) -> None:
    """Wait for requests; what comes back from that is another process, which runs what was asked for."""
    preload()
    gc.collect()
    gc.freeze()
    run_words(ForkLoop(socket.socket(fileno=int(descriptor))).serve())


if __name__ == "__main__":
    del sys.path[0]  # this folder, whose names are not the program's
    main(*sys.argv[1:])
