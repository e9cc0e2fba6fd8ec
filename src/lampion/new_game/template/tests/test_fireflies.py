"""Fireflies keeps Lampion's contract, and the worked examples of its rules.

In a game of your own: replace the second test by the examples of your rules.
"""

from lampion.play import Position
from lampion.testing import check_game


def test_it_keeps_the_contract() -> None:
    check_game("fireflies")


def test_the_brightest_scores() -> None:
    position = Position("fireflies", 2, {"first": 0})
    for move in ("+5", "+3", "*5", "*3"):  # two draws, then what both do with them
        position.push(move)
    assert position.count().scores == [5, 0]


def test_equally_bright_fireflies_score_by_the_option() -> None:
    for equal, scores in (("nobody", [0, 0]), ("everybody", [3, 3])):
        position = Position("fireflies", 2, {"first": 0, "equal": equal})
        for move in ("+3", "+3", "*3", "*3"):
            position.push(move)
        assert position.count().scores == scores
