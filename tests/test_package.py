"""What is packed is whole: installed with what it declares and nothing else, far from the repository, it is played."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from conftest import FIFTH
from packaging.requirements import Requirement
from packing import copied_tree
from server.people import Person, Server

from lampion import __version__


def pack(tree: Path, kind: str, target: Path) -> Path:
    """Build a wheel or an sdist of a tree, with the build backend of this environment; return its path."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(target)],
        cwd=tree, check=True, capture_output=True, env=os.environ | {"PATH": os.devnull},  # no Node.js
    )  # fmt: skip
    (made,) = target.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return made


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository with its pages built, in which nothing else is left from building."""
    return copied_tree(tmp_path_factory.mktemp("packed") / "tree")


@pytest.fixture(scope="module")
def wheel(tree: Path) -> Path:
    """The wheel of the tree."""
    return pack(tree, "wheel", tree.parent / "wheel")


def test_a_wheel_has_the_pages_the_words_and_the_nets(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for name in ("server/pages/index.html", "server/pages/worker.js", "locale/web/fr.json", "py.typed",
                 "games/iles/components.toml", "games/iles/rules.fr.md", "games/iles/nets/all.net",
                 "new_game/template/pyproject.toml", "adapters/schemas/lumens.ask.json"):  # fmt: skip
        assert f"lampion/{name}" in names, name
    assert not [name for name in names if not name.startswith(("lampion/", "lampion-"))]
    assert not [name for name in names if "__pycache__" in name or "node_modules" in name]


@pytest.mark.deep
def test_the_source_distribution_builds_the_same_wheel_without_node(tree: Path, wheel: Path, tmp_path: Path) -> None:
    made = pack(tree, "sdist", tmp_path / "sdist")
    with tarfile.open(made) as archive:
        archive.extractall(tmp_path, filter="data")
    again = pack(tmp_path / made.name.removesuffix(".tar.gz"), "wheel", tmp_path / "wheel")
    assert again.name == wheel.name
    assert again.read_bytes() == wheel.read_bytes()


def needed(requirements: list[str], extra: str = "") -> set[str]:
    """Return the distributions of this environment that requirements bring, with all that these require."""
    found: set[tuple[str, str]] = set()
    left = [(text, extra) for text in requirements]
    while left:
        text, extra = left.pop()
        one = Requirement(text)
        if one.marker is None or one.marker.evaluate({"extra": extra}):
            for each in ("", *one.extras):
                if (one.name, each) not in found:
                    found.add((one.name, each))
                    left += [(text, each) for text in distribution(one.name).requires or []]
    return {name for name, _ in found}


class Installed:
    """A virtual environment with the wheel, and of this environment only what the wheel declares."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        venv.create(folder, symlinks=True)
        self.bin = folder / "bin"
        (self.packages,) = folder.glob("lib/python*/site-packages")
        pip = [sys.executable, "-m", "pip", "--python", str(self.bin / "python"), "install", "--quiet"]
        subprocess.run([*pip, "--no-deps", "--no-index", str(wheel)], check=True)
        # The game that all tests have on their path: what was compiled for them is then not compiled again.
        self.env = os.environ | {"PYTHONPATH": os.pathsep.join(FIFTH)}

    def add(self, extra: str = "") -> None:
        """Link what the wheel requires, with an extra where one is named."""
        (own,) = self.packages.glob("lampion-*.dist-info")
        for name in needed(Distribution.at(own).requires or [], extra):
            for top in {file.parts[0] for file in distribution(name).files or []} - {"..", "__pycache__"}:
                if not (self.packages / top).exists():
                    (self.packages / top).symlink_to(Path(str(distribution(name).locate_file(top))))

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run the installed command."""
        command = [str(self.bin / "lampion"), "--lang", "en", *words]
        return subprocess.run(command, cwd=self.bin, env=self.env, capture_output=True, text=True, timeout=600)


@pytest.fixture
def installed(wheel: Path, tmp_path: Path) -> Installed:
    """The wheel in an environment of its own."""
    made = Installed(tmp_path / "venv", wheel)
    made.add()
    return made


@pytest.mark.deep
def test_without_an_extra_it_is_played_at_the_terminal_and_says_what_a_server_needs(installed: Installed) -> None:
    assert installed.run("--version").stdout.split()[-1] == __version__
    where = [str(installed.bin / "python"), "-c", "import lampion; print(lampion.__file__)"]
    found = subprocess.run(where, cwd=installed.bin, env=installed.env, capture_output=True, text=True, check=True)
    assert found.stdout.startswith(str(installed.packages))
    played = installed.run("play", "lumens", "--seats", "greedy,random", "--seed", "1")
    assert played.returncode == 0, played.stderr
    assert " wins with " in played.stdout
    refused = installed.run("serve", "--port", "0")
    assert refused.returncode == 2
    assert "pip install" in refused.stderr
    assert ".whl[server]" in refused.stderr


class InstalledServer(Server):
    """`lampion serve` of an environment of its own."""

    def __init__(self, installed: Installed, db: Path) -> None:
        self.installed = installed
        super().__init__(db)

    def start(self, port: int = 0) -> None:
        """Start it."""
        self.process = subprocess.Popen(
            [str(self.installed.bin / "lampion"), "--lang", "en", "serve", "--port", str(port), "--db", str(self.db)],
            cwd=self.installed.bin, env=self.installed.env, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self.process.stdout is not None
        found = re.search(r"http://localhost:(\d+)/$", self.process.stdout.readline().strip())
        assert found
        self.port, self.base = int(found[1]), ""
        self.wait()


@pytest.fixture
def server(installed: Installed, tmp_path: Path) -> Iterator[Server]:
    """The installed server, with what its extra brings."""
    installed.add("server")
    served = InstalledServer(installed, tmp_path / "lampion.db")
    yield served
    served.stop()


def test_with_its_extra_the_server_shows_its_page_and_takes_a_first_move(server: Server) -> None:
    status, page = server.answer("/")
    assert status == 200
    scripts = re.findall(r'(?:src|href)="\.?(/assets/[^"]+)"', page)
    assert scripts
    for address in scripts:
        assert server.answer(address)[0] == 200, address
    assert "<title>Lampion" in page
    made = server.make("lumens", ("Ann",), "spark", start=True)
    with Person(server, made["table"], *made["tokens"].values()) as ann:
        if not ann.view.get("moves"):
            ann.until(lambda word: word["say"] == "update" and bool(word["view"].get("moves")))
        assert ann.move()["say"] != "refused"
