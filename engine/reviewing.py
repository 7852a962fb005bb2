"""Reviewing a game: proving what can be proven of it, from its end, and searching the rest.

From its end, because what is learnt of later positions makes the earlier ones cheap; what is still
earlier, the books know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

from engine.alphabeta import analyse
from engine.analysis import Analysis
from engine.game import Game, Move, Position
from engine.games import FAMILIES
from engine.line import NODES_A_SECOND, best_line, by_the_clock, nodes_in
from engine.move_class import costs, promises
from engine.prover import Prover
from engine.quality import EVERY_MOVE
from engine.review import Review, ReviewedMove, TurningPoint
from engine.search import Limit, Stop
from engine.values import is_decided

SECONDS = 2.0
"""How long a review may take on one core."""
PROVING, SEARCHING, LINE = 0.45, 0.35, 0.1
"""The parts of that time: for proofs, for searching what is not proven, for each of two lines."""


def review(
    game: Game, moves: Sequence[Move], *, seconds: float = SECONDS, stop: Stop | None = None
) -> Review:
    """Review the moves of a game, which may be unfinished.

    `seconds` of one core are counted in nodes (see `engine.line`), so that a game has the same
    review on every machine; `stop` ends the work at once. What is not proven by then is what a
    search says, of one ply at least. Raises IllegalMove for moves that the rules do not allow.
    """
    positions, position = list[Position](), game.start()
    for move in moves:
        positions.append(position)
        position = position.play(move)
    family = FAMILIES[game.key]
    prover = family.prover(game)
    proofs = _proofs(prover, positions, PROVING * seconds, stop)
    rest = [p for p, proof in zip(positions, proofs, strict=True) if proof is None]
    found = _searched(rest, SEARCHING * seconds, stop)
    analyses = [proof or found[p.ply] for p, proof in zip(positions, proofs, strict=True)]
    told = _with_what_followed(positions, moves, analyses)
    reviewed = tuple(
        _reviewed(position, move, analysis, family.judging.spread)
        for position, move, analysis in zip(positions, moves, told, strict=True)
    )
    turned = _turning_point(prover, positions, Review(reviewed), LINE * seconds, stop)
    return Review(reviewed, turned)


def _proofs(
    prover: Prover, positions: Sequence[Position], seconds: float, stop: Stop | None
) -> list[Analysis | None]:
    """The proofs of a game's positions; once the time is used up, only what the books know."""
    ends, nodes = perf_counter() + by_the_clock(seconds), int(seconds * NODES_A_SECOND)
    proofs = list[Analysis | None]()
    for position in reversed(positions):
        left = max(ends - perf_counter(), 0.0)
        proof = prover.prove(position, nodes=nodes, seconds=left, stop=stop)
        nodes = max(nodes - proof.nodes, 0) if proof else 0
        proofs.append(proof)
    return proofs[::-1]


def _searched(
    positions: Sequence[Position], seconds: float, stop: Stop | None
) -> dict[int, Analysis]:
    """What a search says about positions, each with the same part of the time, by their plies."""
    each = seconds / max(len(positions), 1)
    limit = Limit(seconds=by_the_clock(each), nodes=nodes_in(each))
    return {position.ply: analyse(position, limit, stop, EVERY_MOVE) for position in positions}


def _with_what_followed(
    positions: Sequence[Position], moves: Sequence[Move], analyses: Sequence[Analysis]
) -> list[Analysis]:
    """The analyses, with what the next one says of a move that missed a win.

    A search ends as soon as it has found the nearest win, so of other moves it has seen little.
    Elsewhere the move made must not be looked at more deeply than the others: it would be blamed
    for what they would have come to as well.
    """
    told = list(analyses)
    for at, move in enumerate(moves[:-1]):
        seen, following = analyses[at], analyses[at + 1]
        if seen.proven or not is_decided(seen.top) or is_decided(seen.scores[move]):
            continue
        same = positions[at].to_move is positions[at + 1].to_move
        score = following.top if same else -following.top
        told[at] = replace(seen, scores={**seen.scores, move: score})
    return told


def _reviewed(position: Position, move: Move, analysis: Analysis, spread: float) -> ReviewedMove:
    promised = promises(analysis, spread)
    return ReviewedMove(
        position.ply,
        position.to_move,
        move,
        analysis,
        costs(analysis, spread),
        before=max(promised.values()),
        after=promised[move],
    )


def _turning_point(
    prover: Prover,
    positions: Sequence[Position],
    reviewed: Review,
    seconds: float,
    stop: Stop | None,
) -> TurningPoint | None:
    """The move that decided the game, with the lines that show why."""
    decisive = reviewed.decisive
    if decisive is None:
        return None
    position, ways = positions[decisive.ply], (decisive.move, decisive.best_moves[0])
    played, instead = (
        best_line(position, (way,), seconds=seconds, stop=stop, prover=prover) for way in ways
    )
    return TurningPoint(decisive.ply, played, instead)
