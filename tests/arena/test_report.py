"""The report: what is counted, and a page that needs nothing else."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import msgspec
import pytest
from bad_bots import Failing, Plain

from lampion.arena.game_report import NothingPlayed, Report, Story, count_up, decided, play_story, report, spread
from lampion.arena.match import Conditions, Result
from lampion.arena.plots import number
from lampion.arena.report_page import page
from lampion.arena.workers import Crew, InlineExecutor
from lampion.bots import named
from lampion.bots.chance_calibration import calibration
from lampion.games import registry
from lampion.games.editions import edition, standard
from lampion.locale import say, speaking

HERE = Crew(InlineExecutor(), 1)
VOID = {"meta", "line", "rect", "polyline", "circle"}


def story(scores: list[int], keys: list[list[int]], categories: list[dict[str, int]], first: int) -> Story:
    best = max(keys)
    winners = [seat for seat, key in enumerate(keys) if key == best]
    shares = [1 / len(winners) if seat in winners else 0.0 for seat in range(len(keys))]
    return Story(Result(scores, shares, 50, 30), keys, winners, categories, first, {}, {})


def test_points_decide_where_others_would_have_won_or_shared_without_them() -> None:
    game = story([10, 8], [[10, 0], [8, 1]], [{}, {}], 0)
    assert decided(game, [5, 1])  # 5 to 7
    assert decided(game, [2, 0])  # 8 to 8, and the tie-break is the other's
    assert not decided(game, [1, 0])
    assert not decided(game, [0, 5])
    level = story([8, 8], [[8, 0], [8, 0]], [{}, {}], 0)
    assert decided(level, [1, 0])
    assert not decided(level, [3, 3])
    assert decided(story([9, 8], [[9, 0], [8, 0]], [{}, {}], 0), [2, 1])  # 7 to 7: a shared victory


def test_games_are_counted_up_as_by_hand() -> None:
    def rooms(first: int, second: int) -> dict[str, int]:
        return dict.fromkeys(registry.game("lumens").categories, 0) | {"room_1": first, "room_2": second}

    stories = [
        story([10, 4], [[10, 0], [4, 0]], [rooms(10, 0), rooms(0, 4)], first=1),
        story([6, 8], [[6, 0], [8, 0]], [rooms(6, 0), rooms(2, 6)], first=1),
        story([5, 5], [[5, 1], [5, 0]], [rooms(0, 5), rooms(0, 5)], first=1),
    ]
    found = count_up(Conditions.of(standard("lumens"), 2), [Plain()], stories, 0, "by hand")
    assert [seat.share for seat in found.seats] == [pytest.approx(2 / 3), pytest.approx(1 / 3)]
    assert [place.share for place in found.order] == [pytest.approx(1 / 3), pytest.approx(2 / 3)]
    assert (found.winning_scores, found.other_scores) == ([10, 8, 5], [4, 6, 5])
    assert (found.level, found.tie_breaks) == (0, pytest.approx(1 / 3))  # type: ignore[comparison-overlap]
    one, two = found.categories
    assert (one.name, two.name) == ("room_1", "room_2")
    assert (one.somebody, one.winner, one.decided) == tuple(pytest.approx(n / 3) for n in (2, 2, 1))  # type: ignore[comparison-overlap]
    assert (two.somebody, two.winner, two.decided) == tuple(pytest.approx(n / 3) for n in (3, 2, 1))  # type: ignore[comparison-overlap]
    assert one.winners.mean == pytest.approx(4)


def test_a_spread_by_hand() -> None:
    found = spread([4, 0, 3, 1, 2])
    assert (found.tenth, found.quarter, found.median, found.three_quarters, found.nine_tenths) == (0.4, 1, 2, 3, 3.6)


def test_a_firework_is_counted_by_its_shape_and_its_points() -> None:
    conditions = Conditions.of(standard("dice"), 2, seed=4)
    for deal in range(20):
        told = play_story(conditions, [named("random"), named("random")], deal)
        earned = [sum(points) for points in zip(*told.earned.get("launched", {"": [0, 0]}).values(), strict=True)]
        assert earned == [seat["fireworks"] for seat in told.categories]
        if any(earned):
            assert set(told.counted["launched"]) <= {"bar", "corner", "tee", "hook", "square", "zigzag", "cross", "cup"}
            return
    pytest.fail("no firework in twenty games")


def test_a_report_without_a_whole_game_says_why() -> None:
    with pytest.raises(NothingPlayed, match="no more ideas"):
        report(Conditions.of(standard("lumens"), 2), [Failing("crash")], 2, HERE, "")


@pytest.fixture(scope="module")
def found() -> Report:
    return report(
        Conditions.of(standard("lumens"), 3, seed=2), [named("random"), Plain(), Plain("b")], 12, HERE, "<standard>"
    )


class Reader(HTMLParser):
    """Reads a page as a browser would, and notes what it would fetch and what is left open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.headings = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in {"script", "link", "iframe", "img", "object", "base"}
        self.fetched += [f"{name}={value}" for name, value in attrs if name in {"src", "href", "xlink:href", "srcset"}]
        self.headings += tag in {"h1", "h2"}
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_page_is_whole_and_needs_nothing_else(found: Report, language: str) -> None:
    other = report(
        Conditions.of(edition(registry.game("lumens"), {**standard("lumens").data}), 3, seed=3),
        [Plain()],
        4,
        HERE,
        "the other",
    )
    with speaking(language):
        text = page([found, other], "lampion report lumens <&>")
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    assert reader.fetched == []
    assert reader.headings == 7
    assert text.count("Content-Security-Policy") == 1
    assert not re.search(r"https?://|url\(|@import|//[a-z]", text)
    assert f'<html lang="{language}">' in text
    assert "&lt;standard&gt;" in text
    assert "&lt;&amp;&gt;" in text
    pictures = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    assert len(pictures) > 10
    for picture in pictures:
        drawn = ElementTree.fromstring(picture)
        width = float(drawn.attrib["viewBox"].split()[2])
        for shape in drawn.iter():
            for name in ("x", "x1", "x2", "cx"):
                assert -1 <= float(shape.attrib.get(name, 0)) <= width + 1
    assert ("gagnants" in text) == (language == "fr")


def test_the_chances_of_analyses_stand_beside_what_was_won(found: Report) -> None:
    """Only for the edition that was measured."""
    measured = calibration("iles")
    assert measured is not None
    assert measured.games >= 2000
    together = measured.all_tenths()
    assert sum(one.positions for one in together) == sum(
        one.positions for ways in measured.players.values() for one in ways.judged.tenths
    )
    with speaking("en"):
        heading = say("report.chances")
        assert heading in page([found], "")
        assert heading not in page([msgspec.structs.replace(found, edition="another")], "")


def test_every_game_can_be_reported() -> None:
    with speaking("fr"):
        assert number(-1234.5, 1) == "−1234,5"
        for name in registry.games():
            conditions = Conditions.of(standard(name), registry.game(name).players[0], seed=1)
            told = report(conditions, [named("random")], 3, HERE, "")
            text = page([told], "")
            for category in told.categories:
                assert category.somebody > 0
            assert "<svg" in text
