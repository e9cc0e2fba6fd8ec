"""Hints follow from what the seat knows, stand in their order, and say why."""

from __future__ import annotations

import msgspec
import pytest
from games_played import TINY, random_game

from lampion.engine.rng import new_rng
from lampion.insight.evaluator import Stopped
from lampion.insight.hints import MOST_HINTS, headlines, hints, hints_in_words, promise
from lampion.locale import speaking
from lampion.play import Position, Record, Sight

GAMES = [("lanternes", 4), ("dice", 2), ("lumens", 3), ("iles", 2)]


def begun(game: str, players: int, plies: int = 30) -> Position:
    """Return a random game at a decision between several moves."""
    final = random_game(game, players).replay()
    ply = plies
    while final.at(ply).actor < 0 or len(final.at(ply).legal_ids()) < 2:
        ply += 1
    return final.at(ply)


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_nothing_hidden_has_a_part_in_a_hint(game: str, players: int) -> None:
    position = begun(game, players)
    seat, names = position.actor, position.names()
    sight = Sight(position, seat)
    found = hints(sight, TINY)
    words = hints_in_words(sight, found, names)
    for seed in (1, 2):
        other = Sight(position.concealed(seat, new_rng(seed)), seat)
        assert msgspec.json.encode(hints(other, TINY)) == msgspec.json.encode(found)
        assert hints_in_words(other, found, names) == words
        assert other.imagined(new_rng()) == sight.imagined(new_rng()), "what the other process is given"


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_a_hint_can_be_made_from_a_file_with_what_the_seat_knows(game: str, players: int) -> None:
    """As the server does it: the process that finds hints is given nothing else."""
    position = begun(game, players)
    seat = position.actor
    known = Record.of(Sight(position, seat).imagined(new_rng()))
    again = Record.from_json(known.to_json()).replay()
    assert hints(Sight(again, seat), TINY) == hints(Sight(position, seat), TINY)


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_hints_are_different_moves_in_their_order_and_each_says_why(game: str, players: int) -> None:
    position = begun(game, players)
    seat = position.actor
    found = hints(Sight(position, seat), TINY)
    assert 1 < len(found) <= MOST_HINTS
    assert found[0].behind == 0.0
    ids = [one.id for one in found]
    assert len(set(ids)) == len(ids)
    assert set(ids) <= set(position.legal_ids(seat).tolist())
    spoken = []
    for language in ("en", "fr"):
        with speaking(language):
            spoken.append(hints_in_words(Sight(position, seat), found, ["Ann", "Bea", "Cyd", "Dan"][:players]))
    for english, french in zip(*spoken, strict=True):
        assert english.move == french.move
        assert english.promise != french.promise
        assert english.told
        assert english.why
        assert english.why != french.why


def test_chances_are_told_as_people_say_them() -> None:
    with speaking("en"):
        assert promise(0.62, 3.2) == "You win about 6 games in ten from here, about 3 points ahead."
        assert promise(0.11, -1.2) == "You win about one game in ten from here, on average one point behind."
        assert promise(0.01, -9.0) == "You hardly ever win from here, on average 9 points behind."
        assert promise(0.99, 0.3).startswith("You nearly always win from here, with about as many points")
    with speaking("fr"):
        told = "Vous gagnez environ 6 parties sur dix à partir d’ici, avec environ 3 points d’avance."
        assert promise(0.62, 3.2) == told


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_hints_speak_to_who_asked_and_can_be_told_apart(game: str, players: int) -> None:
    position = begun(game, players)
    seat = position.actor
    names = ["Ann", "Bea", "Cyd", "Dan"][:players]
    found = hints(Sight(position, seat), TINY)
    for language in ("en", "fr"):
        with speaking(language):
            spoken = hints_in_words(Sight(position, seat), found, names)
        heads = [" ".join(one.told) for one in spoken]
        assert len(set(heads)) == len(heads)
        assert not [text for one in spoken for text in [*one.told, *one.why] if names[seat] in text]


def test_moves_that_do_the_same_are_told_apart_by_their_numbers() -> None:
    with speaking("en"):
        assert headlines([["A.", "B."], ["A.", "C."]]) == [["A.", "B."], ["A.", "C."]]
        assert headlines([["A.", "B.", "C."], ["A.", "B.", "D."]]) == [["A.", "B.", "C."], ["A.", "B.", "D."]]
        assert headlines([["A."], ["A."], ["B."]]) == [
            ["A.", "See the 1 on the board."],
            ["A.", "See the 2 on the board."],
            ["B."],
        ]


def test_a_wish_to_stop_is_heard() -> None:
    position = begun("lumens", 3)
    with pytest.raises(Stopped):
        hints(Sight(position, position.actor), TINY, stop=lambda: True)
