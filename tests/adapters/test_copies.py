"""Environments amid a game can be copied, to branch, and written down, to go on elsewhere."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest

import lampion.adapters.openspiel as openspiel
import lampion.adapters.pettingzoo as zoo
from lampion.adapters.gymnasium import AgainstBots
from lampion.adapters.vector import VectorEnv
from lampion.games.editions import components_file
from lampion.games.registry import game
from lampion.play import Position, Seeded

WAYS: list[Callable[[Any], Any]] = [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))]


def first_legal(mask: np.ndarray[Any, Any]) -> int:
    return int(np.flatnonzero(mask)[0])


def by_seat(env: Any) -> bytes:
    env.step(first_legal(env.observe(env.agent_selection)["action_mask"]))
    return bytes(env.unwrapped.episode.position.bytes())


def against_bots(env: Any) -> bytes:
    env.step(first_legal(env.action_masks()))
    return bytes(env.episode.position.bytes())


def all_at_once(env: Any) -> bytes:
    pending = env.episode.position.pending
    env.step({f"player_{seat}": int(env.episode.position.legal_ids(seat)[0]) if seat in pending else env.wait
              for seat in range(2)})  # fmt: skip
    return bytes(env.episode.position.bytes())


def rows(env: Any) -> bytes:
    env.step(env.random_actions())
    return bytes(env._states.tobytes())


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("make", "step"),
    [
        (lambda: zoo.env("lanternes"), by_seat),
        (lambda: zoo.raw_env("iles"), by_seat),
        (lambda: zoo.parallel_env("dice"), all_at_once),
        (lambda: AgainstBots("lumens", opponents="lantern"), against_bots),
        (lambda: VectorEnv("lumens", 128, threads=2), rows),
    ],
)
def test_a_copy_goes_on_like_the_original_and_alone(
    way: Callable[[Any], Any], make: Callable[[], Any], step: Callable[[Any], bytes]
) -> None:
    env = make()
    env.reset(seed=5)
    for _ in range(4):
        step(env)
    copied = way(env)
    told = [step(copied) for _ in range(4)]
    assert [step(env) for _ in range(4)] == told


def test_a_position_is_copied_with_its_past_and_shares_its_box() -> None:
    position = Position("lanternes", 3)
    position.push_chances(Seeded(2))
    position.push(position.legal_moves[0])
    for way in WAYS:
        copied = way(position)
        assert copied.bytes() == position.bytes()
        assert copied.played == position.played
        assert copied._boxes is position.edition.boxes
        copied.pop()
        assert copied.ply < position.ply


def test_an_edition_of_ones_own_travels_as_data(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    text = components_file(game("lanternes")).read_text(encoding="utf-8")
    assert text.count("[[10, 0]") == 1
    mine.write_text(text.replace("[[10, 0]", "[[11, 0]"), encoding="utf-8")
    env = zoo.raw_env("lanternes", components=mine)
    again = pickle.loads(pickle.dumps(env.setting))
    assert again.edition.hash == env.setting.edition.hash
    assert not again.edition.is_standard
    assert not again.edition.boxes.flags.writeable


def test_a_game_of_openspiel_is_read_back_from_its_text_and_from_another_folder(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_bytes(components_file(game("lumens")).read_bytes())
    loaded = pyspiel.load_game("lampion_lumens", {"first": "1", "components": str(mine)})
    assert loaded.setting.options["first"] == 1
    assert pyspiel.load_game(str(loaded)).setting.options == loaded.setting.options
    assert pyspiel.load_game("lampion_lumens(first=seat1)").setting.options["first"] == 1
    state = loaded.new_initial_state()
    for way in WAYS:
        assert str(way(state)) == str(state)
        assert str(way(loaded)) == str(loaded)
    pyspiel.random_sim_test(loaded, 1, True, False)
    (tmp_path / "state").write_bytes(pickle.dumps(state))
    script = "import pickle, sys, lampion.adapters.openspiel; print(pickle.load(open(sys.argv[1], 'rb')))"
    words = [sys.executable, "-c", script, str(tmp_path / "state")]
    said = subprocess.run(words, capture_output=True, text=True, check=True, cwd="/").stdout
    assert said.strip() == str(state)


def test_a_relative_path_is_kept_whole_and_one_that_cannot_be_kept_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shipped = components_file(game("lumens")).read_bytes()
    for name in ("mine.toml", "a,b.toml"):
        (tmp_path / name).write_bytes(shipped)
    found = pyspiel.load_game("lampion_lumens", {"components": "mine.toml"})
    assert str(tmp_path / "mine.toml") in str(found)
    with pytest.raises(openspiel.BadEnvironment, match="“,”"):  # type: ignore[attr-defined]
        pyspiel.load_game("lampion_lumens", {"components": "a,b.toml"})
