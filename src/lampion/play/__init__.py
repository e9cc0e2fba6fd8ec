"""A game being played: positions, records, chance, undo."""

from lampion.play.chance import Chance, Entropy, Manual, Seeded
from lampion.play.legal_moves import LegalMoves
from lampion.play.outcome import Outcome
from lampion.play.position import Position
from lampion.play.record import BadRecord, Record, SeatInfo
from lampion.play.sight import Sight
from lampion.play.undo import take_back

__all__ = [
    "BadRecord",
    "Chance",
    "Entropy",
    "LegalMoves",
    "Manual",
    "Outcome",
    "Position",
    "Record",
    "SeatInfo",
    "Seeded",
    "Sight",
    "take_back",
]
