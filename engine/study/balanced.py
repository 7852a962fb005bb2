"""Balanced openings: drawn positions from which a game between people can begin.

In most games moving first is an advantage. From a position that is proven to be a draw, in which
both sides have a choice of good moves, neither side can count on one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from engine.core.exact import ExactSolver
from engine.core.game import Game, Move, Position, wins_with
from engine.core.package import GamePackage
from engine.core.registry import package_of

CHOICE = 2
"""The fewest moves that keep the draw, for the player to move and, after each of them, for the
other."""
DRAW = 0.5


def balanced_variants(package: GamePackage) -> tuple[str, ...]:
    """Return the variants of a game that have balanced openings."""
    folder = package.folder("openings")
    return tuple(one for one in package.variants if (folder / f"{one}.txt").is_file())


def balanced_openings(game: Game) -> tuple[tuple[Move, ...], ...]:
    """Return the moves of all balanced openings of a variant; empty if it has none."""
    return tuple(game.moves(line) for line in _lines(_file_of(game)))


@cache
def _lines(path: Path) -> tuple[str, ...]:
    """The openings in a file, as moves; empty if there is no such file."""
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    return tuple(line for line in lines if not line.startswith("#"))


def write_openings(game: Game, openings: Sequence[tuple[Move, ...]], command: str) -> None:
    """Write the openings of a variant, with the command that found them."""
    lines = ["".join(map(game.label, moves)) for moves in sorted(openings, key=_order)]
    text = "\n".join((f"# {command}", *lines, ""))
    _file_of(game).write_text(text, "utf-8")
    _lines.cache_clear()


def is_balanced(position: Position, solver: ExactSolver) -> bool:
    """Return whether a position is a draw that both sides can keep by several moves.

    The player to move must have no win at once, and at least `CHOICE` moves that keep the draw;
    after each of them the same must hold for the other player. Raises ValueError if the solver
    gives up before it has the answer.
    """
    keeping = keeping_moves(position, solver)
    if len(keeping) < CHOICE:
        return False
    after = (position.play(move) for move in keeping)
    return all(len(keeping_moves(one, solver)) >= CHOICE for one in after)


def keeping_moves(position: Position, solver: ExactSolver) -> list[Move]:
    """Return the moves that keep a draw; none where the game is over, won at once or no draw.

    Raises ValueError if the solver gives up before it has the answer.
    """
    moves = () if position.outcome is not None else position.legal_moves()
    if not moves or any(wins_with(position, move) for move in moves):
        return []
    shares = solver.winners(position)
    if shares is None:
        raise ValueError("the solver gave up")
    return [] if max(shares.values()) != DRAW else [m for m in moves if shares[m] == DRAW]


def _order(moves: tuple[Move, ...]) -> tuple[int, tuple[Move, ...]]:
    return len(moves), moves


def _file_of(game: Game) -> Path:
    return package_of(game).folder("openings") / f"{game.variant}.txt"
