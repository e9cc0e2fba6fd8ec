"""The peers that our speed is measured against: C loops of Lanternes, plain and tuned, and OpenSpiel.

The plain loop is our rules written in C, function by function, and plays the same games: it shows what our language
costs. The tuned one shows how far C can be driven.

None is a dependency of ours. The loops are compiled and OpenSpiel installed into the user's cache folder when a
benchmark asks for them; where that cannot be done, PeerMissing says why and the benchmark goes on without.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
import venv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
OPENSPIEL_VERSION = "2.0.2"
C_FLAGS = ("-std=c11", "-O3", "-march=native")


class PeerMissing(RuntimeError):
    """A peer cannot be had on this machine; the message says why."""


def cache_folder() -> Path:
    """Where this platform keeps what can be made again."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "lampion" / "benchmarks"


@dataclass(frozen=True)
class CLoop:
    """Plays random games of Lanternes in C; what a call returns is described in lanternes.c."""

    program: Path
    components: str

    def __call__(self, players: int, games: int, seed: int, distribution: str = "first") -> dict[str, Any]:
        command = [str(self.program), str(players), str(games), str(seed), distribution]
        done = subprocess.run(command, input=self.components, text=True, capture_output=True)
        if done.returncode:
            raise RuntimeError(f"the C loop failed ({done.returncode}): {done.stderr.strip()}")
        result: dict[str, Any] = json.loads(done.stdout)
        return result


def c_loop(folder: Path | None, components: Path) -> CLoop:
    """The plain C loop, with these components."""
    return CLoop(compiled(folder, "lanternes"), components_as_words(components))


def tuned_c_loop(folder: Path | None, components: Path, *, check: bool = False) -> CLoop:
    """The tuned C loop, with these components. `check` asserts at every move."""
    return CLoop(compiled(folder, "lanternes_tuned", check=check), components_as_words(components))


def compiled(folder: Path | None, name: str, *, check: bool = False) -> Path:
    """Compile a C loop for the machine it runs on."""
    compiler = shlex.split(os.environ.get("CC", "")) or [next(filter(shutil.which, ("cc", "gcc")), "cc")]
    if not shutil.which(compiler[0]):
        raise PeerMissing(f"no C compiler: there is no {compiler[0]} on the path; install one, or name one in CC")
    folder = folder or cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / (f"{name}-check" if check else name)
    fresh = folder / f"{program.name}.{os.getpid()}"
    flags = [*C_FLAGS, "-DCHECK"] if check else C_FLAGS
    done = subprocess.run(
        [*compiler, *flags, str(HERE / f"{name}.c"), "-o", str(fresh)], text=True, capture_output=True
    )
    if done.returncode:
        raise PeerMissing(f"{compiler[0]} does not compile {name}.c: {done.stderr.strip()}")
    fresh.replace(program)
    return program


def components_as_words(path: Path) -> str:
    """The components file in the order in which loop.h reads it."""
    box = tomllib.loads(path.read_text(encoding="utf-8"))
    lines: list[list[Any]] = [[box["tiles"]["start"], *box["tiles"]["lake"]]]
    for stack in ("four_of_a_kind", "three_pairs", "seven_colours", "neutral"):
        cards = box["rewards"][stack]
        lines.append([len(cards), *(number for card in cards for number in card)])
    for players in "234":
        lines.append([box["setup"][players]["tiles_removed"], box["setup"][players]["cards_per_colour"]])
    return "".join(" ".join(map(str, line)) + "\n" for line in lines)


def openspiel_environment(folder: Path | None = None) -> Path:
    """The Python of a virtual environment that holds OpenSpiel, made once and then reused."""
    python_version = f"{sys.version_info.major}.{sys.version_info.minor}"
    home = (folder or cache_folder()) / f"openspiel-{OPENSPIEL_VERSION}-python{python_version}"
    python = home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    ready = home / "ready"
    if ready.exists() and python.exists():
        return python
    try:
        venv.create(home, clear=True, with_pip=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise PeerMissing(f"no virtual environment for OpenSpiel (on Debian, install python3-venv): {error}") from error
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
    done = subprocess.run([*install, f"open_spiel=={OPENSPIEL_VERSION}"], text=True, capture_output=True)
    if done.returncode:
        why = (done.stderr.strip().splitlines() or ["pip says nothing"])[-1]
        raise PeerMissing(f"OpenSpiel {OPENSPIEL_VERSION} does not install on Python {python_version}: {why}")
    ready.touch()
    return python


def openspiel(python: Path, seconds: float, repeat: int = 1, only: Sequence[str] = ()) -> dict[str, Any]:
    """Run the measurements of openspiel.py, all or those named, in its environment."""
    command = [str(python), str(HERE / "openspiel.py"), "--seconds", str(seconds), "--repeat", str(repeat)]
    done = subprocess.run([*command, *(["--only", *only] if only else [])], text=True, capture_output=True)
    if done.returncode:
        raise RuntimeError(f"OpenSpiel's measurements failed ({done.returncode}): {done.stderr.strip()}")
    result: dict[str, Any] = json.loads(done.stdout)
    return result


ROWS = 1024


def environments(game: str, players: int) -> tuple[Callable[[float], float], Callable[[float], float]]:
    """Two ways to step a game, measured in steps (decisions) a second: our vector environment, a PettingZoo loop.

    Both play at random. The loop is the one that PettingZoo's pages show, on our environment of the game.
    """
    try:
        from lampion.adapters import pettingzoo
    except ImportError as error:
        raise PeerMissing("PettingZoo is not installed: pip install lampion[pettingzoo]") from error
    from lampion.adapters.vector import VectorEnv

    rows, env = VectorEnv(game, ROWS, players), pettingzoo.env(game, players=players)
    rows.reset(seed=1)

    def vector(seconds: float) -> float:
        steps, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds:
            rows.step(rows.random_actions())
            steps += ROWS
        return steps / spent

    def loop(seconds: float) -> float:
        steps, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds:
            env.reset(seed=steps)
            for agent in env.agent_iter():
                observation, _, termination, _, _ = env.last()
                env.step(None if termination else env.action_space(agent).sample(observation["action_mask"]))
                steps += not termination
        return steps / spent

    vector(0.01)  # compiled before any clock starts
    loop(0.01)
    return vector, loop


LOOPS = {"lanternes": c_loop}
"""Hand-written C loops by game: our rules, plainly written."""
TUNED_LOOPS = {"lanternes": tuned_c_loop}
"""The same games in C, specialised and vectorised by hand."""
