"""A wider net from a narrower one: what was learned stays, and there is more room to learn."""

from __future__ import annotations

from lampion.engine.network import Net, new_net
from lampion.locale import Problem


def encoded_by(width: int) -> int:
    """Return how many outputs the encoder of a net has, by the width of its first hidden layer."""
    return width // 2


def widened(net: Net, inputs: int, width: int, seed: int) -> Net:
    """Return a net that answers as `net` does, with `width` units in its first hidden layer and an encoder to match.

    What a new unit sees is drawn at random; nothing listens to it before it has learned.
    """
    encoded, first = net.encoder.shape[1], net.first.shape[1]
    if width < first:
        raise Problem("train.narrower", width=width, least=first)
    wide = max(encoded, encoded_by(width)) if net.items else 0
    new = new_net((net.items, net.width), inputs, wide, (width, net.second.shape[1]), seed)
    new.encoder[:, :encoded], new.encoder_bias[:, :encoded] = net.encoder, net.encoder_bias
    new.first[:encoded, :first], new.first[wide:, :first] = net.first[:encoded], net.first[encoded:]
    new.first[encoded:wide, :first] = 0.0
    new.first_bias[:, :first] = net.first_bias
    new.second[:first], new.second[first:] = net.second, 0.0
    return new._replace(second_bias=net.second_bias.copy(), last=net.last.copy(), last_bias=net.last_bias.copy())
