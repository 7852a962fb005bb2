"""The value of every move of a Gato position, by searching to the end of the game."""

from __future__ import annotations

from collections.abc import Sequence

from engine.clock import time_limit
from engine.gato import SQUARES, GatoPosition
from engine.kernels.gato import load
from engine.kernels.scores import WIN
from engine.search import Proof, Stop, Verdict

TABLE_BITS = 18
"""Of the table that a proof uses: 2 MiB, several times what the empty board needs."""


def prove(position: GatoPosition, seconds: float, stop: Stop | None = None) -> Proof | None:
    """Prove the value of every move; None if that takes more than `seconds` or is stopped."""
    kernel, flag = load(position, TABLE_BITS), (stop or Stop()).flag
    kernel.allow(None)
    with time_limit(lambda: kernel.allow(0), seconds):
        scores = kernel.score_moves(kernel.deepest, 2 * WIN, position.legal_moves(), flag)
    if scores is None:
        return None
    top = max(scores.values())
    depth = WIN - abs(top) - position.ply if top else SQUARES - position.ply
    return Proof(scores, depth, kernel.nodes)


def verdicts(positions: Sequence[GatoPosition]) -> list[Verdict | None]:
    """What every move leads to in each position of a game, none of which is over."""
    return [_verdict(position) for position in positions]


def _verdict(position: GatoPosition) -> Verdict:
    kernel = load(position, TABLE_BITS)
    kernel.allow(None)
    scores = kernel.score_moves(kernel.deepest, 2 * WIN, position.legal_moves(), Stop().flag)
    assert scores is not None, "nothing stops this search"
    return {move: 0.5 if score == 0 else float(score > 0) for move, score in scores.items()}
