"""The rules that players read: the same in both languages, true to box and game, in our own words."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from read_rules import each_game, each_language, each_text, numbers, read, section, table, texts, whole

from lampion.games import registry
from lampion.games.dice.state import SHEET_LETTERS
from lampion.games.editions import standard
from lampion.games.lanternes.state import EXCHANGE_BOATS, HAND_LIMIT
from lampion.games.rulebook import Block, GlyphRun, HeadingBlock, ListBlock, ParagraphBlock, TableBlock
from lampion.locale import catalogue, say, speaking
from lampion.testing import wander

ROOT = Path(__file__).resolve().parents[1]
FIRST, LAST = ["goal", "setup", "turn"], ["end", "scoring", "ties", "options", "choices", "words"]

# Both languages, every step


@each_text
def test_every_game_has_rules_under_its_name(game: str, language: str) -> None:
    with speaking(language):
        assert read(game, language).name == say(f"{game}.name")
    assert len(read(game, language).introduction) == 2


def shape(block: Block) -> tuple[Any, ...]:
    """What a block is, and its glyphs and numbers: all that has no language; a glossary has its own order."""
    match block:
        case ParagraphBlock(runs):
            inner: Any = [run for run in runs if isinstance(run, GlyphRun)]
        case HeadingBlock():
            inner = 1
        case ListBlock(ordered, items):
            inner = [ordered, len(items)]
        case TableBlock(head, rows):
            inner = [len(head), len(rows)]
    return type(block), inner, sorted(number for text in texts([block]) for number in numbers(text))


@each_game
def test_both_languages_have_the_same_sections_steps_numbers_and_glyphs(game: str) -> None:
    english, french = read(game, "en"), read(game, "fr")
    assert [(each.id, each.steps) for each in english.sections] == [(each.id, each.steps) for each in french.sections]
    for one, other in zip(english.sections, french.sections, strict=True):
        assert list(map(shape, one.blocks)) == list(map(shape, other.blocks)), one.id


@each_game
def test_sections_come_in_the_same_order_in_every_game(game: str) -> None:
    ids = [each.id for each in read(game).sections]
    assert ids[:3] == FIRST
    assert ids[-6:] == LAST
    assert len(set(ids)) == len(ids)


def steps_in_the_code(game: str) -> set[str]:
    """Every step that has words, and every step that a view can name."""
    plain = registry.game(game).view
    named = {key.split(".")[2] for key in catalogue("en") if re.match(rf"{game}\.(step|asked)\.", key)}
    for struct in (plain.View, getattr(plain, "Seat", plain.View)):
        hints = get_type_hints(struct, vars(sys.modules[struct.__module__]))
        if "step" in hints:
            named |= {step for kind in (hints["step"], *get_args(hints["step"])) for step in get_args(kind)}
    return {step for step in named if isinstance(step, str)}


@each_game
def test_every_step_of_a_game_has_one_section(game: str) -> None:
    covered = Counter(step for each in read(game).sections for step in each.steps)
    assert covered == Counter(steps_in_the_code(game))


@each_game
def test_whatever_a_player_is_asked_has_a_section(game: str) -> None:
    steps = {step: each.id for each in read(game).sections for step in each.steps}
    asked = set()
    for players in registry.game(game).players:
        for position in wander(registry.game(game), players, None, seed=players):
            for seat in position.pending:
                asked.add(registry.game(game).view.asked(position.edition.box, position.state, seat).split(".")[2])
    assert len(asked) > 1
    assert asked <= set(steps)


# Numbers


@each_language
def test_lanternes_states_the_numbers_of_its_box(language: str) -> None:
    data = standard("lanternes").data
    for row in table("lanternes", "setup", language):
        players, each, out, cards, rewards = numbers(" ".join(row))
        setup = data["setup"][str(players)]
        assert (out, cards) == (setup["tiles_removed"], setup["cards_per_colour"])
        assert each * players == len(data["tiles"]["lake"]) - out
        assert row[1].count(",") == players - 1
        stacks = [numbers(stack[5 - players]) for stack in table("lanternes", "reward", language, 1)]
        printed = [data["rewards"][name] for name in ("four_of_a_kind", "three_pairs", "seven_colours")]
        kept = [[points for points, dots in stack if dots <= {2: 2, 3: 3, 4: 4}[players]] for stack in printed]
        assert stacks == kept
        assert {len(stack) for stack in kept} == {rewards}
    neutral = data["rewards"]["neutral"][0][0]
    told = " ".join(texts(section("lanternes", "reward", language)))
    assert f"{neutral} points" in told
    assert f"{EXCHANGE_BOATS} " in " ".join(texts(section("lanternes", "exchange", language)))
    assert {HAND_LIMIT, HAND_LIMIT + 1} <= set(numbers(" ".join(texts(section("lanternes", "discard", language)))))


def test_from_eleven_cards_on_there_is_always_a_set_but_not_before() -> None:
    def has_a_set(cards: Sequence[int]) -> bool:
        return max(cards) >= 4 or sum(count >= 2 for count in cards) >= 3 or min(cards) >= 1

    def hands(colours: int, size: int) -> Iterator[tuple[int, ...]]:
        if colours == 1:
            yield (size,)
        else:
            for first in range(size + 1):
                yield from ((first, *rest) for rest in hands(colours - 1, size - first))

    assert all(has_a_set(hand) for hand in hands(7, 11))
    assert not all(has_a_set(hand) for hand in hands(7, 10))


@each_language
def test_dice_states_the_numbers_of_its_box(language: str) -> None:
    data = standard("dice").data
    sheets = data["sheets"]
    for letter, *lists in table("dice", "bonus", language):
        assert [found.replace(" ", "") for found in lists] == [sheets[letter][name] for name in ("all", "three", "two")]
    assert [row[0] for row in table("dice", "bonus", language)] == list(SHEET_LETTERS)
    for row in table("dice", "setup", language):
        players, turns = numbers(" ".join(row))
        assert turns == len(sheets["A"]["all"] + {2: sheets["A"]["two"], 3: sheets["A"]["three"], 4: ""}[players])
    with speaking(language):
        shapes = [name for name in data["fireworks"] if name != "first_game"]
        sizes = {"en": ["small", "medium", "large"], "fr": ["petit", "moyen", "grand"]}[language]
        for title, form, values in table("dice", "launch", language):
            firework = next(data["fireworks"][name] for name in shapes if title.startswith(say(f"dice.shape.{name}")))
            assert numbers(values) == firework["values"]
            assert sizes[["small", "medium", "large"].index(firework["size"])] in title
            ponds = sum(row.count("X") for row in firework["shape"])
            counted = numbers(form)
            assert ponds in (sum(counted), counted[0] * counted[-1], sum(counted) + counted[-1])
        first = next(text for text in texts(section("dice", "options", language)) if "(" in text)
        assert all(say(f"dice.shape.{name}") in first for name in data["fireworks"]["first_game"])
    assert len(table("dice", "launch", language)) == len(shapes)
    ponds = [pond for row in data["lake"]["ponds"] for pond in row.split()]
    zones = Counter(letter.upper() for pond in ponds for letter in pond[:2])
    assert set(zones.values()) == {18}
    assert {9, 6, 18} <= set(numbers(" ".join(texts(section("dice", "setup", language)))))
    pavilions = sum(letter.islower() for pond in ponds for letter in pond[:2])
    platforms = sum("#" in pond for pond in ponds)
    answers = [numbers(text) for text in texts(section("dice", "platform", language))]
    assert [pavilions, data["gifts"]["at_start"]] in answers
    assert [platforms] in answers
    boats = sum("^" in pond for pond in ponds)
    assert [boats, 4] in [numbers(text) for text in texts(section("dice", "scoring", language))]


@each_language
def test_dice_tells_the_emperor_cards_of_its_box(language: str) -> None:
    """The words of the table are these actions; whoever changes a card changes its words."""
    actions = {
        "1": {"A": (1, "on_a_die", "one_unshaded_pond"), "B": (1, "any", "next_to_firework")},
        "2": {"A": (2, "any", "one_unshaded_pond"), "B": (1, "on_no_die", "anywhere")},
        "3": {"A": (2, "different", "anywhere"), "B": (3, "same", "half_shaded")},
    }
    data = standard("dice").data["emperor"]
    assert {
        card: {side: tuple(each.values()) for side, each in sides.items()} for card, sides in data.items()
    } == actions
    for card, cost, *sides in table("dice", "emperor", language):
        assert numbers(cost) == [int(card)]
        for told, (zones, _, _) in zip(sides, actions[card].values(), strict=True):
            assert numbers(told) == ([zones] if (card, zones) != ("2", 2) else [])  # both zones of a pond


@each_language
def test_lumens_states_the_numbers_of_its_box(language: str) -> None:
    data = standard("lumens").data
    board, tokens, _ = texts([block for block in section("lumens", "setup", language) if isinstance(block, ListBlock)])
    expected = []
    for name in ("two", "large"):
        rows = data["boards"][name]["rows"]
        expected += [len(rows[0]), len(rows), len(set("".join(rows)) - {"."})]
        central = data["boards"][name]["central"]
        assert "".join(rows).count(central) == 9
    assert numbers(board) == expected
    kinds = data["tokens"]["each_colour"]
    assert {one + other for one, other, _ in kinds} == {7}
    assert numbers(tokens) == [
        sum(count for *_, count in kinds),
        *(face for one, other, _ in kinds for face in (one, other)),
        7,
    ]
    assert {count for *_, count in kinds} == {8}
    assert sum(count for *_, count in kinds) - 1 in numbers(" ".join(texts(section("lumens", "turn", language))))
    score = data["scoring"]
    first, second = table("lumens", "scoring", language)
    assert (numbers(first[1]), numbers(first[2])) == ([score["first"]], [score["first"]])
    assert (numbers(second[1]), numbers(second[2])) == ([score["second"]], [0])
    assert score["second_from_players"] == 3


@each_language
def test_iles_states_the_numbers_of_its_box(language: str) -> None:
    data = standard("iles").data
    for row in table("iles", "setup", language):
        players, tiles, drawn = map(int, row)
        assert tiles == data["setup"]["tiles_of_each_kind"][str(players)] == 4 * drawn
    assert {len(pile) for pile in data["islands"].values()} == {20}
    assert len(data["dreams"]) * data["setup"]["copies_of_each_dream"] == 20
    told = {title: numbers(points) for title, points in table("iles", "scoring", language)}
    dreams = data["dreams"]
    with speaking(language):
        for name, dream in dreams.items():
            found = told.pop(say(f"iles.category.{name}"))
            match dream:
                case {"each": points} | {"each_tile_face_down": points}:
                    assert found == [points]
                case {"exactly": [_, one, two]}:
                    assert found[:4] == [1, one, 2, two]
                case {"distinct_gems_per_column": [_, *points]} | {"distinct_gems_per_row": [_, *points]}:
                    assert found == [1, 2, 3, *points]
                case _:
                    raise AssertionError(dream)
    assert not told
    rules = [numbers(text) for text in texts([section("iles", "scoring", language)[1]])]
    assert rules == [
        [],
        [data["scoring"]["palm"]],
        [data["scoring"]["rokh_and_egg"]],
        [-data["scoring"]["brigand_if_most"]],
    ]


@each_text
def test_the_numbers_of_players_are_those_of_the_game(game: str, language: str) -> None:
    least, most, *_ = numbers(next(texts(section(game, "options", language))))
    assert (least, most) == (registry.game(game).players[0], registry.game(game).players[-1])


# The words


@each_text
def test_no_straight_quotes_and_no_double_spaces(game: str, language: str) -> None:
    for text in whole(read(game, language)):
        assert not re.search(r"""["'`]|  |\.\.\.| $|^ """, text), text


@each_game
def test_french_has_a_space_after_its_signs(game: str) -> None:
    for text in whole(read(game, "fr")):
        assert not re.search(r"[:;!?](?! |$)", text), text


@each_game
def test_english_has_no_space_before_its_signs(game: str) -> None:
    for text in whole(read(game, "en")):
        assert not re.search(r"\s[:;!?,.]", text), text


def rulebooks() -> list[Path]:
    return sorted(path for folder in (ROOT, ROOT.parent) for path in (folder / "shared" / "rulebooks").glob("*.txt"))


@each_text
def test_no_sentence_is_taken_from_a_rulebook(game: str, language: str) -> None:
    if not rulebooks():
        pytest.skip("the printed rulebooks are not ours to ship, and are not here")
    size = 8

    def phrases(text: str) -> set[tuple[str, ...]]:
        said = re.findall(r"\w+", text.lower().replace("œ", "oe"))
        return {tuple(said[i : i + size]) for i in range(len(said) - size + 1)}

    printed = {phrase for path in rulebooks() for phrase in phrases(path.read_text(encoding="utf-8"))}
    assert printed
    shared = {" ".join(each) for text in whole(read(game, language)) for each in phrases(text) & printed}
    assert not shared
