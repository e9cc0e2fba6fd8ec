"""1001 Îles: the set-up, the draws, and the rounds of two players and of more."""

from __future__ import annotations

from collections import Counter

import pytest
from iles_positions import DREAMS, PILES, PLAYERS, notations, played, random_game, start, tile, weights
from plain_data import plain

from lampion.engine.rng import new_rng
from lampion.games.core import CHANCE, SPECTATOR, IllegalMove
from lampion.games.registry import game
from lampion.play import Position, Seeded, compiled_calls

# Set-up and draws


def test_first_lookout_is_drawn_from_all_seats_or_chosen() -> None:
    drawn = Position("iles", players=4)
    assert drawn.actor == CHANCE
    assert [(move.seat, weight) for move, weight in drawn.chances()] == [(0, 1), (1, 1), (2, 1), (3, 1)]
    drawn.push("first:2")
    assert drawn.view(SPECTATOR).lookout == drawn.actor == 2
    assert start(4, first=3).actor == 3


@pytest.mark.parametrize(("players", "tiles"), [(2, 12), (3, 12), (4, 16), (5, 20)])
def test_a_pile_has_the_tiles_for_four_rounds(players: int, tiles: int) -> None:
    assert {pile["tiles"] for pile in plain(start(players))["piles"].values()} == {tiles}


def test_every_tile_that_nobody_has_seen_is_equally_likely_also_those_back_in_the_box() -> None:
    position = played(start(3), "top")
    assert weights(position) == dict.fromkeys(range(20), 1)
    played(position, "+4")
    assert weights(position) == dict.fromkeys(set(range(20)) - {4}, 1)


def test_a_dream_is_as_likely_as_it_has_copies_left() -> None:
    position = played(start(3), "dream")
    assert weights(position) == dict.fromkeys(DREAMS, 2)
    played(position, "+snake", "+lamp")
    assert weights(position) == dict.fromkeys(DREAMS, 2) | {"snake": 1, "lamp": 1}
    played(position, "+snake", "0", ">1", "1", "2", "dream")
    assert "snake" not in weights(position)


def test_each_pile_is_drawn_in_exactly_four_of_sixteen_rounds() -> None:
    position, opened = random_game(3, 1), Counter[str]()
    for _, move in position.moves:
        if type(move).__name__ == "Pile":
            opened[move.pile] += 1
    assert opened == dict.fromkeys(PILES, 4)


def test_an_exhausted_pile_cannot_be_opened() -> None:
    position = start(3)
    for _ in range(4):
        played(position, "dream")
        position.push_chances(Seeded(0))
        while position.view(SPECTATOR).open:
            position.push(int(position.legal_ids()[0]))
    assert notations(position) == ["top", "centre", "bottom"]
    with pytest.raises(IllegalMove, match="four times"):
        position.push("dream")


# A round with three to five players


@pytest.mark.parametrize("players", [3, 4, 5])
def test_as_many_tiles_as_players_are_revealed_to_all(players: int) -> None:
    position = played(start(players), "centre", *[f"+{n}" for n in range(players)])
    for viewer in (SPECTATOR, *range(players)):
        assert [slot["tile"] for slot in plain(position, viewer)["table"]] == list(range(players))
    assert position.actor == 0


def test_who_took_names_one_who_has_not() -> None:
    position = played(start(4), "top", "+0", "+1", "+2", "+3", "2@0")
    assert position.actor == 0
    assert notations(position) == [">1", ">2", ">3"]
    played(position, ">2", "0@0")
    assert position.actor == 2
    assert notations(position) == [">1", ">3"]
    with pytest.raises(IllegalMove, match="has taken already"):
        position.push(">0")


def test_naming_is_not_asked_when_one_player_is_left() -> None:
    position = played(start(4), "top", "+0", "+1", "+2", "+3", "2@0", ">2", "0@0", ">1")
    events = position.push("1@0")
    assert position.actor == 3
    assert position.view(3).step == "take"
    assert ("named", 3, "only_one_left") in [(event.kind, event.seat, event.why) for event in events]


