"""Names: nobody is called like somebody else, like a bot, like chance or like nothing at all."""

from __future__ import annotations

import pytest

from lampion.locale import LANGUAGES, speaking
from lampion.server.protocol.player_names import BadName, cleaned, look_alike, looks, reserved

from .people import Person, Server

REAL = [
    "Zoë", "Łukasz", "Дарья", "小明", "‘Āĉéŷ’", "O’Neil", "Nguyễn Thị Ánh", "María José", "محمد", "הַדָּס", "สมชาย",
    "अनिल", "می\u200cخواهم", "❤️", "👩\u200d👧", "👍🏽", "🇫🇷", "Jean-Luc 2", "x", "42", "ʻOkina", "Ærøskøbing",
]  # fmt: skip
UNSEEN = [
    "\ufe0e", "A\ufe0enn", "A\u034fnn", "\u034f", "\U000e0041", "Ann\U000e0041", "Ann\U000e0100", "\u2800", "Ann\u2800",
    "\u3164", "A\uffa0nn", "\u115f", "A\u1160nn", "A\u202enn", "\u2066Ann", "A\u200fnn", "\u200b", "A\x07nn", "A\x1bnn",
    "A\x00nn", "A\x85nn", "A\u2028nn", "\ue000", "Ann\uffff", "A\u17b4nn", "A\u180enn", "A\xadnn",
]  # fmt: skip


@pytest.mark.parametrize("name", REAL)
def test_a_real_name_stays_as_it_is(name: str) -> None:
    assert cleaned(name) == name
    assert looks(name).isdisjoint(reserved(0))


@pytest.mark.parametrize("name", UNSEEN, ids=ascii)
def test_letters_that_are_not_seen_are_refused(name: str) -> None:
    with pytest.raises(BadName):
        cleaned(name)


@pytest.mark.parametrize("name", ["\u0301", "\u0301\u0302", "Ann \u0301", "A" + "\u0301" * 9, "\u20e3"], ids=ascii)
def test_accents_need_a_letter_and_are_few(name: str) -> None:
    with pytest.raises(BadName):
        cleaned(name)


@pytest.mark.parametrize("name", ["", " ", "\u00a0\u2003", "\ufe0f", "\u200d", " \ufe0f \u200c"], ids=ascii)
def test_a_name_of_nothing_is_refused(name: str) -> None:
    with pytest.raises(BadName):
        cleaned(name)


def test_what_changes_nothing_is_left_out() -> None:
    assert cleaned("  Ann \u00a0 Onyme ") == "Ann Onyme"
    assert cleaned("Ann\ufe0f") == cleaned("Ann\u200d") == cleaned("\u200dAnn") == "Ann"
    assert cleaned("Zoe\u0308") == "Zoë"


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Anna", "Аnnа"), ("BOB", "ВОВ"), ("вов", "ВОВ"), ("Zoë", "Zoё"), ("Nick", "Νick"), ("Ian", "lan"),
        ("Ann1", "Annl"), ("Max0", "MaxO"), ("Ann", "Ａnn"), ("Ann", "ANN"), ("O’Neil", "O'Neil"), ("An\u200dn", "Ann"),
        ("❤️", "❤"), ("Jean–Luc", "Jean-Luc"), ("ﬁn", "fin"),
    ],
)  # fmt: skip
def test_names_that_look_the_same_are_the_same(name: str, other: str) -> None:
    assert look_alike(name, other)
    assert look_alike(other, name)


@pytest.mark.parametrize(
    ("name", "other"),
    [("Zoë", "Zoe"), ("Ian", "Lan"), ("Ann", "Anna"), ("Łukasz", "Lukasz"), ("小明", "小朋"), ("Дарья", "Дарьа")],
)
def test_names_that_look_different_are_different(name: str, other: str) -> None:
    assert not look_alike(name, other)


@pytest.mark.parametrize(
    "name",
    [
        "Candle", "candle", "Bougie", "Torch 2", "Flambeau 2", "Сandle", "SUN", "Phare", "Chance", "hasard",
        "Player 2", "Joueur 2", "player ２", "Seat 3", "Place 3", "étincelle",
    ],
)  # fmt: skip
def test_nobody_is_called_like_a_bot_like_chance_or_like_another_seat(name: str) -> None:
    for language in LANGUAGES:
        with speaking(language):
            assert not looks(cleaned(name)).isdisjoint(reserved(0))


def test_who_has_no_name_may_be_called_by_the_own_seat() -> None:
    assert looks("Player 2").isdisjoint(reserved(1))
    assert looks("Joueur 2").isdisjoint(reserved(1))
    assert not looks("Player 3").isdisjoint(reserved(1))


def test_such_names_are_refused_at_the_table_and_where_it_is_made(server: Server) -> None:
    made = server.make("lumens", ("Anna",), "open")
    with Person(server, made["table"]) as eve:
        for name, code in (
            ("Аnnа", "name_taken"), ("Candle", "name_reserved"), ("Player 1", "name_reserved"),
            ("\u0301", "name_letters"), ("A\U000e0041", "bad_message"), ("\u2800", "bad_message"),
            ("\ufe0f", "name_blank"),
        ):  # fmt: skip
            answer = eve.ask("sit", seat=1, name=name)
            assert answer["code"] == code, name
            assert answer["reason"]
        assert eve.ask("sit", seat=1, name=" Zoë\ufe0f  B ")["say"] == "yours"
        assert eve.latest["table"]["seats"][1]["name"] == "Zoë B"
    for names, code in ((("Anna", "Аnnа"), "name_taken"), (("Chance", "Bob"), "name_reserved")):
        seats = [{"kind": "screen", "name": name} for name in names]
        status, told = server.request("/api/tables", {"game": "lumens", "seats": seats})
        assert (status, told["code"]) == (400, code)
