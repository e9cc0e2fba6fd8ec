"""Small nets, evaluated in compiled code: the same bits on every machine, no other library.

The inputs of a net begin with items of one kind (the colours of a game, its rooms, its other players). Each item passes
through the same encoder, the results are summed and joined to the other inputs; two hidden layers follow. It answers
two numbers: the logit of the share of the victory, and the margin to the best other player in tens of points.

Inputs and the weights that touch them are whole numbers of small steps, so their sums are exact in whatever order they
are added: an evaluation adds only what changed since the last one for the same seat, and moves that are compared change
few inputs. The later layers use floats, added in a fixed order, without fused multiply-adds, and with an exponential of
our own.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from lampion.engine.arrays import np, whole_steps
from lampion.engine.compile import compiled, inlined
from lampion.engine.constants import NOTES

ANSWERS = 2
MARGIN = 10.0
"""The points of margin that a net answers as 1."""
ZERO = np.float32(0.0)
WEIGHT_STEPS = 1 << 12
INPUT_STEPS = np.float32(1 << 8)
STEP = np.float32(1.0 / (1 << 20))
"""One step of a weight times one step of an input."""
HALF = np.float32(0.5)
BLOCK = 16
"""Inputs that are looked at together for a change."""
STEEPEST = 40.0
HALVINGS = 7
"""How often an exponent is halved before the series: 40 becomes 0.3."""


class Net(NamedTuple):
    """The layers of a net: weights by input and output, biases as one row."""

    items: int
    """The number of items at the beginning of the inputs."""
    width: int
    """The number of inputs of each item."""
    encoder: Any
    encoder_bias: Any
    first: Any
    first_bias: Any
    second: Any
    second_bias: Any
    last: Any
    last_bias: Any


class FixedNet(NamedTuple):
    """A net as it is evaluated: weights of the inputs as whole numbers, those of the small later layers as floats."""

    items: int
    width: int
    encoder: Any
    """In steps of 1 / WEIGHT_STEPS, as `first`."""
    pooled: Any
    """The rows of the first layer for what comes out of the encoder."""
    first: Any
    """Those for the other inputs."""
    second: Any
    second_bias: Any
    last: Any
    last_bias: Any


class NetWorkspace(NamedTuple):
    """The arrays of evaluations, by seat: each seat's inputs change little from one position to the next."""

    inputs: Any
    """The inputs of the next evaluation, whichever seat it is for."""
    notes: Any
    input_bits: Any
    """The same memory as whole numbers, which are compared faster."""
    before: Any
    """The inputs at the last evaluation for each seat."""
    before_bits: Any
    encoder_sums: Any
    """The sums of the encoder for those inputs, by seat and item."""
    first_sums: Any
    """The sums of the first layer for the other inputs, by seat."""
    pool: Any
    hidden: Any
    answers: Any

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle the arrays once each: those that share memory must share it afterwards too."""
        rest = (self.encoder_sums, self.first_sums, self.pool, self.hidden, self.answers)
        return shared_workspace, (len(self.inputs), self.input_bits, self.before, self.notes, *rest)


def shared_workspace(inputs: int, bits: Any, before: Any, notes: Any, *rest: Any) -> NetWorkspace:
    """Return a workspace whose numbers and bits are the same memory."""
    return NetWorkspace(bits.view(np.float32)[:inputs], notes, bits, before, before.view(np.int32), *rest)


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


def fixed_point(net: Net) -> FixedNet:
    """Return the FixedNet of a net: the weights of its inputs rounded to whole steps."""
    encoded = net.encoder_bias.shape[1]
    pooled, first = net.first[:encoded], net.first[encoded:]
    return FixedNet(
        net.items, net.width, whole_steps(net.encoder, WEIGHT_STEPS), pooled.copy(), whole_steps(first, WEIGHT_STEPS),
        net.second, net.second_bias, net.last, net.last_bias,
    )  # fmt: skip


def net_workspace(net: Net, inputs: int, seats: int) -> NetWorkspace:
    """Return the arrays in which a net of `inputs` inputs is evaluated for `seats` seats; all inputs begin at zero."""

    def biases(bias: Any, count: int) -> Any:
        steps = whole_steps(bias, WEIGHT_STEPS * int(INPUT_STEPS))
        found = np.zeros((seats, count, bias.shape[1]), dtype=np.int32)
        for seat in range(seats):
            for i in range(count):
                found[seat, i] = steps[0]
        return found

    room = -(-inputs // BLOCK) * BLOCK
    now, before = np.zeros(room, dtype=np.float32), np.zeros((seats, room), dtype=np.float32)
    return NetWorkspace(
        inputs=now[:inputs],
        notes=np.zeros(NOTES, dtype=np.int64),
        input_bits=now.view(np.int32),
        before=before,
        before_bits=before.view(np.int32),
        encoder_sums=biases(net.encoder_bias, net.items),
        first_sums=biases(net.first_bias, 1).reshape(seats, -1),
        pool=np.zeros(max(net.encoder.shape[1], net.second.shape[1]), dtype=np.float32),
        hidden=np.zeros(net.first.shape[1], dtype=np.float32),
        answers=np.zeros(ANSWERS, dtype=np.float64),
    )


@inlined
def steps_of(number: Any) -> int:
    """Return an input as a whole number of steps."""
    return int(np.floor(number * INPUT_STEPS + HALF))


@inlined
def add_row(sums: Any, layer: Any, row: int, by: Any) -> None:
    """Add a row of a layer, multiplied by `by`."""
    for j in range(layer.shape[1]):
        sums[j] += by * layer[row, j]


@inlined
def add_change(net: Any, work: Any, seat: int, i: int) -> None:
    """Add the row of an input to the sums of its layer, by how much it changed since the last evaluation."""
    by = np.int32(steps_of(work.inputs[i]) - steps_of(work.before[seat, i]))
    work.before[seat, i] = work.inputs[i]
    begin = net.items * net.width
    if i < begin:
        add_row(work.encoder_sums[seat, i // net.width], net.encoder, i % net.width, by)
    else:
        add_row(work.first_sums[seat], net.first, i - begin, by)


@inlined
def add_changes(net: Any, work: Any, seat: int) -> None:
    """Bring the sums of a seat up to its inputs; those that did not change are passed over, a block at a time."""
    now, before = work.input_bits, work.before_bits[seat]
    for block in range(0, len(now), BLOCK):
        change = 0
        for i in range(BLOCK):
            change |= now[block + i] ^ before[block + i]
        if change != 0:
            for i in range(block, block + BLOCK):
                if now[i] != before[i]:
                    add_change(net, work, seat, i)


@inlined
def add_rows(sums: Any, layer: Any, numbers: Any) -> None:
    """Add the rows of a layer, each times its number, four at a time."""
    rows, columns = layer.shape
    i = 0
    while i + 4 <= rows:
        a, b, c, d = numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]
        for j in range(columns):
            sums[j] += (a * layer[i, j] + b * layer[i + 1, j]) + (c * layer[i + 2, j] + d * layer[i + 3, j])
        i += 4
    while i < rows:
        for j in range(columns):
            sums[j] += numbers[i] * layer[i, j]
        i += 1


@inlined
def positive(number: Any) -> Any:
    """Return a number, or zero where it is less."""
    return number if number > ZERO else ZERO


@compiled
def evaluate(net: Any, work: Any, seat: int) -> None:
    """Write the answers of a net for `work.inputs`, which are those of a seat."""
    hidden, pool = work.hidden, work.pool
    encoded = net.encoder.shape[1]
    first_sums = work.first_sums[seat]
    add_changes(net, work, seat)
    for j in range(len(hidden)):
        hidden[j] = np.float32(first_sums[j]) * STEP
    if net.items > 0:
        for j in range(encoded):
            pool[j] = ZERO
        for item in range(net.items):
            sums = work.encoder_sums[seat, item]
            for j in range(encoded):
                pool[j] += positive(np.float32(sums[j]))
        for j in range(encoded):
            pool[j] *= STEP
        add_rows(hidden, net.pooled, pool)
    for j in range(len(hidden)):
        hidden[j] = positive(hidden[j])
    for j in range(net.second_bias.shape[1]):
        pool[j] = net.second_bias[0, j]
    add_rows(pool, net.second, hidden)
    for j in range(ANSWERS):
        work.answers[j] = net.last_bias[0, j]
        for i in range(len(net.last)):
            work.answers[j] += positive(pool[i]) * net.last[i, j]


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