def test_who_takes_the_last_tile_is_the_next_lookout() -> None:
    position = played(start(3), "top", "+0", "+1", "+2", "2@0", ">1", "0@0", "1@0")
    assert position.view(SPECTATOR).lookout == position.actor == 2
    assert position.view(2).step == "pile"


@pytest.mark.parametrize("players", PLAYERS)
def test_after_every_round_everybody_has_one_tile_more_of_its_kind(players: int) -> None:
    position = random_game(players, 7)
    for ply in range(position.ply + 1):
        view = plain(position.at(ply)) if ply % 9 == 0 or ply == position.ply else None
        if view is not None and view["open"] is None:
            for seat in view["seats"]:
                counts = [sum(cell is not None for cell in row) for row in seat["island"]] + [len(seat["dreams"])]
                assert counts == [view["piles"][name]["rounds"] for name in PILES]


# A round with two players


def two_players_draw(pile: str = "top") -> Position:
    tiles = {"top": ("+pD", "+plm", "+bbo"), "dream": ("+snake", "+lamp", "+snake")}[pile]
    return played(start(2), pile, *tiles)


def test_of_two_players_the_lookout_alone_sees_the_three_tiles() -> None:
    position = two_players_draw()
    assert [slot["tile"] for slot in plain(position, 0)["table"]] == [
        tile("top", code) for code in ("pD", "plm", "bbo")
    ]
    for viewer in (1, SPECTATOR):
        view = plain(position, viewer)
        assert view["table"] == [{"tile": None, "secret": True}] * 3
        assert len(view["piles"]["top"]["unseen"]) == 20
    assert len(plain(position, 0)["piles"]["top"]["unseen"]) == 17


def test_two_of_three_are_shown_in_the_order_drawn() -> None:
    position = played(two_players_draw(), "?1")
    for viewer in (1, SPECTATOR):
        shown = [slot["tile"] for slot in plain(position, viewer)["table"]]
        assert shown == [tile("top", "pD"), None, tile("top", "bbo")]
        assert tile("top", "plm") in plain(position, viewer)["piles"]["top"]["unseen"]
    assert position.actor == 1
    assert notations(position) == ["0@0", "1", "2@0"]


def test_hidden_island_tile_is_taken_unseen_then_turned_up_then_laid() -> None:
    position = played(two_players_draw(), "?1")
    with pytest.raises(IllegalMove, match="face down"):
        position.push("1@0")
    assert [event.kind for event in position.preview("1")] == ["took"]
    assert position.preview("1", viewer=1)[0].thing is None
    played(position, "1")
    assert position.actor == CHANCE
    assert weights(position) == {tile("top", "plm"): 1}
    assert plain(position, 1)["table"][1] == {"tile": None, "secret": True}
    position.push_chances(Seeded(9))
    assert position.actor == 1
    assert plain(position, SPECTATOR)["table"][1] == {"tile": tile("top", "plm"), "secret": False}
    assert notations(position) == ["@0"]
    played(position, "@0")
    assert plain(position)["seats"][1]["island"][0][0] == {"tile": tile("top", "plm"), "down": False}
    assert position.actor == 0


def test_hidden_dream_is_turned_up_and_kept_without_a_second_decision() -> None:
    position = played(two_players_draw("dream"), "?0", "0")
    assert position.actor == CHANCE
    position.push_chances(Seeded(0))
    assert position.actor == 0
    assert position.view(SPECTATOR).seats[1].dreams == ["snake"]


def test_lookout_takes_and_lays_the_hidden_tile_in_one_move() -> None:
    position = played(two_players_draw(), "?1", "0@0")
    assert position.actor == 0
    assert notations(position) == ["1@0", "2@0"]
    events = position.push("1@0")
    assert [event.kind for event in events] == ["took", "laid", "put_away", "lookout"]
    assert plain(position)["seats"][0]["island"][0][0]["tile"] == tile("top", "plm")


