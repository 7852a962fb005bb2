"""A finished game as the scenes of an animation, and as what is told to who cannot see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.show.scenes import Names, alt_phrases, board_scene
from bot.table.session import Session
from bot.words import Say
from engine.core.game import Cell, Move, Position, Square
from engine.core.registry import package_of
from renderers import BoardScene, animation_alt_text, draw_animation


def replay_picture(session: Session, names: Names, say: Say) -> tuple[bytes, str]:
    """The GIF of a finished game and its alternative text; may be called from any thread."""
    end = board_scene(session, names, say)
    told = animation_alt_text(end, told_moves(session, say), alt_phrases(say))
    return draw_animation(package_of(session.game).drawing, replay_scenes(session, end)), told


def replay_scenes(session: Session, end: BoardScene) -> tuple[BoardScene, ...]:
    """The board before a finished game's first move, after each of them, and at its `end`.

    Before a move that removes stones there is one more scene. Nobody is to move, and there are no
    words below the board: only the board changes, until it is known who has won.
    """
    bare = replace(end, remark="", footer="", turn=None, last=frozenset())
    start = replace(bare, winner=None, line=frozenset())
    moves = [session.game.parse(made.move) for made in session.moves]
    scenes = list(play_scenes(session.game.start(), moves, start))
    return (*scenes, replace(bare, last=scenes[-1].last))


def told_moves(session: Session, say: Say) -> str:
    """All moves of a game in a sentence."""
    moves = ", ".join(say.move(session.game.key, made.move) for made in session.moves)
    return say("replay.told", moves=moves or "–")


def play_scenes(
    position: Position, moves: Sequence[Move], start: BoardScene
) -> Iterator[BoardScene]:
    """A position and what moves make of it; all but the board is as in `start`.

    Before a move that removes stones there is one more scene, which shows them being removed.
    """
    yield replace(start, cells=_cells(position))
    for move in moves:
        changes = position.changes(move)
        if changes.removed:
            removed = frozenset(changes.removed)
            at_risk = removed if move in position.announced() else frozenset[Square]()
            yield replace(start, cells=_cells(position), at_risk=at_risk, removed=removed)
        position = position.play(move)
        last = frozenset(square for square, _ in changes.placed)
        yield replace(start, cells=_cells(position), last=last)


def _cells(position: Position) -> tuple[tuple[Cell, ...], ...]:
    return tuple(tuple(row) for row in position.cells())
