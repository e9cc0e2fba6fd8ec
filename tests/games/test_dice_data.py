"""Lanternes Dice as data: moves, positions that are typed in, sentences, pictures and editions."""

from __future__ import annotations

import copy
import json
import random
import xml.etree.ElementTree as ElementTree
from collections import Counter
from typing import Any

import msgspec
import naive_dice as naive
import numpy as np
import pytest
from dice_positions import DATA, FIRST_GAME, PLAYERS, firework, keen, play_on, seat, table
from plain_data import plain
from tiers import daily

from lampion.games.core import CHANCE, EVERYTHING, BadComponents, BadPosition, IllegalMove
from lampion.games.core import UnreadableMove as Unreadable
from lampion.games.dice.state import SHAPE_NAMES
from lampion.games.editions import edition
from lampion.games.move_types import sentence
from lampion.games.registry import game
from lampion.locale import catalogue, speaking
from lampion.play import Position, Seeded


def test_every_move_has_a_notation_a_form_in_json_and_an_id() -> None:
    kinds = set()
    for players in PLAYERS:
        position = Position("dice", players, {"fireworks": "random", "sides": "random"})
        for now in play_on(position, players):
            for move in now.legal_moves:
                kinds.add(type(move))
                id = now.id_of(move)
                written = now.notation(id)
                assert now.move(id) == move
                assert now.id_of(written) == id
                assert now.id_of(json.loads(msgspec.json.encode(move))) == id
    assert len(kinds) == 9


@pytest.mark.parametrize(
    "garbage",
    ["", "a7a", "j1a", "a1", "a1c", "E4", "E0", "turn:4", "+K", "+4A", "+1C", "+moon", "square@", "square@a", "moon@a1",
     "PASS", "reroll:1", {"kind": "shade"}, {"kind": "shade", "zone": "a1a"}, {"kind": "moon"}, 3.5, None],
)  # fmt: skip
def test_what_is_no_move_is_refused_and_changes_nothing(garbage: Any) -> None:
    position = table(seat(step="die"), seat(step="die"))
    before = position.bytes()
    with pytest.raises(Unreadable):
        position.push(garbage)
    assert position.bytes() == before


@pytest.mark.parametrize(
    "move",
    [{"kind": "shade", "zone": 108}, {"kind": "shade", "zone": -1}, {"kind": "emperor", "card": 4},
     {"kind": "turn", "r": 4}, {"kind": "side", "card": 0, "side": "A"},
     {"kind": "launch", "shape": "square", "ponds": [0, 1, 9, 99]},
     {"kind": "launch", "shape": "square", "ponds": []}, {"kind": "roll", "colour": "R"}, "a1b", "E1", "turn:0"],
)  # fmt: skip
def test_a_move_that_cannot_be_made_now_is_refused_and_changes_nothing(move: Any) -> None:
    position = table(seat(step="die"), seat(step="die"), dice="WWWW")
    before = position.bytes()
    with pytest.raises(IllegalMove):
        position.push(move)
    assert position.bytes() == before


def test_typed_dice_are_chance_moves() -> None:
    position = Position("dice", 2)
    for letter in "RGBW":
        position.push({"kind": "roll", "colour": letter}, CHANCE)
    assert plain(position)["dice"] == list("RGBW")


@pytest.mark.parametrize("players", PLAYERS)
def test_a_view_can_be_set_up_again_and_hides_nothing(players: int) -> None:
    options = {"fireworks": "random", "sides": "random", "sheets": "CDAB"[:players]}
    for number, position in enumerate(play_on(Position("dice", players, options), 20 + players)):
        if number % 4 == 0:
            data = json.loads(msgspec.json.encode(position.view(EVERYTHING)))
            assert Position.from_view("dice", players, options, data) == position
            assert all(plain(position) == msgspec.to_builtins(position.view(viewer)) for viewer in range(-1, players))


