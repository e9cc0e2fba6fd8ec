"""Lanternes: the rules, the decisions taken where the rulebook is silent, and its worked examples."""

from __future__ import annotations

import copy
import itertools
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import naive_lanternes as naive
import pytest
from tiers import IS_DEEP

from lampion.engine.rng import new_rng
from lampion.games.core import CHANCE, EVERYTHING, SPECTATOR, BadComponents, BadPosition, IllegalMove, UnreadableMove
from lampion.games.editions import edition, standard
from lampion.games.move_types import Event, notation, sentence
from lampion.games.registry import game
from lampion.locale import LANGUAGES, speaking
from lampion.play import Position, Seeded
from lampion.testing import wander

DATA: Mapping[str, Any] = standard("lanternes").data
CODES: list[str] = [*DATA["tiles"]["lake"], DATA["tiles"]["start"]]
START = 35
TOTAL = {2: 5, 3: 7, 4: 8}
OUT = {2: 13, 3: 8, 4: 3}
TOPS = {
    "four": [8, 7, 7, 6, 6, 5, 5, 5, 4],
    "pairs": [9, 8, 8, 7, 7, 6, 6, 5, 5],
    "seven": [10, 9, 9, 8, 8, 7, 7, 6, 5],
}
ALINE, LOLA, ELLIOT, CORENTIN = range(4)
Cell = tuple[int, int]


def tile(code: str) -> int:
    """The number of the tile that the components write like this."""
    return CODES.index(code)


def turned(code: str, side: str, colour: str) -> int:
    """How often to turn a tile so that a side shows a colour."""
    return next(turn for turn in range(4) if naive.Tile(code, turn).sides[side] == colour)


def table(
    lake: Mapping[Cell, tuple[str, int]] | None = None,
    *,
    players: int = 4,
    active: int = ALINE,
    first: int = ELLIOT,
    step: str = "place",
    hand: Sequence[str] = (),
    cards: Mapping[int, str] | None = None,
    boats: Mapping[int, int] | None = None,
    points: Mapping[int, Mapping[str, int]] | None = None,
    taken: Mapping[str, int] | None = None,
    distribution: str = "first",
    turns: int | None = None,
    final: bool = False,
) -> Position:
    """A position in which `active` is at `step`, with what the test cares about; the rest is filled in to fit.

    Tiles that must lie on the lake for the turns to come out even go south of the start tile, in a line; `cards` are
    letters by seat.
    """
    laid = dict(lake or {})
    asked = (active - first) % players if not final else 0
    everything = len(CODES) - 1 - OUT[players]
    number = everything if final else turns if turns is not None else len(laid) + (asked - len(laid)) % players
    free = [n for n in range(START) if CODES[n] not in hand and n not in {tile(code) for code, _ in laid.values()}]
    spare = ((0, -y) for y in itertools.count(1))
    while len(laid) < number:
        cell = next(spare)
        if cell not in laid:
            laid[cell] = (CODES[free.pop()], 0)
    facing = naive.SEATED[players][first]
    tiles = [{"tile": START, "x": 0, "y": 0, "turn": turned(CODES[START], facing, "R")}]
    tiles += [{"tile": tile(code), "x": x, "y": y, "turn": turn} for (x, y), (code, turn) in laid.items()]
    rounds, ahead = divmod(number, players)
    hands = []
    for seat in range(players):
        left = everything // players - rounds - ((seat - first) % players < ahead)
        mine = [tile(code) for code in hand] if seat == active else []
        while len(mine) < min(3, left):
            mine.append(free.pop())
        hands.append(mine)
    held = [Counter(dict.fromkeys(naive.COLOURS, 0) | Counter((cards or {}).get(seat, ""))) for seat in range(players)]
    supply = {colour: TOTAL[players] - sum(each[colour] for each in held) for colour in naive.COLOURS}
    stacks = naive.Table(DATA, players, distribution).stacks
    scored = [dict.fromkeys((*stacks, "neutral"), 0) | dict((points or {}).get(seat, {})) for seat in range(players)]
    view = {
        "players": players,
        "distribution": distribution,
        "first": first,
        "active": active,
        "step": step,
        "final": final,
        "lake": tiles,
        "supply": supply,
        "stacks": {name: stack[(taken or {}).get(name, 0) :] for name, stack in stacks.items()},
        "pile": everything - number - sum(map(len, hands)),
        "unseen": free,
        "seats": [
            {
                "cards": held[seat],
                "boats": (boats or {}).get(seat, 0),
                "points": scored[seat],
                "tiles": len(hands[seat]),
                "hand": hands[seat],
            }
            for seat in range(players)
        ],
    }
    return Position.from_view("lanternes", players, {"distribution": distribution}, view)


