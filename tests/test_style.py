"""The tree as its readers meet it: tidy, typed, and free of what belongs to one machine."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from packing import module

from hatch_build import node

ROOT = Path(__file__).parents[1]

BROWSER_TOOLS = [
    "svelte-check/bin/svelte-check --tsconfig ./tsconfig.json --fail-on-warnings",
    "eslint/bin/eslint.js --max-warnings 0 --cache --cache-strategy content --cache-location node_modules/.cache/ .",
    "prettier/bin/prettier.cjs --check --cache --cache-strategy content .",
]
"""The last two keep in `node_modules/.cache` which files were good as they are: they look at each file alone."""

FOREIGN: dict[str, re.Pattern[str]] = module("release").FOREIGN


@pytest.fixture(scope="module")
def files() -> list[Path]:
    """Every file that is in the repository, or would be after `git add`."""
    try:
        listing = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout: there is no list of the files that belong to the tree")
    return [path for name in listing.split("\0") if name and (path := ROOT / name).is_file()]


@pytest.mark.parametrize("words", ["ruff check", "ruff format --check --diff", "mypy"])
def test_the_tools_find_nothing(words: str) -> None:
    done = subprocess.run([sys.executable, "-m", *words.split()], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"{words}\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize("words", BROWSER_TOOLS, ids=lambda words: words.partition("/")[0])
def test_the_browser_tools_find_nothing(words: str) -> None:
    command = node()
    assert command is not None, "no Node.js: python3 run.py test brings one along"
    program, *options = words.split()
    assert (ROOT / "web" / "node_modules" / program).exists(), f"no {program}: run `npm ci` in web/"
    done = subprocess.run(
        [*command, f"node_modules/{program}", *options], cwd=ROOT / "web", capture_output=True, text=True
    )
    assert done.returncode == 0, f"{words}\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize("what", FOREIGN)
def test_no_file_holds(what: str, files: list[Path]) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:120]}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="ignore").splitlines(), 1)
        if FOREIGN[what].search(line)
    ]
    assert not found, "\n".join([what, *found])


def test_no_file_is_over_a_megabyte(files: list[Path]) -> None:
    large = [f"{path.relative_to(ROOT)}: {size:,} bytes" for path in files if (size := path.stat().st_size) > 1_000_000]
    assert not large, "\n".join(large)
