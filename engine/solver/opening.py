"""Opening theory: what is known without search, from the books and the moves between them.

On 6x7 a shipped book holds every position with up to eight stones, and the data of another package
those with twelve. In between, the few moves down to twelve stones are tried.
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from engine.connect4 import Connect4, Connect4Position
from engine.kernels.solver.positions import write_keys
from engine.solver.book import Book, DeepBook, write_book
from engine.solver.retrograde import Layer, back_up, entries_of, list_layers
from engine.values import Value, best_end

BOOKS = Path(__file__).parent / "books"
DEEP = Connect4(6, 7)
"""The board of the data with twelve stones."""
TRIED = 1 << 13
"""Positions between the books whose ends are kept: those that one game leads to."""


@cache
def book_of(game: Connect4) -> Book | None:
    """The book that is shipped for a board."""
    path = BOOKS / f"{game.variant}.book"
    return Book.open(path) if path.exists() else None


@cache
def deep_book() -> DeepBook:
    """The positions of 6x7 with twelve stones."""
    return DeepBook.open()


def known_end(position: Connect4Position) -> int | None:
    """How an undecided game ends under perfect play, as books write it; None if unknown.

    That is the number of stones at the end, negative if the second player wins, 0 for a draw.
    """
    end = book_end(position)
    if end is None and position.game == DEEP and position.ply <= DeepBook.PLY:
        return _end_above(position)
    return end


def book_end(position: Connect4Position) -> int | None:
    """The same from the board's shipped book alone: one lookup, and no moves tried."""
    book = book_of(position.game)
    if book is None or position.ply not in book.plies:
        return None
    return book.end_of(position)


@lru_cache(TRIED)
def _end_above(position: Connect4Position) -> int:
    """The end of a position with at most twelve stones, by trying the moves down to twelve."""
    following = [position.play(move) for move in position.legal_moves()]
    if any(after.outcome is not None for after in following):
        # With so few stones a game that is over is one that has just been won.
        return Value.won(position.to_move, position.ply + 1).end
    if position.ply == DeepBook.PLY:
        end = deep_book().end_of(position)
        assert end is not None, "the data hold every position without an immediate win"
        return end
    return best_end(position.to_move, [_end_above(after) for after in following])


def write_opening(plies: int, path: Path) -> int:
    """Write the book of 6x7 with up to `plies` stones from the data with twelve.

    Returns how many positions it holds.
    """
    layers = list_layers(DEEP, DeepBook.PLY)
    ends = back_up(layers, _deepest)
    entries = entries_of(layers[: plies + 1], ends[: plies + 1])
    write_book(path, DEEP.rows, DEEP.columns, plies, entries)
    return len(entries)


def _deepest(layer: Layer) -> npt.NDArray[np.int64]:
    """The ends of the layer with twelve stones; 0 where the data hold none."""
    keys, ends = deep_book().table()
    found = np.zeros(layer.keys.size, np.int64)
    for turned in (False, True):
        wanted = np.empty(layer.keys.size, np.uint64)
        write_keys(layer.firsts, layer.seconds, DEEP.rows, DEEP.columns, turned, wanted)
        at = np.minimum(np.searchsorted(keys, wanted), keys.size - 1)
        found = np.where(keys[at] == wanted, ends[at], found)
    return found
