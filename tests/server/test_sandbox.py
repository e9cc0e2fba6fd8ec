"""The process that reads foreign files: what it cannot do in time or memory is refused, and the next file is read."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from lampion.games.core import BadPosition
from lampion.games.editions import canonical, components_file, standard
from lampion.games.registry import game, games
from lampion.locale import Problem, speaking
from lampion.server.protocol.refusals import Refused
from lampion.server.tables import job_runner, precompiler
from lampion.server.tables import sandbox as parent
from lampion.server.tables.rate_limits import asker
from lampion.server.tables.sandbox import Sandbox
from lampion.server.tables.sandbox_worker import LoadGame, ReadEdition, Ready, Worker

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits of other systems")

TOML = components_file(game("iles")).read_bytes()
GOOD = ReadEdition(game="iles", text=TOML, form="toml")
BAD = ReadEdition(game="iles", text=b"a." * 9 + b"a = 1", form="toml")


def with_sandbox(use: Callable[[Sandbox], Awaitable[None]]) -> None:
    """Use a sandbox, and stop it."""

    async def run() -> None:
        async def ready(name: str) -> None:
            pass

        sandbox = Sandbox(ready)
        try:
            await use(sandbox)
        finally:
            await sandbox.close()

    asyncio.run(run())


def pid_of(sandbox: Sandbox) -> int:
    assert sandbox.pid is not None
    return sandbox.pid


def test_an_edition_comes_back_in_its_one_layout_and_a_bad_one_with_a_reason_in_the_language_of_who_asked() -> None:
    async def use(sandbox: Sandbox) -> None:
        assert await sandbox.run(GOOD) == [canonical(standard("iles").data)]
        first = pid_of(sandbox)
        for language, word in (("en", "parts"), ("fr", "parties")):
            with speaking(language), pytest.raises(Problem) as caught:
                await sandbox.run(BAD)
            assert (caught.value.key, word in str(caught.value)) == ("bounds.parts", True)
        assert pid_of(sandbox) == first

    with_sandbox(use)


def test_a_process_that_does_not_answer_in_time_is_killed_and_the_next_file_is_read(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def use(sandbox: Sandbox) -> None:
        await sandbox.run(GOOD)
        stuck = pid_of(sandbox)
        os.kill(stuck, signal.SIGSTOP)
        with monkeypatch.context() as patch:
            patch.setattr(parent, "JOB_SECONDS", 0.2)
            with pytest.raises(Refused) as caught:
                await sandbox.run(GOOD)
        assert caught.value.code == "too_much_work"
        assert await sandbox.run(GOOD)
        assert pid_of(sandbox) != stuck

    with_sandbox(use)
    assert [record.message for record in caplog.records] == ["foreign file not read"]


def test_a_process_that_crashes_in_a_job_refuses_that_job_alone() -> None:
    async def use(sandbox: Sandbox) -> None:
        await sandbox.run(GOOD)
        os.kill(pid_of(sandbox), signal.SIGSTOP)
        job = asyncio.create_task(sandbox.run(GOOD))
        await asyncio.sleep(0)  # the job is handed over
        os.kill(pid_of(sandbox), signal.SIGKILL)
        with pytest.raises(Refused):
            await job
        assert await sandbox.run(GOOD)

    with_sandbox(use)


def test_who_waits_when_the_server_stops_is_told_so() -> None:
    """The job under way, one that waits, and one that comes too late."""

    async def use(sandbox: Sandbox) -> None:
        await sandbox.run(GOOD)
        os.kill(pid_of(sandbox), signal.SIGSTOP)
        jobs = [asyncio.create_task(sandbox.run(GOOD)) for _ in range(2)]
        await asyncio.sleep(0)  # the first job is handed over
        await sandbox.close()
        for job in (*jobs, sandbox.run(GOOD)):
            with pytest.raises(Refused) as caught:
                await job
            assert caught.value.code == "stops"

    with_sandbox(use)


def test_one_address_cannot_fill_the_queue_and_others_are_served_between_its_jobs() -> None:
    async def use(sandbox: Sandbox) -> None:
        await sandbox.run(GOOD)
        os.kill(pid_of(sandbox), signal.SIGSTOP)
        done: list[str] = []

        async def ask(address: str) -> None:
            asker.set(address)
            await sandbox.run(GOOD)
            done.append(address)

        many = asyncio.gather(*(ask("many") for _ in range(3 * job_runner.MOST_OF_ADDRESS)), return_exceptions=True)
        await asyncio.sleep(0)
        one = asyncio.create_task(ask("one"))
        await asyncio.sleep(0)
        os.kill(pid_of(sandbox), signal.SIGCONT)
        await one
        assert done.count("many") < job_runner.MOST_OF_ADDRESS / 2
        refusals = [found for found in await many if found is not None]
        assert len(refusals) >= 2 * job_runner.MOST_OF_ADDRESS - 1
        assert {getattr(found, "code", found) for found in refusals} == {"busy"}

    with_sandbox(use)


def test_addresses_that_fill_the_queue_together_make_room_for_a_newcomer() -> None:
    async def use(sandbox: Sandbox) -> None:
        await sandbox.run(GOOD)
        os.kill(pid_of(sandbox), signal.SIGSTOP)

        async def ask(address: str) -> None:
            asker.set(address)
            await sandbox.run(GOOD)

        first = asyncio.create_task(ask("first"))  # the process has this one, the rest waits
        await asyncio.sleep(0)
        while len(sandbox._queue):
            await asyncio.sleep(0)
        addresses = [str(number) for number in range(job_runner.MOST_WAITING // job_runner.MOST_OF_ADDRESS)]
        crowd = [asyncio.create_task(ask(one)) for one in addresses for _ in range(job_runner.MOST_OF_ADDRESS)]
        await asyncio.sleep(0)
        assert len(sandbox._queue) == job_runner.MOST_WAITING
        newcomers = [asyncio.create_task(ask(one)) for one in ("one", "two")]
        await asyncio.sleep(0)
        assert len(sandbox._queue) == job_runner.MOST_WAITING
        os.kill(pid_of(sandbox), signal.SIGCONT)
        await asyncio.gather(first, *newcomers)
        refusals = [found for found in await asyncio.gather(*crowd, return_exceptions=True) if found is not None]
        assert [getattr(found, "code", found) for found in refusals] == ["busy"] * len(newcomers)

    with_sandbox(use)


@pytest.mark.parametrize("error", [NotImplementedError(), OSError(), RuntimeError("odd")])
def test_whatever_goes_wrong_with_the_process_whoever_asked_is_answered(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    async def fail(*words: object, **more: object) -> None:
        raise error

    async def use(sandbox: Sandbox) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(asyncio, "create_subprocess_exec", fail)
            two = await asyncio.wait_for(
                asyncio.gather(sandbox.run(GOOD), sandbox.run(GOOD), return_exceptions=True), 60
            )
        assert [getattr(found, "code", found) for found in two] == ["too_much_work"] * 2
        assert await sandbox.run(GOOD)

    with_sandbox(use)


def test_a_process_that_the_server_starts_is_told_no_secrets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    secrets = {"LAMPION_ADMIN": "office", "PGPASSWORD": "postgres", "PGHOST": "db"}
    for name, value in {**secrets, "LAMPION_OTHER": "kept"}.items():
        monkeypatch.setenv(name, value)
    given: list[dict[str, str]] = []

    async def note(*words: str, env: dict[str, str], **more: object) -> None:
        given.append(env)
        raise ChildProcessError

    async def use(sandbox: Sandbox) -> None:
        with pytest.raises(Refused):
            await sandbox.run(GOOD)
        with pytest.raises(ChildProcessError):
            await precompiler.Precompiler().compile("iles", "rules")

    monkeypatch.setattr(asyncio, "create_subprocess_exec", note)
    monkeypatch.setattr(precompiler, "compiled_mark", lambda game, part: tmp_path / "never")
    with_sandbox(use)
    assert [one["LAMPION_OTHER"] for one in given] == ["kept"] * 2
    assert [secrets.keys() & one.keys() for one in given] == [set()] * 2


def test_it_ends_when_nobody_is_left_to_ask() -> None:
    worker = subprocess.Popen(
        [sys.executable, "-m", "lampion.server.tables.sandbox_worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert worker.stdin is not None
    worker.stdin.close()
    assert worker.wait(120) == 0


def test_a_job_has_all_functions_loaded_before_its_limits_begin() -> None:
    """Else it would compile them in its few seconds: on a slow machine it never came to an end."""
    program = [sys.executable, str(Path(__file__).with_name("late_functions.py")), *games()]
    done = subprocess.run(program, capture_output=True, timeout=900, check=True)
    assert json.loads(done.stdout) == []


def test_a_game_whose_views_make_no_position_is_loaded_and_compiled_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*words: object) -> None:
        raise BadPosition("explore.no_control")

    monkeypatch.setattr(precompiler, "given", fail)
    assert Worker().answer(LoadGame(game="lumens", to_explore=True)) == Ready()


def limited(code: str) -> subprocess.CompletedProcess[bytes]:
    """Run code under the limits of a job."""
    limits = "w.CPU_SECONDS = 1; w.limit(w.memory_in_use() + w.MOST_MEMORY)"
    lines = f"from lampion.server.tables import sandbox_worker as w\n{limits}\n{code}"
    return subprocess.run([sys.executable, "-c", lines], capture_output=True, timeout=300)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit memory")
def test_a_job_has_so_much_memory_and_no_more() -> None:
    assert limited("bytearray(w.MOST_MEMORY // 2)").returncode == 0
    assert b"MemoryError" in limited("bytearray(2 * w.MOST_MEMORY)").stderr
    assert limited("w.lift_limits(); bytearray(2 * w.MOST_MEMORY)").returncode == 0


def test_a_job_has_so_much_processor_time_and_no_more() -> None:
    assert limited("while True: pass").returncode == -signal.SIGXCPU


def test_memory_that_is_gone_is_told_and_the_next_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hungry = tmp_path / "python"
    hungry.write_text(
        f"#!{sys.executable}\n"
        "from lampion.server.tables import sandbox_worker as w\n"
        "w.read_edition = lambda job: bytes(2 * w.MOST_MEMORY)\n"
        "w.main()\n"
    )
    hungry.chmod(0o755)

    async def use(sandbox: Sandbox) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(sys, "executable", str(hungry))
            with pytest.raises(Refused) as caught:
                await sandbox.run(GOOD)
        assert caught.value.code == "too_much_work"
        assert await sandbox.run(GOOD)

    with_sandbox(use)
