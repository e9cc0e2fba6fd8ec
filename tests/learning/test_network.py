"""A net is what its layers say, learns by its true gradient, and comes back from a file as it was."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lampion.bots import net_files
from lampion.engine.network import Net, evaluate, fixed_point, logistic, net_workspace, new_net
from lampion.games.editions import standard
from lampion.games.registry import game
from lampion.learning.gradient import NEAR, Arrays, Learner
from lampion.learning.widening import widened
from lampion.locale import Problem

ITEMS, INPUTS = (3, 5), 22


@pytest.fixture
def net() -> Net:
    return new_net(ITEMS, INPUTS, 6, (8, 4), seed=3)


def sparse(rows: int, seed: int = 0) -> Any:
    """Return inputs of which half are zero."""
    random = np.random.default_rng(seed)
    return (random.standard_normal((rows, INPUTS)) * (random.random((rows, INPUTS)) < 0.5)).astype(np.float32)


def answers(net: Net, inputs: Any) -> Any:
    """Return what the compiled net answers, row by row."""
    work = net_workspace(net, INPUTS, 1)
    fixed, found = fixed_point(net), []
    for row in inputs:
        work.inputs[:] = row
        evaluate(fixed, work, 0)
        found.append(work.answers.copy())
    return np.array(found)


def test_a_net_answers_what_its_layers_say(net: Net) -> None:
    inputs = sparse(20)
    items = np.maximum(inputs[:, :15].reshape(-1, 3, 5) @ net.encoder + net.encoder_bias, 0).sum(1)
    hidden = np.maximum(np.hstack([items, inputs[:, 15:]]) @ net.first + net.first_bias, 0)
    hidden = np.maximum(hidden @ net.second + net.second_bias, 0)
    assert answers(net, inputs) == pytest.approx(hidden @ net.last + net.last_bias, abs=5e-3)


def test_a_net_without_things_alike_has_no_encoder() -> None:
    net = new_net((0, 0), INPUTS, 32, (8, 4))
    inputs = sparse(5)
    hidden = np.maximum(inputs @ net.first, 0)
    assert answers(net, inputs) == pytest.approx(np.maximum(hidden @ net.second, 0) @ net.last, abs=5e-3)


@pytest.mark.parametrize("items", [ITEMS, (0, 0)])
def test_a_widened_net_answers_as_before_and_learns_with_more(items: tuple[int, int]) -> None:
    net, inputs = new_net(items, INPUTS, 6, (8, 4), seed=3), sparse(20)
    wide = widened(net, INPUTS, 20, seed=1)
    assert wide.first.shape[1] == 20
    assert wide.encoder.shape[1] == (10 if items == ITEMS else 0)
    assert answers(wide, inputs) == pytest.approx(answers(net, inputs), abs=1e-6)
    learner = Learner(wide, Arrays())
    for _ in range(3):
        learner.step(inputs, np.ones((20, 2), dtype=np.float32), 0.01)
    grown = learner.net()
    assert grown.second[8:].any()
    assert not np.array_equal(grown.first[:, 8:], wide.first[:, 8:])


def test_a_net_is_not_made_narrower(net: Net) -> None:
    with pytest.raises(Problem):
        widened(net, INPUTS, 7, seed=1)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda work: pickle.loads(pickle.dumps(work))])
def test_a_copied_workspace_evaluates_as_the_original(net: Net, copied: Any) -> None:
    inputs, fixed, work = sparse(2), fixed_point(net), net_workspace(net, INPUTS, 1)
    work.inputs[:] = inputs[0]
    evaluate(fixed, work, 0)
    other = copied(work)
    other.inputs[:] = inputs[1]
    evaluate(fixed, other, 0)
    assert other.answers.tolist() == answers(net, inputs[1:])[0].tolist()
    assert work.inputs.tolist() == inputs[0].tolist()


@pytest.mark.parametrize("value", [-1000.0, -40.0, -3.5, -1e-9, 0.0, 0.25, 7.0, 39.9, 1000.0])
def test_the_logistic_is_that_of_a_library(value: float) -> None:
    assert logistic(value) == pytest.approx(1 / (1 + np.exp(-min(max(value, -700.0), 700.0))), abs=1e-12)


def test_the_gradient_is_the_slope_of_the_loss(net: Net) -> None:
    random = np.random.default_rng(1)
    inputs = sparse(40)
    targets = np.stack([random.random(40), random.standard_normal(40)], 1).astype(np.float32)

    def loss() -> float:
        found = answers(net, inputs)
        share, error = 1 / (1 + np.exp(-found[:, 0])), abs(found[:, 1] - targets[:, 1])
        pulled = np.where(error < NEAR, error**2 / (2 * NEAR), error - NEAR / 2)
        surprise = -targets[:, 0] * np.log(share) - (1 - targets[:, 0]) * np.log(1 - share)
        return float((surprise + 0.3 * pulled).mean())

    gradients, _ = Learner(net, Arrays()).gradients(inputs, targets)
    for layer, gradient in zip(net[2:], gradients, strict=True):
        direction = random.standard_normal(layer.shape).astype(np.float32)
        step = np.float32(2e-3)
        layer += step * direction
        above = loss()
        layer -= 2 * step * direction
        below = loss()
        layer += step * direction
        assert (gradient * direction).sum() == pytest.approx((above - below) / (2 * step), rel=0.08, abs=2e-4)


def test_steps_lower_the_loss(net: Net) -> None:
    learner = Learner(net, Arrays())
    inputs = sparse(200)
    targets = np.stack([(inputs[:, 0] > 0) * 1.0, inputs[:, 16]], 1).astype(np.float32)
    first = learner.step(inputs, targets, 0.01)
    for _ in range(200):
        last = learner.step(inputs, targets, 0.01)
    assert last[0] < first[0] / 4
    assert last[1] < 0.6 * first[1]


def test_a_net_comes_back_from_its_file(tmp_path: Path) -> None:
    iles = game("iles")
    net = new_net(iles.items, iles.inputs, 32, (64, 32), seed=5)
    about = net_files.about(standard("iles"), [2, 3], net, "lampion train iles", {"greedy": "99 %"})
    net_files.write(tmp_path / "a.net", about, net)
    found = net_files.read(tmp_path / "a.net")
    assert found.about == about
    for here, there in zip(found.net[2:], net[2:], strict=True):
        assert np.array_equal(here, there.astype(np.float16).astype(np.float32))
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize(
    "damage", ["nothing", "short", "long", "words", "another game", "not a number", "encoder", "endless", "missing"]
)
def test_a_file_that_is_no_net_is_refused(tmp_path: Path, damage: str) -> None:
    lumens = game("lumens")
    net = new_net(lumens.items, lumens.inputs, 8, (8, 8))
    if damage == "not a number":
        net.first[0, 0] = np.inf
    if damage == "encoder":  # fewer rows than numbers of an item: compiled code would read beside it
        net = net._replace(encoder=net.encoder[:-1].copy())
    path = tmp_path / "a.net"
    net_files.write(path, net_files.about(standard("lumens"), [2], net), net)
    data = path.read_bytes()
    damaged = {
        "nothing": b"",
        "short": data[:-2],
        "long": data + b"\0\0",
        "words": b"This is not a net.\n" + data,
        "another game": data.replace(b'"game":"lumens"', b'"game":"dice"'),
        "not a number": data,
        "encoder": data,
        "endless": b"",
        "missing": b"",
    }
    path.write_bytes(damaged[damage])
    if damage == "missing":
        path.unlink()
    if damage == "endless":
        path = Path("/dev/zero")
    with pytest.raises(net_files.BadNet):
        net_files.read(path)


@pytest.mark.parametrize("name", ["lanternes", "dice", "lumens", "iles"])
def test_the_net_of_a_game_is_one_for_its_inputs_of_today(name: str) -> None:
    files = [net_files.read(path) for path in (game(name).folder / "nets").glob("*.net")]
    for players in game(name).players:
        found = net_files.shipped(name, players)
        assert found is not None
        fitting = [file.about.players for file in files if players in file.about.players]
        assert found.about.players == min(fitting, key=len), "its own, where it has one"
        assert found.about.inputs == net_files.inputs_hash(game(name))
        assert found.about.edition == standard(name).hash
        assert found.about.strength
    assert all(path.stat().st_size <= 150_000 for path in (game(name).folder / "nets").iterdir())
