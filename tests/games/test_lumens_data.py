"""Lumens as data: what is hidden, events, sentences, pictures, positions that are typed in and editions."""

from __future__ import annotations

import json
import random
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pytest
from lumens_positions import PLAYERS, opened, rewritten, table, targets, tiny
from plain_data import as_tuples, plain

from lampion.arena.simulate_random import simulate
from lampion.engine.rng import new_rng
from lampion.games.core import CHANCE, EVERYTHING, SPECTATOR, BadComponents, BadPosition, UnreadableMove
from lampion.games.editions import edition, standard
from lampion.games.move_types import notation, parse, sentence
from lampion.games.registry import game
from lampion.locale import speaking
from lampion.play import Position, Seeded, compiled_calls

# What is hidden


def test_view_of_a_seat_holds_no_other_hand() -> None:
    position = opened()
    for viewer in (0, 1, 2, SPECTATOR):
        hands = [seat.hand for seat in position.view(viewer).seats]
        assert [hand is not None for hand in hands] == [seat == viewer for seat in range(3)]


def test_kinds_that_were_placed_are_public_covered_ones_too() -> None:
    position = table(2, {(0, 8): "a3 a6", (3, 8): "a5 b1"})
    assert position.view(SPECTATOR).seats[0].left == [7, 7, 7]


@pytest.mark.parametrize("viewer", [0, 1, 2, SPECTATOR])
def test_concealing_changes_nothing_that_the_viewer_sees(viewer: int) -> None:
    position = opened()
    hands = set()
    for seed in range(40):
        world = position.concealed(viewer, new_rng(seed))
        assert world.broken_fact() is None
        assert world.view(viewer) == position.view(viewer)
        if viewer >= 0:
            assert np.array_equal(world.features(viewer), position.features(viewer))
        hands.add(tuple(seat.hand for seat in world.view(EVERYTHING).seats))
        again = world.concealed(viewer, new_rng(7))
        assert again.bytes() == position.concealed(viewer, new_rng(7)).bytes()
    assert len(hands) > 5


def test_concealed_hands_follow_the_counts_of_unseen_tokens() -> None:
    position = table(2, {}, turns=18, hands={1: 2})
    left = position.view(0).seats[1].left
    drawn = Counter(position.concealed(0, new_rng(s)).view(EVERYTHING).seats[1].hand for s in range(1000))
    for kind in range(3):
        assert abs(drawn[kind] / 1000 - left[kind] / sum(left)) < 0.06


def test_only_the_drawer_tells_draws_apart() -> None:
    position = table(2, {(0, 8): "a3"}, hands={0: 0})
    position.push("1@3,8")
    ids = position.legal_ids(CHANCE)
    codes = {
        viewer: {
            compiled_calls.seen_at(position._boxes, position._states, position.ply, CHANCE, id, viewer) for id in ids
        }
        for viewer in (0, 1, SPECTATOR)
    }
    assert [len(codes[viewer]) for viewer in (0, 1, SPECTATOR)] == [3, 1, 1]
    shown = position.push_rows(int(ids[0]), CHANCE)
    assert shown[0][-1] == 1 << 0


# Events, words, pictures


def test_events_tell_sums_and_who_leads() -> None:
    position = table(2, {(0, 8): "a4", (4, 8): "b6"}, hands={0: 1})
    assert as_tuples(position.push("5@4,8")) == [
        ("placed", 0, "4,8", 5, "line"),
        ("covered", 1, "4,8", 6, "line"),
        ("sum", 1, "8", 0, "covering"),
        ("sum", 0, "8", 5, "placing"),
        ("leads", 0, "8", 5, "alone"),
    ]
    tied = table(2, {(0, 8): "a4", (5, 8): "b5"}, hands={0: 1})
    assert as_tuples(tied.push("5@4,8"))[-2:] == [("leads", 0, "8", 5, "tied"), ("leads", 1, "8", 5, "tied")]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_event_has_its_sentence(language: str) -> None:
    with speaking(language):
        for seed in range(3):
            position = Position("lumens", players=4)
            chance, choose = Seeded(seed), random.Random(seed)
            while not position.is_over:
                move = choose.choice(list(position.legal_moves)) if position.actor >= 0 else None
                events = position.push_chance(chance) if move is None else position.push(move)
                for event in events:
                    text = sentence(position.game, event, ["Ada", "Bo", "Cy", "Di"], box=position.edition.box)
                    assert text.endswith(".")
                    assert "{" not in text


