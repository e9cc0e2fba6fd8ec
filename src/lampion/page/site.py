"""Writes the whole room as files for a static host: `lampion site`.

All addresses in it are relative, so it works below any path. What is large has a name that changes with its content: a
browser keeps it, and a new version fetches what is new.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import html
import io
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec

from lampion import __version__
from lampion.engine.cache_folder import compiled_sources, digest_of, sources_behind, user_cache
from lampion.games import registry
from lampion.locale import LANGUAGES, Problem
from lampion.page.room import Room
from lampion.page.worker_jobs import InPlace
from lampion.server.routes.content_policy import policy

PACKAGE = Path(__file__).resolve().parents[1]
PAGES = PACKAGE / "server" / "pages"
PYODIDE = PAGES / "pyodide"
WHEELS = PACKAGE / "page" / "requirements.txt"
PLATFORM = ("--python-version", "3.14", "--implementation", "cp", "--abi", "cp314",
            "--platform", "pyemscripten_2026_0_wasm32")  # fmt: skip
"""The Python of Pyodide, as pip names it."""
LEFT_OUT = ("adapters", "arena", "cli", "learning", "new_game", "testing", "server/http", "server/pages")  # fmt: skip
"""Folders of the package that a page does not need."""
NOT_THERE = {"built-from.txt", "offline.html", "offline.css", "worker.js"}
"""Files of the served pages that a static site does not need, or has its own of."""
ANSWERS = ("games", "puzzles", "server", *(f"words/{language}" for language in LANGUAGES))
"""Questions whose answers lie on the site as files, so that it is painted before Python runs."""
STAMP = "lampion-site.json"
LONGEST_NAME = 100
"""Letters of a name in an archive, and one more."""
POLICY = policy({"script-src": "'self' 'wasm-unsafe-eval'", "img-src": "'self' data: blob:"})


class BadSite(Problem):
    """A site that cannot be written."""


@dataclass
class Site:
    """The files of a site, by their names in it."""

    small: dict[str, bytes] = field(default_factory=dict)
    large: dict[str, bytes] = field(default_factory=dict)

    def add_large(self, stem: str, ending: str, content: bytes) -> str:
        """Add a file whose name changes with its content; return the name."""
        name = f"room/{stem}-{hashlib.sha256(content).hexdigest()[:12]}.{ending}"
        self.large[name] = content
        return name


OnModule = Callable[[str], None]
"""Called with the name of a game before its module is built."""


def made_site(base: str, games: Sequence[str], on_module: OnModule = lambda game: None) -> Site:
    """Return all files of a site that is published below a path, with the compiled modules of some games."""
    if not (PAGES / "index.html").is_file() or not PYODIDE.is_dir():
        raise BadSite("site.no_pages")
    site = Site()
    for path in sorted(PAGES.rglob("*")):
        name = path.relative_to(PAGES).as_posix()
        if path.is_file() and name not in NOT_THERE and PYODIDE not in path.parents:
            site.small[name] = path.read_bytes()
    folder = f"room/pyodide-{json.loads((PYODIDE / 'package.json').read_bytes())['version']}/"
    for path in sorted(PYODIDE.iterdir()):
        if path.suffix == ".mjs":
            site.small[folder + path.name] = path.read_bytes()
        elif path.name != "package.json":
            site.large[folder + path.name] = path.read_bytes()
    packed = site.add_large("lampion", "pack", archive())
    modules = {name: site.add_large(name, "wasm", body) for name, body in built_modules(games, on_module)}
    answers = {}
    for question, body in asyncio.run(ready_answers()).items():
        answers[question] = f"room/answers/{question}.json"
        site.small[answers[question]] = body
    version = version_of(site)
    files = {
        "version": version,
        "pyodide": folder,
        "archive": packed,
        "modules": modules,
        "bytes": sum(map(len, site.large.values())),
        "answers": answers,
    }
    site.small["index.html"] = page(site.small["index.html"].decode(), files).encode()
    site.small["manifest.webmanifest"] = manifest(site.small["manifest.webmanifest"], base)
    site.small["worker.js"] = service_worker(version, site).encode()
    return site


def version_of(site: Site) -> str:
    """Return the version of a site: that of Lampion and a hash of all its files."""
    digest = hashlib.sha256()
    for name, content in sorted({**site.small, **site.large}.items()):
        digest.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    return f"{__version__}-{digest.hexdigest()[:12]}"


def page(text: str, files: Mapping[str, Any]) -> str:
    """Return the page of the site, which names its files and allows nothing from elsewhere."""
    head = (
        f'<meta http-equiv="content-security-policy" content="{html.escape(POLICY)}" />\n    '
        f'<meta name="lampion-room" content="{html.escape(json.dumps(files))}" />\n    '
    )
    return text.replace('<meta name="viewport"', head + '<meta name="viewport"', 1)


def manifest(text: bytes, base: str) -> bytes:
    """Return the manifest of the site, by which it can be installed."""
    return json.dumps({**json.loads(text), "id": base, "start_url": base, "scope": base}, ensure_ascii=False).encode()


def service_worker(version: str, site: Site) -> str:
    """Return the worker that keeps the site for when there is no network."""
    text = (PACKAGE / "page" / "worker.js").read_text(encoding="utf-8")
    kept = ["./", *(name for name in site.small if name != "index.html")]
    for name, value in (("version", version), ("files", json.dumps(kept)), ("large", json.dumps(list(site.large)))):
        text = text.replace("{{" + name + "}}", value)
    return text


def package_files() -> Iterator[Path]:
    """Yield the files of the package that a page needs."""
    for path in sorted(PACKAGE.rglob("*")):
        name = path.relative_to(PACKAGE).as_posix()
        if path.is_file() and path.suffix != ".pyc" and not name.startswith(tuple(one + "/" for one in LEFT_OUT)):
            yield path


def own_games() -> dict[str, str]:
    """Return the games of this package, and where each one is; those of others are not in the page."""
    found = metadata.entry_points(group="lampion.games")
    return {entry.name: entry.value for entry in found if entry.value.startswith("lampion.")}


def archive() -> bytes:
    """Return one archive of our Python code, the list of games and the wheels that we need."""
    info = f"lampion-{__version__}.dist-info"
    games = "".join(f"{name} = {place}\n" for name, place in own_games().items())
    files = {f"lampion/{path.relative_to(PACKAGE).as_posix()}": path.read_bytes() for path in package_files()}
    files[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: lampion\nVersion: {__version__}\n".encode()
    files[f"{info}/entry_points.txt"] = f"[lampion.games]\n{games}".encode()
    for wheel in wheels():
        with zipfile.ZipFile(wheel) as packed:
            files |= {name: packed.read(name) for name in packed.namelist() if not name.endswith("/")}
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.USTAR_FORMAT) as made:
        for name, content in sorted(files.items()):
            assert len(name) < LONGEST_NAME, name
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            made.addfile(entry, io.BytesIO(content))
    return gzip.compress(written.getvalue(), 9, mtime=0)


def wheels() -> list[Path]:
    """Return the wheels that our code needs in a page, checked against their hashes; pip fetches those not kept."""
    folder = user_cache() / "wheels" / hashlib.sha256(WHEELS.read_bytes()).hexdigest()[:20]
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as fresh:
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
                       "--require-hashes", *PLATFORM, "--dest", fresh, "-r", str(WHEELS)]  # fmt: skip
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise BadSite("site.no_wheels", detail=(done.stderr.strip().splitlines() or ["?"])[-1])
            shutil.copytree(fresh, folder, dirs_exist_ok=True)
    return sorted(folder.glob("*.whl"))


def built_modules(games: Sequence[str], on_module: OnModule) -> Iterator[tuple[str, bytes]]:
    """Yield the compiled modules of games; those built from the same sources in the same way are kept."""
    sources = {**compiled_sources(), **sources_behind(["lampion.page.wasm_exports"])}
    folder = user_cache() / "modules" / f"{digest_of(sources)}-{metadata.version('llvmlite')}"
    for game in map(registry.game, games):
        kept = folder / f"{game.name}.wasm"
        if not kept.is_file():
            on_module(game.name)
            from lampion.page import wasm_exports

            with tempfile.TemporaryDirectory() as fresh:
                made = wasm_exports.write(game, Path(fresh)).read_bytes()
            folder.mkdir(parents=True, exist_ok=True)
            kept.with_suffix(".new").write_bytes(made)
            kept.with_suffix(".new").replace(kept)
        yield game.name, kept.read_bytes()


class NoShelf:
    """A shelf that keeps nothing."""

    async def read(self, first: str, last: str) -> list[tuple[str, bytes]]:
        """Return nothing."""
        return []

    async def write(
        self, new: Mapping[str, bytes], put: Mapping[str, bytes], needed: Sequence[str], gone: Sequence[str]
    ) -> bool:
        """Keep nothing; return True."""
        return True

    def listen(self, heard: Callable[[str], None]) -> None:
        """Do nothing."""

    def tell(self, news: str) -> None:
        """Do nothing."""


async def ready_answers() -> dict[str, bytes]:
    """Return the answers that lie on the site as files, by language and question."""
    room = Room(NoShelf(), InPlace(), InPlace(), lambda number, text: None)
    await room.open()
    try:
        found = {}
        for language in LANGUAGES:
            for question in ANSWERS:
                answer = await room.ask("GET", f"/api/{question}", {"accept-language": language}, b"")
                assert answer.status_code == 200, question
                found[f"{language}/{question}"] = answer.content
        return found
    finally:
        await room.close()


def reserve(folder: Path) -> list[str]:
    """Make sure that a site can be written into a folder; return the names of the files of the one that it holds."""
    stamp = folder / STAMP
    if folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not stamp.is_file())):
        raise BadSite("site.in_use", folder=str(folder))
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        pass
    if not stamp.is_file():
        return []
    try:
        names = msgspec.json.decode(stamp.read_bytes(), type=list[str])
    except msgspec.DecodeError as error:
        raise BadSite("site.in_use", folder=str(folder)) from error
    inside = folder.resolve()
    return [name for name in names if inside in (inside / name).resolve().parents]


def write(
    folder: Path, base: str = "/", games: Sequence[str] | None = None, on_module: OnModule = lambda game: None
) -> Site:
    """Write a site into a folder: a new or empty one, or one that holds such a site already.

    A game whose module is left out is played by the interpreted rules, with weak bots only.
    """
    before = reserve(folder)
    site = made_site(base, list(own_games()) if games is None else games, on_module)
    for name, content in {**site.large, **site.small}.items():  # a page that is small names large files
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    for name in set(before) - site.small.keys() - site.large.keys():
        (folder / name).unlink(missing_ok=True)
    (folder / STAMP).write_text(json.dumps(sorted([*site.small, *site.large])), encoding="utf-8")
    return site
