"""Never colour alone: lanterns are told apart by shape and letter, on every board, whatever the eyes.

The boards are kept as pictures in build/pictures, as eyes of different kinds see them, for people to look at.
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from server.people import Server

from .guests import guest
from .positions import rich

PICTURES = Path(__file__).resolve().parents[2] / "build" / "pictures"
LETTERS = "WORPBGK"
GAMES = ("lanternes", "dice", "lumens", "iles")
EYES = ("none", "protanopia", "deuteranopia", "tritanopia", "achromatopsia")
SIZES = {"desktop": (1440, 900), "phone": (375, 667)}
SEEN = {
    "lanternes": "[data-place]",
    "dice": "[data-stack].fits",
    "lumens": "[data-legal]",
    "iles": "[data-spot^='slot:']",
}

# Of each symbol the letter, and which points of a fine net lie inside its shape.
DRAWN = """([kind, letters]) => letters.map(letter => {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.innerHTML = document.getElementById(kind + letter).innerHTML;
    document.body.append(svg);
    const shapes = [...svg.querySelectorAll("path, circle, rect, polygon, ellipse")];
    const points = [];
    for (let x = -12; x <= 12; x += 0.5) for (let y = -12; y <= 12; y += 0.5) {
        points.push(shapes.some(shape => shape.isPointInFill(new DOMPoint(x, y))));
    }
    const text = svg.textContent.trim();
    svg.remove();
    return [text, points];
})"""
LEAST_DIFFERENCE = 0.07
"""Of what two shapes cover together, this part at least is covered by one alone."""


@pytest.mark.deep
def test_any_two_lanterns_differ_in_shape_and_letter(browser: Browser, server: Server) -> None:
    page = guest(browser, server)
    expect(page.get_by_role("heading", name="1001 Îles")).to_be_visible()
    for kind, letters in (("l", list(LETTERS)), ("n", [""] * len(LETTERS))):
        drawn: list[tuple[str, list[bool]]] = page.evaluate(DRAWN, [kind, list(LETTERS)])
        assert [text for text, _ in drawn] == letters
        for i, (_, one) in enumerate(drawn):
            assert sum(one) > 500, LETTERS[i]
            for j, (_, other) in enumerate(drawn[:i]):
                apart = sum(a != b for a, b in zip(one, other, strict=True))
                together = sum(a or b for a, b in zip(one, other, strict=True))
                assert apart / together > LEAST_DIFFERENCE, LETTERS[i] + LETTERS[j]


# Of a colour that is drawn, the letters of the same colour that are drawn inside the same piece.
LETTERED = """piece => [...document.querySelectorAll(piece)].filter(one => one.getClientRects().length > 0).map(one => {
    const uses = kind => [...one.querySelectorAll("use")].map(use => use.getAttribute("href"))
        .filter(href => new RegExp(`^#${kind}[WORPBGK]$`).test(href)).map(href => href[2]).sort().join("");
    return [uses("p"), uses("l")];
})"""


@pytest.mark.deep
@pytest.mark.parametrize("size", SIZES)
def test_every_side_of_a_tile_has_its_letter(browser: Browser, server: Server, size: str) -> None:
    page = guest(browser, server, rich(server, "lanternes"), (0,), size=SIZES[size], notation=True)
    page.locator("[data-place]").first.wait_for()
    tiles = page.evaluate(LETTERED, "[data-tile], [data-hand]")
    assert len(tiles) > 8
    for ovals, letters in tiles:
        assert len(ovals) == 4
        assert ovals == letters


GREYNESS = """async picture => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let most = 0;
    for (let i = 0; i < data.length; i += 4) {
        const [red, green, blue] = [data[i], data[i + 1], data[i + 2]];
        most = Math.max(most, Math.max(red, green, blue) - Math.min(red, green, blue));
    }
    return most;
}"""


def colourfulness(page: Page, picture: bytes) -> int:
    """By how much the channels of a point of a picture differ at most."""
    return int(page.evaluate(GREYNESS, base64.b64encode(picture).decode()))


def look(page: Page, eyes: str) -> bytes:
    """The page as these eyes see it."""
    tools = page.context.new_cdp_session(page)
    tools.send("Emulation.setEmulatedVisionDeficiency", {"type": eyes})
    picture = page.screenshot()
    tools.detach()
    return picture


@pytest.mark.deep
@pytest.mark.parametrize("game", GAMES)
def test_the_boards_are_kept_as_pictures_for_every_kind_of_eyes(browser: Browser, server: Server, game: str) -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    made: dict[str, Any] = rich(server, game)
    for size, shape in SIZES.items():
        page = guest(browser, server, made, (0,), size=shape)
        page.locator(SEEN[game]).first.wait_for(state="attached")
        page.evaluate("() => document.fonts.ready")
        pictures = {eyes: look(page, eyes) for eyes in EYES}
        for eyes, picture in pictures.items():
            (PICTURES / f"{game}-{size}-{eyes}.png").write_bytes(picture)
        assert len(set(pictures.values())) == len(EYES)
        page.goto("about:blank")
        assert colourfulness(page, pictures["achromatopsia"]) <= 2 < 100 < colourfulness(page, pictures["none"])
        page.context.close()
