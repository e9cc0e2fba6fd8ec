"""The examples in the rules that players read, played; and what is easily overlooked there and in play."""

from __future__ import annotations

import re

import dice_positions as dice
import iles_positions as iles
import lanternes_positions as lanternes
import lumens_positions as lumens
import pytest
from plain_data import as_tuples
from read_rules import each_language, example, numbers, section, table, texts

from lampion.games import core, registry
from lampion.locale import catalogue
from lampion.play import Position

# Examples: what they say, played


def test_the_example_of_a_swap_makes_four_of_a_kind() -> None:
    position = lanternes.table(active=0, first=0, step="exchange", cards={0: "RRRB"}, boats={0: 3})
    position.push("B>R")
    assert "RRRR" in lanternes.written(position)
    position.push("RRRR")
    assert position.view(core.SPECTATOR).seats[0].points["four"] == 8


def test_the_example_of_a_tile_gives_what_it_says() -> None:
    def placed(cards: dict[int, str]) -> tuple[list[str], list[int]]:
        position = lanternes.table(active=0, first=0, hand=["WBKB*"], cards=cards)
        return lanternes.gained(position, f"{lanternes.tile('WBKB*')}@1,0/0")

    assert placed({}) == (["BK", "B", "W", "B"], [1, 0, 0, 0])
    assert placed({2: "BBBBBBB"}) == (["BK", "", "W", ""], [1, 0, 0, 0])


@pytest.mark.parametrize(("turn", "faces"), [(0, "RW"), (1, "BG")])
def test_the_example_of_the_tray_shows_these_dice(turn: int, faces: str) -> None:
    position = dice.rolled(Position("dice", players=2), "RBWG")
    position.push(f"turn:{turn}")
    assert "".join(str(seat.faces) for seat in position.view(core.SPECTATOR).seats) == faces


def test_the_example_of_a_platform_ends_with_a_gift() -> None:
    position = dice.table(dice.seat("d5b", step="die"), dice.seat(), dice="WORP")
    assert "d5a" in dice.named(position)
    position.push("d5a", 0)
    assert {name[:2] for name in dice.named(position)} == {"d4", "d6", "c5", "e5", "pa"}
    assert ("gift", 0) in [(kind, seat) for kind, seat, *_ in as_tuples(position.push("c5a", 0))]


def test_the_example_of_an_emperor_action_goes_on_in_the_pond_its_platform_began() -> None:
    seat = dice.seat("c2b c1b i1b", gifts=3, step="emperor")
    position = dice.table(seat, dice.seat(), sides="AAB")
    for move in ("E3", "c2a", "d2b"):
        position.push(move, 0)
    assert position.view(core.SPECTATOR).seats[0].gifts == 2
    assert "d2a" in dice.named(position)


@each_language
def test_the_example_of_a_score_in_dice_adds_up(language: str) -> None:
    *_, fireworks, group, boats, total = (found := numbers(example("dice", "scoring", language)))
    assert found[:3] == [5, 4, 3]
    assert (fireworks, group, boats) == (sum(found[:3]), sorted(found[3:6])[-2], 4)
    assert fireworks + group + boats == total
    shaded = "a1 b1 c1 d1 e1 f1 g1 h1 i1 a3 b3 c3 d3 e3 f3 a5 b5"
    assert dice.scored(shaded)["second_group"] == group


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
        assert lumens.in_room_5(3, *tokens) == numbers(points)


def test_the_example_of_lines_from_a_corner_is_right() -> None:
    def open_cells(**tokens: str) -> set[tuple[int, int]]:
        cells = {(0, 0): "a4"} | {(int(at[1]), int(at[2])): token for at, token in tokens.items()}
        return lumens.targets(lumens.table(4, cells)) - {(0, 0)}

    assert open_cells() == {(4, 0), (0, 4)}
    assert (4, 0) not in open_cells(c20="b1")
    assert (4, 0) in open_cells(c40="b1")


@each_language
def test_the_example_island_scores_what_it_says(language: str) -> None:
    rows = {"top": "pc lmm! bbo pp", "centre": "mm rs pE plf!", "bottom": "rc pr ppm bblo"}
    outcome = iles.built(3, rows | {"dream": "camel monkey snake genie"}, step="ended").outcome()
    assert outcome is not None
    *parts, total = numbers(example("iles", "scoring", language))
    worth = outcome.categories[0]
    assert parts == [worth[name] for name in ("camel", "monkey", "snake", "genie", "palms", "pairs", "brigands")]
    assert sum(parts) == total == outcome.scores[0]


def test_the_example_of_laying_leaves_one_column_each() -> None:
    for pile, column in (("top", 0), ("centre", 1)):
        position = iles.revealed(iles.built(3, {"centre": "mf"}), pile)
        assert iles.columns(position) == {column}


# What is easily overlooked: told in both languages, and so in play


def tells(game: str, id: str, language: str, *phrases: str) -> bool:
    """Whether one piece of a section has all these phrases."""
    return any(all(phrase in text for phrase in phrases) for text in texts(section(game, id, language)))


def test_nobody_starts_with_a_boat_and_boats_never_run_out() -> None:
    assert tells("lanternes", "setup", "en", "Nobody starts with a boat", "they never run out")
    assert tells("lanternes", "setup", "fr", "Personne ne commence avec un bateau", "ils ne manquent jamais")
    for players in registry.game("lanternes").players:
        assert {seat.boats for seat in Position("lanternes", players).view(core.SPECTATOR).seats} == {0}
    position = lanternes.table(active=0, first=0, hand=["WBKB*"], boats=dict.fromkeys(range(4), 20))
    assert lanternes.gained(position, f"{lanternes.tile('WBKB*')}@1,0/0")[1] == [1, 0, 0, 0]


def test_a_boats_pond_may_be_shaded_and_the_boat_then_scores_nothing() -> None:
    assert tells("dice", "die", "en", "A boat’s pond may be shaded like any other", "scores nothing")
    assert tells("dice", "die", "fr", "Le bassin d’un bateau peut être noirci", "ne rapporte alors plus rien")
    position = dice.table(dice.seat("b1 a2 c2 b3", step="die"), dice.seat(), dice="GGGG")
    assert position.count().categories[0]["boats"] == 4
    position.push("b2a", 0)
    assert position.count().categories[0]["boats"] == 0


def test_two_players_may_use_the_same_emperor_action_in_a_turn() -> None:
    assert tells("dice", "emperor", "en", "Two players may use the same action in the same turn")
    assert tells("dice", "emperor", "fr", "Deux joueurs peuvent utiliser la même action au même tour")
    position = dice.table(*[dice.seat(step="emperor")] * 2)
    for seat in (0, 1):
        told = as_tuples(position.push("E1", seat))
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
