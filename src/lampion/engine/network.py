"""Small nets, evaluated in compiled code: the same bits on every machine, no other library.

A net is given numbers that begin with things alike (the colours of a game, its rooms, its other players). Each of them
passes through one encoder, what comes out is summed and joins the other numbers; two hidden layers follow. It answers
two numbers: the logit of the share of the victory, and the margin to the best other player in tens of points.

Most inputs are zero, and what is zero costs nothing: only the rows of a layer are added whose input is not. Moves that
are compared leave most things as they were, and what did not change since the last evaluation is not encoded again.
Sums are added in a fixed order, products and sums are never fused, and the exponential is our own.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from lampion.engine.compile import compiled, inlined
from lampion.engine.constants import NOTES

ANSWERS = 2
MARGIN = 10.0
"""Points that are one in the answer of a net."""
ZERO = np.float32(0.0)
STEEPEST = 40.0
HALVINGS = 7
"""How often an exponent is halved before the series: 40 becomes 0.3."""


class Net(NamedTuple):
    """The layers of a net: weights by input and output, biases as one row."""

    items: int
    """Things alike at the beginning of the inputs."""
    width: int
    """Numbers of each."""
    encoder: Any
    encoder_bias: Any
    first: Any
    first_bias: Any
    second: Any
    second_bias: Any
    last: Any
    last_bias: Any


class NetWorkspace(NamedTuple):
    """The arrays of one evaluation: compiled code allocates none."""

    inputs: Any
    notes: Any
    rows: Any
    """The inputs of a layer that are not zero."""
    by: Any
    """What they are."""
    encoded: Any
    """What the encoder made of each of the things alike at the last evaluation."""
    encoded_from: Any
    """The inputs that it made it of; NaN before the first evaluation."""
    pool: Any
    hidden: Any
    answers: Any


def new_net(items: tuple[int, int], inputs: int, encoded: int, hidden: tuple[int, int], seed: int = 0) -> Net:
    """Return a net with random weights."""
    random = np.random.default_rng(seed)
    count, width = items
    if count == 0:
        width, encoded = 1, 0

    def layer(rows: int, columns: int, fan: float) -> Any:
        return (random.standard_normal((rows, columns)) / np.sqrt(max(fan, 1.0))).astype(np.float32)

    def bias(columns: int) -> Any:
        return np.zeros((1, columns), dtype=np.float32)

    plain = inputs - items[0] * items[1]
    first, second = hidden
    return Net(
        count, items[1],
        layer(width, encoded, 8), bias(encoded),
        layer(encoded + plain, first, 40), bias(first),
        layer(first, second, first / 2), bias(second),
        np.float32(0.1) * layer(second, ANSWERS, second / 2), bias(ANSWERS),
    )  # fmt: skip


def net_workspace(net: Net, inputs: int) -> NetWorkspace:
    """Return the arrays to evaluate a net of so many inputs in."""
    widest = max(inputs, *(len(layer) for layer in (net.encoder, net.first, net.second, net.last)))

    def numbers(count: int) -> Any:
        return np.zeros(max(count, 1), dtype=np.float32)

    return NetWorkspace(
        inputs=numbers(inputs),
        notes=np.zeros(NOTES, dtype=np.int64),
        rows=np.zeros(widest, dtype=np.int64),
        by=numbers(widest),
        encoded=np.zeros((net.items, net.encoder.shape[1]), dtype=np.float32),
        encoded_from=np.full((net.items, net.width), np.nan, dtype=np.float32),
        pool=numbers(max(net.encoder.shape[1], net.second.shape[1])),
        hidden=numbers(net.first.shape[1]),
        answers=np.zeros(ANSWERS, dtype=np.float64),
    )


@inlined
def add_rows(sums: Any, layer: Any, rows: Any, by: Any, n: int) -> None:
    """Add the first `n` listed rows of a layer, each times its number, four at a time."""
    columns = layer.shape[1]
    i = 0
    while i + 4 <= n:
        a, b, c, d = rows[i], rows[i + 1], rows[i + 2], rows[i + 3]
        by_a, by_b, by_c, by_d = by[i], by[i + 1], by[i + 2], by[i + 3]
        for j in range(columns):
            sums[j] += (by_a * layer[a, j] + by_b * layer[b, j]) + (by_c * layer[c, j] + by_d * layer[d, j])
        i += 4
    while i < n:
        a, by_a = rows[i], by[i]
        for j in range(columns):
            sums[j] += by_a * layer[a, j]
        i += 1


@inlined
def list_inputs(numbers: Any, begin: int, count: int, onto: int, work: Any, n: int) -> int:
    """List the numbers that are not zero behind the `n` listed, as rows from `onto` on; return how many are listed."""
    for i in range(count):
        number = numbers[begin + i]
        work.rows[n] = onto + i
        work.by[n] = number
        n += number != ZERO
    return n


@inlined
def list_positive(numbers: Any, count: int, work: Any) -> int:
    """List the numbers above zero; return how many there are."""
    n = 0
    for i in range(count):
        number = numbers[i]
        work.rows[n] = i
        work.by[n] = number
        n += number > ZERO
    return n


@inlined
def fill(sums: Any, bias: Any) -> None:
    """Begin the sums of a layer with its biases."""
    for j in range(bias.shape[1]):
        sums[j] = bias[0, j]


@inlined
def encode(net: Any, item: int, work: Any) -> None:
    """Write what the encoder makes of one of the things alike, unless it is what it was at the last evaluation."""
    begin, before = item * net.width, work.encoded_from[item]
    changed = False
    for i in range(net.width):
        changed |= work.inputs[begin + i] != before[i]
    if changed:
        for i in range(net.width):
            before[i] = work.inputs[begin + i]
        sums = work.encoded[item]
        n = list_inputs(work.inputs, begin, net.width, 0, work, 0)
        fill(sums, net.encoder_bias)
        add_rows(sums, net.encoder, work.rows, work.by, n)
        for j in range(len(sums)):
            sums[j] = max(sums[j], ZERO)


@compiled
def evaluate(net: Any, work: Any) -> None:
    """Write the answers of a net for `work.inputs`: the logit of the share of the victory, the margin in tens."""
    encoded = net.encoder_bias.shape[1]
    n = 0
    if net.items > 0:
        for j in range(encoded):
            work.pool[j] = ZERO
        for item in range(net.items):
            encode(net, item, work)
            for j in range(encoded):
                work.pool[j] += work.encoded[item, j]
        n = list_inputs(work.pool, 0, encoded, 0, work, 0)
    begin = net.items * net.width
    n = list_inputs(work.inputs, begin, len(work.inputs) - begin, encoded, work, n)
    fill(work.hidden, net.first_bias)
    add_rows(work.hidden, net.first, work.rows, work.by, n)
    n = list_positive(work.hidden, net.first_bias.shape[1], work)
    fill(work.pool, net.second_bias)
    add_rows(work.pool, net.second, work.rows, work.by, n)
    n = list_positive(work.pool, net.second_bias.shape[1], work)
    for j in range(ANSWERS):
        work.answers[j] = net.last_bias[0, j]
        for i in range(n):
            work.answers[j] += work.by[i] * net.last[work.rows[i], j]


@compiled
def logistic(value: float) -> float:
    """Return 1 / (1 + exp(-value)) from products and sums alone, which are the same everywhere."""
    steep = min(abs(value), STEEPEST) / (1 << HALVINGS)
    power, term = 1.0, 1.0
    for i in range(1, 12):
        term *= steep / i
        power += term
    for _ in range(HALVINGS):
        power *= power
    near = power / (power + 1.0)
    return near if value >= 0.0 else 1.0 - near
