"""A new version of a static site takes over; another site on the same host keeps its own."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from lampion.page import site

from . import lumens_hands
from .guests import guest, watch
from .own_room import Host, make_here, plan, ready

VERSION = """() => JSON.parse(document.querySelector('meta[name="lampion-room"]').content)"""
CACHES = """async path => {
  const names = (await caches.keys()).filter((name) => name.split(" ")[1] === path).sort();
  return Promise.all(names.map(async (name) => [name, (await (await caches.open(name)).keys()).length]));
}"""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Callable[[], None]]:
    """A host with one site at /one/, another at /one/two/, and what writes a new version of the first."""
    root: Path = tmp_path_factory.mktemp("host")
    code = site.archive()

    def write() -> None:
        with ThreadPoolExecutor(1) as pool:  # beside the event loop of the browser's tools
            pool.submit(site.write, root / "one", "/one/", ()).result()

    def write_anew() -> None:
        with pytest.MonkeyPatch.context() as patch:
            # The same code, packed otherwise: other bytes under another name.
            patch.setattr(site, "archive", lambda: gzip.compress(gzip.decompress(code), 1, mtime=0))
            write()

    write()
    shutil.copytree(root / "one", root / "two")
    (root / "two").rename(root / "one" / "two")
    return root, write_anew


def opened(context: BrowserContext, host: Host, path: str) -> Page:
    page = context.new_page()
    page.goto(f"http://localhost:{host.port}{path}")
    return page


def files_of(page: Page) -> dict[str, Any]:
    return dict(page.evaluate(VERSION))


@pytest.mark.deep
def test_a_new_version_takes_over_beside_an_open_page_of_the_old_one(
    browser: Browser, written: tuple[Path, Callable[[], None]]
) -> None:
    root, write_anew = written
    host = Host(root)
    host.address += "one/"
    old = guest(browser, host)  # type: ignore[arg-type]
    faults = watch(old)
    ready(old)
    make_here(old, plan("lumens", ("Aline",), "spark", start=True), (0,))
    lumens_hands.opened(old)
    lumens_hands.play_a_move(old)
    context, table = old.context, old.url.partition("#")[2]
    neighbour = opened(context, host, "/one/two/")
    ready(neighbour)
    there = neighbour.evaluate(CACHES, "/one/two/")
    neighbour.close()

    write_anew()
    finder = opened(context, host, "/one/")
    before = files_of(finder)
    finder.evaluate(
        """async () => {
          const registration = await navigator.serviceWorker.getRegistration();
          while (registration.waiting === null) await new Promise((done) => setTimeout(done, 20));
        }"""
    )
    finder.close()
    new = opened(context, host, f"/one/#{table}")
    lumens_hands.opened(new)
    now = files_of(new)
    assert (now["version"] != before["version"], now["archive"] != before["archive"]) == (True, True)
    host.stop()

    # The old page goes on, with files that its host has no longer.
    assert files_of(old) == before
    assert old.evaluate("async name => (await fetch(name)).status", before["archive"]) == 200
    lumens_hands.play_a_move(old)
    assert faults == []
    # A game that was begun there goes on in the new one; the site next door has lost nothing.
    assert table in new.url
    lumens_hands.play_a_move(new)
    assert old.evaluate(CACHES, "/one/two/") == there
    assert [name.split(" ")[0] for name, _ in there] == ["lampion-runtime", "lampion-site"]
    context.close()
