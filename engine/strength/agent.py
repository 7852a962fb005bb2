"""An agent of adjustable strength: how far it looks ahead, and how often it errs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random
from time import perf_counter

from engine.core.agent import FULL_MARGIN
from engine.core.analysis import SearchResult, pick, pick_least
from engine.core.attention import Hidden, overlooked
from engine.core.game import Position
from engine.core.kernel import KernelKind
from engine.core.limits import Limit, Stop
from engine.core.registry import package_of
from engine.core.search import analyse

KNOWING = 1_000_000
"""The default of `Strength.knowing`: about half a second of one core."""


@dataclass(frozen=True, slots=True)
class Strength:
    """An agent of adjustable strength: how far it looks ahead, and how it errs.

    It errs as people do: it overlooks distant events before near ones, and single lines, as
    described in `engine.core.attention`. Raises ValueError for settings that make no sense.
    """

    name: str
    depth: int
    """The most plies that it looks ahead."""
    noise: int = 0
    """The largest error in its evaluation of a quiet position, in evaluation points."""
    overlook: float = 0.0
    """The probability of missing the furthest ply this time; if that is missed, of also missing the
    one before it, and so on."""
    surely: int = 1
    """Plies that it never misses, at least 1, so that it never moves at random: with 1 it takes
    every immediate win, with 2 it parries every immediate loss, except for lines that it
    overlooks."""
    nodes: int | None = None
    """The most positions visited; None for no limit.

    It limits work, not time, so the same seed gives the same move on every machine.
    """
    blind: float = 0.0
    """The probability of overlooking single lines of either side, see `engine.core.attention`; 0
    for none. No effect in games whose kernel does not support it."""
    knows: float = 0.0
    """The probability of perfect play this time, if the best moves can be proven quickly.

    This fills the gap between the best search and perfect play: stronger rungs know more positions,
    and search the others.
    """
    timid: float = 0.0
    """The probability of wasting a move where it sees no win: it makes the quiet move that its
    evaluation likes least. A player that sees its own wins cannot be weaker otherwise."""
    fitted: float = 0.0
    """The probability of searching this time with the evaluation that was fitted to exact results.

    It fills the gap below perfect play where proofs are out of reach. No effect on boards without
    such an evaluation.
    """
    seconds: float | None = field(default=None, repr=False)
    """The most time for a move; None for no limit.

    Rungs have none, as it would make their moves depend on the machine. `repr`, by which records
    distinguish rungs, leaves it out.
    """
    knowing: int = field(default=KNOWING, repr=False)
    """The most positions that a proof may visit for the position to count as known.

    Like `nodes` it limits work, not time.
    """

    def __post_init__(self) -> None:
        if not 1 <= self.surely <= self.depth:
            raise ValueError(f"surely ({self.surely}) must lie in 1..depth ({self.depth})")
        if self.noise < 0 or not 0 <= self.overlook <= 1 or not 0 <= self.knows <= 1:
            raise ValueError("noise must not be negative, overlook and knows must lie in 0..1")
        if not 0 <= self.blind < 1:
            raise ValueError("blind must lie in 0..1, 1 excluded")
        if not 0 <= self.timid <= 1 or not 0 <= self.fitted <= 1:
            raise ValueError("timid and fitted must lie in 0..1")

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Choose the best move as far as the agent sees this time, at random among equal ones.

        Noise never affects proven scores, so it takes the nearest win that it sees. Raises
        ValueError for a game that is over.
        """
        if self.knows and position.outcome is None and rng.random() < self.knows:
            known = proven_choice(position, self.knowing, rng, self.seconds, stop)
            if known is not None:
                return replace(known, proven=False)
        depth, hidden = self._depth_now(rng), self._overlooks(position, rng)
        wastes = self.timid > 0 and rng.random() < self.timid
        is_fitted = self.fitted > 0 and rng.random() < self.fitted
        kind = KernelKind.FITTED if is_fitted else KernelKind.USUAL
        limit, margin = Limit(depth, self.seconds, self.nodes), 2 * self.noise
        if wastes:
            margin = FULL_MARGIN
        explored = analyse(position, limit, stop, margin, hidden, kind=kind)
        if self.nodes is not None and explored.depth < self.surely:
            limit = Limit(self.surely, self.seconds)
            explored = analyse(position, limit, stop, margin, hidden, kind=kind)
        if wastes:
            return replace(pick_least(explored, position.to_move, rng), proven=False)
        return replace(pick(explored, position.to_move, rng, self.noise), proven=False)

    def _overlooks(self, position: Position, rng: Random) -> Hidden | None:
        """The lines that it overlooks this time."""
        sight = package_of(position).sight
        if not self.blind or sight is None or position.outcome is not None:
            return None
        return overlooked(sight(position), self.blind, rng)

    def _depth_now(self, rng: Random) -> int:
        """The plies that it looks ahead this time."""
        depth = self.depth
        while depth > self.surely and rng.random() < self.overlook:
            depth -= 1
        return depth


def proven_choice(
    position: Position,
    nodes: int,
    rng: Random,
    seconds: float | None = None,
    stop: Stop | None = None,
) -> SearchResult | None:
    """A random one of the best moves under perfect play.

    Returns None if proving them takes more than `nodes` positions or `seconds`, or is stopped.
    """
    began = perf_counter()
    proof = package_of(position).prove(position, nodes=nodes, seconds=seconds, stop=stop)
    if proof is None:
        return None
    move = rng.choice(sorted(proof.best()))
    return replace(proof.result(move, position.to_move), seconds=perf_counter() - began)
