"""Routes for puzzles and exercises: lists, and each with all that is needed to solve it without asking again."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from lampion.locale import language
from lampion.server.routes.exchange import Request, Response, Route, encoded, localized
from lampion.server.tables import exercise_scenes, puzzle_scenes
from lampion.server.tables.find_move_tasks import TaskBuilder
from lampion.server.tables.hub import Hub
from lampion.server.tables.rate_limits import AddressLimiter, asker
from lampion.server.tables.wish_handlers import SLICE

SCENES = (2, 60)
"""Puzzles and exercises that one address may open a second, and at once."""


class PuzzleRoutes:
    """The routes of puzzles and exercises."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.scenes = AddressLimiter(*SCENES)
        self.routes: list[Route] = [
            Route("/api/puzzles", localized(self.puzzles)),
            Route("/api/puzzles/{game}/{puzzle}", localized(self.puzzle)),
            Route("/api/exercises/{game}", localized(self.exercises)),
            Route("/api/exercises/{game}/{exercise}", localized(self.exercise)),
        ]

    async def puzzles(self, request: Request) -> Response:
        """Answer with the list of all puzzles."""
        made = await self.hub.side_work.made_once(("puzzles",), "", lambda: packed(puzzle_scenes.listed()))
        return packed_answer(request, made)

    async def exercises(self, request: Request) -> Response:
        """Answer with the list of a game's exercises, in the asker's language."""
        return encoded(exercise_scenes.listed(request.path_params["game"]))

    async def puzzle(self, request: Request) -> Response:
        """Answer with a puzzle, in the asker's language."""
        return await self.task(request, "puzzle", puzzle_scenes.PuzzleBuilder)

    async def exercise(self, request: Request) -> Response:
        """Answer with an exercise, in the asker's language."""
        return await self.task(request, "exercise", exercise_scenes.ExerciseBuilder)

    async def task(self, request: Request, what: str, builder_of: Callable[[str, str], TaskBuilder[Any]]) -> Response:
        """Answer with a task with the answer to every move, in the asker's language."""
        self.scenes.take(asker.get())
        game, id = request.path_params["game"], request.path_params[what]
        key = what, game, id, language()
        work = self.hub.side_work
        found = work.answers.get(key)
        if found is None:
            builder = await work.run("", partial(builder_of, game, id))
            answered = []
            for first in range(0, len(builder.ids), SLICE):
                answered += await work.run("", partial(builder.answered, first, first + SLICE))
            found = await work.run("", lambda: packed(builder.scene(answered)))
            work.answers.keep(key, found)
        return packed_answer(request, found)


def packed(value: object) -> bytes:
    """Return a value as JSON, compressed: a puzzle consists mostly of views that hardly differ."""
    return gzip.compress(msgspec.json.encode(value), mtime=0)


def packed_answer(request: Request, content: bytes) -> Response:
    """Return a response of packed JSON; uncompressed where the client does not accept gzip."""
    headers = {"vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
    else:
        content = gzip.decompress(content)
    return Response(content, media_type="application/json", headers=headers)
