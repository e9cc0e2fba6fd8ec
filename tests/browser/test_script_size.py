"""How much script the pages load. How fast they are is measured by benchmarks/test_page_speed.py."""

from __future__ import annotations

import gzip
from pathlib import Path

PAGES = Path(__file__).resolve().parents[2] / "src" / "lampion" / "server" / "pages"
SCRIPT_BYTES = 170_000


def test_all_script_fits_in_170_kilobytes() -> None:
    whole = sum(len(gzip.compress(path.read_bytes())) for path in PAGES.rglob("*.js"))
    assert 30_000 < whole <= SCRIPT_BYTES
