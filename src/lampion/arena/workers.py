"""Workers that run jobs: processes on all cores of this machine, this process alone, or a Ray cluster."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from typing import Any, TypeVar

from lampion.bots import program
from lampion.locale import Problem

K = TypeVar("K")
Job = tuple[K, Callable[..., Any], tuple[Any, ...]]
"""A name for the result, a function that other processes can import, and what to call it with."""
STOPPING = (signal.SIGINT, signal.SIGTERM)
AHEAD = 2
"""Jobs given out to each worker, so that none waits for the next."""


class WorkerLost(Problem):
    """A worker process ended unexpectedly."""


class InlineExecutor(Executor):
    """An executor that runs a job at once, in this process."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        """Return a future that has its result already."""
        future: Future[Any] = Future()
        try:
            future.set_result(function(*args, **named))
        except Exception as error:
            future.set_exception(error)
        return future


@dataclass(frozen=True)
class Crew:
    """An executor and the number of its workers."""

    executor: Executor
    workers: int

    def results(self, jobs: Iterator[Job[K]]) -> Iterator[tuple[K, Any]]:
        """Yield results in the order in which they come; take the next job only when a worker is free."""
        running: dict[Future[Any], K] = {}
        most = 1 if isinstance(self.executor, InlineExecutor) else AHEAD * self.workers
        try:
            while True:
                while len(running) < most and (job := next(jobs, None)) is not None:
                    name, function, args = job
                    running[self.executor.submit(function, *args)] = name
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(future), future.result()
        except BrokenProcessPool:
            raise WorkerLost("arena.worker_lost") from None
        finally:
            for future in running:
                future.cancel()


def _begin() -> None:
    """Set up a worker: it stops silently on a signal, and when the process that started it is gone.

    Compiled code does not handle signals while it runs, so another thread does.
    """
    if os.name == "nt":
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    else:
        heard, bell = os.pipe()
        os.set_blocking(bell, False)
        signal.set_wakeup_fd(bell)
        for number in STOPPING:
            signal.signal(number, lambda *_: None)

        def listen() -> None:
            while os.read(heard, 1)[0] not in STOPPING:
                pass
            leave()

        threading.Thread(target=listen, daemon=True).start()
    parent = parent_process()
    if parent is not None:

        def follow() -> None:
            parent.join()
            leave()

        threading.Thread(target=follow, daemon=True).start()


def leave() -> None:
    """Exit this process at once and kill the programs that play in it."""
    program.end_all()
    os._exit(1)


@contextmanager
def crew(processes: int | None = None, ray: str | None = None) -> Iterator[Crew]:
    """Yield workers for the block: of this machine, by default one for each core, or of a cluster."""
    if ray is not None:
        from lampion.arena.cluster import Cluster

        with Cluster(ray) as cluster:
            yield Crew(cluster, cluster.workers)
        return
    with program.ending_together(), local_crew(processes or os.cpu_count() or 1) as found:
        yield found


@contextmanager
def local_crew(count: int) -> Iterator[Crew]:
    """Yield workers of this machine."""
    if count == 1:
        yield Crew(InlineExecutor(), 1)
        return
    pool = ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=_begin)
    try:
        yield Crew(pool, count)
    except BaseException:  # the caller stopped early: drop the games in progress
        for worker in list((pool._processes or {}).values()):
            worker.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
