"""No bot peeks: with everything hidden changed, each makes the same move from the same seed and knowledge."""

from __future__ import annotations

import random
from itertools import chain, islice
from typing import Any

import pytest
from tables import decisions, push_alike
from tiers import IS_DEEP

from lampion.bots import named
from lampion.bots.levels import LEVELS
from lampion.bots.program_messages import line, question
from lampion.engine.rng import new_rng
from lampion.games.core import SPECTATOR
from lampion.games.registry import games
from lampion.play import Position, Sight

HIDING = [name for name, game in games().items() if game.hidden]
TABLES = [
    (name, players) for name in HIDING for players in sorted({games()[name].players[0], games()[name].players[-1]})
]


def hides(name: str, players: int) -> bool:
    """Of 1001 Îles only the game of two hides something: the tile that the lookout leaves face down."""
    return name != "iles" or players == 2


SIMS = 150 if IS_DEEP else 30
BOTS = ["random", "greedy", "learned"]
BOTS += [f"{level}:sims={SIMS}" if "sims" in LEVELS[level] else level for level in LEVELS]
EVERY = 8
"""Positions from one that is looked at to the next, where nothing hidden is to be changed at once."""
SEEDS = (1, 3, 2)
"""Of the worlds there: two pairs that differ, and a pair that comes to differ as the others draw in secret."""
ROUNDS = 3
"""Own decisions in a row from one such position."""
ENOUGH = 3
"""Decisions in worlds that differ, at once and after other players' moves."""
RARE = {} if IS_DEEP else {"iles": 1}
"""How many are enough after other players' moves where they are rare, by game."""
TINY = "fireflies"
"""A game so small that its secrets soon follow from what is seen."""
MANY = 12
"""Worlds in which a secret that can differ does."""


def worlds_of(position: Position, seat: int, seed: int) -> list[Position]:
    """Two worlds that the seat thinks possible: the truth is no likelier than any of them."""
    return [position.concealed(seat, new_rng(seed)), position.concealed(seat, new_rng(seed + seed % 2))]


def decide_on(worlds: list[Position], seat: int, makers: list[Any], picks: random.Random) -> list[bool]:
    """The same game, as the seat sees it, goes on in both worlds; at every own decision, whether the worlds differ."""
    sights = [Sight(world, seat) for world in worlds]
    bots = [[maker.sit(sight, 7) for sight in sights] for maker in makers]
    differ = []
    for _ in range(ROUNDS):
        assert sights[0].view() == sights[1].view()
        differ.append(worlds[0] != worlds[1])
        for maker, pair in zip(makers, bots, strict=True):
            chosen = [bot.choose(sight) for bot, sight in zip(pair, sights, strict=True)]
            assert chosen[0] == chosen[1], f"{maker.name} chose {chosen} at seat {seat} of {worlds[0]!r}"
        for world in worlds:
            world.push(chosen[0], seat)
        while not worlds[0].is_over and seat not in worlds[0].pending:
            if not push_alike(worlds, worlds[0].actor, seat, picks):
                return differ
        if worlds[0].is_over:
            break
    return differ


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_what_is_hidden_changes_no_move(name: str, players: int) -> None:
    makers = [named(text) for text in BOTS]
    picks = random.Random(5)
    compared = changed = watched = 0
    later = RARE.get(name, ENOUGH)
    for number, position in enumerate(chain(*(decisions(name, players, seed) for seed in range(60)))):
        seat = picks.choice(position.pending)
        for seed in SEEDS:
            worlds = worlds_of(position, seat, seed)
            if number % EVERY == 0 or worlds[0] != worlds[1]:
                differ = decide_on(worlds, seat, makers, picks)
                compared += len(differ)
                changed += differ[0]
                watched += sum(differ[1:])
        if (changed >= ENOUGH and watched >= later) or (compared >= 10 * ENOUGH and not hides(name, players)):
            break
    assert compared >= ENOUGH
    if hides(name, players):
        assert changed >= ENOUGH, "nothing hidden was changed: this proves nothing"
        assert watched >= later, "no bot was given moves to follow: what it keeps of its tree was not tried"


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_what_is_hidden_is_not_in_what_a_program_is_asked(name: str, players: int) -> None:
    changed = 0
    for position in decisions(name, players, seed=4):
        for seat in position.pending:
            first, second = (position.concealed(seat, new_rng(seed)) for seed in (1, 2))
            changed += first.bytes() != second.bytes()
            assert line(question(Sight(first, seat), 0, 5)) == line(question(Sight(second, seat), 0, 5))
    assert (changed > 1) == hides(name, players)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_world_that_is_given_to_a_bot_does_not_depend_on_the_true_one(name: str, players: int) -> None:
    states = games()[name].new_states(2)
    for position in decisions(name, players, seed=5):
        for seat in position.pending:
            for i, world in enumerate(worlds_of(position, seat, seed=1)):
                Sight(world, seat).world(states, i, new_rng(9))
            assert states[0].tobytes() == states[1].tobytes()


@pytest.mark.parametrize(("name", "players"), [table for table in TABLES if hides(*table) and table[0] != TINY])
def test_what_another_seat_alone_sees_is_not_the_same_in_every_world(name: str, players: int) -> None:
    secrets = dict.fromkeys(range(1, players), 0)
    for seed in range(3):
        early = len(list(decisions(name, players, seed))) // 2  # late in a game a secret may follow from what is seen
        for position in islice(decisions(name, players, seed), early):
            for seat in position.pending:
                worlds = [position.concealed(seat, new_rng(number)) for number in range(MANY)]
                for step in secrets:
                    other = (seat + step) % players
                    if position.view(other) != position.view(SPECTATOR):
                        secrets[step] += 1
                        views = [world.view(other) for world in worlds]
                        assert any(view != views[0] for view in views), f"seat {seat} knows what {other} has"
    assert min(secrets.values()) >= ENOUGH


def test_a_game_that_hides_nothing_has_one_world_alone() -> None:
    for name in games().keys() - set(HIDING):
        for position in decisions(name, games()[name].players[0], seed=1):
            assert position.concealed(0, new_rng(1)).bytes() == position.bytes()