BROKEN: list[tuple[str, dict[str, Any]]] = [
    ("players", {"players": 2, "seats": []}),
    ("sheets", {"seats.1.sheet": "A"}),
    ("setup", {"sides": ["A", "A"]}),
    ("setup", {"sides": ["A", "A", None]}),
    ("setup", {"turn": 99}),
    ("setup", {"turn": 20}),
    ("setup", {"step": "final"}),
    ("setup", {"stacks": []}),
    ("stacks", {"stacks.0.left": [3, 2, 2, 1, 1, 1]}),
    ("stacks", {"stacks.0.left": [3, 2, 2, 1, 1]}),
    ("zones", {"seats.0.shaded": [108]}),
    ("zones", {"seats.0.shaded": [4, 4]}),
    ("gifts", {"seats.0.gifts": 2}),
    ("gifts", {"seats.0.gifts": -1}),
    ("fireworks", {"seats.0.fireworks": [{"shape": "corner", "ponds": [0, 1, 9], "tile": 0}]}),
    ("fireworks", {"seats.0.fireworks": [{"shape": "corner", "ponds": [0, 1, 2], "tile": 0}]}),
    ("dice", {"dice": ["R", "R", "R", None]}),
    ("dice", {"dice": ["R"]}),
    ("step", {"seats.0.step": "emperor", "seats.0.gifts": 0}),
    ("step", {"seats.0.step": "launch"}),
    ("step", {"seats.1.step": "bonus"}),
    ("step", {"seats.1.step": "bonus", "seats.1.platform": 20, "seats.1.shaded": [40, 41]}),
    ("step", {"seats.1.step": "die", "seats.1.platform": 20, "seats.1.shaded": [40, 41]}),
    ("step", {"seats.0.step": "turn"}),
    ("step", {"seats.0.step": None, "seats.1.step": None}),
    ("step", {"seats.0.platform": 3}),
    ("step", {"seats.0.platform": 4}),
    ("step", {"seats.0.action": {"card": 1, "left": 1}}),
    ("step", {"seats.0.step": "action", "seats.0.action": {"card": 1, "left": 2}}),
    ("step", {"seats.0.step": "action", "seats.0.action": {"card": 1, "left": 1, "colours": "R"}}),
    ("step", {"seats.0.step": "action", "seats.0.action": {"card": 3, "left": 2, "colours": "RG"}}),
    ("step", {"seats.0.step": "action", "seats.0.action": {"card": 3, "left": 2, "colours": "R", "pond": 3}}),
    ("step", {"seats.0.step": "action", "seats.0.action": {"card": 4, "left": 1}}),
]


@pytest.mark.parametrize(("fact", "changes"), BROKEN)
def test_a_position_that_cannot_be_is_refused_with_the_fact_it_breaks(fact: str, changes: dict[str, Any]) -> None:
    good = plain(table(seat("a1a", step="die"), seat(step="die"), dice="RRRR"))
    with pytest.raises(BadPosition) as refused:
        Position.from_view("dice", 2, None, changed(good, changes))
    assert refused.value.key == f"dice.fact.{fact}"


@pytest.mark.parametrize(
    ("field", "value", "shown"),
    [
        ("turns", 9, "turns"),
        ("active", 1, "active"),
        ("bonus", "B", "bonus"),
        ("seats.0.corner", 3, "seats[0].corner"),
        ("seats.1.faces", "B", "seats[1].faces"),
        ("seats.0.bonuses", "WWWWWWWWWW", "seats[0].bonuses"),
        ("seats.0.spent", 3, "seats[0].spent"),
        ("seats.0.points", {"boats": 4}, "seats[0].points.boats"),
        ("seats.0.points", {"fame": 1}, "seats[0].points.fame"),
        ("seats.0.fireworks.0.points", 1, "seats[0].fireworks"),
    ],
)
def test_a_field_that_disagrees_with_the_rest_of_the_position_is_named(field: str, value: Any, shown: str) -> None:
    good = plain(
        table(
            seat("a1 b1 a2", step="die", gifts=1, fireworks=[firework("corner", "a1 b1 a2", 0)]),
            seat(step="die"),
            dice="RRRR",
            turn=2,
        )
    )
    Position.from_view("dice", 2, None, good)
    with pytest.raises(BadPosition) as refused:
        Position.from_view("dice", 2, None, changed(good, {field: value}))
    assert refused.value.key == "error.position_field"
    assert refused.value.values["field"] == shown


def test_the_fireworks_option_must_be_that_of_the_position() -> None:
    others = ["bar", "hook", "zigzag", "cup"]
    for fireworks in (FIRST_GAME, others):
        view = plain(table(seat(step="die"), seat(step="die"), fireworks=fireworks))
        is_first = fireworks == FIRST_GAME
        assert Position.from_view("dice", 2, None, view).options["fireworks"] == (
            "first_game" if is_first else sorted(others, key=SHAPE_NAMES.index)
        )
        Position.from_view("dice", 2, {"fireworks": fireworks[::-1]}, view)
        assert Position.from_view("dice", 2, {"fireworks": "random"}, view).options["fireworks"] == "random"
        for option in ("first_game", FIRST_GAME, others):
            if is_first != (option in ("first_game", FIRST_GAME)):
                with pytest.raises(BadPosition) as refused:
                    Position.from_view("dice", 2, {"fireworks": option}, view)
                assert refused.value.key == "error.position_option"


