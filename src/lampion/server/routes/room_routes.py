"""Routes of the room itself: its games, their words and rules, and its tables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec

from lampion import bounds
from lampion.games import registry
from lampion.games.editions import components_file, standard
from lampion.games.rulebook import nearest_rules
from lampion.games.rulebook import parsed as rules_as_data
from lampion.locale import LANGUAGES, catalogue, say
from lampion.play.exercises import exercises
from lampion.play.tutorial import tutorial
from lampion.server.protocol import http_types
from lampion.server.protocol.refusals import Refused
from lampion.server.routes.analysis_routes import AnalysisRoutes
from lampion.server.routes.exchange import Request, Response, Route, body_of, encoded, json_of, language_of, localized
from lampion.server.routes.explore_routes import ExploreRoutes
from lampion.server.routes.puzzle_routes import PuzzleRoutes
from lampion.server.routes.replay_routes import ReplayRoutes, as_file
from lampion.server.tables.continued_game import unfinished_record
from lampion.server.tables.hub import Hub
from lampion.server.tables.live_table import LiveTable
from lampion.server.tables.rate_limits import AddressLimiter, asker
from lampion.server.tables.summaries import TableSummaries

MOST_NEW_TABLE = 8 * bounds.MOST_EDITION
"""Bytes of a request for a new table: its edition may be written with escapes."""


class RoomRoutes:
    """All that a room answers to everybody."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.making = AddressLimiter(1, 60)
        self.looks = AddressLimiter(5, 100)
        self.summaries = TableSummaries(hub)
        self.routes = [
            Route("/api/games", localized(self.games)),
            Route("/api/games/{game}/components", localized(self.standard_components)),
            Route("/api/games/{game}/components.toml", localized(self.components_text)),
            Route("/api/words/{language}", localized(self.words)),
            Route("/api/rules/{game}", localized(self.rules)),
            Route("/api/rules/{game}/sections", localized(self.sections)),
            Route("/api/tables", localized(self.make), "POST"),
            Route("/api/tutorials/{game}", localized(self.teach), "POST"),
            Route("/api/tables/look", localized(self.look), "POST"),
            Route("/api/tables/unfinished", localized(self.take_in), "POST"),
            Route("/api/tables/{table}", localized(self.table)),
            Route("/api/tables/{table}/unfinished", localized(self.take_along), "POST"),
            Route("/api/tables/{table}/components", localized(self.components)),
            *ReplayRoutes(hub, self.find).routes,
            *AnalysisRoutes(hub, self.find, self.making).routes,
            *PuzzleRoutes(hub).routes,
            *ExploreRoutes(hub).routes,
        ]

    async def games(self, request: Request) -> Response:
        """Answer with the games that can be played here."""
        ready = tuple(filter(self.hub.is_ready, registry.games()))
        with_bots = tuple(filter(self.hub.has_bots, registry.games()))
        listed = partial(list_games, ready, with_bots)
        key = ("games", ready, with_bots, language_of(request))
        return ready_made(await self.hub.side_work.made_once(key, "", listed))

    async def standard_components(self, request: Request) -> Response:
        """Answer with the components of the edition that comes with a game."""
        return encoded(standard(registry.game(request.path_params["game"]).name).data)

    async def components_text(self, request: Request) -> Response:
        """Answer with the file of the edition that comes with a game, for whoever wants to write another."""
        game = registry.game(request.path_params["game"])
        name = {"content-disposition": f'attachment; filename="{game.name}.toml"'}
        return Response(components_file(game).read_bytes(), media_type="application/toml", headers=name)

    async def words(self, request: Request) -> Response:
        """Answer with the message catalogue of a language."""
        language = request.path_params["language"]
        if language not in LANGUAGES:
            raise Refused("server.language", known=", ".join(LANGUAGES))
        registry.games()  # loading a game adds its words to the catalogue
        listed = partial(msgspec.json.encode, catalogue(language))
        return ready_made(await self.hub.side_work.made_once(("words", language), "", listed))

    async def rules(self, request: Request) -> Response:
        """Answer with the rules of a game as Markdown, in the asker's language if there are any."""
        language, text = rules_for(request)
        return Response(text.encode(), media_type="text/markdown", headers={"content-language": language})

    async def sections(self, request: Request) -> Response:
        """Answer with the rules of a game as structured data."""
        language, text = rules_for(request)
        return encoded(rules_as_data(text, request.path_params["game"], language))

    async def make(self, request: Request) -> Response:
        """Make a table."""
        self.making.take(asker.get())
        wanted = await json_of(request, http_types.NewTable, MOST_NEW_TABLE)
        return encoded(await self.hub.make(wanted), status_code=201)

    async def teach(self, request: Request) -> Response:
        """Make a table at which somebody is taught a game."""
        self.making.take(asker.get())
        wanted = await json_of(request, http_types.NewTutorial)
        return encoded(await self.hub.teach(request.path_params["game"], wanted), status_code=201)

    async def take_in(self, request: Request) -> Response:
        """Make a table at which the unfinished game in the record file that is sent is played on."""
        self.making.take(asker.get())
        return encoded(await self.hub.take_in(await body_of(request, bounds.MOST_RECORD)), status_code=201)

    async def take_along(self, request: Request) -> Response:
        """Answer with an unfinished game as a file, which can be played on in another room."""
        self.looks.take(asker.get())
        table = (await self.find(request)).table
        asked = await json_of(request, http_types.UnfinishedRequest)
        written = await self.hub.side_work.run(table.id, partial(unfinished_record, table, asked.tokens))
        return as_file(written, f"{table.made.game}-{table.id}.json")

    async def find(self, request: Request) -> LiveTable:
        """Return the live table that a request names, or refuse."""
        return await self.hub.expect(request.path_params["table"])

    async def table(self, request: Request) -> Response:
        """Answer with a table as everybody sees it."""
        live = await self.find(request)
        return encoded(live.info(live.table.names()))

    async def components(self, request: Request) -> Response:
        """Answer with the components of the edition that a table is played with."""
        return encoded((await self.find(request)).table.edition.data)

    async def look(self, request: Request) -> Response:
        """Answer with summaries of tables, named by their ids: nobody can ask for all of them."""
        asked = await json_of(request, http_types.SummaryRequest)
        self.looks.take(asker.get(), max(1.0, len(asked.tables) / 10))
        return encoded([await self.summaries.look(id) for id in dict.fromkeys(asked.tables)])


