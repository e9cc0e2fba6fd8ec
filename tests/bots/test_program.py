"""Somebody's own program as a bot: a good one plays, any other loses with the reason; nothing hangs or is left over."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import FIFTH
from tables import decisions, play
from waiting import until

from lampion.bots import Bot, BotFailed, named
from lampion.bots import program as programs
from lampion.bots.program import KEPT, LONGEST, Program
from lampion.games.registry import games
from lampion.locale import speaking
from lampion.play import Sight

ROOT = Path(__file__).parents[2]
GAME = "fireflies"
Write = Callable[..., Program]

READS = """
import json, os, subprocess, sys, time
def asked():
    for line in sys.stdin:
        question = json.loads(line)
        if question["ask"] == "move":
            yield question
def say(answer):
    print(json.dumps(answer), flush=True)
"""
GOOD = "for question in asked(): say({'move': question['moves'][-1]['move']})"


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with speaking("en"):
        yield
    for waiting in programs._idle.values():
        while waiting:
            waiting.pop().give_up()


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Programs of a few lines, with more time to answer than any machine needs."""

    def new(body: str, ms: int = 60_000, grace: int = 60_000, start: int = 60_000) -> Program:
        file = tmp_path / f"bot{len(list(tmp_path.iterdir()))}.py"
        file.write_text(READS + body + "\n", encoding="utf-8")
        return Program(f"cmd:{file}", (sys.executable, "-S", "-E", str(file)), ms, grace, start)

    return new


def choose_often(bot: Bot, sight: Sight) -> None:
    """Ask the same question three times: the first may still be answered well."""
    for _ in range(3):
        bot.choose(sight)


def fails(maker: Program) -> BotFailed:
    """The reason why a program loses; it is gone with all that it started, and one that stalled was not waited for."""
    position = next(iter(decisions(GAME, 2, seed=1)))
    sight = Sight(position, position.actor)
    bot = maker.sit(sight, 1)
    with pytest.raises(BotFailed) as failed:
        choose_often(bot, sight)
    running = getattr(bot, "running", None)
    if running is not None:
        assert running.process.returncode is not None
        if failed.value.key == "bot.failed.stalled":
            assert running.process.returncode == -signal.SIGKILL
        wait_for_the_end(running.process.pid)
    with pytest.raises(BotFailed):
        bot.choose(sight)
    bot.end(None)
    assert not any(programs._idle.values())
    return failed.value


def is_gone(group: int) -> bool:
    """Return whether no process of the group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


def wait_for_the_end(group: int) -> None:
    """Wait until no process of a group is left; what was killed may need a moment to be reaped by its new parent."""
    until(lambda: is_gone(group), "all processes of the program end")


def test_a_good_program_plays_whole_games_and_is_started_once(write: Write, tmp_path: Path) -> None:
    log = tmp_path / "heard"
    maker = write(f"""
log = open({str(log)!r}, "a")
print("born", file=log, flush=True)
for line in sys.stdin:
    log.write(line); log.flush()
    question = json.loads(line)
    if question["ask"] == "move":
        say({{"move": question["moves"][0]["id"], "comment": "others may be there"}})
