"""1001 Îles as data: whole games, what is hidden, sentences, positions that are typed in and editions."""

from __future__ import annotations

import copy
import json
from typing import Any

import msgspec
import naive_iles as naive
import numpy as np
import pytest
from iles_positions import DATA, PLAYERS, ROWS, built, played, random_game, start
from plain_data import plain
from tiers import IS_DEEP

from lampion.engine.rng import new_rng
from lampion.games.core import EVERYTHING, SPECTATOR, BadComponents, BadPosition
from lampion.games.editions import edition
from lampion.games.move_types import sentence
from lampion.games.registry import game
from lampion.locale import speaking
from lampion.play import Position

# Whole games


@pytest.mark.parametrize("players", PLAYERS)
def test_a_game_keeps_its_facts_and_ends_within_its_longest(players: int) -> None:
    for seed in range(20):
        position = random_game(players, seed)
        assert position.ply <= game("iles").longest
        while position.ply:
            assert position.broken_fact() is None
            position.pop()


@pytest.mark.parametrize(("players", "moves"), [(3, 128), (4, 176), (5, 224)])
def test_three_and_more_players_always_make_as_many_moves(players: int, moves: int) -> None:
    assert random_game(players, 11).ply == moves


@pytest.mark.parametrize("players", PLAYERS)
def test_score_and_cells_agree_with_the_naive_ones(players: int) -> None:
    compared, games = 0, 32 if IS_DEEP else 8
    for seed in range(games):
        position = random_game(players, seed)
        while position.ply:
            view = plain(position)
            outcome = position.count()
            shown = [{name: n for name, n in each.items() if n} for each in outcome.categories]
            assert shown == naive.score(DATA, view)
            assert outcome.scores == [sum(each.values()) for each in shown]
            assert outcome.ranks == naive.places(DATA, view, shown)
            if view["step"] == "take" and view["open"] in ROWS:
                cells = naive.cells_for(view["seats"][position.actor], ROWS.index(view["open"]))
                assert {move.column for move in position.legal_moves} - {None} == cells
            compared += 1
            position.pop()
            if position.ply:
                position.pop()
    assert compared > 1900 * games // 32


@pytest.mark.parametrize("players", PLAYERS)
def test_an_all_seeing_view_is_the_whole_position(players: int) -> None:
    position = random_game(players, 2)
    while position.ply:
        view = json.loads(msgspec.json.encode(position.view(EVERYTHING)))
        assert Position.from_view("iles", players, {"first": 0}, view).bytes() == position.bytes()
        position.pop()


@pytest.mark.parametrize("players", PLAYERS)
def test_moves_keep_their_meaning_in_every_writing(players: int) -> None:
    position = random_game(players, 5)
    while position.ply:
        position.pop()
        for id in position.legal_ids():
            move = position.move(id)
            assert position.id_of(move) == id
            assert position.id_of(position.notation(id)) == id
            assert position.id_of(json.loads(msgspec.json.encode(move))) == id


def test_a_view_and_features_tell_nothing_that_is_hidden() -> None:
    position, rng = random_game(2, 8), new_rng(8)
    hidden = 0
    while position.ply:
        position.pop()
        for viewer in (0, 1, SPECTATOR):
            other = position.concealed(viewer, rng)
            hidden += other.bytes() != position.bytes()
            assert plain(other, viewer) == plain(position, viewer)
            assert other.text(viewer) == position.text(viewer)
            if viewer != SPECTATOR:
                assert np.array_equal(other.features(viewer), position.features(viewer))
            if 0 <= viewer == position.actor:
                assert list(other.legal_ids()) == list(position.legal_ids())
            assert other.broken_fact() is None
    assert hidden > 60


@pytest.mark.parametrize("players", [2, 4])
def test_every_event_is_told_in_both_languages(players: int) -> None:
    position = random_game(players, 4)
    again, names, told = start(players), [f"N{seat}" for seat in range(players)], set()
    for seat, move in position.moves:
        for event in again.push(move, seat):
            told.add(event.kind)
            for language in ("en", "fr"):
                with speaking(language):
                    text = sentence(game("iles"), event, names, box=None)
                assert text
                assert "{" not in text
    own = {"hid", "showed", "turned_up", "put_away"} if players == 2 else {"named"}
    assert own | {"opened", "drew", "took", "laid", "dreamt", "flipped", "lookout", "end"} == told


def test_the_picture_in_text_counts_the_tiles_of_every_pile() -> None:
    position = random_game(3, 2)
    while position.ply:
        position.pop()
        piles = plain(position)["piles"]
        with speaking("en"):
            first = position.text(EVERYTHING).splitlines()[0]
        words = {"top": "top", "centre": "centre", "bottom": "bottom", "dream": "dreams"}
        assert first.endswith(", ".join(f"{words[name]} {piles[name]['tiles']}" for name in words))


# Positions and components that somebody types in


def broken(change: Any) -> str:
    """The fact that a changed view breaks."""
    view = plain(played(built(2, {"top": "plm ppl", "centre": "mf", "bottom": "", "dream": "rokh"}), "top", "+bfE"))
    change(view)
    with pytest.raises(BadPosition) as error:
        Position.from_view("iles", 2, None, view)
    return error.value.key


