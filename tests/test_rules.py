"""The rules that players read: the same in both languages, true to box and game, in our own words."""

from __future__ import annotations

import re
import sys
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

sys.path.append(str(Path(__file__).parent / "games"))  # the tests of a game know how to set up its positions

import test_dice
import test_iles
import test_lanternes
import test_lumens

from lampion.cli import main
from lampion.cli.rules_text import NoRules, show_rules
from lampion.games import art, core, registry
from lampion.games.dice.state import SHEET_LETTERS
from lampion.games.editions import standard
from lampion.games.lanternes.state import EXCHANGE_BOATS, HAND_LIMIT
from lampion.games.rulebook import (
    Block,
    BoldRun,
    GlyphRun,
    HeadingBlock,
    ListBlock,
    ParagraphBlock,
    Rules,
    Run,
    TableBlock,
    nearest_rules,
    parsed,
    rules_text,
)
from lampion.locale import LANGUAGES, catalogue, say, speaking
from lampion.play import Position
from lampion.testing import wander

ROOT = Path(__file__).resolve().parents[1]
GAMES = ("lanternes", "dice", "lumens", "iles")
EVERY = [(game, language) for game in GAMES for language in LANGUAGES]
FIRST, LAST = ["goal", "setup", "turn"], ["end", "scoring", "ties", "options", "choices", "words"]

each_game = pytest.mark.parametrize("game", GAMES)
each_language = pytest.mark.parametrize("language", LANGUAGES)
each_text = pytest.mark.parametrize(("game", "language"), EVERY)


def read(game: str, language: str = "en") -> Rules:
    text = rules_text(registry.game(game), language)
    assert text is not None
    return parsed(text, game, language)


def section(game: str, id: str, language: str = "en") -> list[Block]:
    return next(each.blocks for each in read(game, language).sections if each.id == id)


def words(runs: Sequence[Run]) -> str:
    """Runs as one text, glyphs by their letters."""
    return "".join(run.glyph if isinstance(run, GlyphRun) else run.text for run in runs)


def texts(blocks: Sequence[Block]) -> Iterator[str]:
    """All that can be read in blocks, piece by piece."""
    for block in blocks:
        match block:
            case ParagraphBlock(runs):
                yield words(runs)
            case HeadingBlock(text):
                yield text
            case ListBlock(_, items):
                yield from map(words, items)
            case TableBlock(head, rows):
                yield from (words(cell) for row in [head, *rows] for cell in row)


def whole(rules: Rules) -> Iterator[str]:
    yield rules.name
    yield from texts(rules.introduction)
    for each in rules.sections:
        yield each.title
        yield from texts(each.blocks)


def numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


def table(game: str, id: str, language: str, index: int = 0) -> list[list[str]]:
    """The rows of a table in a section."""
    tables = [block for block in section(game, id, language) if isinstance(block, TableBlock)]
    return [[words(cell) for cell in row] for row in tables[index].rows]


def example(game: str, id: str, language: str) -> str:
    """The paragraph of a section that is its example."""
    found = [
        words(block.runs)
        for block in section(game, id, language)
        if isinstance(block, ParagraphBlock) and block.runs[0] in (BoldRun("Example."), BoldRun("Exemple."))
    ]
    assert len(found) == 1
    return found[0]


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


# Examples: what they say, played


def test_the_example_of_a_swap_makes_four_of_a_kind() -> None:
    position = test_lanternes.table(active=0, first=0, step="exchange", cards={0: "RRRB"}, boats={0: 3})
    position.push("B>R")
    assert "RRRR" in test_lanternes.written(position)
    position.push("RRRR")
    assert position.view(core.SPECTATOR).seats[0].points["four"] == 8


def test_the_example_of_a_tile_gives_what_it_says() -> None:
    def placed(cards: dict[int, str]) -> tuple[list[str], list[int]]:
        position = test_lanternes.table(active=0, first=0, hand=["WBKB*"], cards=cards)
        return test_lanternes.gained(position, f"{test_lanternes.tile('WBKB*')}@1,0/0")

    assert placed({}) == (["BK", "B", "W", "B"], [1, 0, 0, 0])
    assert placed({2: "BBBBBBB"}) == (["BK", "", "W", ""], [1, 0, 0, 0])


