"""What all tests share: a fifth game on the path, here and in every process that a test starts, and English."""

import atexit
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

TESTS = Path(__file__).parent
FIFTH = [str(TESTS / "fifth"), str(TESTS.parent / "src" / "lampion" / "new_game" / "template" / "src")]
"""A game in a package of its own, which `lampion new-game` starts from, and where its entry point stands. They must be
on the path before the games are asked for."""

if FIFTH[0] not in sys.path:
    sys.path[:0] = FIFTH
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [*FIFTH, os.environ.get("PYTHONPATH")]))
os.environ["LC_ALL"] = "C.UTF-8"
if "--deep" in sys.argv:  # workers and files that are read before the options are known ask the environment
    os.environ["LAMPION_DEEP"] = "1"

# The same examples in every run; `pytest --hypothesis-profile wander` goes looking for others.
EXAMPLES = 60 if "LAMPION_DEEP" in os.environ else 20
CALM = settings(
    deadline=None, suppress_health_check=list(HealthCheck), max_examples=EXAMPLES, derandomize=True, database=None
)
settings.register_profile("calm", CALM)
settings.register_profile("wander", CALM, derandomize=False, max_examples=1000, print_blob=True)
settings.load_profile("calm")

LONG = (
    "test_style.py", "browser/test_room.py", "browser/test_afterwards.py", "browser/test_own_room.py",
    "browser/test_pages_around.py", "browser/test_pages_boards.py", "browser/test_lumens.py",
    "browser/test_lumens_told.py", "browser/test_iles.py", "browser/test_lanternes.py",
    "browser/test_dice.py", "browser/test_board.py", "browser/test_analysis.py", "browser/test_lanternes_cards.py",
    "browser/test_lessons.py", "browser/test_puzzles.py", "browser/test_newcomers.py", "browser/test_screens.py",
    "browser/test_friends.py", "browser/test_hints.py", "browser/test_ending.py", "arena/test_tournament.py",
    "test_conformance.py", "server/test_attack.py", "server/test_wire.py", "page/test_modules.py", "test_notebooks.py",
    "games/test_dice_data.py", "test_package.py", "games/test_iles_rounds.py", "test_site.py", "bots/test_peeking.py",
    "server/test_hosting.py", "server/test_analyses.py", "server/test_simultaneous.py", "server/test_tables.py",
    "server/test_simultaneous_sockets.py", "server/test_clocks.py",
    "test_garbage.py", "server/test_sandbox.py", "server/test_disk.py", "server/test_fair.py",
    "server/test_postgres.py", "server/test_presence_between_servers.py", "server/test_load.py", "test_fuzz.py",
    "adapters/test_tool_examples.py", "test_new_game.py", "page/test_words.py", "server/test_start_and_stop.py",
    "games/test_dice_fireworks.py",
)  # fmt: skip
"""The files that take longest, the longest first. A file stays with one worker: one that began last would end alone."""


# Started in the background of a shell, a process and all that it starts would not hear Ctrl-C, which some tests send.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

WORKERS = 4
"""Two for each core, and at most so many: a test of servers and browsers waits about as long as it works."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return how many workers `-n auto` starts."""
    return min(2 * (os.cpu_count() or 1), WORKERS)


RUNNING = Path(tempfile.mkdtemp(prefix="lampion-test-")) / "running"
"""The name of the running test: what is drawn by chance follows from it, here and in the servers that it starts."""
os.environ["LAMPION_RUNNING_TEST"] = str(RUNNING)
atexit.register(shutil.rmtree, RUNNING.parent, ignore_errors=True)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Seed chance with the name of the test, before its fixtures are made."""
    RUNNING.write_text(item.nodeid, encoding="utf-8")
    random.seed(item.nodeid)


GAMES = (("lanternes", "lumens"), ("dice", "iles"))
"""The games that take long to compile, shared out to two processes."""


def compile_games() -> None:
    """Compile the games and their bots that are not in the cache."""
    from lampion.server.tables.precompiler import PARTS, compiled_mark

    shares = [
        [game for game in games if not all(compiled_mark(game, part).exists() for part in PARTS)] for games in GAMES
    ]
    command = [sys.executable, "-m", "lampion.server.tables.precompiler"]
    missing = list(filter(None, shares))
    started = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) for _ in missing]
    for process, games in zip(started, missing, strict=True):
        assert process.stdin is not None
        process.stdin.write("".join(f"{game}\n" for game in games))
        process.stdin.close()
    ends = [process.wait() for process in started]
    assert not any(ends), "the games cannot be compiled"


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the games once, before all tests: otherwise each worker's first server would, beside the others."""
    config = session.config
    is_whole = config.args_source != pytest.Config.ArgsSource.ARGS and not config.option.keyword
    if not is_whole or config.option.dist == "no" or hasattr(config, "workerinput"):
        return
    compile_games()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--deep`."""
    parser.addoption("--deep", action="store_true", help="also what is tried every night, and before a release")


def pytest_configure(config: pytest.Config) -> None:
    """Say what `deep` means, and keep xdist from ordering the files by their number of tests."""
    config.addinivalue_line("markers", "deep: the same again in other ways, or at length; left out without --deep")
    config.option.loadscopereorder = False


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is deep, unless --deep or its name asks for it; begin with the browser, then the longest."""
    here = Path(__file__).parent
    ranks = {here / name: rank for rank, name in enumerate(LONG)}
    first = {here / "browser", here / "test_style.py"}
    items.sort(key=lambda item: (not {item.path, item.path.parent} & first, ranks.get(item.path, len(LONG))))
    if not config.option.deep and not any("::" in word for word in config.args):
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("deep")])
        items[:] = [item for item in items if not item.get_closest_marker("deep")]
