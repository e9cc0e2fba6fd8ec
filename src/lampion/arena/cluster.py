"""A Ray cluster in the place of this machine's processes (the extra `cluster`).

`local` starts a Ray of its own here, for as long as it is needed; any other address is that of a running one, whose
nodes have Lampion installed.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from concurrent.futures import Executor, Future
from importlib import import_module
from typing import Any

from lampion import extras
from lampion.locale import Problem

LOCAL = "local"
PATIENCE = 10.0


class NoCluster(Problem):
    """Ray is not installed, or does not answer at the address."""


def call(function: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """Return the result of a function; this is what Ray runs on another machine."""
    return function(*args, **named)


def check_address(address: str) -> None:
    """Raise NoCluster unless HOST:PORT accepts connections; Ray itself would try for minutes."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if host and port.isdecimal():
        try:
            socket.create_connection((host, int(port)), timeout=PATIENCE).close()
        except (OSError, OverflowError) as error:
            raise NoCluster("arena.no_cluster", address=address, detail=str(error)) from error


class Cluster(Executor):
    """An executor that submits jobs to Ray."""

    def __init__(self, address: str, **settings: Any) -> None:
        try:
            ray: Any = import_module("ray")
        except ImportError:
            raise NoCluster("arena.no_ray", command=extras.command("cluster")) from None
        if address == LOCAL:
            settings = {"include_dashboard": False, **settings}
        else:
            check_address(address)
            settings = {"address": address, **settings}
        try:
            ray.init(log_to_driver=False, logging_level="error", configure_logging=True, **settings)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise NoCluster("arena.no_cluster", address=address, detail=str(error)[:200]) from error
        self.ray = ray
        self.workers = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self.task: Any = ray.remote(call)

    def submit(self, function: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        """Return the future result of a function."""
        future: Future[Any] = self.task.remote(function, args, named).future()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnect from the cluster; stop a local one."""
        self.ray.shutdown()
