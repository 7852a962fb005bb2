"""The analysis of one position for people: every move's value, and the best play from there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.alphabeta import analyse
from engine.analysis import Analysis
from engine.game import Move, Position
from engine.games import FAMILIES
from engine.line import Line, best_line, by_the_clock, nearest_to_middle, nodes_in
from engine.quality import EVERY_MOVE
from engine.search import Limit, Stop
from engine.values import is_decided

SECONDS = 2.0
"""How long an analysis may take on one core."""
PROVING, SEARCHING, LINE = 0.5, 0.3, 0.2
"""The parts of that time: for the proof, for a search where there is none, for the best line."""

ENOUGH, SEARCHES = 8, 8
"""Moves of an unproven line that are enough, and the searches that may carry a shorter one on."""


@dataclass(frozen=True, slots=True)
class Analysed:
    """A position that is not over, with what is known of it; a plain value."""

    analysis: Analysis
    """Every legal move: its exact value, or what a search says of it."""
    line: Line
    """The best play from the position."""


def analysed(position: Position, *, seconds: float = SECONDS, stop: Stop | None = None) -> Analysed:
    """Analyse a position.

    `seconds` of one core are counted in nodes (see `engine.line`), so that a position has the same
    analysis on every machine; `stop` ends the work at once. What is not proven by then is what a
    search says, of one ply at least. Raises ValueError for a position that is over.
    """
    if position.outcome is not None:
        raise ValueError("the game is over: there is nothing to analyse")
    prover = FAMILIES[position.game.key].prover(position.game)
    proving = PROVING * seconds
    proof = prover.prove(
        position, nodes=nodes_in(proving), seconds=by_the_clock(proving), stop=stop
    )
    if proof is not None:
        # The prover knows more by now than when it began: the moves of the line are quickly proven.
        line = best_line(position, seconds=LINE * seconds, stop=stop, prover=prover)
        return Analysed(proof, line)
    searching = SEARCHING * seconds
    limit = Limit(seconds=by_the_clock(searching), nodes=nodes_in(searching))
    found = analyse(position, limit, stop, EVERY_MOVE)
    expected = found.lines[nearest_to_middle(position, found)]
    if not is_decided(found.top):
        seen = _extended(position, expected, LINE * seconds, stop)
        return Analysed(found, Line(seen, proven=False, depth=found.depth))
    # What a search remembers of its line may stop short of the end that it has seen.
    line = best_line(position, expected, seconds=LINE * seconds, stop=stop, prover=prover)
    return Analysed(found, line)


def _extended(
    position: Position, moves: Sequence[Move], seconds: float, stop: Stop | None
) -> tuple[Move, ...]:
    """A line that a search expects, carried on by others where it remembers little of it."""
    line = list(moves)
    for move in moves:
        position = position.play(move)
    for _ in range(SEARCHES):
        if position.outcome is not None or len(line) >= ENOUGH:
            break
        found = analyse(position, Limit(nodes=nodes_in(seconds / SEARCHES)), stop, EVERY_MOVE)
        expected = found.lines[nearest_to_middle(position, found)]
        for move in expected:
            position = position.play(move)
        line += expected
    return tuple(line)