def cards(position: Position, seat: int) -> str:
    """The cards in front of a seat, as letters."""
    return "".join(colour * number for colour, number in position.view(SPECTATOR).seats[seat].cards.items())


def gained(position: Position, move: str) -> tuple[list[str], list[int]]:
    """What everybody gains by a move: cards as letters, and boats."""
    before = position.view(SPECTATOR).seats
    position.push(move)
    after = position.view(SPECTATOR).seats
    letters = [
        "".join(colour * (new.cards[colour] - old.cards[colour]) for colour in naive.COLOURS)
        for old, new in zip(before, after, strict=True)
    ]
    return letters, [new.boats - old.boats for old, new in zip(before, after, strict=True)]


def written(position: Position) -> set[str]:
    """What the actor may do, in notation."""
    return {position.notation(int(id)) for id in position.legal_ids()}


def kinds(position: Position) -> set[str]:
    """The kinds of moves the actor may make."""
    return {type(move).__name__.lower() for move in position.legal_moves}


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


class TestSecrets:
    def test_others_are_told_that_a_tile_was_drawn_but_not_which(self) -> None:
        position = Position("lanternes", 2, {"first": 0})
        events = {viewer: position.preview("+16", CHANCE, viewer)[0] for viewer in (0, 1, SPECTATOR)}
        assert [events[viewer].thing for viewer in (0, 1, SPECTATOR)] == ["BRKG", None, None]
        with speaking("en"):
            assert sentence(position.game, events[1], ["Ada", "Ben"], box=position.edition.box) == "Ada draws a tile."

    def test_a_view_names_only_the_own_hand(self) -> None:
        position = Position("lanternes", 3)
        position.push_chances(Seeded(1))
        view = position.view(1)
        assert [seat.hand is not None for seat in view.seats] == [False, True, False]
        others = {tile for seat in (0, 2) for tile in position.view(EVERYTHING).seats[seat].hand}
        assert others <= set(view.unseen)

    def test_every_unseen_tile_is_equally_likely_in_an_other_hand(self) -> None:
        position = Position("lanternes", 2, {"first": 0})
        position.push_chances(Seeded(1))
        rng = new_rng(1)
        worlds = 4000
        held = Counter(n for _ in range(worlds) for n in position.concealed(0, rng).view(EVERYTHING).seats[1].hand)
        unseen = position.view(0).unseen
        assert set(held) == set(unseen)
        expected = worlds * 3 / len(unseen)
        chi_square = sum((held[n] - expected) ** 2 / expected for n in unseen)
        assert chi_square < 60  # 31 degrees of freedom: passed by chance once in a thousand times


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


