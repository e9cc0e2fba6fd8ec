"""The games for Gymnasium: one seat is the agent's, bots play the others.

>>> import gymnasium
>>> import lampion.adapters.gymnasium
>>> env = gymnasium.make("Lampion/Lumens-v0", opponents="greedy")
>>> observation, info = env.reset(seed=1)
>>> int(observation["action_mask"].sum()) > 1
True
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import entry_points
from typing import Any, Literal, Unpack

import gymnasium
import numpy as np
from gymnasium.envs.registration import registry

from lampion.adapters.episode import Episode, Player
from lampion.adapters.setting import LOWEST, VERSION, BadEnvironment, Chosen, Setting, illegal_reward_of, whole
from lampion.adapters.spaces import MOST_SEED, Observation, observation_space
from lampion.bots import named
from lampion.bots.player import Bot
from lampion.engine.rng import game_seed
from lampion.games.core import Game, OutOfTurn
from lampion.locale import written
from lampion.play.sight import Sight


class AgainstBots(Player, gymnasium.Env[Observation, int]):
    """An environment for one agent; after its move, bots play until it is asked again or the game is over.

    With `seat` None the agent's seat is drawn anew for every game. `opponents` is the name of a bot for all other
    seats, or one for each, clockwise from the agent. An illegal action ends the episode with `illegal_reward`, by
    default less than any game by the rules brings; with None it is refused with an error and nothing is changed.
    `chosen` may name options, components, reward and observation, as for every environment.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        seat: int | None = 0,
        opponents: str | Sequence[str] = "greedy",
        *,
        illegal_reward: float | Literal["lowest"] | None = LOWEST,
        render_mode: str | None = None,
        **chosen: Unpack[Chosen],
    ) -> None:
        if unknown := sorted(set(chosen) - set(Chosen.__annotations__)):
            raise TypeError(f"AgainstBots has no setting {unknown[0]!r}")
        self.setting = Setting.read(game, players, **chosen)
        chosen_seat = whole(seat)
        if seat is not None and (chosen_seat is None or not 0 <= chosen_seat < self.setting.players):
            raise BadEnvironment("stdio.seat", seat=written(seat), last=self.setting.players - 1)
        others = self.setting.players - 1
        texts = [opponents] * others if isinstance(opponents, str) else list(opponents)
        if len(texts) != others:
            raise BadEnvironment("error.opponents", count=len(texts), expected=others)
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise BadEnvironment("error.render_mode", mode=written(render_mode), known="ansi")
        self.chosen_seat, self.render_mode = chosen_seat, render_mode
        self.illegal_reward = illegal_reward_of(self.setting, illegal_reward)
        self.makers = [named(text) for text in texts]
        played = self.setting.game
        self.action_space = gymnasium.spaces.Discrete(played.ids)  # type: ignore[assignment]
        self.observation_space = observation_space(self.setting.observation_size, played.ids)  # type: ignore[assignment]
        self.seat = 0
        """The agent's seat in this game."""
        self.has_failed = False
        """Whether an illegal action has ended this game."""
        self.bots: dict[int, Bot] = {}
        self.sights: dict[int, Sight] = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game; the same seed gives the same chance and the same bots. `options` is not used."""
        super().reset(seed=seed)
        deal = int(self.np_random.integers(MOST_SEED)) if seed is None else seed
        players = self.setting.players
        self.seat = int(self.np_random.integers(players)) if self.chosen_seat is None else self.chosen_seat
        self._dismiss()
        self._episode, self.has_failed = Episode(self.setting, deal), False
        for number, maker in enumerate(self.makers):
            other = (self.seat + 1 + number) % players
            self.sights[other] = Sight(self.episode.position, other)
            self.bots[other] = maker.sit(self.sights[other], int(game_seed(np.uint64(deal), other, 1)))
        self._let_bots_play()
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make the agent's move; bots that owe a decision at the same time decide without knowing it."""
        if self.has_failed or self.episode.position.is_over:
            raise OutOfTurn("error.over")
        if self.illegal_reward is not None and not self.episode.is_legal(self.seat, action):
            self.has_failed = True
            self._dismiss()
            return self._observation(), float(self.illegal_reward), True, False, self._info(illegal_action=True)
        self.episode.check(self.seat, action)
        self.episode.play({**self._bots_choose(), self.seat: action})
        self._let_bots_play()
        over = self.episode.position.is_over
        return self._observation(), float(self.episode.rewards()[self.seat]), over, False, self._info()

    def _bots_choose(self) -> dict[int, int]:
        pending = self.episode.position.pending
        return {seat: self.bots[seat].choose(self.sights[seat]) for seat in pending if seat != self.seat}

    def _let_bots_play(self) -> None:
        """Make the bots' moves until the agent is asked or the game is over."""
        position = self.episode.position
        while not position.is_over and self.seat not in position.pending:
            self.episode.play(self._bots_choose())
        if position.is_over:
            self._dismiss()

    def _dismiss(self) -> None:
        """Notify the bots of this game that it has ended or was aborted, and forget them."""
        for bot in self.bots.values():
            bot.end(self.episode.position.outcome())
        self.bots, self.sights = {}, {}

    def close(self) -> None:
        """Abort the current game."""
        self._dismiss()

    def _observation(self) -> Observation:
        return self.episode.observe(self.seat, self.setting.game.ids)

    def _info(self, illegal_action: bool = False) -> dict[str, Any]:
        info: dict[str, Any] = {"seat": self.seat}
        if illegal_action:
            info["illegal_action"] = True
        if outcome := self.episode.position.outcome():
            info |= {"scores": outcome.scores, "shares": outcome.shares}
        return info

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return the mask alone, under the name that maskable learners look for."""
        return self._observation()["action_mask"].astype(bool)

    def render(self) -> str | None:  # type: ignore[override]
        """Return the game as the agent's seat sees it, as text; None without a render mode."""
        return self.episode.position.text(self.seat) if self.render_mode == "ansi" else None


def register() -> None:
    """Register an environment such as `Lampion/Lumens-v0` for every installed game."""
    for entry in entry_points(group="lampion.games"):
        name = f"Lampion/{entry.name.capitalize()}-v{VERSION}"
        if name not in registry:
            gymnasium.register(name, entry_point=f"{__name__}:AgainstBots", kwargs={"game": entry.name})


register()
