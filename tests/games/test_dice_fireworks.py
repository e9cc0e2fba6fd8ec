"""Lanternes Dice: fireworks, the end and the score, and a second opinion on all of it."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import naive_dice as naive
import pytest
from dice_positions import (
    DATA,
    FIRST_GAME,
    PLAYERS,
    TURNS,
    all_zones,
    as_naive,
    firework,
    named,
    play_on,
    pond,
    scored,
    seat,
    table,
)
from plain_data import as_tuples, plain
from tiers import IS_DEEP, daily

from lampion.arena.simulate_random import simulate
from lampion.games.core import CHANCE, OVER, IllegalMove
from lampion.games.dice.notation import Launch
from lampion.games.editions import standard
from lampion.games.registry import game
from lampion.play import Position

PLACEMENTS = {"bar": 78, "corner": 160, "square": 40, "tee": 134, "zigzag": 134, "cup": 134, "hook": 268, "cross": 28}


# Fireworks


@pytest.mark.parametrize("four", [["bar", "corner", "tee", "hook"], ["square", "zigzag", "cross", "cup"]])
def test_on_a_complete_lake_every_shape_has_its_number_of_placements(four: list[str]) -> None:
    position = table(seat(" ".join(all_zones()), step="launch"), seat(), fireworks=four)
    launches = [move for move in position.legal_moves if isinstance(move, Launch)]
    assert Counter(move.shape for move in launches) == {shape: PLACEMENTS[shape] for shape in four}
    assert len({(move.shape, move.ponds) for move in launches}) == len(launches)
    for shape in four:
        laid = {frozenset(divmod(p, 9) for p in move.ponds) for move in launches if move.shape == shape}
        assert laid == naive.placements(DATA["fireworks"][shape]["shape"], set(naive.PONDS))


def test_a_firework_lies_on_complete_ponds_without_another() -> None:
    fireworks = [firework("corner", "a1 b1 a2", 0)]
    position = table(seat("a1 b1 a2 b2 c2 c1 a3a", gifts=1, step="launch", fireworks=fireworks), seat(), turn=2)
    assert named(position) == {"corner@c1b2c2", "pass"}


def test_a_launch_takes_the_top_tile_and_its_points() -> None:
    position = table(seat("a1 b1 a2 b2", step="launch"), seat())
    events = as_tuples(position.push("square@a1b1a2b2"))
    assert events[0] == ("launched", 0, "square@a1b1a2b2", 5, "choice")
    view = plain(position)
    assert next(s["left"] for s in view["stacks"] if s["shape"] == "square") == [5, 4, 4, 3, 2]
    assert view["seats"][0]["fireworks"] == [firework("square", "a1 b1 a2 b2", 0) | {"points": 5}]
    assert position.count().categories[0]["fireworks"] == 5


def test_one_launch_a_turn() -> None:
    position = table(seat("a1 b1 a2 b2 d4 e4 d5 e5", step="launch"), seat())
    position.push("square@a1b1a2b2")
    assert position.actor == CHANCE


def test_only_the_active_player_launches_during_a_turn() -> None:
    ready = "a1 b1 a2 b2"
    position = table(seat(ready, step="die", gifts=0), seat(ready, step="die", gifts=0), turn=1, dice="RRRR")
    position.push("pass", 0)
    assert position.pending == (1,)
    position.push("pass", 1)
    position.push("pass", 1)
    assert "square@a1b1a2b2" in named(position)


def test_an_empty_stack_is_gone() -> None:
    rows = ["a1 b1 a2", "d1 e1 d2", "g1 h1 g2", "a4 b4 a5", "d4 e4 d5", "g4 h4 g5"]
    five = [firework("corner", where, tile) for tile, where in enumerate(rows[:5])]
    shaded = " ".join(rows)
    position = table(seat(shaded, gifts=0, step="launch", fireworks=five), seat(), turn=10)
    events = as_tuples(position.push("corner@g4h4g5"))
    assert ("emptied", None, "corner", 0, "choice") in events
    corner = next(stack for stack in plain(position)["stacks"] if stack["shape"] == "corner")
    assert corner["left"] == []
    more = table(
        seat(shaded + " c5 c6 d6", gifts=0, step="turn", fireworks=[*five, firework("corner", rows[5], 5)]),
        seat(),
        step="turn",
        turn=12,
    )
    more.push("turn:0")
    while plain(more)["seats"][0]["step"] != "launch" and 0 in more.pending:
        more.push("pass", 0)
    assert 0 not in more.pending or not any("corner" in name for name in named(more, 0))


def test_the_order_of_launches_leaves_no_trace() -> None:
    orders = []
    for names in (("square@a1b1a2b2", "corner@d1e1d2"), ("corner@d1e1d2", "square@a1b1a2b2")):
        position = table(seat("a1 b1 a2 b2 d1 e1 d2", gifts=0, step="launch"), seat())
        position.push(names[0])
        while plain(position)["turn"] < 3:
            if position.actor == CHANCE:
                position.push("+R")
            elif names[1] in named(position):
                position.push(names[1])
            else:
                position.push("turn:0" if "turn:0" in named(position) else "pass")
        orders.append(position.bytes())
    assert orders[0] == orders[1]


def test_a_launch_is_a_shape_and_a_set_of_ponds_in_any_order() -> None:
    position = table(seat("a1 b1 a2 b2", step="launch"), seat())
    assert position.id_of("square@b2a1a2b1") == position.id_of("square@a1b1a2b2")
    assert position.id_of({"kind": "launch", "shape": "square", "ponds": [10, 0, 9, 1]}) == position.id_of(
        "square@a1b1a2b2"
    )


@pytest.mark.parametrize("wrong", ["square@a1b1c1d1", "square@a1b1a2", "square@i1a2i2a3", "corner@a1a1b1"])
def test_ponds_that_are_not_the_shape_are_refused(wrong: str) -> None:
    position = table(seat("a1 b1 a2 b2", step="launch"), seat())
    with pytest.raises(IllegalMove):
        position.push(wrong)
    with pytest.raises(IllegalMove):
        position.push("square@d4e4d5e5")


# The end


def test_after_the_last_turn_everybody_may_launch_once_more_in_turn_order() -> None:
    ready = "a1 b1 a2 b2"
    position = table(
        seat(ready, gifts=0),
        seat(gifts=0),
        seat(ready, gifts=0, step="die"),
        turn=23,
        dice="RRRR",
        sheets="BCA",
    )
    assert plain(position)["active"] == 1
    events = as_tuples(position.push("pass", 2))
    assert [e[0] for e in events] == ["passed", "final"]
    assert plain(position)["step"] == "final"
    assert position.pending == (2,)  # sheet A first
    assert "square@a1b1a2b2" in named(position)
    position.push("square@a1b1a2b2")
    assert position.pending == (0,)
    events = as_tuples(position.push("pass"))
    assert ("missed", 1, None, 1, "final") in events  # nobody is asked who cannot launch
    assert events[-1][0] == "end"
    assert position.is_over
    assert position.actor == OVER


def example(**more: Any) -> dict[str, Any]:
    top = "e1 f1 g1 h1 i1 f2 g2 i2 f3 g3 h3 i3"
    bottom = "a4 b4 c4 d4 a5 c5 d5 a6 b6 c6"
    fireworks = [
        firework("tee", "e1 f1 g1 f2", 0),
        firework("tee", "b4 c4 d4 c5", 1),
        firework("corner", "g2 g3 h3", 0),
        firework("corner", "h1 i1 i2", 1),
    ]
    return seat(f"{top} {bottom}", gifts=0, fireworks=fireworks, **more)


def test_the_worked_example_scores_33() -> None:
    position = table(example(), seat(), step="ended", turn=22)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.categories[0] == {"fireworks": 15, "second_group": 10, "boats": 8}
    assert outcome.scores[0] == 33
    assert naive.groups(naive.complete(plain(position), 0)) == [12, 10]
    assert outcome.winners == [0]


@pytest.mark.parametrize(
    ("shaded", "points"),
    [
        ("", 0),
        ("a1 b1 c1", 0),
        ("a1 b1 c1 e1", 1),
        ("a1 b1 d1 e1", 2),
        ("a1 b2 c3", 1),
        ("a1 b1 c1 e1 f1 h1 i1", 2),
        ("a1 b1 d1a e1", 1),
        ("i1 a2", 1),
    ],
)
def test_the_second_largest_group_counts_and_with_two_level_the_other_does(shaded: str, points: int) -> None:
    assert scored(shaded)["second_group"] == points


@pytest.mark.parametrize(
    ("shaded", "points"),
    [
        ("b1 a2 c2 b3", 4),
        ("b1 a2 c2", 0),
        ("b1 a2 c2 b3a", 0),
        ("b1 a2 c2 b3 b2a", 0),
        ("b1 a2 c2 b3 b2", 0),
        ("b1 a2 c2 b3 e3 d4 f4 e5", 8),
    ],
)
def test_a_boat_scores_in_an_untouched_pond_among_four_complete_ones(shaded: str, points: int) -> None:
    assert scored(shaded)["boats"] == points


def test_a_view_shows_what_boats_still_need_but_for_those_on_shaded_ponds() -> None:
    boats = {divmod(number, 9): number for number in range(54) if naive.code(DATA, divmod(number, 9)).endswith("^")}
    assert len(boats) == 5
    for shaded in ("", "b1 a2 c2", "b1 a2 c2 b3a", "b1 a2 c2 b3", "b2a", "e3 d4 f4 b2"):
        view = plain(table(seat(shaded, gifts=0), seat(), step="ended", turn=22))
        complete, touched = naive.complete(view, 0), {pond for pond, _ in naive.shaded(view, 0)}
        needed = [
            {"pond": number, "missing": len(set(naive.around(boat)) - complete)}
            for boat, number in sorted(boats.items())
            if boat not in touched
        ]
        assert view["seats"][0]["boats"] == needed


def test_ponds_under_fireworks_count_for_groups_and_boats() -> None:
    sheet = seat("b1 a2 c2 b3 a1 c1 e5 e6 f6", gifts=0, fireworks=[firework("corner", "a1 b1 a2", 0)])
    assert table(sheet, seat(), step="ended", turn=22).count().categories[0] == {
        "fireworks": 3,
        "second_group": 3,
        "boats": 4,
    }


def test_level_points_are_decided_by_fireworks_and_level_fireworks_are_shared() -> None:
    corner = [firework("corner", "a1 b1 a2", 0)]
    with_firework = seat("a1 b1 a2", gifts=0, fireworks=corner)  # 3
    with_group = seat("a1 b1 c1 e1 f1 g1", gifts=0)  # 3
    outcome = table(with_group, with_firework, step="ended", turn=22).outcome()
    assert outcome is not None
    assert (outcome.scores, outcome.ranks, outcome.decided_by) == ([3, 3], [2, 1], "fireworks")
    shared = table(with_group, with_group, seat(), step="ended", turn=27).outcome()
    assert shared is not None
    assert (shared.ranks, shared.winners, shared.shares) == ([1, 1, 3], [0, 1], [0.5, 0.5, 0.0])


@pytest.mark.parametrize("players", PLAYERS)
def test_nobody_launches_more_than_turns_plus_one_and_games_are_as_short_as_stated(players: int) -> None:
    for options in ({}, {"fireworks": "random", "sides": "random"}, {"sides": "BBB"}):
        done = simulate(standard("dice"), players, 300, seed=players, options=options, threads=1, check=True)
        assert done.longest <= game("dice").longest
    *_, last = play_on(Position("dice", players), 1)
    assert max(len(one["fireworks"]) for one in plain(last)["seats"]) <= TURNS[players] + 1


# A second opinion


@pytest.mark.parametrize("players", daily(PLAYERS, 4))
def test_the_naive_rules_agree_on_what_is_legal_and_what_it_scores(players: int) -> None:
    options = {"fireworks": "random", "sides": "random"}
    asked: Counter[str] = Counter()
    for seed in range(3):
        for number, position in enumerate(play_on(Position("dice", players, options), seed)):
            view = plain(position)
            assert position.broken_fact() is None
            outcome = position.count()
            assert outcome.categories == [naive.score(DATA, view, who) for who in range(players)]
            assert [one["points"] for one in view["seats"]] == outcome.categories
            if number % 3 == 0:
                assert outcome.ranks == naive.ranks(DATA, view)
                for who in position.pending:
                    asked[view["seats"][who]["step"]] += 1
                    assert {as_naive(move) for move in position.legal_moves_of(who)} == naive.legal(DATA, view, who)
    assert set(asked) == {"turn", "die", "bonus", "emperor", "action", "launch"}


def test_the_naive_score_agrees_on_sheets_no_game_would_lead_to() -> None:
    rng = random.Random(8)
    lake = set(naive.PONDS)
    everywhere = {shape: list(naive.placements(DATA["fireworks"][shape]["shape"], lake)) for shape in FIRST_GAME}
    for _ in range(300 if IS_DEEP else 60):
        sheets = []
        gone: Counter[str] = Counter()
        for _ in range(4):
            dense = rng.choice([0.3, 0.6, 0.8, 0.95])
            names = [n for n in all_zones() if rng.random() < dense]
            whole = {n[:2] for n in names if n[:2] + "a" in names and n[:2] + "b" in names}
            free = {divmod(pond(n), 9) for n in whole}
            fireworks = []
            for shape in rng.sample(FIRST_GAME, 4):
                for cells in [cells for cells in everywhere[shape] if cells <= free][:1]:
                    free -= cells
                    where = [row * 9 + column for row, column in cells]
                    fireworks.append({"shape": shape, "ponds": where, "tile": gone[shape]})
                    gone[shape] += 1
            sheets.append(seat(" ".join(names), gifts=0, fireworks=fireworks))
        position = table(*sheets, step="ended", turn=28)
        view = plain(position)
        assert position.count().categories == [naive.score(DATA, view, who) for who in range(4)]
        assert position.count().ranks == naive.ranks(DATA, view)
