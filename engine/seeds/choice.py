"""What the seed agents share: from the scores of moves to the move that is made."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from time import perf_counter

from engine.analysis import Analysis
from engine.game import Move, Position
from engine.search import SearchResult, pick


def refuse_if_over(position: Position) -> None:
    """Raise ValueError for a game that is over: agents only move in games that go on."""
    if position.outcome is not None:
        raise ValueError("the game is over: there is no move to choose")


def require_depth(depth: int) -> None:
    """Raise ValueError for a depth in plies that is no search."""
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

    `depth` counts plies, 0 for a search that was cut short; `began` is when the search did, by
    `perf_counter`. A search that was cut short before it scored any move gives a legal one.
    """
    known = scores or {position.legal_moves()[0]: 0}
    lines = {move: (move,) for move in known}
    return pick(Analysis(known, lines, depth, nodes, perf_counter() - began), rng)