def test_a_sentence_names_the_room_of_a_cell_or_the_nearest_one() -> None:
    position = table(2, {(0, 8): "a4", (12, 0): "b1"}, hands={0: 1})
    with speaking("en"):
        for move, told in (("5@0,4", "the passage beside the heart room"), ("5@4,8", "the anchor room")):
            event = position.copy().push(move)[0]
            text = sentence(position.game, event, ["Ada", "Bo"], box=position.edition.box)
            assert text == f"Ada puts a 5 in {told}."


@pytest.mark.parametrize("players", PLAYERS)
def test_moves_round_trip_through_ids_notation_and_data(players: int) -> None:
    position = Position("lumens", players=players)
    chance, choose = Seeded(2), random.Random(2)
    moves = position.game.notation
    while not position.is_over:
        for id in position.legal_ids():
            move = position.move(id)
            assert position.id_of(move) == id
            assert parse(position.game, notation(move)) == move
            assert msgspec.convert(json.loads(msgspec.json.encode(move)), moves.Move) == move
        if position.actor == CHANCE:
            position.push_chance(chance)
        else:
            position.push(choose.choice(list(position.legal_moves)))


@pytest.mark.parametrize(
    "text", ["", "pass", "5", "5@", "5@3", "5@3,7,1", "@3,7", "55@3,7", "+", "+12", "face:", "٣@٣,٣"]
)
def test_what_is_no_move_is_refused_with_examples(text: str) -> None:
    with pytest.raises(UnreadableMove) as caught:
        opened().push(text)
    assert "5@3,7" in str(caught.value)


@pytest.mark.parametrize("players", PLAYERS)
def test_view_of_everything_is_a_position(players: int) -> None:
    position = Position("lumens", players=players)
    chance, choose = Seeded(4), random.Random(4)
    while not position.is_over:
        again = Position.from_view("lumens", players, None, plain(position))
        assert again.bytes() == position.bytes()
        if position.actor == CHANCE:
            position.push_chance(chance)
        else:
            position.push(choose.choice(list(position.legal_moves)))


def test_text_picture_shows_tokens_rooms_and_the_viewers_hand() -> None:
    position = table(2, {(0, 8): "a3", (4, 8): "a6 b5"}, hands={0: 0, 1: 2})
    with speaking("en"):
        lines = position.text(0, ["Ada", "Bo"]).splitlines()
    assert lines[9].split() == ["8", "a3", "7", "·", "·", "b5|", "8", "8", "8", "8", "·", "·", "9", "9"]
    assert "8 anchor room: b5" in lines[14]
    assert lines[15].startswith("> a Ada: 4 points now")
    assert "hand 1/6" in lines[15]
    assert "hand" not in lines[16]


@pytest.mark.parametrize("players", PLAYERS)
def test_drawing_is_svg_and_shows_only_what_the_viewer_sees(players: int) -> None:
    position = opened(players)
    for viewer in (0, SPECTATOR, EVERYTHING):
        ElementTree.fromstring(position.svg(viewer, ["A & B"] * players))
    pictures = {position.concealed(SPECTATOR, new_rng(seed)).svg(SPECTATOR) for seed in range(10)}
    assert len(pictures) == 1


# What must hold