@pytest.mark.parametrize(("turn", "faces"), [(0, "RW"), (1, "BG")])
def test_the_example_of_the_tray_shows_these_dice(turn: int, faces: str) -> None:
    position = test_dice.rolled(Position("dice", players=2), "RBWG")
    position.push(f"turn:{turn}")
    assert "".join(str(seat.faces) for seat in position.view(core.SPECTATOR).seats) == faces


def test_the_example_of_a_platform_ends_with_a_gift() -> None:
    position = test_dice.table(test_dice.seat("d5b", step="die"), test_dice.seat(), dice="WORP")
    assert "d5a" in test_dice.named(position)
    position.push("d5a", 0)
    assert {name[:2] for name in test_dice.named(position)} == {"d4", "d6", "c5", "e5", "pa"}
    assert ("gift", 0) in [(kind, seat) for kind, seat, *_ in test_dice.told(position.push("c5a", 0))]


def test_the_example_of_an_emperor_action_goes_on_in_the_pond_its_platform_began() -> None:
    seat = test_dice.seat("c2b c1b i1b", gifts=3, step="emperor")
    position = test_dice.table(seat, test_dice.seat(), sides="AAB")
    for move in ("E3", "c2a", "d2b"):
        position.push(move, 0)
    assert position.view(core.SPECTATOR).seats[0].gifts == 2
    assert "d2a" in test_dice.named(position)


@each_language
def test_the_example_of_a_score_in_dice_adds_up(language: str) -> None:
    *_, fireworks, group, boats, total = (found := numbers(example("dice", "scoring", language)))
    assert found[:3] == [5, 4, 3]
    assert (fireworks, group, boats) == (sum(found[:3]), sorted(found[3:6])[-2], 4)
    assert fireworks + group + boats == total
    shaded = "a1 b1 c1 d1 e1 f1 g1 h1 i1 a3 b3 c3 d3 e3 f3 a5 b5"
    assert test_dice.scored(shaded)["second_group"] == group


@each_language
def test_the_examples_of_sums_in_a_room_score_what_they_say(language: str) -> None:
    rows = table("lumens", "scoring", language, 1)
    assert len(rows) == 4
    for sums, points in rows:
        tokens = []
        for seat, text in enumerate(sums.split(", ")):
            rest = int(text) if text.isdigit() else 0
            while rest:
                tokens.append(f"{'abc'[seat]}{min(6, rest)}")
                rest -= min(6, rest)
        assert test_lumens.in_room_5(3, *tokens) == numbers(points)


def test_the_example_of_lines_from_a_corner_is_right() -> None:
    def open_cells(**tokens: str) -> set[tuple[int, int]]:
        cells = {(0, 0): "a4"} | {(int(at[1]), int(at[2])): token for at, token in tokens.items()}
        return test_lumens.targets(test_lumens.table(4, cells)) - {(0, 0)}

    assert open_cells() == {(4, 0), (0, 4)}
    assert (4, 0) not in open_cells(c20="b1")
    assert (4, 0) in open_cells(c40="b1")


@each_language
def test_the_example_island_scores_what_it_says(language: str) -> None:
    rows = {"top": "pc lmm! bbo pp", "centre": "mm rs pE plf!", "bottom": "rc pr ppm bblo"}
    outcome = test_iles.built(3, rows | {"dream": "camel monkey snake genie"}, step="ended").outcome()
    assert outcome is not None
    *parts, total = numbers(example("iles", "scoring", language))
    worth = outcome.categories[0]
    assert parts == [worth[name] for name in ("camel", "monkey", "snake", "genie", "palms", "pairs", "brigands")]
    assert sum(parts) == total == outcome.scores[0]


