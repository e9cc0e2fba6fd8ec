"""One game between bots: the same deal from every seat, and bots that fail."""

from __future__ import annotations

import pickle
from collections import Counter

import pytest
from bad_bots import Failing, Plain

from lampion.arena.match import Conditions, lineups, play, play_one
from lampion.bots import named
from lampion.games.core import CHANCE
from lampion.games.editions import edition, standard
from lampion.games.registry import game
from lampion.play.position import Position


def draws(position: Position) -> list[tuple[int, int, int]]:
    """Return what chance did: the source, how often it was asked before, the outcome."""
    drawn, count = [], Counter[int]()
    chances = [id for seat, id in position.played if seat == CHANCE]
    for source, id in zip(position._sources, chances, strict=True):
        drawn.append((source, count[source], id))
        count[source] += 1
    return drawn


def test_a_deal_is_the_same_whoever_sits_where() -> None:
    conditions = Conditions.of(standard("lanternes"), 2, seed=5)
    both = (named("random"), Plain())
    (_, one), (_, other) = (
        play(conditions, [both[i] for i in seats], deal=3, lineup=lineup) for lineup, seats in enumerate(lineups(2))
    )
    assert [move for move in one.played if move.seat != CHANCE] != [m for m in other.played if m.seat != CHANCE]
    assert draws(one) == draws(other)
    _, another = play(conditions, [both[0], both[1]], deal=4)
    assert draws(another) != draws(one)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_both_bots_sit_everywhere_equally_often(players: int) -> None:
    seats = lineups(players)
    assert len(set(seats)) == len(seats) == (2 if players == 2 else 2 * players)
    for seat in range(players):
        assert sum(lineup[seat] for lineup in seats) * 2 == len(seats)
    if players > 2:
        assert sorted(sum(lineup) for lineup in seats) == [1] * players + [players - 1] * players


def test_the_same_game_again_is_the_same_game() -> None:
    conditions = Conditions.of(standard("lumens"), 3, seed=9)
    makers = [named("candle"), named("random"), named("lighthouse:sims=20")]
    first = play_one(conditions, makers, 2, 1)
    assert play_one(conditions, makers, 2, 1) == first
    assert play_one(conditions, makers, 2, 2) != first
    assert play_one(conditions, makers, 3, 1) != first


@pytest.mark.parametrize(
    ("way", "told"),
    [
        ("crash", "RuntimeError: no more ideas"),
        ("exit", "SystemExit"),
        ("give_up", "within 7 s"),
        ("nonsense", "'the best move'"),
        ("illegal", "no legal move"),
        ("huge", "no legal move"),
        ("absent", "OSError: the program is not there"),
        ("stall", "no answer within 0.2 s"),
    ],
)
def test_a_bot_that_fails_loses_and_the_others_share_the_victory(way: str, told: str) -> None:
    conditions = Conditions.of(standard("lumens"), 3, seed=1, patience=0.2 if way == "stall" else 600)
    honest = named("random")  # for whom no clock is set
    result = play_one(conditions, [honest, Failing(way), honest], 0)
    assert result.failed == 1
    assert result.shares == [0.5, 0.0, 0.5]
    assert told in result.reason


def test_the_clock_is_not_set_for_bots_that_keep_their_effort() -> None:
    conditions = Conditions.of(standard("lumens"), 2, seed=1, patience=1e-6)
    assert play_one(conditions, [named("candle"), named("random")], 0).failed is None
    assert play_one(conditions, [Plain(), Failing("stall")], 0).failed is not None


def test_another_edition_travels_with_the_table() -> None:
    data = {**standard("lumens").data, "tokens": {"each_colour": [[1, 6, 10], [2, 5, 8], [3, 4, 6]]}}
    other = Conditions.of(edition(game("lumens"), data), 2, seed=1)
    sent = pickle.loads(pickle.dumps(other))
    assert sent.edition.hash == edition(game("lumens"), data).hash != standard("lumens").hash
    theirs, ours = (
        play_one(given, [Plain(), Plain()], 0) for given in (sent, Conditions.of(standard("lumens"), 2, seed=1))
    )
    assert theirs != ours
