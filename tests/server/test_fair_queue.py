"""Who is served next: every address the same share of the seconds, and inside it every table."""

from __future__ import annotations

from collections import Counter

import pytest

from lampion.server.protocol.refusals import Refused
from lampion.server.tables.fair_queue import FairQueue


def serve(queue: FairQueue[str], cost: dict[str, float], times: int) -> Counter[str]:
    """Take jobs, put each back as its owner would, and add up the seconds by job."""
    spent: Counter[str] = Counter()
    for _ in range(times):
        address, table, job = queue.pop()
        queue.charge(address, table, cost[job])
        spent[job] += cost[job]  # type: ignore[assignment]
        queue.put(address, table, job)
    return spent


def test_an_address_with_many_tables_gets_no_more_than_one_with_one() -> None:
    queue: FairQueue[str] = FairQueue(1000)
    for table in range(200):
        queue.put("greedy", str(table), "greedy")
    queue.put("modest", "a", "modest")
    spent = serve(queue, {"greedy": 0.01, "modest": 0.01}, 1000)
    assert spent["modest"] == pytest.approx(spent["greedy"], rel=0.05)


def test_seconds_are_shared_not_jobs() -> None:
    queue: FairQueue[str] = FairQueue(1000)
    queue.put("slow", "a", "slow")
    queue.put("quick", "b", "quick")
    spent = serve(queue, {"slow": 0.5, "quick": 0.01}, 3000)
    assert spent["slow"] == pytest.approx(spent["quick"], rel=0.1)


def test_tables_of_one_address_share_its_part() -> None:
    queue: FairQueue[str] = FairQueue(1000)
    for job in ("a", "a", "a", "b"):
        queue.put("one", job, job)
    spent = serve(queue, {"a": 0.02, "b": 0.02}, 1000)
    assert spent["a"] == pytest.approx(spent["b"], rel=0.05)


def test_whoever_was_idle_has_saved_up_nothing_and_owes_nothing() -> None:
    queue: FairQueue[str] = FairQueue(1000)
    queue.put("busy", "a", "busy")
    serve(queue, {"busy": 1.0}, 50)
    queue.put("idle", "b", "idle")
    spent = serve(queue, {"busy": 1.0, "idle": 1.0}, 20)
    assert spent["idle"] == pytest.approx(spent["busy"], abs=1.0)


def test_the_jobs_of_one_address_that_wait_are_bounded_and_those_of_others_are_not_refused() -> None:
    queue: FairQueue[str] = FairQueue(3)
    for _ in range(3):
        queue.put("greedy", "a", "job")
    with pytest.raises(Refused):
        queue.put("greedy", "b", "job")
    queue.put("modest", "a", "job")
    assert len(queue) == 4
    assert queue.clear() == ["job"] * 4
    with pytest.raises(IndexError):
        queue.pop()


def test_a_full_queue_drops_the_newest_job_of_whoever_has_most_waiting() -> None:
    queue: FairQueue[str] = FairQueue(10)
    for table, job in (("a", "first"), ("b", "second"), ("b", "third")):
        queue.put("greedy", table, job)
    queue.put("modest", "a", "modest")
    assert queue.drop_newest("modest") == "third"
    queue.put("modest", "a", "more")
    assert queue.drop_newest("modest") == "more", "of two with the same number, whoever came last"
    assert (queue.waiting("greedy"), queue.waiting("modest"), len(queue)) == (2, 1, 3)
    assert sorted(queue.clear()) == ["first", "modest", "second"]
    with pytest.raises(IndexError):
        queue.drop_newest("modest")


def test_what_is_remembered_of_keys_that_come_and_go_is_bounded() -> None:
    queue: FairQueue[str] = FairQueue(3)
    for number in range(5000):
        queue.put(str(number), "a", "job")
        address, table, _ = queue.pop()
        queue.charge(address, table, 0.001)
    assert len(queue._shares.times) < 2000
