"""Agents between two others: a little more of the stronger one's settings plays a little better."""

from __future__ import annotations

from dataclasses import replace
from math import exp, log

from engine.strength.agent import Strength


def interpolate(low: Strength, high: Strength, share: float, name: str) -> Strength:
    """The settings at a fraction, from 0 to 1, of the way from a weak agent to a stronger one.

    Depth and noise are rounded, `surely` is rounded down, and node limits are interpolated by their
    logarithm. Where only one of the two has a node limit, the nearer one's settings are used.
    """
    if (low.nodes is None) != (high.nodes is None):
        nearer = high if share >= 0.5 else low
        return replace(nearer, name=name)

    def at(weak: float, strong: float) -> float:
        return weak + share * (strong - weak)

    nodes = None
    if low.nodes is not None and high.nodes is not None:
        nodes = round(exp(at(log(low.nodes), log(high.nodes))))
    return Strength(
        name,
        depth=round(at(low.depth, high.depth)),
        noise=round(at(low.noise, high.noise)),
        overlook=round(at(low.overlook, high.overlook), 4),
        surely=int(at(low.surely, high.surely)),
        blind=round(at(low.blind, high.blind), 4),
        nodes=nodes,
        knows=round(at(low.knows, high.knows), 4),
        timid=round(at(low.timid, high.timid), 4),
        fitted=round(at(low.fitted, high.fitted), 4),
    )
