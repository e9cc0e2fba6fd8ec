"""The worked examples of the four games, played by a program that knows nothing but the JSON-lines protocol."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from asking import Caller

from lampion.locale import speaking

View = dict[str, Any]


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with speaking("en"):
        yield


@pytest.fixture
def ask() -> Caller:
    return Caller()


def box(ask: Caller) -> dict[str, Any]:
    """What is in the box of the game that is being played."""
    return dict(ask("record")["record"]["edition"]["components"])


# Lanternes. Elliot is first and faces the red of the start tile.

ALINE, LOLA, ELLIOT, CORENTIN = range(4)
START = {"tile": 35, "x": 0, "y": 0, "turn": 0}


class Lanternes:
    """Sets a position of four players up: what is not told is made up so that everything adds up."""

    def __init__(self, ask: Caller) -> None:
        self.ask = ask
        ask("new", game="lanternes", players=4, options={"first": ELLIOT}, chance="manual")
        self.codes: list[str] = box(ask)["tiles"]["lake"]

    def tile(self, code: str) -> int:
        return self.codes.index(code)

    def set(
        self,
        active: int,
        hand: str,
        lake: list[tuple[str, int, int, int]],
        cards: dict[int, dict[str, int]],
        boats: int = 0,
        step: str = "place",
    ) -> None:
        position = self.ask.everything()
        laid = [START] + [{"tile": self.tile(code), "x": x, "y": y, "turn": turn} for code, x, y, turn in lake]
        used = {tile["tile"] for tile in laid} | {self.tile(hand)}
        free = [tile for tile in range(35) if tile not in used]
        for seat, there in enumerate(position["seats"]):
            mine = [self.tile(hand)] if seat == active else []
            while len(mine) < 3:
                mine.append(free.pop())
            there |= {"hand": sorted(mine), "tiles": 3, "boats": boats if seat == active else 0}
            there["cards"] = {colour: cards.get(seat, {}).get(colour, 0) for colour in "WORPBGK"}
        for colour in "WORPBGK":
            position["supply"][colour] = 8 - sum(there["cards"][colour] for there in position["seats"])
        position |= {"first": ELLIOT, "active": active, "step": step, "unseen": free, "pile": len(free) - 3}
        position["lake"] = laid
        self.ask("set", game="lanternes", players=4, position=position, chance="manual")

    def place(self, code: str, x: int, y: int, turn: int) -> dict[int, dict[str, int]]:
        """Place a tile; what everybody gained, by colour and in boats, and who missed a card."""
        before = self.ask.everything()["seats"]
        events = self.ask("play", move={"kind": "place", "tile": self.tile(code), "x": x, "y": y, "turn": turn})[
            "events"
        ]
        after = self.ask.everything()["seats"]
        gained = {}
        for seat in range(4):
            found = {colour: after[seat]["cards"][colour] - before[seat]["cards"][colour] for colour in "WORPBGK"}
            found["boats"] = after[seat]["boats"] - before[seat]["boats"]
            gained[seat] = {what: number for what, number in found.items() if number}
        for event in events:
            if event["kind"] == "missed":
                gained[event["seat"]][f"no {event['thing']}"] = 1
        return gained


@pytest.fixture
def lanternes(ask: Caller) -> Lanternes:
    return Lanternes(ask)


def test_lanternes_1_an_empty_supply_gives_nothing_and_a_symbol_that_does_not_match_no_boat(
    lanternes: Lanternes,
) -> None:
    lanternes.set(ALINE, "BRKG", [("WKOK", 1, 0, 0), ("WGOG*", 1, 1, 0)], {LOLA: {"K": 4}, CORENTIN: {"K": 4}})
    assert lanternes.place("BRKG", 0, 1, 1) == {
        ALINE: {"R": 2},
        LOLA: {"no K": 1},
        ELLIOT: {"G": 1},
        CORENTIN: {"B": 1},
    }


def test_lanternes_2_three_boats_and_the_last_black_card_goes_to_the_first_in_order(lanternes: Lanternes) -> None:
    lanternes.set(ALINE, "PRKK*", [("WOPW*", -1, 0, 0), ("RKRO*", 0, -1, 3)], {LOLA: {"K": 4}, ELLIOT: {"K": 3}})
    assert lanternes.place("PRKK*", -1, -1, 0) == {
        ALINE: {"P": 1, "R": 1, "K": 1, "boats": 3},
        LOLA: {"no K": 1},
        ELLIOT: {"P": 1},
        CORENTIN: {"R": 1},
    }


def test_lanternes_3_a_whole_turn_of_exchange_reward_and_placement(lanternes: Lanternes, ask: Caller) -> None:
    cards = {ALINE: {"R": 3, "P": 1, "W": 1, "O": 1, "G": 1, "K": 1}}
    lanternes.set(ALINE, "BWOR", [("WBKB*", -1, 0, 1), ("WKOK", 1, 0, 0)], cards, boats=3, step="exchange")
    assert [event["kind"] for event in ask("play", move="P>R")["events"]] == ["boats", "gave", "took"]
    assert ask("play", move={"kind": "reward", "combination": "four", "colours": "R"})["actor"] == ALINE
    assert lanternes.place("BWOR", -1, -1, 0) == {
        ALINE: {"B": 1, "O": 1, "boats": 1},
        LOLA: {"R": 1},
        ELLIOT: {"B": 1},
        CORENTIN: {"W": 1},
    }
    aline = ask.everything()["seats"][ALINE]
    assert sum(aline["cards"].values()) == 6
    assert aline["boats"] == 2
    assert aline["points"] == {"four": 8, "pairs": 0, "seven": 0, "neutral": 0}


LAST_BLUE = {ALINE: {"G": 1}, LOLA: {"no B": 1}, ELLIOT: {"O": 1}, CORENTIN: {"B": 1}}
AROUND = [("received", "O"), ("received", "B"), ("received", "G"), ("missed", "B")]


def test_lanternes_4_the_last_blue_card_goes_clockwise_from_the_first_player(lanternes: Lanternes) -> None:
    lanternes.set(ELLIOT, "GBOB", [], {ALINE: {"B": 4}, LOLA: {"B": 3}})
    assert lanternes.place("GBOB", 0, 1, 2) == LAST_BLUE


def test_lanternes_4_reached_by_play_from_the_set_up(ask: Caller) -> None:
    """The caller deals Elliot the tile, the rest at random, until one blue card is left when his turn comes."""
    picks = random.Random(1)
    for _ in range(200):
        lanternes = Lanternes(ask)
        wanted = lanternes.tile("GBOB")
        while (listed := ask("legal"))["actor"] is not None:
            moves = listed["moves"]
            position = ask.everything()
            his = [move for move in moves if move["move"].get("tile") == wanted]
            if listed["actor"] == "chance":
                moves = his if his and position["active"] == ELLIOT else [m for m in moves if m not in his]
            elif his:
                places = [move for move in his if move["move"]["turn"] == 2]
                told = ask("preview", moves=[move["id"] for move in places])["previews"]
                for place, events in zip(places, told, strict=True):
                    if [(event["kind"], event["thing"]) for event in events[1:]] == AROUND:
                        where = place["move"]
                        assert lanternes.place("GBOB", where["x"], where["y"], 2) == LAST_BLUE
                        return
                moves = [move for move in moves if move not in his] or moves
            ask("play", move=picks.choice(moves)["id"])
    pytest.fail("two hundred games, and never one blue card left")


def test_lanternes_5_a_match_between_two_tiles_with_symbols_gives_two_boats(lanternes: Lanternes) -> None:
    lanternes.set(LOLA, "RRGG*", [("WGOG*", 1, 0, 0), ("WKOK", -1, 0, 0), ("GGGR", 0, -1, 0)], {})
    # Her green meets the green to the west; her other sides meet nothing.
    gained = lanternes.place("RRGG*", 2, 0, 0)
    assert gained == {LOLA: {"G": 2, "boats": 2}, ALINE: {"G": 1}, ELLIOT: {"R": 1}, CORENTIN: {"R": 1}}


def test_lanternes_5_reached_by_play_from_the_set_up(ask: Caller) -> None:
    lanternes = Lanternes(ask)
    hands = {ELLIOT: ["WGOG*", "WKOK", "GGGR"], CORENTIN: ["OPOO", "RKGP", "RGBP"], ALINE: ["RGKR", "GROW", "BPWR"]}
    hands[LOLA] = ["RRGG*", "KPBB", "WWRG"]
    for seat in (ELLIOT, CORENTIN, ALINE, LOLA):
        for code in hands[seat]:
            assert ask("legal")["actor"] == "chance"
            ask("play", move=f"+{lanternes.tile(code)}", seat="chance")
    for code, x, y, drawn in (("WGOG*", 1, 0, "BRKG"), ("OPOO", 0, 1, "BKWG"), ("RGKR", 0, 2, "BRWK")):
        lanternes.place(code, x, y, 0)
        ask("play", move={"kind": "draw", "tile": lanternes.tile(drawn)})
    assert ask("legal")["actor"] == LOLA
    assert lanternes.place("RRGG*", 2, 0, 0) == {
        LOLA: {"G": 2, "boats": 2},
        ALINE: {"G": 1},
        ELLIOT: {"R": 1},
        CORENTIN: {"R": 1},
    }


# Lanternes Dice. A pond is row * 9 + column, its zones are pond * 2 and pond * 2 + 1.


def pond(row: int, column: int) -> int:
    return row * 9 + column


def ring(row: int, column: int) -> list[int]:
    """The eight ponds around one."""
    return [
        pond(r, c) for r in range(row - 1, row + 2) for c in range(column - 1, column + 2) if (r, c) != (row, column)
    ]


def zones(ponds: list[int]) -> list[int]:
    return sorted(2 * pond + half for pond in ponds for half in (0, 1))


class Dice:
    """Two players, the sheets empty; positions are made from one at the end and one in the middle of a turn."""

    def __init__(self, ask: Caller) -> None:
        self.ask = ask
        self.options = ask("new", game="dice", players=2, chance="manual")["options"]

    def turn(self, dice: str, r: int = 0) -> None:
        """Roll the dice and turn the tray."""
        for colour in dice:
            self.ask("play", move={"kind": "roll", "colour": colour})
        self.ask("play", move={"kind": "turn", "r": r})

    def pass_to_the_end(self) -> View:
        """Everybody declines everything; the position at the end."""
        while (listed := self.ask("legal"))["actor"] is not None:
            notations = [move["notation"] for move in listed["moves"]]
            self.ask("play", move="pass" if "pass" in notations else notations[0])
        return self.ask.everything()

    def set(self, position: View) -> None:
        for there in position["seats"]:
            there |= dict.fromkeys(("points", "spent", "groups", "boats", "lacking"))
        self.ask("set", game="dice", players=2, options=self.options, position=position, chance="manual")


@pytest.fixture
def dice(ask: Caller) -> Dice:
    return Dice(ask)


def launched(shape: str, tile: int, *ponds: int) -> dict[str, Any]:
    return {"shape": shape, "tile": tile, "ponds": list(ponds)}


def test_dice_groups_of_twelve_and_ten_four_fireworks_and_two_boats_are_33_points(dice: Dice, ask: Caller) -> None:
    position = dice.pass_to_the_end()
    west = ring(1, 1) + [pond(3, 0), pond(3, 1), pond(3, 2), pond(4, 0)]
    east = ring(1, 7) + [pond(3, 6), pond(3, 7)]
    assert (len(west), len(east)) == (12, 10)
    sheet = position["seats"][0]
    sheet["shaded"] = zones(west + east)
    sheet["fireworks"] = [
        launched("tee", 0, pond(2, 0), pond(2, 1), pond(2, 2), pond(3, 1)),
        launched("tee", 1, pond(2, 6), pond(2, 7), pond(2, 8), pond(3, 7)),
        launched("corner", 0, pond(0, 0), pond(0, 1), pond(1, 0)),
        launched("corner", 1, pond(0, 6), pond(0, 7), pond(1, 6)),
    ]
    for stack in position["stacks"]:
        if stack["shape"] in ("tee", "corner"):
            del stack["left"][:2]
    dice.set(position)
    result = ask("result")["result"]
    assert result["categories"][0] == {"fireworks": 5 + 4 + 3 + 3, "second_group": 10, "boats": 2 * 4}
    assert result["scores"] == [33, 0]
    assert result["winners"] == [0]


def test_dice_two_largest_groups_of_one_size_count_that_size_and_a_single_one_nothing(dice: Dice, ask: Caller) -> None:
    position = dice.pass_to_the_end()
    for groups, points in (([3, 3, 2], 3), ([4], 0), ([], 0)):
        ponds = [pond(2 * row, column) for row, size in enumerate(groups) for column in range(size)]
        position["seats"][0]["shaded"] = zones(ponds)
        dice.set(position)
        assert ask("result")["result"]["categories"][0]["second_group"] == points


def test_dice_an_inner_platform_pond_offers_the_eight_free_zones_around_it(dice: Dice, ask: Caller) -> None:
    # The pond in row 2, column 2 is GP# with a platform.
    target = pond(2, 2)
    dice.turn("GGGG")
    position = ask.everything()
    position["seats"][0]["shaded"] = [2 * target + 1]
    dice.set(position)
    ask("play", move={"kind": "shade", "zone": 2 * target}, seat=0)
    offered = [move["move"] for move in ask.legal(seat=0)]
    around = [pond(1, 2), pond(2, 1), pond(2, 3), pond(3, 2)]
    assert offered == [{"kind": "shade", "zone": zone} for zone in zones(around)] + [{"kind": "pass"}]
    # Declined, the bonus is lost.
    ask("play", move="pass", seat=0)
    assert ask.everything()["seats"][0]["platform"] is None


def test_dice_touching_platforms_lead_from_one_bonus_to_the_next(dice: Dice, ask: Caller) -> None:
    # bR# in row 1 lies above GP# in row 2, both with platforms, in column 2.
    upper, lower = pond(1, 2), pond(2, 2)
    dice.turn("GGGG")
    position = ask.everything()
    position["seats"][0]["shaded"] = [2 * upper, 2 * lower + 1]
    position["seats"][0]["gifts"] = 1
    dice.set(position)
    ask("play", move={"kind": "shade", "zone": 2 * lower}, seat=0)
    assert ask.everything()["seats"][0]["platform"] == lower
    ask("play", move={"kind": "shade", "zone": 2 * upper + 1}, seat=0)
    assert ask.everything()["seats"][0]["platform"] == upper
    around = [pond(0, 2), pond(1, 1), pond(1, 3)]
    assert [m["move"].get("zone") for m in ask.legal(seat=0)] == [*zones(around), None]


# Lumens, three players on the large board.

OTHER_FACE = {1: 6, 2: 5, 3: 4, 4: 3, 5: 2, 6: 1}


class Lumens:
    """Sets an ended game up: tokens in rooms as told, all the others in the passages, where they count for nothing."""

    def __init__(self, ask: Caller) -> None:
        self.ask = ask
        ask("new", game="lumens", players=3, chance="manual")
        board = box(ask)["boards"]["large"]
        self.cells: dict[str, list[tuple[int, int]]] = {}
        self.starts = [tuple(cell) for cell in board["starts"]["3"]]
        for y, row in enumerate(board["rows"]):
            for x, room in enumerate(row):
                if (x, y) not in self.starts:
                    self.cells.setdefault(room, []).append((x, y))

    def end(self, rooms: dict[str, list[list[int]]]) -> View:
        """The result, with these faces in each room by seat."""
        left = [dict.fromkeys((4, 5, 6), 8) for _ in range(3)]
        lying = {}
        for seat, start in enumerate(self.starts):
            lying[start] = (seat, 1)
            left[seat][6] -= 1
        for room, faces in rooms.items():
            free = iter(self.cells[room])
            for seat, mine in enumerate(faces):
                for face in mine:
                    lying[next(free)] = (seat, face)
                    left[seat][max(face, OTHER_FACE[face])] -= 1
        passages = iter(self.cells["."])
        for seat in range(3):
            for face, count in left[seat].items():
                for _ in range(count):
                    lying[next(passages)] = (seat, face)
        position = self.ask.everything()
        position |= {"step": "ended", "first": 0, "active": None, "rooms": {}}
        position["cells"] = [
            {"x": x, "y": y, "tokens": [{"seat": seat, "face": face}]} for (x, y), (seat, face) in sorted(lying.items())
        ]
        for there in position["seats"]:
            there |= {"left": [0, 0, 0], "holding": False, "hand": None, "out": False}
        self.ask("set", game="lumens", players=3, position=position, chance="manual")
        return dict(self.ask("result")["result"])


@pytest.mark.parametrize(
    ("faces", "sums", "points"),
    [
        ([[6, 4], [5, 4], [4]], [10, 9, 4], [4, 2, 0]),
        ([[6, 6], [5], [4]], [12, 5, 4], [4, 2, 0]),
        ([[6, 4], [5, 5], [6]], [10, 10, 6], [4, 4, 0]),
        ([[5, 4], [4], [3, 1]], [9, 4, 4], [4, 2, 2]),
    ],
    ids=["10/9/4", "12/5/4", "10/10/6", "9/4/4"],
)
def test_lumens_first_and_second_in_a_room(
    faces: list[list[int]], sums: list[int], points: list[int], ask: Caller
) -> None:
    result = Lumens(ask).end({"5": faces})
    assert ask.everything()["rooms"]["5"] == {"sums": sums, "points": points}
    assert [there["room_5"] for there in result["categories"]] == points


def test_lumens_a_tie_at_twenty_goes_to_the_player_in_the_central_room(ask: Caller) -> None:
    mine = {room: [[1], [], []] for room in "567B"} | {room: [[], [2], []] for room in "2489A"}
    result = Lumens(ask).end(mine)
    assert result["scores"] == [20, 20, 0]
    assert result["ranks"] == [1, 2, 3]
    assert result["decided_by"] == "central"


# 1001 Îles, two players.


def test_iles_the_island_of_the_rulebook_is_worth_35_points(ask: Caller) -> None:
    ask("new", game="iles", players=2, seed=1)
    while (listed := ask("legal"))["actor"] is not None:
        ask("play", move=listed["moves"][0]["id"])
    position = ask.everything()
    tiles = box(ask)["islands"]
    mine = {
        "top": ["pc", "pD", "pf", "pm"],
        "centre": ["pR", "brD", "mf", "bbo"],
        "bottom": ["pbE", "es", "ppb", "bblo"],
    }
    for row, (name, codes) in enumerate(mine.items()):
        numbers = [tiles[name].index(code) for code in codes]
        rest = [number for number, code in enumerate(tiles[name]) if number not in numbers]
        rest.sort(key=lambda number: (tiles[name][number].count("l"), tiles[name][number].count("b")))
        islands = (numbers, rest[:4])
        for seat in (0, 1):
            position["seats"][seat].pop("points", None)  # they follow from the islands
            position["seats"][seat]["island"][row] = [{"tile": number, "down": False} for number in islands[seat]]
        position["piles"][name] |= {"away": sorted(rest[4:8]), "unseen": sorted(rest[8:])}
    dreams = ["gem_columns", "lamp", "elephant", "snake"], ["rokh", "monkey", "fennec", "camel"]
    left = [name for name in box(ask)["dreams"] for _ in range(2)]
    for seat, chosen in enumerate(dreams):
        position["seats"][seat]["dreams"] = chosen
        for name in chosen:
            left.remove(name)
    position["piles"]["dream"] |= {"away": left[:4], "unseen": left[4:]}
    ask("set", game="iles", players=2, position=position, chance="manual")
    result = ask("result")["result"]
    assert result["scores"][0] == 35
    told = {name: points for name, points in result["categories"][0].items() if points}
    assert told == {"gem_columns": 8, "lamp": 4, "elephant": 5, "snake": 10, "palms": 8, "pairs": 7, "brigands": -7}
