"""Lanternes: the set-up, what happens in a turn before a tile is placed, and the end."""

from __future__ import annotations

import itertools
from collections import Counter

import naive_lanternes as naive
import pytest
from lanternes_positions import ALINE, CODES, CORENTIN, ELLIOT, LOLA, OUT, START, cards, kinds, table, written

from lampion.games.core import CHANCE, EVERYTHING, SPECTATOR, BadPosition
from lampion.games.registry import game
from lampion.play import Position, Seeded
from lampion.testing import wander

TOPS = {
    "four": [8, 7, 7, 6, 6, 5, 5, 5, 4],
    "pairs": [9, 8, 8, 7, 7, 6, 6, 5, 5],
    "seven": [10, 9, 9, 8, 8, 7, 7, 6, 5],
}


class TestSetUp:
    @pytest.mark.parametrize(
        ("first", "dealt"),
        [(0, "RWK"), (1, "BRW"), (2, "KBR"), (0, "RK"), (1, "KR"), (0, "RWKB"), (1, "BRWK"), (2, "KBRW"), (3, "WKBR")],
    )
    def test_everybody_takes_the_card_that_faces_them(self, first: int, dealt: str) -> None:
        """Seats are at south and north, south west north, or south west north east."""
        position = Position("lanternes", len(dealt), {"first": first})
        assert [cards(position, seat) for seat in range(len(dealt))] == list(dealt)
        assert position.opening(SPECTATOR)[0].kind == "first"

    @pytest.mark.parametrize("players", [2, 3, 4])
    def test_a_view_says_which_side_of_the_lake_every_seat_faces(self, players: int) -> None:
        position = Position("lanternes", players, {"first": players - 1})
        start = naive.Tile(CODES[START], position.view(SPECTATOR).lake[0].turn)
        for viewer in (SPECTATOR, *range(players)):
            sides = [seat.side for seat in position.view(viewer).seats]
            assert [start.sides["NESW"[side]] for side in sides] == [cards(position, seat) for seat in range(players)]

    def test_red_faces_the_first_player_wherever_they_sit(self) -> None:
        for players in (2, 3, 4):
            for first in range(players):
                position = Position("lanternes", players, {"first": first})
                assert cards(position, first) == "R"

    def test_a_first_player_that_is_drawn_is_a_chance_move_with_equal_odds(self) -> None:
        position = Position("lanternes", 3)
        assert position.actor == CHANCE
        assert [(move.seat, weight) for move, weight in position.chances()] == [(0, 1), (1, 1), (2, 1)]

    @pytest.mark.parametrize(("players", "supply", "tiles"), [(2, 5, 22), (3, 7, 27), (4, 8, 32)])
    def test_supply_and_pile_by_number_of_players(self, players: int, supply: int, tiles: int) -> None:
        view = Position("lanternes", players).view(SPECTATOR)
        assert set(view.supply.values()) == {supply}
        assert view.pile == tiles

    def test_reward_cards_leave_by_their_dots(self) -> None:
        assert Position("lanternes", 2).view(SPECTATOR).stacks["seven"] == [10, 9, 8, 7, 6, 5]
        assert Position("lanternes", 3).view(SPECTATOR).stacks["seven"] == [10, 9, 8, 8, 7, 7, 6, 5]
        assert Position("lanternes", 4).view(SPECTATOR).stacks["seven"] == TOPS["seven"]

    def test_everybody_is_dealt_three_tiles_clockwise_from_the_first_player(self) -> None:
        position = Position("lanternes", 3, {"first": 1})
        dealt = []
        while position.actor == CHANCE:
            dealt.append(position.view(SPECTATOR).active)
            position.push_chance(Seeded(5))
        assert dealt == [1, 1, 1, 2, 2, 2, 0, 0, 0]
        assert position.actor == 1

    def test_a_tile_that_left_the_game_is_as_likely_at_the_last_draw_as_at_the_first(self) -> None:
        for position in wander(game("lanternes"), 2, {"first": 0}, 4):
            chances = position.chances()
            if chances:
                assert {weight for _, weight in chances} == {1}
                assert len(chances) == position.view(EVERYTHING).pile + OUT[2]


