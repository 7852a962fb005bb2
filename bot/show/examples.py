"""Pictures without words that show what games are and what their rules mean.

They are drawn from the example games of `GamePackage.examples`, so every position is a real one.
"""

from __future__ import annotations

from dataclasses import replace

from bot.i18n import Translator
from engine.core.game import Cell, Position, Square, replay
from engine.core.package import GamePackage
from engine.core.registry import default_game, game_of, games
from renderers import PanelsScene, SmallBoard

PANELS = 3

Rows = tuple[tuple[Cell, ...], ...]


def rules_scene(package: GamePackage, say: Translator) -> PanelsScene | None:
    """The picture of a game's rules; None for a game without examples.

    Three finished lines, or the three steps of a move that has an effect.
    """
    game, examples = game_of(package.key, package.usual), package.examples
    if len(examples) == PANELS:
        first, second, third = (_finished(package, moves) for moves in examples)
        return PanelsScene((first, second, third), alt_text=say("examples.lines"))
    if len(examples) != 1:
        return None
    *before, last = game.moves(examples[0])
    position = replay(game, before)
    changes = position.changes(last)
    removed = frozenset(changes.removed)
    start = _board(package, position)
    steps = (
        replace(start, at_risk=removed),
        replace(start, removed=removed),
        _board(package, position.play(last)),
    )
    word = say.move(game.key, game.label(last))
    first, second, third = _cropped(steps)
    return PanelsScene((first, second, third), True, say("examples.steps", move=word))


def games_scene(say: Translator) -> PanelsScene | None:
    """A board of each of three games, the default one first; None if fewer have examples."""
    default = default_game()
    ordered = sorted(games().values(), key=lambda package: package is not default)
    shown = [package for package in ordered if package.examples][:PANELS]
    if len(shown) < PANELS:
        return None
    first, second, third = map(_example, shown)
    names = [say(f"game.{package.key}") for package in shown]
    return PanelsScene(
        (first, second, third), alt_text=say("examples.games", games=", ".join(names))
    )


def _example(package: GamePackage) -> SmallBoard:
    """A finished line, or the position before a move that has an effect."""
    if len(package.examples) == PANELS:
        return _finished(package, package.examples[0])
    game = game_of(package.key, package.usual)
    return _board(package, replay(game, game.moves(package.examples[0])[:-1]))


def _finished(package: GamePackage, moves: str) -> SmallBoard:
    """The last position of a game, with its winning line."""
    game = game_of(package.key, package.usual)
    position = replay(game, game.moves(moves))
    outcome = position.outcome
    assert outcome is not None, "examples of lines are finished games"
    return replace(_board(package, position), line=outcome.squares)


def _board(package: GamePackage, position: Position) -> SmallBoard:
    return SmallBoard(package.drawing, tuple(tuple(row) for row in position.cells()))


def _cropped(boards: tuple[SmallBoard, ...]) -> tuple[SmallBoard, ...]:
    """Boards without the upper rows that are empty in all of them, except one."""
    used = [
        next((row for row, cells in enumerate(board.cells) if set(cells) != {Cell.EMPTY}), 0)
        for board in boards
    ]
    cut = max(min(used) - 1, 0)

    def moved(squares: frozenset[Square]) -> frozenset[Square]:
        return frozenset(Square(row - cut, column) for row, column in squares)

    return tuple(
        replace(
            board,
            cells=board.cells[cut:],
            at_risk=moved(board.at_risk),
            removed=moved(board.removed),
        )
        for board in boards
    )