@pytest.mark.parametrize("players", PLAYERS)
def test_what_must_hold_holds_at_every_move(players: int) -> None:
    run = simulate(standard("lumens"), players, 300, seed=players, threads=1, check=True)
    assert run.longest <= 48 * players + 1 <= game("lumens").longest


def changed(view: Any, change: Callable[[Any], Any]) -> Any:
    change(view)
    return view


@pytest.mark.parametrize(
    ("fact", "change"),
    [
        ("players", lambda view: view["seats"].pop()),
        ("players", lambda view: view.update(active=None)),
        ("players", lambda view: view.update(first=None)),
        ("players", lambda view: view.update(first=2)),
        ("cells", lambda view: view["cells"][0].update(x=13)),
        ("cells", lambda view: view["cells"].append(view["cells"][0])),
        ("cells", lambda view: view["cells"][0].update(tokens=[])),
        ("cells", lambda view: view["cells"][0]["tokens"].extend(2 * [{"seat": 0, "face": 1}])),
        ("cells", lambda view: view["cells"][0]["tokens"][0].update(seat=2)),
        ("cells", lambda view: view["cells"][0]["tokens"][0].update(face=7)),
        ("starts", lambda view: view["cells"][0].update(x=1)),
        ("starts", lambda view: view["cells"][0].update(tokens=[{"seat": 1, "face": 1}])),
        ("tokens", lambda view: view["seats"][0].update(left=[8, 8, 7])),
        ("tokens", lambda view: view["seats"][0].update(left=[8, 8])),
        ("tokens", lambda view: view["seats"][0].update(left=[0, 16, 7])),
        ("tokens", lambda view: view["seats"][0].update(hand=3)),
        ("tokens", lambda view: view["cells"][0]["tokens"][0].update(face=2)),
        ("hands", lambda view: view["seats"][1].update(holding=False, hand=None)),
        ("hands", lambda view: view["seats"][1].update(holding=False)),
        ("hands", lambda view: view.update(step="draw")),
        ("turns", lambda view: view.update(active=1)),
        ("turns", lambda view: view.update(step="ended", active=None)),
        ("out", lambda view: view["seats"][1].update(out=True)),
    ],
)
def test_broken_position_is_refused_with_the_fact(fact: str, change: Callable[[Any], Any]) -> None:
    view = plain(table(2, {(0, 8): "a3", (0, 0): "a4", (3, 8): "b3"}))
    view["cells"].sort(key=lambda cell: cell["tokens"] != [{"seat": 0, "face": 3}])
    if fact == "out":
        view["seats"][0]["out"] = False
    view["rooms"] = {}
    with pytest.raises(BadPosition) as caught:
        Position.from_view("lumens", 2, None, changed(view, change))
    expected = {f"lumens.fact.{fact}"} | ({"lumens.fact.turns"} if fact == "out" else set())
    assert caught.value.key in expected
    assert str(caught.value)


def test_sets_of_cells_must_be_those_of_the_tokens() -> None:
    for field in ("owned", "shows", "closed"):
        position = opened()
        cells = position.state[field]
        cells.flat[0] ^= 1
        assert position.broken_fact() == "sets"
    for band, bit in ((2, 0), (3, 50), (0, 63)):
        position = opened()
        position.state.targets[band] ^= -1 << 63 if bit == 63 else 1 << bit
        assert position.broken_fact() == "targets"
    for field in ("owned", "shows"):
        position = opened()
        position.state[field][0, 3] ^= -1 << 63
        assert position.broken_fact() == "sets"
    position = opened()
    position.state.sums[0, 0] += 1
    assert position.broken_fact() == "sums"


# Components


