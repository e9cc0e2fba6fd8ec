"""In a part of a search on a net the others take what looks best to them at once, as far as they know."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from tables import decisions
from test_search import last_hiding

from lampion.bots import named, net_search, search
from lampion.bots.levels import Level
from lampion.bots.searcher import MOST_NAIVE, SLIPS, Search, SearchBot
from lampion.engine import rules
from lampion.games.registry import games
from lampion.play import Position, Seeded, Sight

TELLING = 8
"""A game at whose end a greedy player would gain by knowing the hidden tile."""


def searching(position: Position, seat: int, naive: float, learned: bool = True) -> SearchBot:
    """A seat's search in which the others are naive in this part."""
    bot = Search(sims=500, settings=(("naive", naive),), learned=learned).sit(Sight(position, seat), 1)
    assert isinstance(bot, SearchBot)
    return bot


def naive_answers(position: Position, viewer: int, times: int = 60) -> list[tuple[int, float, bool]]:
    """What a naive player, whose turn it is, takes again and again in a simulation of a seat.

    Each with what it promises, and whether the tree grew.
    """
    workspace = searching(position, viewer, 1.0).workspaces[0]
    workspace.look_at(Sight(position, viewer), 7)
    work = workspace.arrays
    work.states[search.WORLD] = work.states[search.GIVEN]
    n = rules.legal(work.boxes[0], work.states[search.WORLD], position.actor, work.ids)
    answers = []
    for _ in range(times):
        grew = net_search.follow_naive(work, int(workspace.used[search.ROOT]), position.actor, n)
        answers.append((int(work.chosen[2]), float(workspace.tree[int(work.chosen[1])]["prior"]), bool(grew)))
    return answers


def greedy_moves(position: Position) -> set[int]:
    """What `greedy` may take."""
    sight = Sight(position, position.actor)
    return {named("greedy").sit(sight, seed).choose(sight) for seed in range(60)}


def visits_by_mover(bot: SearchBot, position: Position) -> list[int]:
    """The visits of each seat's moves in a search's tree."""
    bot.choose(Sight(position, position.actor))
    workspace = bot.workspaces[0]
    tree: Any = workspace.tree[: int(workspace.used[search.NODES])]
    return [int(tree["visits"][tree["mover"] == seat].sum()) for seat in range(position.players)]


@pytest.mark.parametrize(("players", "from_the_next_seat"), [(2, 0), (3, 1)], ids=["own secrets", "nothing hidden"])
def test_a_naive_player_takes_what_greedy_takes(players: int, from_the_next_seat: int) -> None:
    for position in itertools.islice(decisions("iles", players, 5), 0, None, 4):
        viewer = (position.actor + from_the_next_seat) % players
        assert {move for move, _, _ in naive_answers(position, viewer)} == greedy_moves(position)


def test_a_naive_player_does_not_know_what_the_seat_hid() -> None:
    """What the third tile is changes nothing for a player who must decide before seeing it."""
    position, lookout = last_hiding(TELLING)
    found = set()
    for move, _ in position.chances():
        world = position.copy()
        world.push(move)
        world.push("?2")
        found.add(tuple((answer, round(promise, 4)) for answer, promise, _ in naive_answers(world, lookout)))
    assert len(found) == 1


def test_a_naive_answer_starts_with_what_it_promises_and_ends_the_simulation_once() -> None:
    position = next(itertools.islice(decisions("iles", 3, 5), 36, None))
    assert len(greedy_moves(position)) == 1
    answers = naive_answers(position, (position.actor + 1) % 3, 3)
    assert [grew for _, _, grew in answers] == [True, False, False]
    assert all(0.0 < promise < 1.0 for _, promise, _ in answers)


def test_the_searching_seat_alone_learns_from_the_naive_part_and_is_not_naive() -> None:
    position = next(itertools.islice(decisions("iles", 3, 5), 36, None))
    seat = position.actor
    bot = searching(position, seat, 1.0)
    in_part, in_all = (visits_by_mover(each, position) for each in (searching(position, seat, 0.5), bot))
    assert in_all[seat] > 0
    assert not any(count for other, count in enumerate(in_all) if other != seat)
    assert any(count for other, count in enumerate(in_part) if other != seat)
    assert {move for move, (visits, _, _) in bot.workspaces[0].visits().items() if visits} > greedy_moves(position)


def test_without_a_net_nobody_is_thought_naive() -> None:
    position = next(itertools.islice(decisions("iles", 3, 5), 36, None))
    searches = [searching(position, position.actor, naive, learned=False) for naive in (0.0, 0.5)]
    assert visits_by_mover(searches[0], position) == visits_by_mover(searches[1], position)


@pytest.mark.parametrize(("players", "naive"), [(2, True), (3, False)])
def test_the_strongest_in_1001_iles_thinks_the_other_naive_in_part_where_two_play(players: int, naive: bool) -> None:
    maker = Level("sun", "sun").maker(games()["iles"], players)
    assert isinstance(maker, Search)
    assert (dict(maker.settings)["naive"] > 0.0) == naive


def beliefs(opponent: str, threads: int = 1) -> list[float]:
    """How naive a searching seat thinks an opponent at the end of a game, by thread."""
    position, chance = Position("iles", 2), Seeded(3)
    settings = (("naive", 0.3), ("doubts", 0.1))
    bot = Search(sims=200, threads=threads, settings=settings, learned=True).sit(Sight(position, 0), 1)
    assert isinstance(bot, SearchBot)
    other = named(opponent).sit(Sight(position, 1), 2)
    position.push_chances(chance)
    while not position.is_over:
        seat = position.actor
        position.push_rows((bot, other)[seat].choose(Sight(position, seat)), seat)
        position.push_chances(chance)
        for work in bot.workspaces:
            assert work.arrays.settings[0]["naive"] == min(work.belief, MOST_NAIVE)
    return [workspace.belief for workspace in bot.workspaces]


def test_moves_tell_whether_the_other_is_naive() -> None:
    assert beliefs("greedy") > [0.9]
    assert beliefs("sun:sims=200") < [0.1]


def test_the_share_of_simulations_that_chose_a_move_says_how_likely_it_is() -> None:
    """Two moves of the other, of which it makes the first; a third is another seat's."""
    workspace = searching(Position("iles", 2), 0, 0.3).workspaces[0]
    work, root = workspace.arrays, int(workspace.used[search.ROOT])
    for mover, naive, thinking in ((1, 8, 1), (1, 0, 7), (0, 50, 50)):
        node = search.new_node(work.tree, work.used, root, mover, 10 * naive, 10 * naive)
        work.tree[node]["naive_visits"], work.tree[node]["visits"] = naive, thinking
    workspace.follow([(1, 80)], 0)
    slips = SLIPS / 2
    odds = 0.3 / 0.7 * ((1 - SLIPS) * 9 / 10 + slips) / ((1 - SLIPS) * 2 / 10 + slips)
    assert workspace.belief == pytest.approx(odds / (1 + odds))


def test_every_thread_learns_from_its_own_tree() -> None:
    first, second = beliefs("sun:sims=200", threads=2)
    assert first != second


def test_who_thinks_nobody_naive_stays_so() -> None:
    position = Position("iles", 2)
    bot = searching(position, 0, 0.0)
    for workspace in bot.workspaces:
        workspace.learn_from(1, int(workspace.used[search.ROOT]))
        assert workspace.belief == workspace.arrays.settings[0]["naive"] == 0.0