def test_the_example_of_laying_leaves_one_column_each() -> None:
    for pile, column in (("top", 0), ("centre", 1)):
        position = test_iles.revealed(test_iles.built(3, {"centre": "mf"}), pile)
        assert test_iles.columns(position) == {column}


# What is easily overlooked: told in both languages, and so in play


def tells(game: str, id: str, language: str, *phrases: str) -> bool:
    """Whether one piece of a section has all these phrases."""
    return any(all(phrase in text for phrase in phrases) for text in texts(section(game, id, language)))


def test_nobody_starts_with_a_boat_and_boats_never_run_out() -> None:
    assert tells("lanternes", "setup", "en", "Nobody starts with a boat", "they never run out")
    assert tells("lanternes", "setup", "fr", "Personne ne commence avec un bateau", "ils ne manquent jamais")
    for players in registry.game("lanternes").players:
        assert {seat.boats for seat in Position("lanternes", players).view(core.SPECTATOR).seats} == {0}
    position = test_lanternes.table(active=0, first=0, hand=["WBKB*"], boats=dict.fromkeys(range(4), 20))
    assert test_lanternes.gained(position, f"{test_lanternes.tile('WBKB*')}@1,0/0")[1] == [1, 0, 0, 0]


def test_a_boats_pond_may_be_shaded_and_the_boat_then_scores_nothing() -> None:
    assert tells("dice", "die", "en", "A boat’s pond may be shaded like any other", "scores nothing")
    assert tells("dice", "die", "fr", "Le bassin d’un bateau peut être noirci", "ne rapporte alors plus rien")
    position = test_dice.table(test_dice.seat("b1 a2 c2 b3", step="die"), test_dice.seat(), dice="GGGG")
    assert position.count().categories[0]["boats"] == 4
    position.push("b2a", 0)
    assert position.count().categories[0]["boats"] == 0


def test_two_players_may_use_the_same_emperor_action_in_a_turn() -> None:
    assert tells("dice", "emperor", "en", "Two players may use the same action in the same turn")
    assert tells("dice", "emperor", "fr", "Deux joueurs peuvent utiliser la même action au même tour")
    position = test_dice.table(*[test_dice.seat(step="emperor")] * 2)
    for seat in (0, 1):
        told = test_dice.told(position.push("E1", seat))
        assert ("action", seat, "1A", 1, "choice") in told


@each_language
def test_two_boats_are_what_an_exchange_costs(language: str) -> None:
    """They are paid, wherever the exchange is named: asked for, in the notation and on the page."""
    pays = {
        "en": re.compile(r"\bpays? 2 boats\b", re.IGNORECASE),
        "fr": re.compile(r"\bpa\w+ 2 bateaux", re.IGNORECASE),
    }
    for key in ("step.exchange", "notation", "web.give", "event.boats.exchange"):
        assert pays[language].search(catalogue(language)[f"lanternes.{key}"]), key


# The text as data


def marked(runs: Sequence[Run]) -> str:
    """Runs as Markdown."""
    forms = {"text": "{text}", "bold": "**{text}**", "glyph": "{{glyph:{glyph}}}"}
    return "".join(forms[run["kind"]].format(**run) for run in msgspec.to_builtins(runs))


def wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(text, 120, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def written(block: Block) -> str:
    """A block as Markdown."""
    match block:
        case ParagraphBlock(runs):
            return wrapped(marked(runs))
        case HeadingBlock(text):
            return f"### {text}"
        case ListBlock(ordered, items):
            bullets = [f"{number}. " if ordered else "- " for number in range(1, len(items) + 1)]
            return "\n".join(wrapped(mark + marked(item), "  ") for mark, item in zip(bullets, items, strict=True))
        case TableBlock(head, rows):
            lines = [[marked(cell) for cell in row] for row in [head, *rows]]
            shown = ["| " + " | ".join(line) + " |" for line in lines]
            return "\n".join([shown[0], "|" + "---|" * len(head), *shown[1:]])
    raise AssertionError(block)


@each_text
def test_what_was_parsed_writes_the_same_file_again(game: str, language: str) -> None:
    rules = read(game, language)
    parts = [f"# {rules.name}", *map(written, rules.introduction)]
    for each in rules.sections:
        steps = f' steps="{" ".join(each.steps)}"' if each.steps else ""
        parts += [f"## {each.title} {{#{each.id}{steps}}}", *map(written, each.blocks)]
    assert "\n\n".join(parts) + "\n" == rules_text(registry.game(game), language)


@each_text
def test_rules_keep_their_sense_on_their_way_through_json(game: str, language: str) -> None:
    rules = read(game, language)
    assert msgspec.json.decode(msgspec.json.encode(rules), type=Rules) == rules


@pytest.mark.parametrize(
    "slip",
    [
        "no name\n",
        "# Name\n\n## Title without an id\n",
        "# Name\n\n## Title {#UPPER}\n",
        "# Name\n\nA *slanted* word.\n",
        "# Name\n\nAn **open mark.\n",
        "# Name\n\nA {glyph:X} that is none.\n",
        "# Name\n\nA [link](elsewhere).\n",
        "# Name\n\n### Heading\nwithout a line between\n",
        "# Name\n\n| a | b |\n|---|---|\n| 1 |\n",
    ],
)
def test_a_slip_in_the_markdown_is_found(slip: str) -> None:
    with pytest.raises(ValueError, match=r".{10}"):
        parsed(slip, "game", "en")


@pytest.fixture
def without_rules() -> core.Game:
    """A game beside whose components no rules lie."""
    return replace(registry.game("dice"), components=art)


def test_a_game_without_rules_has_none(without_rules: core.Game) -> None:
    assert all(rules_text(without_rules, language) is None for language in LANGUAGES)
    assert nearest_rules(without_rules, "en") is None


def test_a_language_without_rules_has_none() -> None:
    assert rules_text(registry.game("dice"), "de") is None
    assert rules_text(registry.game("dice"), "../dice/rules.en") is None


def test_rules_are_found_in_another_language_where_ones_own_has_none() -> None:
    assert nearest_rules(registry.game("dice"), "de") == ("en", rules_text(registry.game("dice"), "en"))


@each_game
def test_the_texts_lie_in_the_package_of_their_game(game: str) -> None:
    found = {each.name for each in resources.files(f"lampion.games.{game}").iterdir() if each.name.endswith(".md")}
    assert found == {f"rules.{language}.md" for language in LANGUAGES}


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


# The command


@each_text
def test_the_command_prints_every_section(game: str, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["rules", game, "--lang", language])
    out = capsys.readouterr().out
    for each in read(game, language).sections:
        assert f"{each.title}  ({each.id})" in out
    assert max(map(len, out.splitlines())) <= 100
    assert not re.search(r"^\s*[:;!?»]", out, flags=re.MULTILINE)


def test_the_command_prints_one_section(capsys: pytest.CaptureFixture[str]) -> None:
    main(["rules", "lanternes", "--section", "ties", "--lang", "fr"])
    out = capsys.readouterr().out
    assert out.startswith("Égalités  (ties)\n")
    assert "bateaux" in out
    assert "(goal)" not in out


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (["lanternes", "--section", "nothing"], "goal, setup, turn"),
        (["../dice"], "dice, "),
    ],
)
def test_the_command_says_why_there_is_nothing_to_read(
    asked: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(["rules", *asked, "--lang", "en"])
    out, err = capsys.readouterr()
    assert (end.value.code, out) == (2, "")
    assert reason in err


def test_the_command_prints_the_rules_of_a_game_of_another_package(capsys: pytest.CaptureFixture[str]) -> None:
    for language, name, title in (("en", "Fireflies", "Your turn"), ("fr", "Lucioles", "Votre tour")):
        main(["rules", "fireflies", "--lang", language])
        out = capsys.readouterr().out
        assert out.startswith(name)
        assert f"{title}  (turn)" in out


def test_the_command_refuses_a_game_without_rules(without_rules: core.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "game", lambda name: without_rules)
    with speaking("en"), pytest.raises(NoRules, match="dice"):
        show_rules("dice")
