"""A game that brings a folder with a board is drawn by it: no shared file of the pages names a game."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect
from server.people import Server

from hatch_build import node

from .guests import guest, watch
from .positions import anything, play_until

WEB = Path(__file__).resolve().parents[2] / "web"
GAME = "fireflies"
OTHERS = ("dice", "iles", "lanternes", "lumens")

BOARD = {
    "Board.svelte": """
        <script lang="ts">
          import Icon from "../../parts/Icon.svelte";
          import { say } from "../../words.svelte";
          import type { FirefliesPlay } from "./turnSteps";

          const { play }: { play: FirefliesPlay } = $props();
        </script>

        <main class="main" data-new-board>
          <Icon id="fireflies-jar" />
          {say("fireflies.step.choose")} {play.moves.length}
          {#each play.moves as move (move.kind)}
            <button data-choice={move.kind} onclick={() => play.make(move)}>{move.kind}</button>
          {/each}
        </main>
    """,
    "turnSteps.ts": """
        import type { Play } from "../../play.svelte";
        import { stepsUpTo, type Step } from "../turnSteps";

        export type FirefliesPlay = Play<object, { kind: string }>;
        export const steps = (_: FirefliesPlay): Step[] => stepsUpTo(["Watch the garden"], 0);
        export const progress = (_: FirefliesPlay): string => "night one";
    """,
    "NewGameOptions.svelte": """
        <script lang="ts">
          import type { OptionsProps } from "../index";

          const { choices, onchange }: OptionsProps = $props();
        </script>

        {#each choices["equal"]!.choices.map(String) as choice (choice)}
          <button type="button" data-equal={choice} onclick={() => onchange("equal", choice)}>{choice}</button>
        {/each}
    """,
    "categoryCard.ts": """
        import type { FirefliesPlay } from "./turnSteps";

        export const categoryCard = (play: FirefliesPlay, category: string, seat: number) =>
          ({ title: `${category} of ${play.name(seat)}`, lines: ["counted in the garden"] });
    """,
    "finalColours.ts": 'export const colours = { "#0d1322": "--fireflies-garden" };',
    "guidePlaces.ts": """export const places = { choice: "[data-choice='$']" };""",
    "hintPlaces.ts": 'export const placeOf = (move: { kind: string }) => `[data-choice="${move.kind}"]`;',
    "symbols.svg": '<svg xmlns="http://www.w3.org/2000/svg"><symbol id="fireflies-jar"><circle r="4" /></symbol></svg>',
    "vignette.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 150"><circle id="firefly" r="9" /></svg>',
}

CONFIG = """
import whole from "./vite.config";
// Without Python for a room in the page, and without what makes files small.
export default { ...whole, plugins: whole.plugins!.slice(0, 1), build: { ...whole.build, minify: false } };
"""

# Marks follow the board, and are there a moment after it.
MARK_AT_THE_TOP = """() => {
  const [mark, button] = ["[data-hint-mark='1']", "[data-choice]"].map(
    (one) => document.querySelector(one)?.getBoundingClientRect());
  return mark && button && Math.abs(mark.y + mark.height / 2 - button.y) < 2;
}"""
RING_AROUND = """() => {
  const [ring, button] = ["[data-ring]", "[data-choice=let_go]"].map(
    (one) => document.querySelector(one)?.getBoundingClientRect());
  const isInside = (from, to) => ring[from] < button[from] && button[from] < button[to] && button[to] < ring[to];
  return ring && button && isInside("left", "right") && isInside("top", "bottom");
}"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the pages with the folder of this game in place of those of ours; return where they are."""
    folder = tmp_path_factory.mktemp("new_board")
    web = folder / "web"
    shutil.copytree(WEB, web, ignore=shutil.ignore_patterns("node_modules", *OTHERS))
    os.symlink((WEB / "node_modules").resolve(), web / "node_modules", target_is_directory=True)
    (web / "src" / "boards" / GAME).mkdir()
    for name, text in BOARD.items():
        (web / "src" / "boards" / GAME / name).write_text(text, encoding="utf-8")
    (web / "new_board.config.ts").write_text(CONFIG, encoding="utf-8")
    found = node()
    assert found is not None, "no Node.js: python3 run.py test brings one along"
    words = ["build", "--logLevel", "error", "--config", "new_board.config.ts", "--outDir", str(folder / "pages")]
    subprocess.run([*found, "node_modules/vite/bin/vite.js", *words], cwd=web, check=True)
    return folder / "pages"


def begun(server: Server) -> dict[str, Any]:
    """A table at which Aline is asked first."""
    return server.make(GAME, ("Aline",), "spark", start=True, options={"first": 0}, hints=1000)


def test_the_list_of_games_shows_the_vignette_of_a_new_game(browser: Browser, server: Server, pages: Path) -> None:
    page = guest(browser, server, pages=pages)
    game = page.get_by_role("article", name="Fireflies")
    expect(game.locator("#firefly")).to_have_count(1)
    expect(game).to_contain_text("Draw a firefly in secret")
    expect(page.get_by_role("article").locator("h2")).to_have_text(
        ["Fireflies", "Lanternes", "Lanternes Dice", "Lumens", "1001 Îles"]
    )


def test_a_new_game_draws_its_own_options(browser: Browser, server: Server, pages: Path) -> None:
    page = guest(browser, server, pages=pages)
    page.get_by_role("button", name="Play Fireflies", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.locator("summary").first.click()
    dialog.locator("[data-equal=everybody]").click()
    expect(dialog.locator("#option-equal")).to_have_count(0)
    dialog.get_by_role("button", name="Start").click()
    page.locator("[data-new-board]").wait_for()
    assert server.get(f"/api/tables/{page.url.rpartition('/')[2]}")["options"]["equal"] == "everybody"


def test_a_new_game_is_drawn_by_its_own_board_steps_and_symbols(browser: Browser, server: Server, pages: Path) -> None:
    page = guest(browser, server, begun(server), (0,), pages=pages)
    complaints = watch(page)
    expect(page.locator("[data-new-board]")).to_contain_text("Show your firefly, or let it go. 2")
    expect(page.locator("symbol#fireflies-jar")).to_have_count(1)
    expect(page.get_by_text("Watch the garden")).to_be_visible()
    expect(page.get_by_role("banner")).to_contain_text("night one")
    assert complaints == []


def test_hints_stand_where_a_new_board_says(browser: Browser, server: Server, pages: Path) -> None:
    page = guest(browser, server, begun(server), (0,), pages=pages)
    page.locator("[data-hint]").click()
    page.locator("[data-hint-row]").first.wait_for(timeout=240_000)  # what hints need is compiled for the first one
    expect(page.locator("[data-hint-mark]")).to_have_count(2)
    page.wait_for_function(MARK_AT_THE_TOP)


def test_a_guide_rings_what_a_new_board_names(browser: Browser, server: Server, pages: Path) -> None:
    page = guest(browser, server, begun(server), (0,), pages=pages)
    guide = {"step": 0, "steps": 2, "seat": 0, "say": "Let it go", "point": ["choice let_go"]}

    def teach(socket: WebSocketRoute) -> None:
        """Say at this table what the guide of a lesson would."""

        def pass_on(raw: str | bytes) -> None:
            word = json.loads(raw)
            if "table" in word:
                word["table"]["guide"] = guide
            socket.send(json.dumps(word))

        there = socket.connect_to_server()
        there.on_message(pass_on)

    page.route_web_socket(re.compile("/socket$"), teach)
    page.reload()
    page.locator("[data-guide]").wait_for()
    page.wait_for_function(RING_AROUND)


def test_a_new_game_tells_how_its_points_were_counted(browser: Browser, server: Server, pages: Path) -> None:
    made = begun(server)
    play_until(server, made, lambda _, ply: False, anything)
    page = guest(browser, server, made, (0,), pages=pages)
    page.locator("[data-why='0:rest']").click()
    expect(page.locator("[data-explanation]")).to_contain_text("rest of Aline")
    expect(page.locator("[data-final] svg").first).to_be_attached()
    assert "var(--fireflies-garden)" in page.locator("[data-final]").first.inner_html()