@pytest.mark.parametrize(
    ("name", "value", "reason", "line"),
    [
        ("walls", {}, "components.unknown", "walls"),
        ("tokens", None, "components.missing", "tokens"),
        ("tokens.colours", 4, "components.unknown", "tokens.colours"),
        ("tokens.each_colour", [[1, 6, 24]], "components.count", "tokens.each_colour"),
        ("tokens.each_colour.1", [2, 5], "lumens.components.token", "tokens.each_colour[1]"),
        ("tokens.each_colour.1", [2, 7, 8], "components.range", "tokens.each_colour[1]"),
        ("tokens.each_colour.1", [2, 6, 8], "lumens.components.face", "tokens.each_colour[1]"),
        ("tokens.each_colour.1", [2, 5, 9], "components.count", "tokens.each_colour"),
        ("tokens.each_colour.1", [2, 5, "8"], "components.whole", "tokens.each_colour[1]"),
        ("boards.two", None, "lumens.components.no_board", "boards"),
        ("boards.two.name", "small", "components.unknown", "boards.two.name"),
        ("boards.two.players", [2, 3], "components.missing", "boards.two.starts.3"),
        ("boards.large.players", [2, 3, 4], "lumens.components.twice", "boards.large.players"),
        ("boards.two.players", [5], "components.range", "boards.two.players"),
        ("boards.two.rows", "11..22", "components.list", "boards.two.rows"),
        ("boards.two.rows", ["111", "..."], "lumens.components.rows", "boards.two.rows"),
        ("boards.two.rows", ["." * 13] * 16, "lumens.components.rows", "boards.two.rows"),
        ("boards.two.rows", ["." * 13] * 9, "lumens.components.no_rooms", "boards.two.rows"),
        ("boards.two.rows.2", "." * 16, "lumens.components.columns", "boards.two.rows[2]"),
        ("boards.two.rows.2", "." * 12, "lumens.components.uneven", "boards.two.rows[2]"),
        ("boards.two.rows.2", "......?......", "lumens.components.cell", "boards.two.rows[2]"),
        ("boards.two.rows.2", "......C......", "lumens.components.cell", "boards.two.rows[2]"),
        ("boards.two.rows.2", "......5......", None, ""),
        ("boards.two.rows.2", "......9......", "lumens.components.area", "boards.two.rows"),
        ("boards.two.rows.2", 5, "components.text", "boards.two.rows[2]"),
        ("boards.two.central", "B", "lumens.components.central", "boards.two.central"),
        ("boards.two.starts.2", [[0, 8]], "components.count", "boards.two.starts.2"),
        ("boards.two.starts.2", [[0, 9], [12, 0]], "components.range", "boards.two.starts.2[0]"),
        ("boards.two.starts.2", [[0, 8], [12]], "lumens.components.place", "boards.two.starts.2[1]"),
        ("boards.two.starts.2", [[0, 8], [0, 8]], "lumens.components.same_start", "boards.two.starts.2[1]"),
        ("boards.two.starts.3", [[0, 8]], "components.unknown", "boards.two.starts.3"),
        ("scoring.first", 0, "components.range", "scoring.first"),
        ("scoring.second", 5, "components.range", "scoring.second"),
        ("scoring.second_from_players", None, "components.missing", "scoring.second_from_players"),
        ("scoring.third", 1, "components.unknown", "scoring.third"),
    ],
)
def test_broken_edition_is_refused_with_the_line(name: str, value: Any, reason: str | None, line: str) -> None:
    data = rewritten(name, value)
    if reason is None:
        edition(game("lumens"), data)
        return
    with pytest.raises(BadComponents) as caught:
        edition(game("lumens"), data)
    assert (caught.value.key, caught.value.values["name"]) == (reason, line)
    for language in ("en", "fr"):
        with speaking(language):
            assert line in str(caught.value)


def test_another_edition_is_played_on_its_own_board() -> None:
    position = Position("lumens", players=2, options={"first": 0}, components=tiny())
    for move in ("+0", "+2", "face:1", "face:3", "+0", "+1"):
        position.push(move)
    assert targets(position) == {(0, 2), (0, 1), (1, 2)}
    position.push("6@0,1")
    assert [seat["room_1"] for seat in position.count().categories] == [4, 0]
    assert position.broken_fact() is None
    assert not position.edition.is_standard