class TestExchange:
    def test_two_boats_and_a_card_buy_any_other_colour_in_the_supply(self) -> None:
        position = table(step="exchange", cards={ALINE: "PW", LOLA: "GGGGGGGG"}, boats={ALINE: 2})
        offered = {f"{give}>{take}" for give in "PW" for take in "WORPBK" if give != take}
        assert written(position) == offered | {"pass"}
        assert [(event.kind, event.thing, event.number) for event in position.push("P>R")] == [
            ("boats", None, -2),
            ("gave", "P", 1),
            ("took", "R", 1),
        ]
        assert cards(position, ALINE) == "WR"

    def test_it_happens_once_a_turn(self) -> None:
        position = table(step="exchange", cards={ALINE: "PPPP"}, boats={ALINE: 9})
        position.push("P>R")
        assert position.view(ALINE).step == "place"

    def test_it_is_not_asked_with_one_boat(self) -> None:
        with pytest.raises(BadPosition, match="step"):
            table(step="exchange", cards={ALINE: "PW"}, boats={ALINE: 1})

    def test_passing_it_leads_to_the_reward(self) -> None:
        position = table(step="exchange", cards={ALINE: "RRRR"}, boats={ALINE: 2})
        position.push("pass")
        assert kinds(position) == {"reward", "pass"}


class TestRewards:
    @pytest.mark.parametrize(
        ("hand", "move", "stack", "points"),
        [("RRRR", "RRRR", "four", 8), ("WWOOKK", "WWOOKK", "pairs", 9), ("WORPBGK", "WORPBGK", "seven", 10)],
    )
    def test_a_combination_pays_for_the_top_of_its_stack(self, hand: str, move: str, stack: str, points: int) -> None:
        position = table(step="reward", cards={ALINE: hand})
        assert written(position) == {move, "pass"}
        event = position.push(move)[-1]
        assert (event.kind, event.thing, event.number) == ("rewarded", stack, points)
        assert cards(position, ALINE) == ""
        assert position.view(SPECTATOR).stacks[stack] == TOPS[stack][1:]

    def test_four_of_a_colour_are_not_two_pairs(self) -> None:
        assert written(table(step="reward", cards={ALINE: "RRRROO"})) == {"RRRR", "pass"}

    def test_every_choice_of_three_pairs_is_a_move(self) -> None:
        offered = {"".join(c * 2 for c in three) for three in itertools.combinations("WORP", 3)}
        assert written(table(step="reward", cards={ALINE: "WWOORRPP"})) == offered | {"pass"}

    @pytest.mark.parametrize(("stack", "hand"), [("four", "RRRR"), ("pairs", "WWOOKK"), ("seven", "WORPBGK")])
    def test_an_empty_stack_gives_four_points(self, stack: str, hand: str) -> None:
        spent = {stack: sum(TOPS[stack])}
        position = table(step="reward", cards={ALINE: hand}, points={LOLA: spent}, taken={stack: len(TOPS[stack])})
        event = position.push(hand)[-1]
        assert (event.thing, event.number) == ("neutral", 4)
        assert position.count().scores[ALINE] == 4

    def test_one_reward_a_turn(self) -> None:
        position = table(step="reward", cards={ALINE: "RRRRBBBB"})
        position.push("BBBB")
        assert position.view(ALINE).step == "place"

    def test_a_reward_step_without_a_combination_is_not_asked(self) -> None:
        with pytest.raises(BadPosition, match="step"):
            table(step="reward", cards={ALINE: "RRRWWO"})

    def test_typed_rewards_may_name_every_card_or_every_colour(self) -> None:
        position = table(step="reward", cards={ALINE: "WWOORRRR"})
        for colours in ("WOR", "RWO", ["W", "O", "R"], "WWOORR"):
            assert {"kind": "reward", "combination": "pairs", "colours": colours} in position.legal_moves
        for colours in ("R", "RRRR"):
            assert {"kind": "reward", "combination": "four", "colours": colours} in position.legal_moves
        for colours in ("WO", "WORP", "WORR", "", "XYZ", "WWWOOR"):
            assert {"kind": "reward", "combination": "pairs", "colours": colours} not in position.legal_moves