""")
    for seed in range(3):
        assert play(GAME, 2, [named("random"), maker], seed) == [None, None]
    # The last line needs no answer: nobody has waited until it is read.
    until(lambda: log.read_text(encoding="utf-8").count('"end"') == 3, "the program reads the last line")
    heard = log.read_text(encoding="utf-8").splitlines()
    assert heard.count("born") == 1
    asks = [json.loads(line) for line in heard[1:]]
    kinds = [ask["ask"] for ask in asks]
    assert kinds.count("new") == kinds.count("end") == 3
    assert kinds[0] == "new"
    assert kinds[-1] == "end"
    assert asks[0] == {"ask": "new"}
    assert asks[-1]["result"]["winners"]
    move = asks[1]
    expected = ["ask", "game", "players", "seat", "options", "edition", "view", "events", "moves", "ms"]
    assert list(move) == expected
    assert (move["game"], move["players"], move["seat"], move["ms"]) == (GAME, 2, 1, 60_000)
    assert move["events"][0]["kind"] == "first"
    assert not any(event["kind"] == "first" for event in asks[2]["events"])
    assert {"id", "notation", "move"} == set(move["moves"][0])


@pytest.mark.parametrize("way", ["id", "notation", "move"])
def test_a_move_is_answered_in_any_way_to_write_it(write: Write, way: str) -> None:
    assert play(GAME, 2, [named("random"), write(f"for q in asked(): say({{'move': q['moves'][0][{way!r}]}})")]) == [
        None,
        None,
    ]


def test_two_seats_of_one_program_are_two_processes(write: Write) -> None:
    maker = write(GOOD)
    assert play(GAME, 2, [maker, maker]) == [None, None]
    assert len({running.process.pid for running in programs._idle[maker.words]}) == 2


@pytest.mark.parametrize(
    ("body", "key", "told"),
    [
        ("sys.exit(3)", "ended", "status 3"),
        ("raise ValueError('my\\x1b[2J mistake')", "ended_saying", "ValueError: my [2J mistake"),
        ("os.kill(os.getpid(), 9)", "ended", "SIGKILL"),
        ("next(asked()); sys.exit(0)", "ended", "status 0"),
        ("next(asked()); os.close(1); time.sleep(600)", "silent", "closed its output"),
        ("for q in asked(): print('I resign', flush=True)", "json", "I resign"),
        ("print(flush=True); time.sleep(600)", "json", "JSON"),
        ("os.write(1, b'\\xff\\xfe\\n'); time.sleep(600)", "json", "JSON"),
        ("print('[' * 100000, flush=True); time.sleep(600)", "json", "…"),
        ("for q in asked(): say({'mvoe': 1})", "form", "mvoe"),
        ("for q in asked(): say([1])", "form", "[1]"),
        ("for q in asked(): say({'move': None})", "form", "null"),
        ("for q in asked(): say({'move': True})", "form", "true"),
        ("for q in asked(): say({'move': 10 ** 30})", None, "10000"),
        ("for q in asked(): say({'move': 'dance'})", "move", "dance"),
        ("for q in asked(): say({'move': {'kind': 'dance'}})", "move", "dance"),
        ("for q in asked(): say({'move': -1})", "move", "-1"),
        ("for q in asked(): say({'move': 11})", "illegal", "11"),
        ("for q in asked(): print('x' * (1 << 21), flush=True)", "long", f"{LONGEST}"),
        ("while True: print('x' * 10000, end='')", "long", f"{LONGEST}"),
    ],
)
def test_a_program_that_answers_wrongly_or_never_will_loses_with_the_reason(
    write: Write, monkeypatch: pytest.MonkeyPatch, body: str, key: str | None, told: str
) -> None:
    if key in ("ended", "ended_saying"):
        monkeypatch.setattr(programs, "PATIENCE", 240.0)
    check_failure(fails(write(body)), key, told)


@pytest.mark.parametrize(
    ("body", "key"),
    [
        ("time.sleep(600)", "stalled"),
        ("next(asked()); time.sleep(600)", "stalled"),
        ("subprocess.Popen(['sleep', '600']); next(asked()); time.sleep(600)", "stalled"),
        ("import signal; signal.signal(15, signal.SIG_IGN); time.sleep(600)", "stalled"),
        ("while True: sys.stderr.write('x' * 10000)", "stalled"),
        ("next(asked()); print('{\"move\"', end='', flush=True); time.sleep(600)", "stalled"),
        ("sys.stdin.close(); os.close(0); time.sleep(600)", None),  # as soon as it cannot be asked, or later
    ],
)
def test_a_program_that_does_not_answer_in_time_loses_with_the_reason(write: Write, body: str, key: str | None) -> None:
    check_failure(fails(write(body, ms=300, grace=200, start=1500)), key, "ms" if key else "")


def check_failure(failure: BotFailed, key: str | None, told: str) -> None:
    """Check the reason of a failure: short, without control characters, in two languages."""
    assert key is None or failure.key == f"bot.failed.{key}"
    assert told in str(failure)
    assert "\x1b" not in str(failure)
    assert len(str(failure)) < 600
    with speaking("fr"):
        assert str(failure)


def test_a_program_that_was_quick_once_gets_no_more_time_than_it_was_told(write: Write) -> None:
    body = "answers = asked()\nsay({'move': next(answers)['moves'][0]['id']})\nnext(answers)\ntime.sleep(600)"
    failure = fails(write(body, ms=300, grace=200))
    assert failure.key == "bot.failed.stalled"
    assert failure.values["ms"] == 500


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("./no-such-program",), "no such file"),
        (("no-such-program-on-the-path",), "no such file"),
        ((str(ROOT / "pyproject.toml"),), "not allowed"),
        ((str(ROOT),), "not allowed"),
    ],
)
def test_a_program_that_cannot_be_started_loses_with_the_reason(words: tuple[str, ...], told: str) -> None:
    failure = fails(Program("cmd:missing", words))
    assert failure.key == "bot.failed.start"
    assert told in str(failure)


def test_a_question_larger_than_a_pipe_reaches_a_slow_reader(write: Write, tmp_path: Path) -> None:
    awake = tmp_path / "awake"
    maker = write(f"while not os.path.exists({str(awake)!r}): time.sleep(0.01)\n{GOOD}")
    position = next(iter(decisions(GAME, 2, seed=1)))
    sight = Sight(position, position.actor)
    bot = maker.sit(sight, 1)
    assert isinstance(bot, programs.ProgramBot)
    bot.running = programs.take(maker.words)
    bot.running.tell(b'{"ask": "new", "padding": "' + b"x" * (1 << 20) + b'"}\n')
    assert bot.running.unsent
    awake.touch()
    assert bot.choose(sight) in sight.ids
    bot.end(None)


def test_after_a_failure_the_next_game_gets_a_fresh_process(write: Write, tmp_path: Path) -> None:
    trap = tmp_path / "sprung"
    maker = write(f"""
