"""Chance in a game that is played: generators, draws by name, and the seeds that may be given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from lampion.engine.rng import STEP, below, game_seed, mixed, name_draw, new_rng, random_bits
from lampion.play import Entropy, Manual, Position, Seeded
from lampion.play.chance import BadSeed, ChanceNeeded

MASK = 2**64 - 1
BELOW = [0, 0, 1, 27, 527613000]
DRAWN = [28, 17, 31, 26, 18, 4, 4, 8, 10, 20, 5, 14, 8, 33, 16, 6, 19, 28]
WEIGHED = [0, 0, 3, 0, 0, 3, 3, 0, 3, 3, 3, 1]
SEEDS = [
    11590088549758838113,
    10776215610669344720,
    18193655401504675551,
    3756681213985926376,
    2193805282469573279,
    11582107545136561445,
]


def unmixed(value: int) -> int:
    """The 64 bits that `mixed` turns into these, by plain integers."""

    def undo_shift(value: int, by: int) -> int:
        found = value
        for _ in range(64 // by + 1):
            found = value ^ (found >> by)
        return found & MASK

    value = undo_shift(value, 31)
    value = value * pow(0x94D049BB133111EB, -1, 2**64) & MASK
    value = undo_shift(value, 27)
    value = value * pow(0xBF58476D1CE4E5B9, -1, 2**64) & MASK
    return undo_shift(value, 30)


def before(*halves: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """A generator whose next draw has these upper 32 bits."""
    return new_rng((unmixed(halves[0] << 32) - int(STEP)) & MASK)


class TestChance:
    def test_the_generator_is_the_same_on_every_machine(self) -> None:
        rng = new_rng(0)
        assert [int(random_bits(rng)) for _ in range(4)] == [
            0xE220A8397B1DCDAF,
            0x6E789E6AA1B965F4,
            0x06C45D188009454F,
            0xF88BB8A8724C81EC,
        ]
        assert [int(below(rng, n)) for n in (1, 2, 6, 35, 2**31)] == BELOW

    def test_draws_by_name_are_the_same_on_every_machine(self) -> None:
        stream = Seeded(20240229)
        drawn = [stream.draw(source, k, [1] * 35) for source in (0, 1, 7) for k in range(6)]
        assert drawn == DRAWN
        assert [Seeded(3).draw(0, k, [5, 1, 0, 2]) for k in range(12)] == WEIGHED

    def test_the_seeds_of_many_games_are_the_same_on_every_machine(self) -> None:
        seeds = [int(game_seed(np.uint64(5), number, part)) for number in (0, 1, 2**33) for part in (0, 1)]
        assert seeds == SEEDS

    def test_a_draw_depends_on_seed_source_and_count_alone(self) -> None:
        asked = [(source, k) for source in (0, 1, 2) for k in range(20)]
        straight = {name: Seeded(9).draw(*name, [1] * 100) for name in asked}
        stream = Seeded(9)
        for name in reversed(asked):
            assert stream.draw(*name, [1] * 100) == straight[name]
        assert len({Seeded(seed).draw(0, 0, [1] * 10_000) for seed in range(20)}) > 15
        assert len(set(straight.values())) > 30

    def test_the_same_deal_comes_to_games_that_diverge(self) -> None:
        deals = []
        for first in (0, 1):
            position = Position("lanternes", 2, {"first": first})
            position.push_chances(Seeded(4))
            deals.append([move.tile for _, move in position.moves])
        assert deals[0] == deals[1]

    def test_draws_are_counted_by_source(self) -> None:
        position = Position("lanternes", 2)
        asked = []

        class Spy:
            def draw(self, source: int, k: int, weights: Sequence[int]) -> int:
                asked.append((source, k, sum(weights)))
                return 0

        position.push_chances(Spy())
        assert asked == [(0, 0, 2), *((1, k, 35 - k) for k in range(6))]
        position.pop()
        position.push_chance(Spy())
        assert asked[-1] == (1, 5, 30)

    def test_shares_of_the_total_go_by_weight(self) -> None:
        counts = Counter(Seeded(1).draw(0, k, [1, 2, 0, 5]) for k in range(8000))
        assert counts[2] == 0
        for outcome, weight in ((0, 1), (1, 2), (3, 5)):
            assert abs(counts[outcome] - 1000 * weight) < 150

    @pytest.mark.parametrize("n", [3, 5, 6, 7, 35, 1000, 2**31 + 1, 2**32 - 1])
    def test_what_does_not_fit_evenly_is_drawn_again(self, n: int) -> None:
        """Each outcome keeps as many of the 2**32 first draws as every other: those too many are refused."""
        uneven = 2**32 % n
        for outcome in {0, 1, n // 2, n - 1}:
            first = -(-outcome * 2**32 // n)
            after = -(-(outcome + 1) * 2**32 // n)
            refused = first * n % 2**32 < uneven
            assert after - first - refused == 2**32 // n
            rng = before(first)
            start = int(rng[0])
            drawn = int(below(rng, n))
            draws_made = (int(rng[0]) - start) * pow(int(STEP), -1, 2**64) & MASK
            assert (draws_made > 1) == refused
            if not refused:
                assert drawn == outcome
            assert int(below(before(after - 1), n)) == outcome

    def test_every_number_below_n_comes_up(self) -> None:
        rng = new_rng(1)
        counts = Counter(int(below(rng, 7)) for _ in range(7000))
        assert set(counts) == set(range(7))
        assert max(abs(count - 1000) for count in counts.values()) < 120

    def test_naming_a_draw_leaves_no_trace_of_the_last_one(self) -> None:
        one, two = new_rng(1), new_rng(2)
        name_draw(one, np.uint64(3), 4, 5)
        name_draw(two, np.uint64(3), 4, 5)
        assert one[0] == two[0] != mixed(np.uint64(0))

    @pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "1", True, None])
    def test_a_seed_is_a_whole_number_of_64_bits(self, seed: Any) -> None:
        with pytest.raises(BadSeed):
            Seeded(seed)
        assert Seeded(2**64 - 1).draw(0, 0, [1]) == 0

    def test_entropy_draws_by_weight_and_manual_never(self) -> None:
        assert {Entropy().draw(0, k, [0, 1, 1]) for k in range(60)} == {1, 2}
        with pytest.raises(ChanceNeeded):
            Position("lanternes").push_chances(Manual())