def changed(path: str, value: Any) -> dict[str, Any]:
    """The components with one entry changed; ... takes it away."""
    data: dict[str, Any] = copy.deepcopy(dict(DATA))
    *way, name = path.split(".")
    inner: Any = data
    for part in way:
        inner = inner[int(part)] if isinstance(inner, list) else inner[part]
    at = int(name) if isinstance(inner, list) else name
    if value is ...:
        del inner[at]
    else:
        inner[at] = value
    return data


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (changed("tiles.lake.4", "WKO"), 'tiles.lake[4]: "WKO" has 3 sides; a tile has four.'),
        (changed("tiles.lake.4", "WKOKW"), 'tiles.lake[4]: "WKOKW" has 5 sides; a tile has four.'),
        (changed("tiles.lake.4", "WKOX"), 'tiles.lake[4]: "WKOX" has the unknown colour X; colours are WORPBGK.'),
        (changed("tiles.lake.4", 7), "tiles.lake[4]: 7 must be a text."),
        (changed("tiles.lake.4", ...), "tiles.lake has 34 entries; there must be 35."),
        (changed("tiles.lake", "WKOK"), "tiles.lake must be a list."),
        (changed("tiles.start", ...), "tiles.start is missing."),
        (
            changed("tiles.start", "RWKR"),
            'tiles.start: "RWKR": the start tile has exactly one red side and no platform.',
        ),
        (
            changed("tiles.start", "RWKB*"),
            'tiles.start: "RWKB*": the start tile has exactly one red side and no platform.',
        ),
        (changed("tiles.colour", "R"), "tiles.colour means nothing here."),
        (changed("rewards.neutral", [[5, 0], [4, 0]]), "rewards.neutral: neutral rewards all have the same points."),
        (changed("rewards.three_pairs.2", 8), 'rewards.three_pairs[2]: "8": a reward is [points, dots].'),
        (
            changed("rewards.three_pairs.2", [10, 0]),
            "rewards.three_pairs[2]: 10 points lie under 8; the highest lies on top.",
        ),
        (changed("rewards.three_pairs.2", [0, 0]), "rewards.three_pairs[2]: 0 must be from 1 to 100."),
        (changed("rewards.three_pairs", []), "rewards.three_pairs has 0 entries"),
        (
            changed("setup.2.tiles_removed", 12),
            "setup.2.tiles_removed: with 12 tiles removed, 2 players do not place equally",
        ),
        (changed("setup.3.cards_per_colour", True), "setup.3.cards_per_colour: true must be a whole number."),
        (changed("setup.4", ...), "setup.4 is missing."),
        (changed("setup", [1]), "setup must be a table of names and values."),
        (changed("extra", 1), "extra means nothing here."),
    ],
)
def test_a_broken_components_file_is_refused_by_name(data: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadComponents) as caught:
        edition(game("lanternes"), data)
    with speaking("en"):
        assert str(caught.value).startswith(reason)
    with speaking("fr"):
        assert str(caught.value)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_edition_has_no_more_tiles_than_there_is_room_for(players: int) -> None:
    """A lake in a line has the longest border: with the most tiles that are accepted, the list of moves still fits."""
    accepted = []
    for removed in range(36):
        try:
            accepted.append(edition(game("lanternes"), changed(f"setup.{players}.tiles_removed", removed)))
        except BadComponents:
            continue
    assert standard("lanternes").hash in {each.hash for each in accepted}
    position = Position("lanternes", players, {"first": 0}, components=accepted[0])
    chance, dice = Seeded(1), random.Random(1)
    most = 0
    while not position.is_over:
        position.push_chances(chance)
        if position.pending:
            view = position.view(EVERYTHING)
            if view.step == "place":
                turns = sum(len(looks(CODES[n])) for n in view.seats[position.actor].hand)
                most = max(most, 4 * len(view.seats[position.actor].hand) * (2 * len(view.lake) + 2))
                assert len(position.legal_ids()) == turns * (2 * len(view.lake) + 2)
            line = [move for move in position.legal_moves if getattr(move, "y", 0) == len(view.lake)]
            position.push(dice.choice(line or list(position.legal_moves)))
        assert position.broken_fact() is None
    assert most <= game("lanternes").most


def looks(code: str) -> set[tuple[str, ...]]:
    """The different ways a tile can look."""
    return {tuple(naive.Tile(code, turn).sides.values()) for turn in range(4)}


def test_another_edition_is_played_with_its_own_tiles() -> None:
    data = changed("setup.2.cards_per_colour", 9)
    position = Position("lanternes", 2, {"first": 0}, components=data)
    assert position.view(SPECTATOR).supply["G"] == 9
    assert not position.edition.is_standard


def test_every_sentence_of_a_turn_in_both_languages() -> None:
    events = [Event("boats", 0, None, number, "own_platform") for number in (1, 2)]
    said = {}
    for language in LANGUAGES:
        with speaking(language):
            said[language] = [sentence(game("lanternes"), event, ["Zoé"], box=None) for event in events]
    assert said == {"en": ["Zoé receives a boat.", "Zoé receives 2 boats."], "fr": said["fr"]}
    assert len(set(said["fr"])) == 2


@pytest.mark.parametrize(
    ("event", "english", "french"),
    [
        (
            Event("placed", 0, "WGOG*", 0, "choice"),
            "Zoé places a tile (white, green, orange, green; with a platform).",
            "Zoé pose une tuile (blanc, vert, orange, vert\u202f; avec un ponton).",
        ),
        (
            Event("rewarded", 0, "seven", 10, "combination"),
            "Zoé pays a set of seven colours and takes 10 points.",
            "Zoé paie sept couleurs et marque 10 points.",
        ),
        (
            Event("took", 0, "O", 1, "exchange"),
            "Zoé takes an orange card for it.",
            "Zoé prend une carte orange à la place.",
        ),
    ],
)
def test_sentences_have_words_and_no_codes(event: Event, english: str, french: str) -> None:
    for language, text in (("en", english), ("fr", french)):
        with speaking(language):
            assert sentence(game("lanternes"), event, ["Zoé"], box=None) == text