def test_fireworks_that_are_still_being_drawn_are_left_to_chance() -> None:
    position = Position("dice", 2, {"fireworks": "random"})
    position.push_chance(Seeded(1))
    view = plain(position)
    assert view["step"] == "fireworks"
    assert Position.from_view("dice", 2, None, view).options["fireworks"] == "random"
    with pytest.raises(BadPosition, match="first_game"):
        Position.from_view("dice", 2, {"fireworks": "first_game"}, view)


@pytest.mark.parametrize("players", PLAYERS)
def test_only_the_active_seat_is_ever_at_the_bonus_also_at_a_platform(players: int) -> None:
    waiting = 0
    for number in range(3):
        for position in play_on(Position("dice", players), number):
            view = position.view(EVERYTHING)
            for who, sheet in enumerate(view.seats):
                if who != view.active:
                    assert sheet.step != "bonus"
                    waiting += sheet.platform is not None
    assert waiting > 1


def changed(data: Any, changes: dict[str, Any]) -> Any:
    """Data with some values changed, by dotted name."""
    data = copy.deepcopy(data)
    for name, value in changes.items():
        *path, last = name.split(".")
        at = data
        for part in path:
            at = at[int(part) if isinstance(at, list) else part]
        at[int(last) if isinstance(at, list) else last] = value
    return data


def test_fireworks_may_not_overlap_nor_outnumber_the_turns() -> None:
    two = [firework("corner", "a1 b1 a2", 0), firework("corner", "b1 b2 a2", 1)]
    with pytest.raises(BadPosition, match=r"overlap"):
        table(seat("a1 b1 a2 b2", gifts=0, fireworks=two), seat(), step="ended", turn=22)
    apart = [firework("corner", "a1 b1 a2", 0), firework("corner", "d1 e1 d2", 1)]
    sheet = seat("a1 b1 a2 d1 e1 d2", gifts=0, fireworks=apart)
    with pytest.raises(BadPosition, match=r"more fireworks"):
        table(sheet, seat(step="die"), turn=1)
    table(sheet, seat(step="die"), turn=3)


def test_every_event_has_its_sentence_in_both_languages() -> None:
    kinds = set()
    position = Position("dice", 3, {"fireworks": "random", "sides": "random"})
    rng, chance = random.Random(3), Seeded(3)
    events = position.opening(EVERYTHING)
    for _ in range(12):
        position = Position("dice", 3, {"fireworks": "random", "sides": "random"})
        while not position.is_over:
            if position.actor == CHANCE:
                events += position.push_chance(chance)
            else:
                who = rng.choice(position.pending)
                lively = rng.random() < 0.7
                events += position.push(
                    keen(position, who, rng) if lively else rng.choice(position.legal_moves_of(who)), who
                )
        chance = Seeded(rng.randrange(100))
    for event in events:
        kinds.add((event.kind, event.why))
        for language in ("fr", "en"):
            with speaking(language):
                said = sentence(position.game, event, ["Ana", "Ben", "Cleo"], box=position.edition.box)
            assert said
            assert "{" not in said
    assert {kind for kind, _ in kinds} >= {kind.name for kind in position.game.events.EVENTS} - {"emptied"}


def test_the_two_languages_have_the_same_words() -> None:
    position = Position("dice", 2)
    assert position.game.name == "dice"
    english, french = ({k for k in catalogue(name) if k.startswith("dice.")} for name in ("en", "fr"))
    assert english == french
    for fact in position.game.invariants:
        assert f"dice.fact.{fact}" in english
    for category in position.game.categories:
        assert f"dice.category.{category}" in english


@pytest.mark.parametrize("players", daily(PLAYERS, 4))
@pytest.mark.parametrize("language", ["en", "fr"])
def test_pictures_show_every_sheet_and_are_well_formed(players: int, language: str) -> None:
    names = ["Ana", "Ben", "Cleo & co", "Dan"][:players]
    with speaking(language):
        options = {"fireworks": "random", "sides": "random"}
        for number, position in enumerate(play_on(Position("dice", players, options), 30)):
            if number % 40 == 0 or position.is_over:
                text = position.text(EVERYTHING, names)
                assert all(name in text for name in names)
                for viewer in range(-2, players):
                    ElementTree.fromstring(position.svg(viewer, names))


def test_a_position_has_no_byte_that_is_not_a_field() -> None:
    fields = game("dice").state.fields
    assert fields is not None
    assert sum(field[0].itemsize for field in fields.values()) == game("dice").state.itemsize


