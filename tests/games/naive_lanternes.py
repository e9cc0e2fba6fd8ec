"""Lanternes played slowly: the rules once more, in plain Python and straight from the rulebook, moves as notation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from typing import Any

COLOURS = "WORPBGK"
WAYS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
SEATED = {2: "SN", 3: "SWN", 4: "SWNE"}
DOTS_OUT = {2: (3, 4), 3: (4,), 4: ()}
STACKS = {"four": "four_of_a_kind", "pairs": "three_pairs", "seven": "seven_colours"}
Cell = tuple[int, int]


class Tile:
    """A tile as it lies: the colour of every side, and whether it has a symbol."""

    def __init__(self, code: str, turn: int) -> None:
        letters = code.rstrip("*")
        self.symbol = code.endswith("*")
        self.sides = {side: letters[(i - turn) % 4] for i, side in enumerate("NESW")}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tile) and (self.symbol, self.sides) == (other.symbol, other.sides)

    __hash__ = None  # type: ignore[assignment]


class Table:
    """A game in progress."""

    def __init__(self, components: Mapping[str, Any], players: int, distribution: str) -> None:
        setup = components["setup"][str(players)]
        self.codes = components["tiles"]["lake"]
        self.start = components["tiles"]["start"]
        self.players, self.distribution = players, distribution
        self.supply = Counter(dict.fromkeys(COLOURS, setup["cards_per_colour"]))
        self.pile = len(self.codes) - setup["tiles_removed"]
        self.stacks = {
            name: [points for points, dots in components["rewards"][stack] if dots not in DOTS_OUT[players]]
            for name, stack in STACKS.items()
        }
        self.cards = [Counter[str]() for _ in range(players)]
        self.hands: list[list[int]] = [[] for _ in range(players)]
        self.boats = [0] * players
        self.points = [Counter[str]() for _ in range(players)]
        self.lake: dict[Cell, Tile] = {}
        self.first = self.active = -1
        self.step = "first"
        self.final = False

    def facing(self, seat: int) -> str:
        """The side of the lake where a seat sits."""
        return SEATED[self.players][seat]

    def receive(self, seat: int, colour: str) -> None:
        """A card, if there is one."""
        if self.supply[colour] > 0:
            self.supply[colour] -= 1
            self.cards[seat][colour] += 1

    def give_back(self, seat: int, colour: str, number: int) -> None:
        """Cards return to the supply."""
        assert self.cards[seat][colour] >= number
        self.cards[seat][colour] -= number
        self.supply[colour] += number

    def distribute(self, tile: Tile) -> None:
        """One card for everybody, from the first player or the active one round the table."""
        begin = self.active if self.distribution == "active" else self.first
        for i in range(self.players):
            seat = (begin + i) % self.players
            self.receive(seat, tile.sides[self.facing(seat)])

    def play(self, move: str) -> None:
        """Make a move, whoever's turn it is."""
        seat = self.active
        if move.startswith("first:"):
            self.first = self.active = int(move[6:])
            red_side = self.facing(self.first)
            tiles = [Tile(self.start, turn) for turn in range(4)]
            self.lake[0, 0] = next(tile for tile in tiles if tile.sides[red_side] == "R")
            self.distribute(self.lake[0, 0])
            self.step = "deal"
        elif move.startswith("+"):
            self.hands[seat].append(int(move[1:]))
            self.pile -= 1
            if self.step == "draw":
                self.next_turn()
            elif len(self.hands[seat]) == 3:
                self.active = (seat + 1) % self.players
                if len(self.hands[self.active]) == 3:
                    self.ask("exchange")
        elif move == "pass":
            self.ask("reward" if self.step == "exchange" else "place")
        elif ">" in move:
            self.boats[seat] -= 2
            self.give_back(seat, move[0], 1)
            assert self.supply[move[2]] > 0
            self.receive(seat, move[2])
            self.ask("reward")
        elif move.startswith("-"):
            self.give_back(seat, move[1], 1)
            self.ask("discard")
        elif "@" in move:
            self.place(seat, move)
            if self.pile > 0:
                self.step = "draw"
            else:
                self.next_turn()
        else:
            self.reward(seat, move)
            self.ask("discard")

    def reward(self, seat: int, move: str) -> None:
        """Cards are paid, the top card of the stack is taken; an empty stack is worth four points."""
        for colour, number in Counter(move).items():
            self.give_back(seat, colour, number)
        name = {4: "four", 6: "pairs", 7: "seven"}[len(move)]
        if self.stacks[name]:
            self.points[seat][name] += self.stacks[name].pop(0)
        else:
            self.points[seat]["neutral"] += 4

    def place(self, seat: int, move: str) -> None:
        """The tile, its matches, the boats, the distribution."""
        number, _, rest = move.partition("@")
        x, y, turn = (int(part) for part in rest.replace("/", ",").split(","))
        tile = Tile(self.codes[int(number)], turn)
        self.hands[seat].remove(int(number))
        assert (x, y) not in self.lake
        matching = []
        for side, (dx, dy) in WAYS.items():
            beside = self.lake.get((x + dx, y + dy))
            if beside is not None and beside.sides[OPPOSITE[side]] == tile.sides[side]:
                matching.append(beside)
                self.receive(seat, tile.sides[side])
        if matching and tile.symbol:
            self.boats[seat] += 1
        self.boats[seat] += sum(beside.symbol for beside in matching)
        self.lake[x, y] = tile
        self.distribute(tile)

    def next_turn(self) -> None:
        """Clockwise; after the last tile everybody has one more turn, then the game is over."""
        self.active = (self.active + 1) % self.players
        if self.active == self.first:
            if self.final:
                self.step = "ended"
                return
            self.final = not any(self.hands)
        self.ask("exchange")

    def ask(self, step: str) -> None:
        """The next step in which the active player has anything to choose."""
        for self.step in ("exchange", "reward", "discard", "place")[
            ("exchange", "reward", "discard", "place").index(step) :
        ]:
            if self.choices() - {"pass"}:
                return
        self.next_turn()

    def choices(self) -> set[str]:
        """All that the active player may do."""
        seat = self.active
        cards = self.cards[seat]
        bound = cards.total() > 12 and not self.final
        if self.step == "exchange":
            if self.boats[seat] < 2:
                return {"pass"}
            return {"pass"} | {f"{a}>{b}" for a in COLOURS for b in COLOURS if a != b and cards[a] and self.supply[b]}
        discards = {f"-{colour}" for colour in COLOURS if cards[colour]}
        if self.step == "reward":
            rewards = {colour * 4 for colour in COLOURS if cards[colour] >= 4}
            pairs = [colour for colour in COLOURS if cards[colour] >= 2]
            rewards |= {a * 2 + b * 2 + c * 2 for a, b, c in combinations(pairs, 3)}
            rewards |= {COLOURS} if all(cards[colour] for colour in COLOURS) else set()
            return rewards | (discards if bound else {"pass"})
        if self.step == "discard":
            return discards if bound else set()
        return self.places(seat) if self.step == "place" and not self.final else set()

    def places(self, seat: int) -> set[str]:
        """Every tile, on every free cell beside the lake, turned in every way that looks different."""
        cells = {(x + dx, y + dy) for x, y in self.lake for dx, dy in WAYS.values()} - set(self.lake)
        found = set()
        for number in self.hands[seat]:
            looks: list[Tile] = []
            for turn in range(4):
                tile = Tile(self.codes[number], turn)
                if tile not in looks:
                    looks.append(tile)
                    found |= {f"{number}@{x},{y}/{turn}" for x, y in cells}
        return found

    def places_in_order(self) -> list[int]:
        """Everybody's place: points, then boats, then cards; equal ones share it."""
        worth = [(self.points[s].total(), self.boats[s], self.cards[s].total()) for s in range(self.players)]
        return [1 + sum(other > mine for other in worth) for mine in worth]

    def told(self) -> dict[str, Any]:
        """What can be held against a view of everything."""
        return {
            "first": None if self.first < 0 else self.first,
            "active": None if self.active < 0 else self.active,
            "step": self.step,
            "final": self.final,
            "lake": {cell: tile.sides for cell, tile in self.lake.items()},
            "supply": {colour: self.supply[colour] for colour in COLOURS},
            "stacks": self.stacks,
            "pile": self.pile,
            "cards": [{colour: cards[colour] for colour in COLOURS} for cards in self.cards],
            "boats": self.boats,
            "points": [{name: points[name] for name in (*STACKS, "neutral")} for points in self.points],
            "hands": [sorted(hand) for hand in self.hands],
        }


def as_told(view: Any, codes: list[str]) -> dict[str, Any]:
    """A view of everything in the same terms; `codes` are those of all tiles, the start tile's last."""
    lake = {(laid.x, laid.y): Tile(codes[laid.tile], laid.turn).sides for laid in view.lake}
    return {
        "first": view.first,
        "active": view.active,
        "step": view.step,
        "final": view.final,
        "lake": {} if view.step == "first" else lake,
        "supply": view.supply,
        "stacks": view.stacks,
        "pile": view.pile,
        "cards": [seat.cards for seat in view.seats],
        "boats": [seat.boats for seat in view.seats],
        "points": [seat.points for seat in view.seats],
        "hands": [seat.hand for seat in view.seats],
    }
