"""Moves in words: one, several of which any will do, and lines of them."""

from __future__ import annotations

from collections.abc import Sequence

from bot.words import Say
from engine.game import Game, Move
from engine.line import Line

LONGEST_LINE = 16
"""Moves of a line that a message shows."""


def move_text(game: Game, move: Move, say: Say) -> str:
    """A move as its button says it."""
    return say.move(game.key, game.label(move))


def either(moves: Sequence[str], say: Say) -> str:
    """Moves of which any will do."""
    *others, last = moves
    return say("review.either", moves=", ".join(others), last=last) if others else last


def line_text(game: Game, line: Line, say: Say) -> str:
    """The first moves of a line; one that is not proven says so."""
    moves = [move_text(game, move, say) for move in line.moves[:LONGEST_LINE]]
    text = " ".join(moves) + (" …" if len(line.moves) > LONGEST_LINE else "")
    return f"`{text}`" if line.proven else say("review.line_seen", line=f"`{text}`")
