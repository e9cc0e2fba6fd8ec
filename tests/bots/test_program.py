"""Somebody's own program as a bot: a good one plays, any other loses with the reason; nothing hangs or is left over."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import FIFTH
from tables import decisions, play

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
    """Programs of a few lines, given time to start and little time to think."""

    def new(body: str, ms: int = 300, grace: int = 200, start: int = 20_000) -> Program:
        file = tmp_path / f"bot{len(list(tmp_path.iterdir()))}.py"
        file.write_text(READS + body + "\n", encoding="utf-8")
        return Program(f"cmd:{file}", (sys.executable, "-S", "-E", str(file)), ms, grace, start)

    return new


def choose_often(bot: Bot, sight: Sight) -> None:
    """Ask the same question three times: the first may still be answered well."""
    for _ in range(3):
        bot.choose(sight)


def fails(maker: Program) -> BotFailed:
    """The reason why a program loses; it is gone with all that it started."""
    position = next(iter(decisions(GAME, 2, seed=1)))
    sight = Sight(position, position.actor)
    bot = maker.sit(sight, 1)
    with pytest.raises(BotFailed) as failed:
        choose_often(bot, sight)
    running = getattr(bot, "running", None)
    if running is not None:
        assert running.process.returncode is not None
        assert not group_lives(running.process.pid)
    with pytest.raises(BotFailed):
        bot.choose(sight)
    bot.end(None)
    assert not any(programs._idle.values())
    return failed.value


def group_lives(group: int) -> bool:
    """Whether a process of the group is left; what was killed may need a moment to be reaped by its new parent."""
    for _ in range(200):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return False
        time.sleep(0.05)
    return True


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
    for _ in range(400):
        heard = log.read_text(encoding="utf-8").splitlines()
        if sum('"end"' in line for line in heard) == 3:
            break
        time.sleep(0.05)  # the last line needs no answer: nobody waits until it is read
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
    assert (move["game"], move["players"], move["seat"], move["ms"]) == (GAME, 2, 1, 300)
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
        ("next(asked()); os.close(1); time.sleep(60)", "silent", "closed its output"),
        ("sys.stdin.close(); os.close(0); time.sleep(60)", None, ""),
        ("time.sleep(60)", "stalled", "ms"),
        ("next(asked()); time.sleep(60)", "stalled", "ms"),
        ("subprocess.Popen(['sleep', '60']); next(asked()); time.sleep(60)", "stalled", "ms"),
        ("import signal; signal.signal(15, signal.SIG_IGN); time.sleep(60)", "stalled", "ms"),
        ("while True: sys.stderr.write('x' * 10000)", "stalled", "ms"),
        ("next(asked()); print('{\"move\"', end='', flush=True); time.sleep(60)", "stalled", "ms"),
        ("for q in asked(): print('I resign', flush=True)", "json", "I resign"),
        ("print(flush=True); time.sleep(60)", "json", "JSON"),
        ("os.write(1, b'\\xff\\xfe\\n'); time.sleep(60)", "json", "JSON"),
        ("print('[' * 100000, flush=True); time.sleep(60)", "json", "…"),
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
)  # fmt: skip
def test_a_program_that_does_not_answer_properly_loses_with_the_reason(
    write: Write, body: str, key: str | None, told: str
) -> None:
    quick = key in ("stalled", None)
    began = time.monotonic()
    failure = fails(write(body, start=1500 if quick else 20_000))
    assert key is None or failure.key == f"bot.failed.{key}"
    assert told in str(failure)
    assert "\x1b" not in str(failure)
    assert len(str(failure)) < 600
    assert time.monotonic() - began < 60
    with speaking("fr"):
        assert str(failure)


def test_a_program_that_was_quick_once_gets_no_more_time_than_it_was_told(write: Write) -> None:
    maker = write("answers = asked()\nsay({'move': next(answers)['moves'][0]['id']})\nnext(answers)\ntime.sleep(90)")
    failure = fails(maker)
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


def test_a_question_larger_than_a_pipe_reaches_a_slow_reader(write: Write) -> None:
    maker = write("time.sleep(0.3)\n" + GOOD)
    position = next(iter(decisions(GAME, 2, seed=1)))
    sight = Sight(position, position.actor)
    bot = maker.sit(sight, 1)
    assert isinstance(bot, programs.ProgramBot)
    bot.running = programs.take(maker.words)
    bot.running.tell(b'{"ask": "new", "padding": "' + b"x" * (1 << 20) + b'"}\n')
    assert bot.running.unsent
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


def test_a_program_that_goes_home_after_every_game_is_started_for_the_next(write: Write, tmp_path: Path) -> None:
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
    maker = write("for q in asked(): time.sleep(2); say({'move': q['moves'][0]['id']})")
    position = next(iter(decisions(GAME, 2, seed=1)))
    sight = Sight(position, position.actor)
    bot = maker.sit(sight, 1)
    assert isinstance(bot, programs.ProgramBot)

    def ring(*_: object) -> None:
        raise Bell

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        with pytest.raises(Bell):
            bot.choose(sight)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert bot.running is not None
    assert not group_lives(bot.running.process.pid)
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
maker = named({f"cmd:{sys.executable} -S {bot}"!r})
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
        assert not group_lives(int(pid))


@pytest.mark.parametrize("name", games())
def test_the_example_in_python_plays_every_game(name: str) -> None:
    bot = Program("cmd:bot.py", (sys.executable, str(ROOT / "examples/bot.py")), ms=10_000, start=30_000)
    players = games()[name].players[0]
    assert play(name, players, [bot] + [named("random")] * (players - 1)) == [None] * players


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed: the example in JavaScript cannot run")
@pytest.mark.parametrize("name", games())
def test_the_example_in_javascript_plays_every_game(name: str) -> None:
    bot = Program("cmd:bot.js", ("node", str(ROOT / "examples/bot.js")), ms=10_000, start=30_000)
    players = games()[name].players[0]
    assert play(name, players, [bot] + [named("random")] * (players - 1)) == [None] * players
