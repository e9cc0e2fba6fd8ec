"""Fit a net to what self-play taught: gradients written out, Adam, on NumPy or on PyTorch's tensors alike.

The net is small enough to write its gradient out. The code uses only what both libraries have in common, so it runs on
a machine without PyTorch and on a graphics card.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from lampion import extras
from lampion.engine.network import Net
from lampion.locale import Problem

BETAS = 0.9, 0.99
EPSILON = 1e-8
NEAR = 0.5
"""The error of a margin, in tens of points, above which its gradient stays the same."""


def torch_with_a_card() -> Any:
    """Return PyTorch; refuse where it is not installed or finds no graphics card."""
    try:
        import torch
    except ModuleNotFoundError as missing:
        raise Problem("train.no_torch", command=extras.command("learn")) from missing
    if not torch.cuda.is_available():
        raise Problem("train.no_card")
    torch.backends.cuda.matmul.allow_tf32 = False
    return torch


class Arrays:
    """Where the numbers are: NumPy's arrays, or PyTorch's tensors on a device."""

    def __init__(self, device: str = "cpu") -> None:
        self.device = device
        self.library: ModuleType | Any = np
        if device != "cpu":
            self.library = torch_with_a_card()

    def put(self, numbers: Any) -> Any:
        """Return a NumPy array as an array of this library."""
        if self.library is np:
            return np.ascontiguousarray(numbers)
        return self.library.from_numpy(np.ascontiguousarray(numbers)).to(self.device)

    def get(self, numbers: Any) -> Any:
        """Return an array of this library as a NumPy array."""
        return numbers if self.library is np else numbers.cpu().numpy()

    def zeros(self, shape: tuple[int, ...], kind: str) -> Any:
        """Return zeros of a kind: float16 or float32."""
        if self.library is np:
            return np.zeros(shape, dtype=kind)
        return self.library.zeros(shape, dtype=getattr(self.library, kind), device=self.device)

    def single(self, numbers: Any) -> Any:
        """Return numbers in single precision."""
        return numbers.astype(np.float32) if self.library is np else numbers.float()


class Learner:
    """A net that learns, with the memory of its optimiser."""

    def __init__(self, net: Net, arrays: Arrays, margin: float = 0.3) -> None:
        self.items, self.width = net.items, net.width
        self.arrays, self.margin = arrays, margin
        self.layers = [arrays.put(layer.copy()) for layer in net[2:]]
        self.means = [arrays.zeros(tuple(layer.shape), "float32") for layer in net[2:]]
        self.squares = [arrays.zeros(tuple(layer.shape), "float32") for layer in net[2:]]
        self.steps = 0

    def net(self) -> Net:
        """Return the net as it is now."""
        return Net(self.items, self.width, *(np.array(self.arrays.get(layer)) for layer in self.layers))

    def step(self, inputs: Any, targets: Any, rate: float) -> tuple[Any, Any]:
        """Take one step towards the targets; return the losses of share and margin before it."""
        gradients, losses = self.gradients(inputs, targets)
        self.steps += 1
        first, second = BETAS
        rate *= (1.0 - second**self.steps) ** 0.5 / (1.0 - first**self.steps)
        sqrt = self.arrays.library.sqrt
        for layer, mean, square, gradient in zip(self.layers, self.means, self.squares, gradients, strict=True):
            mean *= first
            mean += (1.0 - first) * gradient
            square *= second
            square += (1.0 - second) * gradient * gradient
            layer -= rate * mean / (sqrt(square) + EPSILON)
        return losses

    def gradients(self, inputs: Any, targets: Any) -> tuple[list[Any], tuple[Any, Any]]:
        """Return the gradient of the loss by layer, and the losses of share and margin."""
        library = self.arrays.library
        encoder, encoder_bias, first, first_bias, second, second_bias, last, last_bias = self.layers
        count, begin = len(inputs), self.items * self.width
        items = inputs[:, :begin].reshape(count * max(self.items, 1), -1)
        joined = inputs[:, begin:]
        encoded = None
        if self.items:
            encoded = items @ encoder + encoder_bias
            encoded = encoded * (encoded > 0)
            pooled = encoded.reshape(count, self.items, -1).sum(1)
            joined = library.concatenate([pooled, joined], 1)
        one = joined @ first + first_bias
        one = one * (one > 0)
        two = one @ second + second_bias
        two = two * (two > 0)
        answers = two @ last + last_bias
        share = 1.0 / (1.0 + library.exp(-answers[:, :1]))
        error = answers[:, 1:] - targets[:, 1:]
        pull = library.clip(error / NEAR, -1.0, 1.0)
        back = library.concatenate([share - targets[:, :1], self.margin * pull], 1) / count
        found = [two.T @ back, back.sum(0)[None]]
        back = (back @ last.T) * (two > 0)
        found = [one.T @ back, back.sum(0)[None], *found]
        back = (back @ second.T) * (one > 0)
        found = [joined.T @ back, back.sum(0)[None], *found]
        if encoded is None:
            found = [encoder * 0.0, encoder_bias * 0.0, *found]
        else:
            back = (back @ first.T)[:, : encoder.shape[1]][:, None, :]
            back = back * self.arrays.single(encoded.reshape(count, self.items, -1) > 0)
            back = back.reshape(count * self.items, -1)
            found = [items.T @ back, back.sum(0)[None], *found]
        losses = ((share - targets[:, :1]) ** 2).mean(), abs(error).mean()
        return found, losses
