"""The folder that a static site is written into."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lampion.page import site


class TooLate(Exception):
    """Files were made before the folder was looked at."""


@pytest.fixture
def nothing_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    def made_site(*given: object) -> site.Site:
        raise TooLate

    monkeypatch.setattr(site, "made_site", made_site)


@pytest.fixture
def two_files(monkeypatch: pytest.MonkeyPatch) -> None:
    made = site.Site(small={"index.html": b"page"}, large={"room/large.wasm": b"module"})
    monkeypatch.setattr(site, "made_site", lambda *given: made)


@pytest.mark.usefixtures("nothing_is_made")
def test_a_folder_that_cannot_be_written_to_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"):
        site.write(tmp_path / "file" / "public")


@pytest.mark.usefixtures("nothing_is_made")
@pytest.mark.parametrize("held", [{"photo.jpg": ""}, {site.STAMP: "not a list of names"}, {site.STAMP: '{"a": 1}'}])
def test_somebody_elses_files_are_refused_before_anything_is_made(tmp_path: Path, held: dict[str, str]) -> None:
    for name, text in held.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(site.BadSite):
        site.write(tmp_path)
    with pytest.raises(site.BadSite):
        site.write(tmp_path / next(iter(held)))


@pytest.mark.usefixtures("two_files")
def test_a_new_version_removes_the_files_of_the_old_one_and_no_others(tmp_path: Path) -> None:
    folder, beside = tmp_path / "public", tmp_path / "beside"
    folder.mkdir()
    beside.touch()
    (folder / "old.js").touch()
    (folder / "mine.txt").touch()
    (folder / site.STAMP).write_text(json.dumps(["old.js", "../beside", str(beside)]))
    site.write(folder)
    left = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert left == {"index.html", "room/large.wasm", "mine.txt", site.STAMP}
    assert beside.exists()
    assert json.loads((folder / site.STAMP).read_text()) == ["index.html", "room/large.wasm"]
