"""Walks the checklist of a release: `python3 run.py release --dry-run`.

Prints a line for each point, with what to do where it does not hold, and exits with 1 if any does not. Without
--dry-run it leaves the wheel and the source distribution in `dist/`. It publishes nothing: CONTRIBUTING says how.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
WRITTEN = {"docs/protocol.md": re.compile(r'"server": "([^"]+)"')}
"""Where else the version stands."""
FOREIGN = {
    "the address of a package registry": re.compile(r"https?://[\w.-]*(?:registry|mirror|pypi|pythonhosted|npm)"),
    "the setting of a package registry": re.compile(r"(?<!no-emit-)index[-]url", re.IGNORECASE),
    "an address resolved in a lock file": re.compile(r'"resolved"\s*:'),
    "a path of one machine": re.compile(r"(?<![\w.-])/(?:work|root|home|Users)/"),
}
"""What works on one machine alone, and belongs into no file."""
PAGES = ("lampion/server/pages/index.html", "lampion/server/pages/worker.js")


def read(file: Path) -> str:
    """Return a file's text, empty where it has none."""
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def git(root: Path, *words: str) -> list[str]:
    """Return the lines that git answers."""
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def uncommitted(root: Path) -> Iterator[str]:
    """Yield what is not committed."""
    for line in git(root, "status", "--porcelain"):
        yield f"commit or remove {line[3:]}"


def version(root: Path) -> str:
    """Return the version of the package."""
    found = VERSION.search(read(root / "src" / "lampion" / "__init__.py"))
    return found[1] if found else "none"


def other_versions(root: Path) -> Iterator[str]:
    """Yield where another version is written."""
    wanted = version(root)
    if not re.fullmatch(r"\d+\.\d+\.\d+", wanted):
        yield f"write three numbers as __version__ in src/lampion/__init__.py: {wanted}"
    for name, pattern in WRITTEN.items():
        for found in pattern.findall(read(root / name)):
            if found != wanted:
                yield f"write {wanted} in {name}, where {found} is"
    for tag in git(root, "tag", "--list", f"v{wanted}"):
        yield f"raise __version__: {tag} was released"


def untold(root: Path) -> Iterator[str]:
    """Yield what the changelog lacks."""
    wanted, text = version(root), read(root / "CHANGELOG.md")
    if not re.search(rf"^## {re.escape(wanted)} \(\d{{4}}-\d\d-\d\d\)$", text, re.MULTILINE):
        yield f"give CHANGELOG.md a heading `## {wanted} (YEAR-MONTH-DAY)`"
    left = re.search(r"^## Unreleased\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if left and left[1].strip():
        yield "put what stands under Unreleased in CHANGELOG.md under the version"


def addresses(root: Path) -> Iterator[str]:
    """Yield where a registry or a folder of a machine is named."""
    for name in git(root, "ls-files"):
        for number, line in enumerate(read(root / name).splitlines(), 1):
            for what, pattern in FOREIGN.items():
                if pattern.search(line):
                    yield f"take {what} out of {name}, line {number}"


def unbuilt_documents(root: Path) -> Iterator[str]:
    """Build the documentation; yield what is wrong with it."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder],
            cwd=root, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True,
        )  # fmt: skip
    if done.returncode or done.stderr:
        yield f"mend the documentation:\n{done.stdout}{done.stderr}"


def unpacked(root: Path, target: Path) -> Iterator[str]:
    """Build the wheel and the source distribution into a folder; yield what is wrong with them."""
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel", "-d", str(target)],
        cwd=root, capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode:
        yield f"mend the build:\n{done.stdout}{done.stderr}"
        return
    name = f"lampion-{version(root)}"
    wheel, source = target / f"{name}-py3-none-any.whl", target / f"{name}.tar.gz"
    with zipfile.ZipFile(wheel) as packed, tarfile.open(source) as archive:
        inside = {
            wheel: set(packed.namelist()),
            source: {one.removeprefix(f"{name}/src/") for one in archive.getnames()},
        }
    for file, names in inside.items():
        for page in PAGES:
            if page not in names:
                yield f"{file.name} lacks {page}: build the pages"


def main(words: list[str]) -> int:
    """Walk the list; return the exit status."""
    if words not in ([], ["--dry-run"]):
        print(__doc__, file=sys.stderr)
        return 2
    root = Path(__file__).resolve().parent
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) if words else root / "dist"
        points: dict[str, Callable[[], Iterator[str]]] = {
            "everything is committed": lambda: uncommitted(root),
            f"the version is {version(root)} everywhere, and new": lambda: other_versions(root),
            "the changelog tells of it": lambda: untold(root),
            "no registry and no machine is named": lambda: addresses(root),
            "the documentation builds": lambda: unbuilt_documents(root),
            "wheel and source distribution build, with their pages": lambda: unpacked(root, target),
        }
        failed = 0
        for point, problems in points.items():
            found = list(problems())
            failed += bool(found)
            print(
                f"{'TO DO' if found else 'ok   '}  {point}", *(f"         {one}" for one in found), sep="\n", flush=True
            )
    print(f"{failed} to do." if failed else "Ready. CONTRIBUTING says how to publish it.")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