def list_games(ready: Sequence[str], with_bots: Sequence[str]) -> bytes:
    """Return the games in JSON, described in the language in use."""
    listed = []
    for game in registry.games().values():
        options = {
            str(players): {
                option.name: {
                    "default": option.default_for(players),
                    "choices": list(option.choices(players))[:100],
                }
                for option in game.options
            }
            for players in game.players
        }
        listed.append(
            {
                "game": game.name,
                "name": say(f"{game.name}.name"),
                "about": say(f"{game.name}.about"),
                "players": list(game.players),
                "tutorial": tutorial(game.name) is not None,
                "exercises": len(exercises(game.name)),
                "hidden": game.hidden,
                "simultaneous": game.simultaneous,
                "ready": game.name in ready,
                "bots": game.name in with_bots,
                "edition": standard(game.name).hash,
                "options": options,
            }
        )
    return msgspec.json.encode(listed)


def ready_made(content: bytes) -> Response:
    """Return a response of JSON that is already encoded."""
    return Response(content, media_type="application/json")


def rules_for(request: Request) -> tuple[str, str]:
    """Return the language nearest to the asker's that a game has rules in, and the rules."""
    game = registry.game(request.path_params["game"])
    found = nearest_rules(game, language_of(request))
    if found is None:
        raise Refused("server.no_rules", game=say(f"{game.name}.name"))
    return found
