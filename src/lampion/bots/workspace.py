"""The arrays of a search, made for one table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lampion.bots import net_search, search
from lampion.engine.arrays import np
from lampion.engine.network import Net, fixed_point, net_workspace
from lampion.engine.rng import new_rng
from lampion.games.core import MOST_KEYS, MOST_SEATS, ROW, Game
from lampion.games.editions import Edition

COUNTERS = 3


def settings_for(game: Game, given: Mapping[str, float] | None = None, *, on_net: bool = False) -> np.ndarray[Any, Any]:
    """Return the settings of a search: the defaults, replaced by those of the game, replaced by those given."""
    of_net = {**net_search.SETTINGS, **game.net_search} if on_net else {}
    chosen = {**search.SETTINGS, **game.search, **of_net, **(given or {})}
    return np.array([tuple(chosen[name] for name in search.SETTINGS)], dtype=search.SETTING)


def new_workspace(
    edition: Edition, players: int, viewer: int, settings: np.ndarray[Any, Any], room: int, net: Net | None = None
) -> search.Workspace:
    """Return the arrays to search in for a seat; `room` is the number of nodes of the tree."""
    game = edition.game
    most = game.most + 1
    return search.Workspace(
        boxes=edition.boxes,
        states=game.new_states(search.STATES),
        settings=settings,
        tree=np.empty(room, dtype=search.NODE),
        used=np.zeros(COUNTERS, dtype=np.int64),
        players=players,
        viewer=viewer,
        rng=new_rng(),
        ids=np.zeros(most, dtype=np.int32),
        spare=np.zeros(most, dtype=np.int32),
        weights=np.zeros(most, dtype=np.int32),
        log=np.zeros((0, ROW), dtype=np.int32),
        path=np.zeros(search.DEEPEST, dtype=np.int32),
        rewards=np.zeros(MOST_SEATS, dtype=np.float64),
        keys=np.zeros((MOST_SEATS, MOST_KEYS), dtype=np.int64),
        chosen=np.zeros(3, dtype=np.int64),
        promises=np.zeros(most, dtype=np.float64),
        promise=np.zeros(1, dtype=np.float64),
        net=fixed_point(net) if net else None,
        learned=net_workspace(net, game.inputs, players) if net else None,
    )
