"""How much is computed for an evaluation. Effort is counted, never timed: the same settings give the same figures."""

from __future__ import annotations

from lampion.games.move_types import Plain

VERSION = 4
"""Of the figures: raised by a change of how they are computed."""


class Settings(Plain, frozen=True):
    """The effort of an evaluation."""

    simulations: int = 500
    """Most moves followed for a decision of two players, all compared together; with more, who all answer, fewer in
    proportion."""
    fine: float = 0.003
    """Half of the interval of a difference between two moves that is narrow enough: no more moves are followed then."""
    wide: int = 8
    """Most moves that are compared, beside the one that was played."""
    looks: int = 100
    """Moves among which everybody chooses while a move is followed, where there are more than twice as many."""
    worlds: int = 4
    """Worlds in which all moves are tried one step ahead, to choose those that are compared."""
    samples: int = 1024
    """Ways in which a long chain of draws is followed."""
    ways: int = 2048
    """Most ways of a chain of draws that are all followed."""


STANDARD = Settings()
QUICK = Settings(simulations=200, fine=0.0, wide=4, looks=2, worlds=1, samples=128, ways=256)
"""For tests, and for a first answer."""
