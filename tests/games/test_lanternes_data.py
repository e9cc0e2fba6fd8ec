"""Lanternes as data: what is hidden, editions and sentences."""

from __future__ import annotations

import copy
import random
from collections import Counter
from typing import Any

import naive_lanternes as naive
import pytest
from lanternes_positions import CODES, DATA

from lampion.engine.rng import new_rng
from lampion.games.core import CHANCE, EVERYTHING, SPECTATOR, BadComponents
from lampion.games.editions import edition, standard
from lampion.games.move_types import Event, sentence
from lampion.games.registry import game
from lampion.locale import LANGUAGES, speaking
from lampion.play import Position, Seeded


class TestSecrets:
    def test_others_are_told_that_a_tile_was_drawn_but_not_which(self) -> None:
        position = Position("lanternes", 2, {"first": 0})
        events = {viewer: position.preview("+16", CHANCE, viewer)[0] for viewer in (0, 1, SPECTATOR)}
        assert [events[viewer].thing for viewer in (0, 1, SPECTATOR)] == ["BRKG", None, None]
        with speaking("en"):
            assert sentence(position.game, events[1], ["Ada", "Ben"], box=position.edition.box) == "Ada draws a tile."

    def test_a_view_names_only_the_own_hand(self) -> None:
        position = Position("lanternes", 3)
        position.push_chances(Seeded(1))
        view = position.view(1)
        assert [seat.hand is not None for seat in view.seats] == [False, True, False]
        others = {tile for seat in (0, 2) for tile in position.view(EVERYTHING).seats[seat].hand}
        assert others <= set(view.unseen)

    def test_every_unseen_tile_is_equally_likely_in_an_other_hand(self) -> None:
        position = Position("lanternes", 2, {"first": 0})
        position.push_chances(Seeded(1))
        rng = new_rng(1)
        worlds = 4000
        held = Counter(n for _ in range(worlds) for n in position.concealed(0, rng).view(EVERYTHING).seats[1].hand)
        unseen = position.view(0).unseen
        assert set(held) == set(unseen)
        expected = worlds * 3 / len(unseen)
        chi_square = sum((held[n] - expected) ** 2 / expected for n in unseen)
        assert chi_square < 60  # 31 degrees of freedom: passed by chance once in a thousand times


