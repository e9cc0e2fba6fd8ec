"""The checklist of a release lets a good tree pass and names what is wrong with another."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from packing import copied_tree, module

from lampion import __version__

release = module("release")


def git(tree: Path, *words: str) -> None:
    author = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"]
    subprocess.run(["git", *author, *words], cwd=tree, check=True, capture_output=True)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A committed copy of the repository whose changelog tells of its version."""
    folder = copied_tree(tmp_path_factory.mktemp("release") / "tree")
    text = (folder / "CHANGELOG.md").read_text(encoding="utf-8")
    told = re.sub(r"^## .*\n", f"## {__version__} (2026-01-01)\n", text, count=1, flags=re.MULTILINE)
    (folder / "CHANGELOG.md").write_text(told, encoding="utf-8")
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "Begin")
    return folder


def walk(tree: Path) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(tree / "src"), os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, str(tree / "release.py"), "--dry-run"]
    return subprocess.run(command, cwd=tree.parent, env=env, capture_output=True, text=True)


@pytest.mark.deep
def test_a_good_tree_passes_and_nothing_is_left_in_it(tree: Path) -> None:
    done = walk(tree)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("ok ") == 6
    assert not list(release.uncommitted(tree))
    assert not (tree / "dist").exists()


def test_what_is_wrong_is_named_with_what_to_do(tree: Path) -> None:
    lock, page, changes = tree / "requirements" / "run.txt", tree / "docs" / "protocol.md", tree / "CHANGELOG.md"
    kept = {file: file.read_text(encoding="utf-8") for file in (lock, page, changes)}
    spoiled = f"--{'index'}-url https{'://'}pypi.example.org/simple\n{kept[lock]}# {'/home'}/ann/lampion\n"
    lock.write_text(spoiled, encoding="utf-8")
    page.write_text(kept[page].replace(f'"server": "{__version__}"', '"server": "0.0.1"'), encoding="utf-8")
    changes.write_text(kept[changes].replace(f"## {__version__} (2026-01-01)", "## Unreleased"), encoding="utf-8")
    (tree / "left.txt").write_text("left", encoding="utf-8")
    try:
        assert "commit or remove left.txt" in list(release.uncommitted(tree))
        assert list(release.other_versions(tree)) == [f"write {__version__} in docs/protocol.md, where 0.0.1 is"]
        assert len(list(release.untold(tree))) == 2
        found = list(release.addresses(tree))
        assert len(found) == 3
        assert all("requirements/run.txt" in one for one in found)
    finally:
        for file, text in kept.items():
            file.write_text(text, encoding="utf-8")
        (tree / "left.txt").unlink()


def test_a_version_that_was_released_is_not_released_again(tree: Path) -> None:
    git(tree, "tag", f"v{__version__}")
    try:
        assert list(release.other_versions(tree)) == [f"raise __version__: v{__version__} was released"]
    finally:
        git(tree, "tag", "--delete", f"v{__version__}")
