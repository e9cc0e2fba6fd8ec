"""Lanternes: the worked examples of the rulebook, placing tiles, and a second opinion."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import naive_lanternes as naive
import pytest
from lanternes_positions import (
    ALINE,
    CODES,
    CORENTIN,
    DATA,
    ELLIOT,
    LOLA,
    START,
    cards,
    gained,
    kinds,
    table,
    tile,
    turned,
    written,
)
from tiers import IS_DEEP

from lampion.games.core import EVERYTHING, SPECTATOR, IllegalMove, UnreadableMove
from lampion.games.editions import standard
from lampion.games.move_types import notation
from lampion.games.registry import game
from lampion.play import Position, Seeded
from lampion.testing import wander


class TestWorkedExamples:
    """The examples of the rulebook: Aline, Lola, Elliot and Corentin sit clockwise, Elliot is first."""

    def test_1_a_match_without_a_boat_and_an_empty_colour(self) -> None:
        position = table(
            {(1, 0): ("GROW", 0), (1, 1): ("WGOG*", 0)}, hand=["BRKG"], cards={LOLA: "KKKK", ELLIOT: "KKKK"}
        )
        assert naive.Tile("WGOG*", 0).sides["W"] != "B"
        letters, boats = gained(position, f"{tile('BRKG')}@0,1/{turned('BRKG', 'S', 'R')}")
        assert letters == ["RR", "", "G", "B"]
        assert boats == [0, 0, 0, 0]

    def test_2_two_matches_with_symbols_and_the_last_black_card(self) -> None:
        position = table(
            {
                (1, 0): ("GROW", 0),
                (1, 1): ("RKRO*", turned("RKRO*", "W", "R")),
                (1, 2): ("GBKO", 0),
                (0, 2): ("GPBP*", turned("GPBP*", "S", "P")),
            },
            hand=["PRKK*"],
            cards={LOLA: "KKKK", CORENTIN: "KKK"},
        )
        letters, boats = gained(position, f"{tile('PRKK*')}@0,1/0")
        assert letters == ["RPK", "", "P", "R"]
        assert boats == [3, 0, 0, 0]

    def test_3_a_whole_turn(self) -> None:
        position = table(
            {
                (1, 0): ("GROW", 0),
                (2, 0): ("PKWO", 0),
                (3, 0): ("OKPR", 0),
                (3, 1): ("WWRG", 0),
                (3, 2): ("BPKO", 0),
                (2, 2): ("OBOB*", turned("OBOB*", "S", "B")),
            },
            step="exchange",
            hand=["BWOR"],
            cards={ALINE: "RRRPWOGK"},
            boats={ALINE: 3},
        )
        position.push("P>R")
        assert cards(position, ALINE) == "WORRRRGK"
        rewarded = position.push("RRRR")[-1]
        assert (rewarded.kind, rewarded.thing, rewarded.number) == ("rewarded", "four", 8)
        letters, boats = gained(position, f"{tile('BWOR')}@2,1/{turned('BWOR', 'S', 'O')}")
        assert letters == ["OB", "R", "B", "W"]
        assert boats == [1, 0, 0, 0]
        count = position.count()
        assert (len(cards(position, ALINE)), position.view(ALINE).seats[ALINE].boats, count.scores[ALINE]) == (6, 2, 8)

    def test_4_the_last_blue_card_goes_to_the_first_in_order(self) -> None:
        position = table(active=ELLIOT, hand=["GBOB"], cards={ALINE: "BBBB", LOLA: "BBB"})
        letters, boats = gained(position, f"{tile('GBOB')}@0,1/{turned('GBOB', 'N', 'O')}")
        assert letters == ["G", "", "O", "B"]
        assert boats == [0, 0, 0, 0]

    def test_5_one_match_between_two_symbols(self) -> None:
        lake = {(1, 0): ("GPBP*", turned("GPBP*", "N", "G"))}
        position = table(lake, active=LOLA, hand=["WGOG*"])
        letters, boats = gained(position, f"{tile('WGOG*')}@1,1/{turned('WGOG*', 'S', 'G')}")
        assert letters[LOLA].count("G") == 1
        assert boats == [0, 2, 0, 0]


class TestPlacing:
    def test_any_tile_any_rotation_any_free_cell_beside_the_lake(self) -> None:
        position = table(active=ELLIOT, hand=["WKOK", "OBOB*", "GGGR"])
        cells = ("0,1", "1,0", "0,-1", "-1,0")
        turns = {tile("WKOK"): 4, tile("OBOB*"): 2, tile("GGGR"): 4}
        assert written(position) == {f"{n}@{c}/{t}" for n, many in turns.items() for c in cells for t in range(many)}

    def test_two_tiles_look_the_same_after_a_half_turn(self) -> None:
        box = standard("lanternes").box
        assert {CODES[n] for n in range(START) if box.turns[n] == 2} == {"OBOB*", "WKWK*"}
        assert all(box.turns[n] in (2, 4) for n in range(START))

    def test_a_turn_that_looks_the_same_is_the_same_move(self) -> None:
        position = table(active=ELLIOT, hand=["OBOB*"])
        n = tile("OBOB*")
        assert position.id_of(f"{n}@0,1/2") == position.id_of(f"{n}@0,1/0")
        assert position.id_of({"kind": "place", "tile": n, "x": 0, "y": 1, "turn": 3}) == position.id_of(f"{n}@0,1/1")
        assert position.copy().push(f"{n}@0,1/3") == position.copy().push(f"{n}@0,1/1")

    def test_colours_need_not_match_and_a_side_that_nobody_faces_gives_no_card(self) -> None:
        position = table(players=2, first=0, active=0, hand=["GGGR"], turns=0)
        letters, boats = gained(position, f"{tile('GGGR')}@1,0/0")
        assert letters == ["G", "G"]
        assert boats == [0, 0]

    def test_a_side_that_nobody_faces_matches_like_any_other(self) -> None:
        position = table(players=2, first=0, active=0, hand=["BPWR"], turns=0)
        assert naive.Tile(CODES[START], turned(CODES[START], "S", "R")).sides["E"] == "B"
        letters, _ = gained(position, f"{tile('BPWR')}@1,0/{turned('BPWR', 'W', 'B')}")
        assert letters == ["RB", "P"]

    def test_the_symbol_of_the_placed_tile_gives_one_boat_however_many_sides_match(self) -> None:
        lake = {
            (1, 0): ("GROW", 0),
            (1, 1): ("GGGR", turned("GGGR", "W", "R")),
            (1, 2): ("BPKO", 0),
            (0, 2): ("WWRG", turned("WWRG", "S", "G")),
        }
        position = table(lake, hand=["RRGG*"])
        sides = naive.Tile("RRGG*", 1).sides
        assert (sides["N"], sides["E"]) == ("G", "R")
        letters, boats = gained(position, f"{tile('RRGG*')}@0,1/1")
        assert boats == [1, 0, 0, 0]
        assert Counter(letters[ALINE]) == {"R": 3, "G": 1}  # red twice and green by matches, red once by facing

    def test_an_empty_colour_still_counts_as_a_match_for_boats(self) -> None:
        lake = {(1, 0): ("GPBP*", turned("GPBP*", "N", "G"))}
        position = table(lake, active=LOLA, hand=["WGOG*"], cards={ALINE: "GGGG", ELLIOT: "GGGG"})
        events = position.push(f"{tile('WGOG*')}@1,1/{turned('WGOG*', 'S', 'G')}")
        missed = [event for event in events if event.kind == "missed" and event.why == "match"]
        assert [(event.seat, event.thing) for event in missed] == [(LOLA, "G")]
        assert sum(event.number for event in events if event.kind == "boats") == 2

    def test_the_canoe_of_the_start_tile_is_no_symbol(self) -> None:
        position = table(active=ELLIOT, hand=["GGGR"])
        _, boats = gained(position, f"{tile('GGGR')}@0,1/{turned('GGGR', 'S', 'R')}")
        assert boats == [0, 0, 0, 0]

    def test_the_bonus_comes_before_the_distribution(self) -> None:
        position = table(active=ALINE, hand=["GGGR"], cards={LOLA: "RRRRRRR"}, first=ELLIOT)
        events = position.push(f"{tile('GGGR')}@0,1/{turned('GGGR', 'S', 'R')}")
        reds = [(event.kind, event.why, event.seat) for event in events if event.thing == "R"]
        assert reds == [("received", "match", ALINE), ("missed", "facing", ALINE)]

    @pytest.mark.parametrize(("distribution", "lucky"), [("first", CORENTIN), ("active", LOLA)])
    def test_the_distribution_goes_round_from_the_first_or_the_active_player(
        self, distribution: str, lucky: int
    ) -> None:
        position = table(active=LOLA, hand=["GBOB"], cards={ALINE: "BBBBBBB"}, distribution=distribution)
        letters, _ = gained(position, f"{tile('GBOB')}@1,0/{turned('GBOB', 'N', 'O')}")
        assert [seat for seat, got in enumerate(letters) if "B" in got] == [lucky]

    def test_the_hand_is_filled_while_the_pile_lasts(self) -> None:
        position = table(players=2, first=0, active=0, turns=16)
        assert position.view(EVERYTHING).pile == 0
        position.push(position.legal_moves[0])
        assert position.actor == 1
        assert [seat.tiles for seat in position.view(SPECTATOR).seats] == [2, 3]

    @pytest.mark.parametrize(("x", "y"), [(0, 1), (1, 0), (0, -1), (-1, 0)])
    def test_a_lake_may_be_one_straight_line_of_33_tiles(self, x: int, y: int) -> None:
        position = Position("lanternes", 4, {"first": 0})
        chance, dice = Seeded(x + 3 * y + 9), random.Random(0)
        while not position.is_over:
            position.push_chances(chance)
            if position.is_over:
                break
            moves = list(position.legal_moves)
            far = len(position.view(SPECTATOR).lake)
            line = [
                move for move in moves if getattr(move, "x", None) == x * far and getattr(move, "y", None) == y * far
            ]
            assert line or kinds(position) != {"place"}
            position.push(dice.choice(line or moves))
        lake = {(laid.x, laid.y) for laid in position.view(SPECTATOR).lake}
        assert lake == {(x * i, y * i) for i in range(33)}
        assert position.broken_fact() is None

    def test_refusals_name_the_rule(self) -> None:
        position = table(active=ELLIOT, hand=["GGGR"])
        n = tile("GGGR")
        for move, key in (
            (f"{n}@0,0/0", "lanternes.illegal.occupied"),
            (f"{n}@5,5/0", "lanternes.illegal.apart"),
            (f"{n}@1,1/0", "lanternes.illegal.apart"),
            (f"{n}@99,0/0", "lanternes.illegal.apart"),
            ("99@0,1/0", "lanternes.illegal.number"),
            ("pass", "error.illegal_move"),
        ):
            with pytest.raises(IllegalMove) as caught:
                position.push(move)
            assert caught.value.key == key
        with pytest.raises(UnreadableMove):
            position.push(f"{n}@0,1/4")


def test_the_rules_agree_with_a_slow_reading_of_the_rulebook() -> None:
    """Thousands of positions: the same choices, the same gains, the same places as the naive table."""
    seen = 0
    dice = random.Random(0)
    for seed in itertools.count():
        players = 2 + seed % 3
        distribution = ("first", "active")[seed // 3 % 2]
        slow = naive.Table(DATA, players, distribution)
        for position in wander(game("lanternes"), players, {"distribution": distribution}, seed):
            if position.ply:
                slow.play(notation(position.moves[-1][1]))
            assert slow.told() == naive.as_told(position.view(EVERYTHING), CODES), f"game {seed}, move {position.ply}"
            if position.pending and dice.random() < 0.1:
                assert slow.choices() == written(position), f"game {seed}, move {position.ply}"
            seen += 1
        assert slow.places_in_order() == position.count().ranks
        if seen > (10_000 if IS_DEEP else 3_000):
            break
