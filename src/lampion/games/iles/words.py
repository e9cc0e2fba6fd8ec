"""1001 Îles as plain data: what `Game.words` gives, from the modules of the game."""

from lampion.games.iles.events import EVENTS, WHYS, Event
from lampion.games.iles.notation import Move, id_of, move, notation, parse
from lampion.games.iles.svg import drawing
from lampion.games.iles.text import picture
from lampion.games.iles.view import View, asked, options_of, position, view

__all__ = [
    "EVENTS", "WHYS", "Event", "Move", "View", "asked", "drawing", "id_of", "move", "notation", "options_of",
    "parse", "picture", "position", "view",
]  # fmt: skip