def set_in(*path: Any, value: Any) -> Any:
    def change(view: Any) -> None:
        for key in path[:-1]:
            view = view[key]
        view[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "fact"),
    [
        (set_in("lookout", value=2), "players"),
        (set_in("lookout", value=None), "step"),
        (set_in("step", value="name"), "table"),
        (set_in("waiting", value=[0]), "step"),
        (set_in("piles", "top", "rounds", value=5), "rounds"),
        (set_in("piles", "top", "rounds", value=0), "rounds"),
        (set_in("piles", "centre", "rounds", value=2), "taken"),
        (set_in("seats", 0, "island", 1, 0, value=None), "taken"),
        (set_in("seats", 0, "island", 0, 1, "down", value=True), "lamps"),
        (set_in("seats", 0, "island", value=[]), "islands"),
        (set_in("seats", 0, "dreams", value=["rokh", "rokh", "rokh"]), "tiles"),
        (set_in("seats", 0, "dreams", value=[]), "taken"),
        (set_in("table", value=[None, None]), "table"),
        (set_in("table", 0, "secret", value=False), "table"),
        (set_in("table", 0, "tile", value="rokh"), "tiles"),
        (set_in("table", 0, "tile", value=20), "tiles"),
        (set_in("piles", "top", "tiles", value=20), "field"),
        (set_in("piles", "dream", "away", value=[]), "field"),
        (set_in("seats", 0, "points", "palms", value=9), "field"),
        (set_in("turned_up", value=0), "table"),
    ],
)
def test_a_broken_position_is_refused_with_the_fact_it_breaks(change: Any, fact: str) -> None:
    assert broken(change) == ("error.position_field" if fact == "field" else f"iles.fact.{fact}")


def test_an_island_that_does_not_hang_together_is_refused() -> None:
    with pytest.raises(BadPosition, match="character board"):
        built(3, {"top": "- pD"})
    with pytest.raises(BadPosition, match="third lamp"):
        built(3, {"top": "pD!"})


def changed(*path: Any, value: Any) -> Any:
    data = copy.deepcopy(dict(DATA))
    where: Any = data
    for key in path[:-1]:
        where = where[key]
    if value is None:
        del where[path[-1]]
    else:
        where[path[-1]] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "reason", "name"),
    [
        (("islands", "top"), ["pD"], "components.count", "islands.top"),
        (("islands", "top", 3), "pX", "iles.components.element", "islands.top[3]"),
        (("islands", "top", 3), "", "iles.components.elements", "islands.top[3]"),
        (("islands", "top", 3), "ppppp", "iles.components.elements", "islands.top[3]"),
        (("islands", "top", 3), "ll", "iles.components.lamps", "islands.top[3]"),
        (("islands", "top", 3), 7, "components.text", "islands.top[3]"),
        (("islands", "middle"), [], "components.unknown", "islands.middle"),
        (("islands", "bottom"), None, "components.missing", "islands.bottom"),
        (("dreams", "camel"), None, "components.missing", "dreams.camel"),
        (("dreams", "cow"), {}, "components.unknown", "dreams.cow"),
        (("dreams", "camel", "of"), "e", "iles.components.of", "dreams.camel.of"),
        (("dreams", "camel", "each"), "4", "components.whole", "dreams.camel.each"),
        (("dreams", "camel", "each"), -1, "components.range", "dreams.camel.each"),
        (("dreams", "camel", "exactly"), [1], "components.unknown", "dreams.camel.exactly"),
        (
            ("dreams", "gem_rows", "distinct_gems_per_row"),
            [0, 2],
            "iles.components.points",
            "dreams.gem_rows.distinct_gems_per_row",
        ),
        (("scoring", "palm"), True, "components.whole", "scoring.palm"),
        (("scoring", "brigand_if_most"), 1, "components.range", "scoring.brigand_if_most"),
        (("setup", "copies_of_each_dream"), 3, "iles.components.fixed", "setup.copies_of_each_dream"),
        (("setup", "tiles_of_each_kind", "4"), 12, "iles.components.fixed", "setup.tiles_of_each_kind.4"),
        (("characters", "names", 1), "Elias", "iles.components.character", "characters.names[1]"),
        (("extra",), 1, "components.unknown", "extra"),
    ],
)
def test_a_broken_edition_is_refused_by_the_line_that_breaks_it(path: Any, value: Any, reason: str, name: str) -> None:
    with pytest.raises(BadComponents) as error:
        edition(game("iles"), changed(*path, value=value))
    assert (error.value.key, error.value.values["name"]) == (reason, name)
    assert name in str(error.value)


def test_another_edition_is_played_and_scored_by_its_own_numbers() -> None:
    data = changed("dreams", "monkey", value={"each": 9, "of": "m"})
    position = Position("iles", players=3, options={"first": 0}, components=data)
    for move in (
        "dream",
        "+monkey",
        "+lamp",
        "+lamp",
        "0",
        ">1",
        "1",
        "2",
        "top",
        "+3",
        "+0",
        "+1",
        "0@0",
        ">0",
        "1@0",
    ):
        position.push(move)
    assert position.count().categories[0]["monkey"] == 0
    assert position.count().categories[2]["palms"] == 1
    view = plain(built(3, {"top": "pm", "dream": "monkey"}))
    for seat in view["seats"]:
        del seat["points"]  # they are another edition's
    position = Position.from_view("iles", 3, {"first": 0}, view, components=data)
    assert position.count().categories[0]["monkey"] == 9


def test_both_languages_have_the_same_words() -> None:
    folder = game("iles").folder
    words = [json.loads((folder / f"{language}.json").read_text(encoding="utf-8")) for language in ("en", "fr")]
    assert list(words[0]) == list(words[1])