def test_features_show_the_own_sheet_first_and_are_finite() -> None:
    position = table(seat("a1a", step="die"), seat("b1b c1a", step="die"), dice="RGBW")
    own, other = position.features(0), position.features(1)
    assert len(own) == game("dice").features
    assert own[: 2 * 54].nonzero()[0].tolist() == [0]
    assert other[: 2 * 54].nonzero()[0].tolist() == [2, 54 + 1]
    for now in play_on(Position("dice", 4), 2):
        if now.ply % 25 == 0:
            assert all(np.isfinite(now.features(who)).all() for who in range(4))


# Components

GOOD = json.loads(json.dumps(DATA))
WRONG: list[tuple[str, str, Any]] = [
    ("unknown", "lamps", {}),
    ("unknown", "lake.boats", 5),
    ("count", "lake.ponds", GOOD["lake"]["ponds"][:5]),
    ("count", "lake.ponds.0", "WB RO"),
    ("pond", "lake.ponds.0", GOOD["lake"]["ponds"][0].replace("OB#", "OB!")),
    ("pond", "lake.ponds.0", GOOD["lake"]["ponds"][0].replace("WB", "W")),
    ("colour", "lake.ponds.0", GOOD["lake"]["ponds"][0].replace("WB", "WK")),
    ("one_colour", "lake.ponds.0", GOOD["lake"]["ponds"][0].replace("WB", "Ww")),
    ("shore", "lake.ponds.0", GOOD["lake"]["ponds"][0].replace("WB", "WB^")),
    ("diagonals", "lake.diagonals.2", "/\\/\\"),
    ("text", "lake.ponds.3", 7),
    ("list", "lake.ponds", "WB"),
    ("table", "sheets", []),
    ("missing", "sheets.D", None),
    ("count", "sheets.A.all", "RGPOW"),
    ("colour", "sheets.B.two", "OPGK"),
    ("range", "gifts.at_start", -1),
    ("whole", "gifts.at_start", "1"),
    ("slots", "gifts.slots", 12),
    ("unknown", "fireworks.moon", {}),
    ("missing", "fireworks.bar", None),
    ("word", "fireworks.bar.size", "tiny"),
    ("shape", "fireworks.bar.shape", ["X.X", "..."]),
    ("shape", "fireworks.bar.shape", ["XYX"]),
    ("cells", "fireworks.bar.shape", ["X"]),
    ("twins", "fireworks.corner.shape", ["X", "X", "X"]),
    ("forms", "fireworks.cup.shape", ["XX..", ".XXX"]),
    ("count", "fireworks.bar.values", [3, 2, 1]),
    ("order", "fireworks.bar.values", [3, 3, 2, 2, 1, 2]),
    ("range", "fireworks.bar.values", [3, 3, 2, 2, 1, 0]),
    ("first_game", "fireworks.first_game", ["bar", "bar", "cup", "tee"]),
    ("first_game", "fireworks.first_game", ["bar", "cup", "tee"]),
    ("first_game", "fireworks.first_game", ["bar", "cup", "tee", "moon"]),
    ("unknown", "emperor.4", {}),
    ("missing", "emperor.2.B", None),
    ("range", "emperor.1.A.zones", 4),
    ("word", "emperor.1.A.colour", "red"),
    ("word", "emperor.1.A.where", "here"),
]


@pytest.mark.parametrize(("reason", "name", "value"), WRONG)
def test_components_that_are_wrong_are_refused_by_name(reason: str, name: str, value: Any) -> None:
    data = copy.deepcopy(GOOD)
    if value is None:
        *path, last = name.split(".")
        at = data
        for part in path:
            at = at[part]
        del at[last]
    else:
        data = changed(data, {name: value}) if name.partition(".")[0] in data else data | {name: value}
    with pytest.raises(BadComponents) as refused:
        edition(game("dice"), data)
    assert refused.value.code == reason
    stem = name.rstrip("0123456789").rstrip(".") if name.startswith("lake") else name
    assert stem in str(refused.value)


def test_a_draw_needs_fireworks_of_every_size() -> None:
    data = copy.deepcopy(GOOD)
    for shape in ("cross", "cup"):
        data["fireworks"][shape]["size"] = "medium"
    with pytest.raises(BadComponents, match="large"):
        edition(game("dice"), data)


def test_our_lake_is_what_the_docs_say() -> None:
    every = [naive.code(DATA, p) for p in naive.PONDS]
    colours = Counter(letter.upper() for text in every for letter in text[:2])
    assert colours == dict.fromkeys("WORPBG", 18)
    assert Counter(letter for text in every for letter in text[:2] if letter.islower()) == dict.fromkeys("worpbg", 2)
    assert sum(text.endswith("#") for text in every) == 12
    assert sum(text.endswith("^") for text in every) == 5
