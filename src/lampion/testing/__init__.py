"""The suite that every game must pass, ours and those of other packages.

    from lampion.testing import check_game

    def test_my_game():
        check_game("my_game")

Every law is also a function of its own, to be run alone while a game is being written: `check_lists(game, players,
options, seed)` and the like. A check raises AssertionError with a sentence that says what is wrong and where.
"""

from __future__ import annotations

from lampion.games import registry
from lampion.testing.hidden import check_concealment, check_hidden, check_revealing, check_seen, check_worlds
from lampion.testing.interpreted_equals_compiled import check_interpreted
from lampion.testing.playing import choose, moments, spread, wander
from lampion.testing.round_trips import check_notation, check_pictures, check_records, check_views
from lampion.testing.rule_laws import (
    check_commuting,
    check_copies,
    check_lists,
    check_moves,
    check_options,
    check_picks,
    check_refusals,
    check_scores,
    check_traits,
)
from lampion.testing.tutorials import check_exercises, check_tutorial
from lampion.testing.words import check_catalogue, check_sentences

OF_A_GAME = (check_traits, check_catalogue, check_hidden, check_tutorial, check_exercises)
"""Checks that are given the game."""

OF_A_TABLE = (
    check_lists,
    check_moves,
    check_refusals,
    check_copies,
    check_picks,
    check_commuting,
    check_scores,
    check_concealment,
    check_seen,
    check_worlds,
    check_revealing,
    check_notation,
    check_views,
    check_records,
    check_pictures,
    check_sentences,
    check_interpreted,
)
"""Checks that play: they are given the game, the number of players, the options and a seed."""


def check_game(name: str, games: int = 1, seed: int = 0, rows: int = 3) -> None:
    """Run all checks of a game, with `games` random games for every check, number of players and set of options.

    Every value of every option is set up; `rows` of them are played by all checks.
    """
    game = registry.game(name)
    for of_a_game in OF_A_GAME:
        of_a_game(game)
    for players in game.players:
        check_options(game, players, seed)
        for options in spread(game, players, rows):
            for check in OF_A_TABLE:
                for k in range(games):
                    check(game, players, options, seed + k)


__all__ = [
    "OF_A_GAME",
    "OF_A_TABLE",
    "check_catalogue",
    "check_commuting",
    "check_concealment",
    "check_copies",
    "check_exercises",
    "check_game",
    "check_hidden",
    "check_interpreted",
    "check_lists",
    "check_moves",
    "check_notation",
    "check_options",
    "check_picks",
    "check_pictures",
    "check_records",
    "check_refusals",
    "check_revealing",
    "check_scores",
    "check_seen",
    "check_sentences",
    "check_traits",
    "check_tutorial",
    "check_views",
    "check_worlds",
    "choose",
    "moments",
    "spread",
    "wander",
]