class TestLimit:
    def test_with_twelve_cards_nothing_is_discarded(self) -> None:
        position = table(step="reward", cards={ALINE: "RRRRWWWOOOBB"})
        assert kinds(position) == {"reward", "pass"}

    def test_with_thirteen_cards_there_is_no_pass(self) -> None:
        position = table(step="reward", cards={ALINE: "RRRRWWWOOOBBG"})
        assert kinds(position) == {"reward", "discard"}

    def test_more_than_ten_cards_always_make_a_combination(self) -> None:
        hands = itertools.product(range(4), repeat=7)
        poor = [hand for hand in hands if sum(n >= 2 for n in hand) < 3 and 0 in hand]
        assert max(map(sum, poor)) == 10

    def test_the_first_discard_closes_the_reward(self) -> None:
        position = table(step="reward", cards={ALINE: "RRRRWWWOOOBBGG"})
        position.push("-G")
        assert written(position) == {"-W", "-O", "-R", "-B", "-G"}

    def test_discarding_goes_on_to_exactly_twelve(self) -> None:
        position = table(step="reward", cards={ALINE: "RRRRWWWOOOBBGGP"})
        for left in (14, 13, 12):
            assert "discard" in kinds(position)
            position.push("-R")
            assert len(cards(position, ALINE)) == left
        assert kinds(position) == {"place"}

    def test_after_a_reward_with_seventeen_cards_only_discards_are_left(self) -> None:
        position = table(step="reward", cards={ALINE: "RRRRRRRR" + "WWWW" + "OOOOB"})
        assert len(cards(position, ALINE)) == 17
        position.push("RRRR")
        assert kinds(position) == {"discard"}
        position.push("-W")
        assert kinds(position) == {"place"}

    def test_with_sixteen_cards_a_reward_is_enough(self) -> None:
        position = table(step="reward", cards={ALINE: "RRRRRRRR" + "WWWW" + "OOOO"})
        position.push("RRRR")
        assert kinds(position) == {"place"}

    def test_the_others_may_hold_more_than_twelve(self) -> None:
        assert kinds(table(cards={LOLA: "RRRRWWWOOOBBGGPPKK"})) == {"place"}


class TestEnd:
    @pytest.mark.parametrize(("players", "tiles"), [(2, 11), (3, 9), (4, 8)])
    def test_everybody_places_the_same_number_of_tiles(self, players: int, tiles: int) -> None:
        *_, position = wander(game("lanternes"), players, None, 8)
        placed = Counter(seat for seat, move in position.moves if type(move).__name__ == "Place")
        assert placed == dict.fromkeys(range(players), tiles)

    def test_after_the_last_tile_everybody_has_a_turn_from_the_first_player_on(self) -> None:
        position = table(
            final=True,
            active=ELLIOT,
            step="reward",
            cards={ELLIOT: "WWOOKK", CORENTIN: "PPPP", ALINE: "BBBB", LOLA: "GGGG"},
        )
        order = []
        while not position.is_over:
            order.append(position.actor)
            position.push(position.legal_moves[0])
        assert order == [ELLIOT, CORENTIN, ALINE, LOLA]

    def test_the_limit_does_not_bind_in_the_final_turn(self) -> None:
        position = table(final=True, active=ELLIOT, step="reward", cards={ELLIOT: "RRRR" + "WWWOOOBBBG"})
        assert kinds(position) == {"reward", "pass"}
        position.push("pass")
        assert position.is_over

    def test_who_has_nothing_to_choose_in_the_final_turn_is_not_asked(self) -> None:
        position = table(
            final=True, active=ELLIOT, step="reward", cards={ELLIOT: "RRRR", LOLA: "WWOOK"}, boats={LOLA: 1}
        )
        position.push("RRRR")
        assert position.is_over

    def test_an_exchange_is_still_possible_in_the_final_turn(self) -> None:
        position = table(final=True, active=ELLIOT, step="exchange", cards={ELLIOT: "RRRB"}, boats={ELLIOT: 2})
        position.push("B>R")
        position.push("RRRR")
        assert position.is_over

    @pytest.mark.parametrize(
        ("points", "boats", "hands", "ranks", "decided"),
        [
            ([8, 4, 4, 0], [0, 9, 0, 9], ["", "", "R", ""], [1, 2, 3, 4], "points"),
            ([8, 8, 4, 0], [1, 2, 9, 9], ["RRR", "", "", ""], [2, 1, 3, 4], "boats"),
            ([8, 8, 8, 0], [2, 2, 2, 9], ["R", "WW", "O", ""], [2, 1, 2, 4], "cards"),
            ([8, 8, 8, 0], [2, 2, 2, 9], ["RR", "WW", "O", ""], [1, 1, 3, 4], "cards"),
            ([4, 4, 4, 4], [1, 1, 1, 1], ["R", "W", "O", "K"], [1, 1, 1, 1], None),
        ],
    )
    def test_points_then_boats_then_cards_then_the_victory_is_shared(
        self, points: list[int], boats: list[int], hands: list[str], ranks: list[int], decided: str | None
    ) -> None:
        position = table(
            final=True,
            active=ELLIOT,
            step="ended",
            points={seat: {"neutral": number} for seat, number in enumerate(points)},
            boats=dict(enumerate(boats)),
            cards=dict(enumerate(hands)),
        )
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.ranks == ranks
        assert outcome.decided_by == decided
        assert sum(outcome.shares) == pytest.approx(1)
        assert [share > 0 for share in outcome.shares] == [rank == 1 for rank in ranks]