@pytest.mark.parametrize("last", ["1@0", "2@0"])
def test_last_tile_is_put_away_shown_to_both_and_never_returns(last: str) -> None:
    position = played(two_players_draw(), "?1", "0@0", last)
    left = tile("top", "bbo" if last == "1@0" else "plm")
    for viewer in (0, 1, SPECTATOR):
        assert plain(position, viewer)["piles"]["top"]["away"] == [left]
        assert left not in plain(position, viewer)["piles"]["top"]["unseen"]
    played(position, "top")
    assert left not in weights(position)


def test_lookout_changes_after_every_round_of_two_players() -> None:
    position = played(two_players_draw(), "?1", "0@0", "1@0")
    assert position.view(SPECTATOR).lookout == position.actor == 1


def test_events_keep_the_secret_of_what_was_drawn_and_hidden() -> None:
    position = start(2)
    rows = []
    for move in ("top", "+0", "+1", "+2", "?0", "0"):
        rows += [row.copy() for row in position.push_rows(position.id_of(move))]
    told = game("iles").events.EVENTS
    secret = [told[row[0]].name for row in rows if row[5] != -1]
    assert secret == ["drew", "drew", "drew", "hid", "took"]
    assert {int(row[5]) for row in rows if row[5] != -1} == {1 << 0}


@pytest.mark.parametrize("moves", [("?1",), ("?1", "0@0"), ("?1", "1")])
def test_concealing_redraws_the_hidden_tile_alone_from_what_the_viewer_has_not_seen(moves: tuple[str, ...]) -> None:
    position = played(two_players_draw(), *moves)
    rng = new_rng(5)
    found: Counter[int] = Counter()
    for _ in range(1800):
        other = position.concealed(1, rng)
        assert plain(other, 1) == plain(position, 1)
        found[plain(other)["table"][1]["tile"]] += 1
    assert set(found) == set(plain(position, 1)["piles"]["top"]["unseen"])
    assert len(found) == 18
    assert max(abs(count - 100) for count in found.values()) < 55
    assert position.concealed(0, rng).bytes() == position.bytes()


def test_concealing_redraws_every_tile_before_one_is_hidden() -> None:
    position = two_players_draw("dream")
    rng = new_rng(5)
    tables = [plain(position.concealed(SPECTATOR, rng))["table"] for _ in range(2000)]
    pairs = sum(table[0]["tile"] == table[1]["tile"] for table in tables)
    assert abs(pairs / 2000 - 1 / 19) < 0.025
    assert {slot["tile"] for table in tables for slot in table} == set(DREAMS)


def test_worlds_alike_for_a_viewer_become_one_world() -> None:
    position = played(two_players_draw(), "?1")
    other = played(start(2), "top", "+pD", "+pm", "+bbo", "?1")
    assert plain(position, 1) == plain(other, 1)
    assert position.bytes() != other.bytes()
    assert position.concealed(1, new_rng(3)).bytes() == other.concealed(1, new_rng(3)).bytes()


def seen(position: Position, move: str, viewer: int) -> int:
    id = position.id_of(move)
    return int(compiled_calls.seen_at(position._boxes, position._states, position.ply, position.actor, id, viewer))


def test_a_private_draw_looks_like_any_other() -> None:
    position = played(start(2), "top")
    assert seen(position, "+3", 1) == seen(position, "+4", 1) == seen(position, "+3", SPECTATOR)
    assert seen(position, "+3", 0) != seen(position, "+4", 0)
    open_draw = played(start(3), "top")
    assert seen(open_draw, "+3", 1) != seen(open_draw, "+4", 1)


def test_hiding_and_the_last_take_tell_what_they_show() -> None:
    position = played(two_players_draw(), "?1")
    other = played(start(2), "top", "+pD", "+pm", "+bbo", "?1")
    assert seen(position.at(4), "?1", 1) == seen(other.at(4), "?1", 1)
    assert seen(position.at(4), "?0", 1) != seen(other.at(4), "?0", 1)
    assert seen(position, "1", 1) == seen(other, "1", 1)
    played(position, "0@0")
    played(other, "0@0")
    assert seen(position, "2@0", 1) != seen(other, "2@0", 1)