def changed(path: str, value: Any) -> dict[str, Any]:
    """The components with one entry changed; ... takes it away."""
    data: dict[str, Any] = copy.deepcopy(dict(DATA))
    *way, name = path.split(".")
    inner: Any = data
    for part in way:
        inner = inner[int(part)] if isinstance(inner, list) else inner[part]
    at = int(name) if isinstance(inner, list) else name
    if value is ...:
        del inner[at]
    else:
        inner[at] = value
    return data


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (changed("tiles.lake.4", "WKO"), 'tiles.lake[4]: "WKO" has 3 sides; a tile has four.'),
        (changed("tiles.lake.4", "WKOKW"), 'tiles.lake[4]: "WKOKW" has 5 sides; a tile has four.'),
        (changed("tiles.lake.4", "WKOX"), 'tiles.lake[4]: "WKOX" has the unknown colour X; colours are WORPBGK.'),
        (changed("tiles.lake.4", 7), "tiles.lake[4]: 7 must be a text."),
        (changed("tiles.lake.4", ...), "tiles.lake has 34 entries; there must be 35."),
        (changed("tiles.lake", "WKOK"), "tiles.lake must be a list."),
        (changed("tiles.start", ...), "tiles.start is missing."),
        (
            changed("tiles.start", "RWKR"),
            'tiles.start: "RWKR": the start tile has exactly one red side and no platform.',
        ),
        (
            changed("tiles.start", "RWKB*"),
            'tiles.start: "RWKB*": the start tile has exactly one red side and no platform.',
        ),
        (changed("tiles.colour", "R"), "tiles.colour means nothing here."),
        (changed("rewards.neutral", [[5, 0], [4, 0]]), "rewards.neutral: neutral rewards all have the same points."),
        (changed("rewards.three_pairs.2", 8), 'rewards.three_pairs[2]: "8": a reward is [points, dots].'),
        (
            changed("rewards.three_pairs.2", [10, 0]),
            "rewards.three_pairs[2]: 10 points lie under 8; the highest lies on top.",
        ),
        (changed("rewards.three_pairs.2", [0, 0]), "rewards.three_pairs[2]: 0 must be from 1 to 100."),
        (changed("rewards.three_pairs", []), "rewards.three_pairs has 0 entries"),
        (
            changed("setup.2.tiles_removed", 12),
            "setup.2.tiles_removed: with 12 tiles removed, 2 players do not place equally",
        ),
        (changed("setup.3.cards_per_colour", True), "setup.3.cards_per_colour: true must be a whole number."),
        (changed("setup.4", ...), "setup.4 is missing."),
        (changed("setup", [1]), "setup must be a table of names and values."),
        (changed("extra", 1), "extra means nothing here."),
    ],
)
def test_a_broken_components_file_is_refused_by_name(data: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadComponents) as caught:
        edition(game("lanternes"), data)
    with speaking("en"):
        assert str(caught.value).startswith(reason)
    with speaking("fr"):
        assert str(caught.value)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_edition_has_no_more_tiles_than_there_is_room_for(players: int) -> None:
    """A lake in a line has the longest border: with the most tiles that are accepted, the list of moves still fits."""
    accepted = []
    for removed in range(36):
        try:
            accepted.append(edition(game("lanternes"), changed(f"setup.{players}.tiles_removed", removed)))
        except BadComponents:
            continue
    assert standard("lanternes").hash in {each.hash for each in accepted}
    position = Position("lanternes", players, {"first": 0}, components=accepted[0])
    chance, dice = Seeded(1), random.Random(1)
    most = 0
    while not position.is_over:
        position.push_chances(chance)
        if position.pending:
            view = position.view(EVERYTHING)
            if view.step == "place":
                turns = sum(len(looks(CODES[n])) for n in view.seats[position.actor].hand)
                most = max(most, 4 * len(view.seats[position.actor].hand) * (2 * len(view.lake) + 2))
                assert len(position.legal_ids()) == turns * (2 * len(view.lake) + 2)
            line = [move for move in position.legal_moves if getattr(move, "y", 0) == len(view.lake)]
            position.push(dice.choice(line or list(position.legal_moves)))
        assert position.broken_fact() is None
    assert most <= game("lanternes").most


def looks(code: str) -> set[tuple[str, ...]]:
    """The different ways a tile can look."""
    return {tuple(naive.Tile(code, turn).sides.values()) for turn in range(4)}


def test_another_edition_is_played_with_its_own_tiles() -> None:
    data = changed("setup.2.cards_per_colour", 9)
    position = Position("lanternes", 2, {"first": 0}, components=data)
    assert position.view(SPECTATOR).supply["G"] == 9
    assert not position.edition.is_standard


def test_every_sentence_of_a_turn_in_both_languages() -> None:
    events = [Event("boats", 0, None, number, "own_platform") for number in (1, 2)]
    said = {}
    for language in LANGUAGES:
        with speaking(language):
            said[language] = [sentence(game("lanternes"), event, ["Zoé"], box=None) for event in events]
    assert said == {"en": ["Zoé receives a boat.", "Zoé receives 2 boats."], "fr": said["fr"]}
    assert len(set(said["fr"])) == 2


@pytest.mark.parametrize(
    ("event", "english", "french"),
    [
        (
            Event("placed", 0, "WGOG*", 0, "choice"),
            "Zoé places a tile (white, green, orange, green; with a platform).",
            "Zoé pose une tuile (blanc, vert, orange, vert\u202f; avec un ponton).",
        ),
        (
            Event("rewarded", 0, "seven", 10, "combination"),
            "Zoé pays a set of seven colours and takes 10 points.",
            "Zoé paie sept couleurs et marque 10 points.",
        ),
        (
            Event("took", 0, "O", 1, "exchange"),
            "Zoé takes an orange card for it.",
            "Zoé prend une carte orange à la place.",
        ),
    ],
)
def test_sentences_have_words_and_no_codes(event: Event, english: str, french: str) -> None:
    for language, text in (("en", english), ("fr", french)):
        with speaking(language):
            assert sentence(game("lanternes"), event, ["Zoé"], box=None) == text
