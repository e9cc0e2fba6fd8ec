"""The request `bot` of `lampion stdio`."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asking import Caller

from lampion.games.registry import games


def game(seed: int | None = 7, name: str = "fireflies", players: int = 2) -> Caller:
    """A game that has begun."""
    ask = Caller()
    ask("new", game=name, players=players, seed=seed)
    return ask


@pytest.mark.parametrize("level", ["random", "greedy", "spark", "candle"])
@pytest.mark.parametrize("name", games())
def test_bots_play_whole_games(name: str, level: str) -> None:
    ask = game(name=name, players=games()[name].players[0])
    turn: dict[str, Any] = ask("legal")
    while turn["actor"] is not None:
        moves = ask.legal()
        turn, seat = ask("bot", level=level), turn["actor"]
        assert turn["seat"] == seat
        assert {"notation": turn["notation"], "move": turn["move"]} in [
            {"notation": move["notation"], "move": move["move"]} for move in moves
        ]
        assert turn["simulations"] == 0
        assert turn["events"]
    assert ask("result")["result"]["winners"]


def test_a_bot_may_choose_without_playing() -> None:
    ask = game()
    before = ask.everything()
    chosen = ask("bot", level="sun", sims=200, play=False)
    assert ask.everything() == before
    assert "events" not in chosen
    assert chosen["simulations"] == 200
    assert chosen["pending"] == [chosen["seat"]]
    played = ask("bot", level="sun", sims=200)
    assert {name: played[name] for name in ("seat", "move", "notation")} == {
        name: chosen[name] for name in ("seat", "move", "notation")
    }
    assert ask("undo")["undone"][0] == [chosen["seat"], chosen["move"]]


def test_the_same_seed_and_simulations_give_the_same_game() -> None:
    def played() -> list[Any]:
        ask, told = game(seed=11), []
        while ask("legal")["actor"] is not None:
            told.append(ask("bot", level="lighthouse", sims=40))
        return told

    assert played() == played()


def test_a_bot_thinks_for_the_time_it_is_given() -> None:
    chosen = game(seed=None)("bot", level="strongest", ms=20)
    assert chosen["simulations"] > 0


def test_every_pending_seat_may_be_played_by_a_bot() -> None:
    ask = game(name="dice", players=3, seed=4)
    ask("play", move="turn:0")
    for seat in (2, 0, 1):
        assert ask("bot", level="greedy", seat=seat)["seat"] == seat


def test_events_are_told_to_a_viewer_as_they_may_be_known() -> None:
    ask = game(name="lanternes")
    seat = ask("legal")["actor"]
    events = ask("bot", level="random", viewer=1 - seat)["events"]
    assert {event["thing"] for event in events if event["kind"] == "drew"} == {None}


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"level": "nobody"}, "bad_bot"),
        ({"level": "cmd:true"}, "bad_bot"),
        ({"level": "sun:sims=5"}, "bad_bot"),
        ({"level": "sun", "ms": 5, "sims": 5}, "bad_bot"),
        ({"level": "sun", "ms": 0}, "bad_bot"),
        ({"level": "sun", "sims": -4}, "bad_bot"),
        ({"level": "greedy", "sims": 5}, "bad_bot"),
        ({"level": 5}, "bad_request"),
        ({"level": "sun", "seat": "chance"}, "bad_request"),
        ({"level": "sun", "seat": 2}, "bad_request"),
        ({"level": "random", "viewer": 7}, "bad_request"),
        ({}, "bad_request"),
    ],
)
def test_what_cannot_be_asked_is_refused_and_changes_nothing(fields: dict[str, Any], error: str) -> None:
    ask = game()
    before = ask.everything()
    assert ask.refused("bot", **fields) == error
    assert ask.everything() == before


def test_a_bot_does_not_move_out_of_turn() -> None:
    ask = game()
    assert ask.refused("bot", level="random", seat=1 - ask("legal")["actor"]) == "out_of_turn"
    ask("new", game="fireflies", players=2, chance="manual")
    assert ask.refused("bot", level="random") == "out_of_turn"
    assert Caller().refused("bot", level="random") == "no_game"


def test_a_bot_does_not_move_after_the_end() -> None:
    ask = game()
    while ask("legal")["actor"] is not None:
        ask("bot", level="random")
    assert ask.refused("bot", level="random") == "over"


def test_what_is_hidden_changes_no_choice() -> None:
    ask = game(name="lanternes", seed=3)
    for _ in range(6):
        ask("bot", level="random")
    view = ask.everything()
    mover = ask("legal")["actor"]
    other = view["seats"][1 - mover]
    swapped = json.loads(json.dumps(view))
    swapped["seats"][1 - mover]["hand"] = sorted(view["unseen"][: len(other["hand"])])
    swapped["unseen"] = sorted({*view["unseen"], *other["hand"]} - set(swapped["seats"][1 - mover]["hand"]))
    assert swapped != view
    chosen = []
    for position in (view, swapped):
        ask("set", game="lanternes", players=2, position=position, seed=5)
        assert ask.everything() == position
        chosen.append(ask("bot", level="sun", sims=150, play=False))
    assert chosen[0] == chosen[1]
