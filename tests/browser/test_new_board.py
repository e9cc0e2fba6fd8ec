"""A game that brings a folder with a board is drawn by it: no shared file of the pages names a game."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from server.people import Server

from hatch_build import node

from .guests import guest, watch

WEB = Path(__file__).resolve().parents[2] / "web"
GAME = "fireflies"

BOARD = {
    "Board.svelte": """
        <script lang="ts">
          import { say } from "../../words.svelte";
          import type { FirefliesPlay } from "./turnSteps";

          const { play }: { play: FirefliesPlay } = $props();
        </script>

        <p data-new-board>{say("fireflies.step.choose")} {play.moves.length}</p>
    """,
    "turnSteps.ts": """
        import type { Play } from "../../play.svelte";
        import { stepsUpTo, type Step } from "../turnSteps";

        export type FirefliesPlay = Play<object, { kind: string }>;
        export const steps = (_: FirefliesPlay): Step[] => stepsUpTo(["Watch the garden"], 0);
        export const progress = (_: FirefliesPlay): string => "night one";
    """,
    "vignette.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 150"><circle id="firefly" r="9" /></svg>',
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the pages with a folder more; return where they are."""
    folder = tmp_path_factory.mktemp("new_board")
    web = folder / "web"
    shutil.copytree(WEB, web, ignore=shutil.ignore_patterns("node_modules"))
    os.symlink((WEB / "node_modules").resolve(), web / "node_modules", target_is_directory=True)
    (web / "src" / "boards" / GAME).mkdir()
    for name, text in BOARD.items():
        (web / "src" / "boards" / GAME / name).write_text(text, encoding="utf-8")
    command = node()
    assert command is not None, "no Node.js: python3 run.py test brings one along"
    subprocess.run(
        [*command, "node_modules/vite/bin/vite.js", "build", "--logLevel", "error", "--outDir", str(folder / "pages")],
        cwd=web,
        check=True,
    )
    return folder / "pages"


@pytest.mark.deep
def test_the_list_of_games_shows_the_vignette_of_a_new_game(browser: Browser, server: Server, pages: Path) -> None:
    page = guest(browser, server, pages=pages)
    game = page.get_by_role("article", name="Fireflies")
    expect(game.locator("#firefly")).to_have_count(1)
    expect(page.get_by_role("article").locator("h2")).to_have_text(
        ["Fireflies", "Lanternes", "Lanternes Dice", "Lumens", "1001 Îles"]
    )


@pytest.mark.deep
def test_a_new_game_is_drawn_by_its_own_board_and_steps(browser: Browser, server: Server, pages: Path) -> None:
    page = guest(browser, server, server.make(GAME, ("Aline",), "spark", start=True), (0,), pages=pages)
    complaints = watch(page)
    expect(page.locator("[data-new-board]")).to_contain_text("Show your firefly, or let it go. 2")
    expect(page.get_by_text("Watch the garden")).to_be_visible()
    expect(page.get_by_role("banner")).to_contain_text("night one")
    assert complaints == []