import pathlib
trap = pathlib.Path({str(trap)!r})
if not trap.exists():
    trap.touch(); sys.exit("not today")
""" + GOOD)  # fmt: skip
    failed = play(GAME, 2, [named("random"), maker])
    assert "not today" in str(failed[1])
    assert play(GAME, 2, [named("random"), maker]) == [None, None]


def test_a_program_that_goes_home_after_every_game_is_started_for_the_next(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is gone when the next game begins, or goes while it begins."""
    monkeypatch.setattr(programs, "PATIENCE", 240.0)
    log = tmp_path / "born"
    maker = write(f"""
print("born", file=open({str(log)!r}, "a"))
for line in sys.stdin:
    question = json.loads(line)
    if question["ask"] == "move":
        say({{"move": question["moves"][0]["id"]}})
    elif question["ask"] == "end":
        time.sleep(0.1)
        break
""")
    for seed in range(3):
        assert play(GAME, 2, [named("random"), maker], seed) == [None, None]
    assert log.read_text().count("born") == 3


class Bell(BaseException):
    """Somebody who has waited long enough."""


def test_a_program_that_somebody_stopped_waiting_for_does_not_play_on(write: Write) -> None:
    """It rings the bell itself when it has been asked, and answers much later."""
    maker = write("next(asked()); os.kill(os.getppid(), 14); time.sleep(600)")
    position = next(iter(decisions(GAME, 2, seed=1)))
    sight = Sight(position, position.actor)
    bot = maker.sit(sight, 1)
    assert isinstance(bot, programs.ProgramBot)

    def ring(*_: object) -> None:
        raise Bell

    before = signal.signal(signal.SIGALRM, ring)
    try:
        with pytest.raises(Bell):
            bot.choose(sight)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert bot.running is not None
    wait_for_the_end(bot.running.process.pid)
    bot.end(None)
    assert not any(programs._idle.values())


def test_a_program_that_answers_twice_loses_at_the_next_question(write: Write) -> None:
    failure = fails(write("for q in asked(): say({'move': q['moves'][0]['id']}); say('and another thing')"))
    assert "another thing" in str(failure)


def test_what_a_program_writes_to_standard_error_is_not_kept_without_end(write: Write) -> None:
    maker = write("for q in asked(): sys.stderr.write('x' * 300000); sys.stderr.flush(); say({'move': 11})")
    position = next(iter(decisions(GAME, 2, seed=1)))
    bot = maker.sit(Sight(position, position.actor), 1)
    assert isinstance(bot, programs.ProgramBot)
    with pytest.raises(BotFailed):
        bot.choose(Sight(position, position.actor))
    assert bot.running is not None
    assert len(bot.running.errors) <= KEPT


@pytest.mark.parametrize("body", [GOOD, GOOD + "\ntime.sleep(60)"], ids=["one that listens", "one that does not"])
def test_no_process_is_left_when_the_interpreter_ends(tmp_path: Path, body: str) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(READS + f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n" + body, encoding="utf-8")
    code = f"""
import sys
sys.path[:0] = [{str(Path(__file__).parent)!r}, *{FIFTH!r}]
from concurrent.futures import ProcessPoolExecutor
import multiprocessing
from tables import play
from lampion.bots import named
maker = named({f"cmd:{sys.executable} -S {bot}:ms=60000"!r})
if __name__ == "__main__":
    assert play({GAME!r}, 2, [named("random"), maker]) == [None, None]
    pids = [open({str(tmp_path / "pid")!r}).read()]
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
        assert pool.submit(play, {GAME!r}, 2, [named("random"), maker]).result() == [None, None]
    pids.append(open({str(tmp_path / "pid")!r}).read())
    assert pids[0] != pids[1]
    print(*pids)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    for pid in done.stdout.split():
        wait_for_the_end(int(pid))


@pytest.mark.parametrize("name", games())
def test_the_example_in_python_plays_every_game(name: str) -> None:
    bot = Program("cmd:bot.py", (sys.executable, str(ROOT / "examples/bot.py")), ms=60_000, start=60_000)
    players = games()[name].players[0]
    assert play(name, players, [bot] + [named("random")] * (players - 1)) == [None] * players


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed: the example in JavaScript cannot run")
@pytest.mark.parametrize("name", games())
def test_the_example_in_javascript_plays_every_game(name: str) -> None:
    bot = Program("cmd:bot.js", ("node", str(ROOT / "examples/bot.js")), ms=60_000, start=60_000)
    players = games()[name].players[0]
    assert play(name, players, [bot] + [named("random")] * (players - 1)) == [None] * players
