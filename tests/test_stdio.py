"""`lampion stdio` as another program meets it: requests and answers."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest
from asking import WAYS, Caller, play_on, two_players

from lampion.games.registry import games
from lampion.locale import LANGUAGES, speaking

GAMES = tuple(games())


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with speaking("en"):
        yield


@pytest.fixture
def ask() -> Caller:
    return two_players()


def test_games_tells_what_can_be_played() -> None:
    told = {game["name"]: game for game in Caller()("games")["games"]}
    assert list(told) == list(GAMES)
    lanternes = told["lanternes"]
    assert lanternes["players"] == [2, 3, 4]
    assert lanternes["hidden"] is True
    assert lanternes["simultaneous"] is False
    assert lanternes["rules"] == games()["lanternes"].version
    assert len(lanternes["edition"]) == 64
    assert lanternes["options"][0] == {
        "name": "first",
        "default": {"2": "drawn", "3": "drawn", "4": "drawn"},
        "choices": {"2": ["drawn", 0, 1], "3": ["drawn", 0, 1, 2], "4": ["drawn", 0, 1, 2, 3]},
    }


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_played_to_the_end_in_every_way_to_write_a_move(name: str, way: str) -> None:
    ask = Caller()
    ask("new", game=name, players=games()[name].players[0], seed=1)
    events = play_on(ask, random.Random(1), way)
    result = ask("result")["result"]
    assert sum(result["shares"]) == pytest.approx(1)
    assert events
    assert ask.refused("play", move="nonsense") == "over"
    record = ask("record")["record"]
    other = Caller()
    assert other("load", record=record)["actor"] is None
    assert other("result")["result"] == result
    assert other("record")["record"] == record
    record["result"]["scores"][0] += 1
    assert other.refused("load", record=record) == "bad_record"


@pytest.mark.parametrize("name", GAMES)
def test_every_number_of_players_with_every_outcome_dealt_by_the_caller(name: str) -> None:
    for players in games()[name].players:
        ask = Caller()
        first = ask("new", game=name, players=players, chance="manual")
        assert first["actor"] == "chance"
        assert first["pending"] == []
        play_on(ask, random.Random(players))
        assert sum(ask("result")["result"]["shares"]) == pytest.approx(1)
        assert ask("record")["record"]["chance"] == {"kind": "manual"}


@pytest.mark.parametrize("name", GAMES)
def test_a_bot_is_refused_while_chance_is_due(name: str) -> None:
    ask, reasons = Caller(), set()
    for language in LANGUAGES:
        with speaking(language):
            ask("new", game=name, players=2, chance="manual")
            for seat in ({}, {"seat": 0}):
                answer = ask.send(json.dumps({"do": "bot", "level": "random", **seat}))
                assert answer["error"] == "out_of_turn"
                reasons.add(answer["reason"])
    assert len(reasons) == len(LANGUAGES)
    assert "A draw or a roll is due, which no bot makes: play one of chance's moves." in reasons


@pytest.mark.parametrize("name", GAMES)
def test_the_view_of_everything_can_be_set_up_again(name: str) -> None:
    ask, other = Caller(), Caller()
    players = games()[name].players[-1]
    options = ask("new", game=name, players=players, chance="manual")["options"]
    picks = random.Random(3)
    while ask("result")["result"] is None:
        other("set", game=name, players=players, options=options, position=ask.everything(), chance="manual")
        assert other.everything() == ask.everything()
        assert other("legal") == ask("legal")
        play_on(ask, picks, most=20)


def test_chance_moves_by_itself_unless_it_is_manual() -> None:
    ask = Caller()
    for how in ({"seed": 5}, {"chance": "entropy"}, {}):
        assert ask("new", game="lanternes", players=3, **how)["actor"] in (0, 1, 2)
        for _ in range(9):
            assert ask("play", move=ask.legal()[-1]["id"])["actor"] in (0, 1, 2)
        kind = ask("record")["record"]["chance"]["kind"]
        assert kind == ("seeded" if how == {"seed": 5} else "entropy")


def test_what_chance_did_is_among_the_events(ask: Caller) -> None:
    assert [event["kind"] for event in ask("play", move=ask.legal()[0]["id"])["events"]].count("drew") == 1
    opening = ask("new", game="lanternes", players=2, seed=1)["events"]
    assert [event["kind"] for event in opening] == ["first", "received", "received"] + ["drew"] * 6
    set_up = ask("new", game="lanternes", players=2, options={"first": 1}, chance="manual")["events"]
    assert [(event["kind"], event["seat"]) for event in set_up] == [("first", 1), ("received", 1), ("received", 0)]


def test_ids_alone_are_those_of_the_moves(ask: Caller) -> None:
    for seat in (None, 0, 1, "chance"):
        assert ask("legal", seat=seat, ids=True)["ids"] == [move["id"] for move in ask.legal(seat=seat)]


def test_the_outcomes_of_chance_have_weights() -> None:
    ask = Caller()
    ask("new", game="lanternes", players=4, chance="manual")
    assert [(move["notation"], move["weight"]) for move in ask.legal()] == [(f"first:{seat}", 1) for seat in range(4)]
    assert ask.legal(seat="chance") == ask.legal()
    assert ask.legal(seat=2) == []
    assert ask.refused("play", move="first:1", seat=1) == "out_of_turn"
    assert ask("play", move="first:1", seat="chance")["actor"] == "chance"


def test_the_same_seed_gives_the_same_game_and_another_seed_another() -> None:
    told = []
    for seed in (1, 1, 2):
        ask = Caller()
        ask("new", game="lanternes", players=4, seed=seed)
        play_on(ask, random.Random(1))
        told.append(ask("record")["record"]["moves"])
    assert told[0] == told[1] != told[2]


def test_events_are_told_as_their_viewer_may_know_them() -> None:
    drew = {}
    for viewer in (0, 1, None, "everybody"):
        ask = Caller()
        fields = {} if viewer == "everybody" else {"viewer": viewer}
        events = ask("new", game="lanternes", players=2, options={"first": 0}, seed=1, **fields)["events"]
        drew[viewer] = [event["thing"] is not None for event in events if event["kind"] == "drew"]
        placed = ask("play", move=ask.legal()[0]["id"], **fields)["events"]
        drew[viewer] += [event["thing"] is not None for event in placed if event["kind"] == "drew"]
    assert drew["everybody"] == [True] * 7
    assert drew[0] == [True, True, True, False, False, False, True]
    assert drew[1] == [False, False, False, True, True, True, False]
    assert drew[None] == [False] * 7


def test_events_for_a_viewer_come_from_the_same_game() -> None:
    records = []
    for fields in ({}, {"viewer": 1}):
        ask = Caller()
        ask("new", game="lanternes", players=2, seed=9, **fields)
        for _ in range(12):
            ask("play", move=ask.legal()[-1]["id"], **fields)
        records.append(ask("record")["record"]["moves"])
    assert records[0] == records[1]


def test_a_seat_sees_its_hand_and_a_spectator_none(ask: Caller) -> None:
    for seat, shown in ((0, [True, False]), (1, [False, True]), (None, [False, False])):
        assert [there["hand"] is not None for there in ask("view", seat=seat)["view"]["seats"]] == shown
    assert [there["hand"] is not None for there in ask.everything()["seats"]] == [True, True]


def test_a_picture_is_text_for_people(ask: Caller) -> None:
    assert "Player 1" in ask("picture", seat=0)["picture"]
    assert ask("picture", everything=True)["picture"] != ask("picture")["picture"]


def test_a_preview_tells_what_moves_would_do_and_does_none_of_them(ask: Caller) -> None:
    before = ask("record")["record"]["moves"]
    listed = ask.legal()[:4]
    told = ask("preview", moves=[WAYS[way](move) for way, move in zip([*WAYS, "id"], listed, strict=True)])["previews"]
    assert ask("record")["record"]["moves"] == before
    assert [events[0]["kind"] for events in told] == ["placed"] * 4
    done = ask("play", move=listed[2]["id"])["events"]
    assert done[: len(told[2])] == told[2]
    assert [event["kind"] for event in done[len(told[2]) :]] == ["drew"]
    assert ask.refused("preview", moves=[ask.legal()[0]["id"], "nonsense"]) == "unreadable_move"


def test_undo_goes_back_over_the_last_decision_and_the_chance_behind_it(ask: Caller) -> None:
    before, listed = ask.everything(), ask("legal")
    move = listed["moves"][3]
    after = ask("play", move=move["id"])
    undone = ask("undo")
    assert undone["undone"][0] == [1, move["move"]]
    assert [who for who, _ in undone["undone"]] == [1, "chance"]
    assert undone["actor"] == 1
    assert ask.everything() == before
    assert ask("legal") == listed
    # The same seed draws the same tile from the pile again.
    assert ask("play", move=move["id"]) == after
    ask("undo")
    ask("undo")
    assert ask.refused("undo") == "nothing_to_undo"
    assert ask("legal")["actor"] == 0


def test_undo_takes_exactly_the_last_move_back_where_chance_is_manual() -> None:
    ask = Caller()
    ask("new", game="lanternes", players=2, chance="manual")
    ask("play", move="first:1")
    ask("play", move="+16")
    before = ask.everything()
    ask("play", move="+3")
    assert ask("undo")["undone"] == [["chance", {"kind": "draw", "tile": 3}]]
    assert ask.everything() == before
    ask("undo")
    assert ask("undo") == {
        "ok": True,
        "undone": [["chance", {"kind": "first", "seat": 1}]],
        "actor": "chance",
        "pending": [],
    }
    assert ask.refused("undo") == "nothing_to_undo"


def test_a_record_is_loaded_and_the_game_goes_on_as_it_would_have(ask: Caller) -> None:
    seats = [{"name": "Ada", "kind": "bot", "level": "greedy"}, {"name": "Émile"}]
    record = ask("record", seats=seats)["record"]
    other = Caller()
    loaded = other("load", record=record)
    assert (loaded["game"], loaded["actor"], loaded["events"]) == ("lanternes", 1, [])
    assert other("record")["record"] == record
    assert other.everything() == ask.everything()
    assert play_on(other, random.Random(2)) == play_on(ask, random.Random(2))
    assert other("record")["record"]["moves"] == ask("record")["record"]["moves"]
    assert other("record")["record"]["seats"] == seats
    assert other.refused("record", seats=seats[:1]) == "bad_record"


def test_a_game_from_a_position_has_it_at_the_head_of_its_record(ask: Caller) -> None:
    position = ask.everything()
    ask("set", game="lanternes", players=2, position=position, seed=3)
    assert ask.refused("undo") == "nothing_to_undo"
    ask("play", move=ask.legal()[0]["id"])
    record = ask("record")["record"]
    assert record["start"] == position
    other = Caller()
    other("load", record=record)
    assert other.everything() == ask.everything()


def test_a_position_that_cannot_be_is_refused_with_the_fact_it_breaks(ask: Caller) -> None:
    before = ask("record")["record"]["moves"]
    asked = {"game": "lanternes", "players": 2, "chance": "manual"}
    broken = ask.everything()
    broken["supply"]["R"] += 1
    answer = ask.send(json.dumps({"do": "set", **asked, "position": broken}))
    assert answer["error"] == "bad_position"
    assert "colour" in answer["reason"]
    broken = ask.everything()
    broken["lake"][0]["x"] = 10**30
    assert ask.refused("set", **asked, position=broken) == "bad_position"
    assert ask.refused("set", **asked, position={}) == "bad_position"
    assert ask.refused("set", **{**asked, "players": 3}, position=ask.everything()) == "bad_position"
    assert ask.refused("set", **asked, position=ask("view", seat=0)["view"]) == "bad_position"
    assert ask("record")["record"]["moves"] == before


def test_a_box_of_ones_own_can_be_played_and_a_wrong_one_is_refused(ask: Caller) -> None:
    components = ask("record")["record"]["edition"]["components"]
    components["setup"]["2"]["cards_per_colour"] = 6
    ask("new", game="lanternes", players=2, seed=1, components=components)
    assert sum(ask.everything()["supply"].values()) == 6 * 7 - 2
    components["setup"]["2"]["cards_per_colour"] = "six"
    assert ask.refused("new", game="lanternes", players=2, components=components) == "bad_components"
    assert ask.refused("new", game="lanternes", players=2, components={}) == "bad_components"
