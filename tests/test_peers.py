"""The C loop that our speed is measured against plays exactly our games."""

from __future__ import annotations

import shutil

import pytest
from tiers import daily

from lampion.arena.bench import peers_module
from lampion.arena.simulate_random import simulate
from lampion.games import registry
from lampion.games.editions import components_file, standard

PEERS = peers_module()


@pytest.mark.skipif(not (shutil.which("cc") or shutil.which("gcc")), reason="no C compiler on this machine")
@pytest.mark.parametrize("players", daily((2, 3, 4), 4))
@pytest.mark.parametrize("distribution", daily(("first", "active"), "active"))
def test_the_c_loop_plays_our_games(players: int, distribution: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert PEERS is not None
    loop = PEERS.c_loop(tmp_path_factory.mktemp("c"), components_file(registry.game("lanternes")))
    theirs = loop(players, 2000, 7, distribution)
    ours = simulate(standard("lanternes"), players, 2000, seed=7, options={"distribution": distribution})
    assert theirs["moves"] == pytest.approx(ours.mean_length * ours.games)
    assert (theirs["shortest"], theirs["longest"]) == (ours.shortest, ours.longest)
    means = next(value for key, value in theirs.items() if "score" in key)
    assert means == pytest.approx(ours.mean_scores, abs=1e-9)
