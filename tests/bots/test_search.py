"""The search: it finds what there is to find, keeps to its time, and is the same again from the same seed."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest
from tables import code, decisions, play
from write_positions import LAST_CHOICES, record, shares_after

from lampion.bots import Maker, named, searcher
from lampion.bots.search import NONE, ROOT, child_of
from lampion.bots.searcher import Search, SearchBot, SearchWorkspace
from lampion.games.iles.notation import Hide
from lampion.games.registry import games
from lampion.play import Position, Seeded, Sight


@pytest.mark.parametrize("name", LAST_CHOICES)
def test_the_last_move_takes_the_victory_if_there_is_one(name: str) -> None:
    position = record(name).replay()
    shares = shares_after(position, 0)
    assert shares is not None
    sight = Sight(position, 0)
    chosen = named("sun:sims=1500").sit(sight, 1).choose(sight)
    assert shares[chosen] == max(shares.values()), position.text()


def fireflies(seed: int = 3) -> tuple[Position, Sight]:
    """The first decision of a small game."""
    position = Position("fireflies", 3)
    position.push_chances(Seeded(seed))
    return position, Sight(position, position.actor)


def sit(text: str, sight: Sight, seed: int = 1) -> SearchBot:
    """A searching bot."""
    bot = named(text).sit(sight, seed)
    assert isinstance(bot, SearchBot)
    return bot


@pytest.mark.parametrize("text", ["sun:sims=400", "sun:sims=400:threads=2", "sun:sims=401:threads=3"])
def test_the_same_seed_searches_the_same_again(text: str) -> None:
    trees = []
    for seed in (1, 1, 2):
        _, sight = fireflies()
        bot = sit(text, sight, seed)
        bot.choose(sight)
        assert bot.simulations == (401 if "401" in text else 400)
        trees.append([workspace.visits() for workspace in bot.workspaces])
    assert trees[0] == trees[1]
    assert trees[0] != trees[2]
    assert sum(count for visits in trees[0] for count, *_ in visits.values()) == bot.simulations


@pytest.mark.parametrize("seed", range(1, 8))
def test_threads_search_apart_and_are_added_up(seed: int) -> None:
    _, sight = fireflies(seed)
    bot = sit("sun:sims=400:threads=2", sight)
    chosen = bot.choose(sight)
    first, second = (workspace.visits() for workspace in bot.workspaces)
    assert first != second
    together = {move: first[move][0] + second[move][0] for move in first.keys() & second.keys()}
    assert together[chosen] == max(together.values())


@pytest.mark.parametrize("pace", [1e-5, 1e-4, 0.015])
def test_an_effort_in_time_is_kept_and_used(monkeypatch: pytest.MonkeyPatch, pace: float) -> None:
    """By a clock on which each simulation takes `pace` seconds."""
    now = 0.0
    think = SearchWorkspace.think

    def take_time(workspace: SearchWorkspace, simulations: int) -> int:
        nonlocal now
        now += pace * simulations
        return think(workspace, simulations)

    monkeypatch.setattr(SearchWorkspace, "think", take_time)
    monkeypatch.setattr(searcher, "time", SimpleNamespace(perf_counter=lambda: now))
    _, sight = fireflies()
    for ms in (10, 50, 200):
        bot, began = sit(f"sun:ms={ms}", sight), now
        bot.choose(sight)
        assert ms / 1000 <= now - began + 1e-9 < ms / 1000 + max(pace, 0.001)
        assert bot.simulations == round((now - began) / pace)


def test_what_was_thought_about_the_moves_that_followed_is_kept() -> None:
    position, sight = fireflies()
    bot, chance, picks = sit("sun:sims=400", sight), Seeded(3), random.Random(1)
    kept = []
    while not position.is_over:
        if position.actor != sight.seat:
            position.push(int(picks.choice(position.legal_ids())))
        else:
            chosen = bot.choose(sight)
            workspace = bot.workspaces[0]
            kept.append(int(workspace.tree[workspace.used[ROOT]]["visits"]) - 400)
            position.push(chosen)
        position.push_chances(chance)
    assert kept[0] == 0
    assert len(kept) > 3
    assert all(count >= 0 for count in kept)
    assert max(kept[1:]) > 5, "some of the tree lives on"


def test_only_one_move_needs_no_thought() -> None:
    sight = Sight(record("iles-one-move").replay(), 0)
    assert len(sight.ids) == 1
    bot = sit("sun:sims=100", sight)
    assert bot.choose(sight) == sight.ids[0]
    assert bot.simulations == 0


def test_players_who_decide_at_the_same_time_search_each_for_themselves() -> None:
    position = record("dice-three").replay()
    assert len(position.pending) == 3
    chosen = {}
    for seat in (2, 0, 1):
        sight = Sight(position, seat)
        chosen[seat] = named("sun:sims=60").sit(sight, 1).choose(sight)
        assert chosen[seat] in sight.ids
    for seat in (1, 2, 0):
        position.push(chosen[seat], seat)


@pytest.mark.parametrize("name", games())
def test_bots_of_all_sorts_play_a_whole_game(name: str) -> None:
    players = games()[name].players[-1]
    texts = ["sun:sims=20", "greedy", "spark", "candle", "lighthouse:sims=20"]
    makers: list[Maker] = [named(texts[seat]) for seat in range(players)]
    assert play(name, players, makers) == [None] * players


def last_hiding(seed: int) -> tuple[Position, int]:
    """1001 Îles of two, where the lookout is to draw the third tile of the last round; and the lookout."""
    position = list(decisions("iles", 2, seed))[-1]
    hiding = max(ply for ply, (_, move) in enumerate(position.moves) if isinstance(move, Hide))
    return position.at(hiding - 1), position.played[hiding].seat


def opinion(position: Position, lookout: int, doubts: float, learned: bool) -> float | None:
    """What the lookout's search thinks it is worth to the other to take the hidden third tile; None: not tried."""
    sight = Sight(position, lookout)
    bot = Search(sims=2000, settings=(("doubts", doubts),), learned=learned).sit(sight, 1)
    assert isinstance(bot, SearchBot)
    bot.choose(sight)
    workspace, other = bot.workspaces[0], 1 - lookout
    node = child_of(
        workspace.tree, int(workspace.used[ROOT]), lookout, code(position, lookout, position.id_of("?2"), lookout)
    )
    hidden = position.copy()
    hidden.push("?2")
    taken = child_of(workspace.tree, node, other, code(hidden, other, hidden.id_of("2"), lookout))
    visits = 0 if taken == NONE else int(workspace.tree[taken]["visits"])
    return float(workspace.tree[taken]["value"]) / visits if visits else None


@pytest.mark.parametrize("learned", [False, True], ids=["by the estimate", "on the net"])
def test_others_are_not_thought_to_know_what_the_seat_alone_knows(learned: bool) -> None:
    """What the third tile is matters to who takes it, but not to who must decide before seeing it."""
    alike = []
    for seed in range(12):
        position, lookout = last_hiding(seed)
        opinions: dict[float, list[float | None]] = {0.0: [], 0.5: []}
        for move, _ in position.chances():
            world = position.copy()
            world.push(move)
            for doubts, found in opinions.items():
                found.append(opinion(world, lookout, doubts, learned))
        told, not_told = ([value for value in found if value is not None] for found in opinions.values())
        if len(told) == len(not_told):
            alike.append(max(not_told) - min(not_told) < (max(told) - min(told)) / 5)
    assert len(alike) >= 8
    assert sum(alike) >= 0.7 * len(alike), "the others rarely look at what is bad for them anyway: not all are alike"
