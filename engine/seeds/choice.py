"""What the seed agents share: from the scores of the moves to a choice."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from time import perf_counter

from engine.analysis import Analysis
from engine.game import Move, Position
from engine.search import SearchResult, pick


def refuse_if_over(position: Position) -> None:
    """Raise ValueError for a game that is over."""
    if position.outcome is not None:
        raise ValueError("the game is over: there is no move to choose")


def require_depth(depth: int) -> None:
    """Raise ValueError for a depth of less than one ply."""
    if depth < 1:
        raise ValueError(f"depth must be at least 1, not {depth}")


def chosen(
    scores: Mapping[Move, int],
    position: Position,
    *,
    depth: int,
    nodes: int,
    began: float,
    rng: Random,
) -> SearchResult:
    """Choose uniformly among the moves with the highest score.

    `depth` is in plies, 0 for a search that was cut short; `began` is when the search started, by
    `perf_counter`. If it was cut short before it had scored any move, the first legal one is made.
    """
    known = scores or {position.legal_moves()[0]: 0}
    lines = {move: (move,) for move in known}
    return pick(Analysis(known, lines, depth, nodes, perf_counter() - began), rng)
