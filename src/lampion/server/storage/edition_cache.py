"""The editions of a store's tables, each in memory once however many tables share it."""

from __future__ import annotations

import hashlib
import json
from weakref import WeakValueDictionary

from lampion.games import registry
from lampion.games.editions import Edition, edition, standard
from lampion.server.protocol import stored_events as stored
from lampion.server.storage.store import Damaged, Store


def edition_in(made: stored.Made) -> Edition:
    """Return the edition that the first event of a table contains, or the game's own where it names that one.

    Raises Damaged where it names another one, which is stored apart.
    """
    usual = standard(made.game)
    if made.components is not None:
        return usual if made.components == usual.data else edition(usual.game, made.components)
    if made.edition != usual.hash:
        raise Damaged("server.no_edition")
    return usual


class EditionCache:
    """Editions by game and hash, as long as a table holds them."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._held: WeakValueDictionary[tuple[str, str], Edition] = WeakValueDictionary()

    def share(self, given: Edition) -> Edition:
        """Return the edition in use that equals a given one, or else the given one itself."""
        name = given.game.name
        if given.hash == standard(name).hash:
            return standard(name)
        return self._held.setdefault((name, given.hash), given)

    async def of(self, made: stored.Made) -> Edition:
        """Return the edition of a table; Damaged where it is missing from the store or altered."""
        game = registry.game(made.game)
        if made.components is not None or made.edition == standard(game.name).hash:
            return self.share(edition_in(made))
        found = self._held.get((game.name, made.edition))
        if found is None:
            body = await self.store.edition(made.edition)
            if body is None or hashlib.sha256(body).hexdigest() != made.edition:
                raise Damaged("server.no_edition")
            found = self.share(edition(game, json.loads(body)))
        return found
