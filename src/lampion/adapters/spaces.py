"""Spaces and seeds that the environments of Gymnasium and PettingZoo share."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

MOST_SEED = 2**63

Observation = dict[str, np.ndarray[Any, Any]]


def observation_space(size: int, actions: int) -> gymnasium.spaces.Dict:
    """Return the space of a seat's observation and of its mask, which is 1 for each action that the seat may take."""
    return gymnasium.spaces.Dict(
        {
            "observation": gymnasium.spaces.Box(-np.inf, np.inf, (size,), np.float32),
            "action_mask": gymnasium.spaces.Box(0, 1, (actions,), np.int8),
        }
    )
