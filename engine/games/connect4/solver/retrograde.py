"""Scores of an opening from the scores of a deeper layer.

All positions up to a number of stones are listed layer by layer, one of each mirror pair. The
deepest layer's scores are given; those above follow by taking the best child of each position.
Scores are written as in books: the number of stones at the end of the game under perfect play,
negative if the second player wins, 0 for a draw.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.core.compiled.bits import board_word, bottom_word
from engine.core.game import Player
from engine.core.values import WORST_FOR_FIRST, WORST_FOR_SECOND, Ends, Value, preferences
from engine.games.connect4.rules import Connect4
from engine.games.connect4.solver.compiled.positions import expand, mark_wins

Words = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Layer:
    """All positions with the same number of stones and without a four, one of each mirror pair."""

    ply: int
    firsts: Words
    seconds: Words
    keys: Words
    wins: npt.NDArray[np.bool_]
    """Whether the side to move wins at once, by position."""
    parents: npt.NDArray[np.int64]
    """For each edge to the layer above, the index of the parent in that layer."""
    children: npt.NDArray[np.int64]
    """For each of these edges, the index of the child in this layer."""


def list_layers(game: Connect4, plies: int) -> list[Layer]:
    """All layers from the empty board to `plies` stones."""
    nothing = np.zeros(1, np.uint64)
    layers = [_layer(game, 0, nothing, nothing, nothing, *(np.zeros(0, np.int64),) * 2)]
    for ply in range(plies):
        layers.append(_next(game, layers[-1], ply))
    return layers


def _next(game: Connect4, layer: Layer, ply: int) -> Layer:
    most = layer.firsts.size * game.columns
    firsts, seconds, keys = (np.empty(most, np.uint64) for _ in range(3))
    parents = np.empty(most, np.int64)
    bottom, board = _words(game)
    count = expand(
        layer.firsts,
        layer.seconds,
        ply,
        game.rows,
        game.columns,
        bottom,
        board,
        firsts,
        seconds,
        keys,
        parents,
    )
    unique, which, children = np.unique(keys[:count], return_index=True, return_inverse=True)
    return _layer(game, ply + 1, firsts[which], seconds[which], unique, parents[:count], children)


def _layer(
    game: Connect4,
    ply: int,
    firsts: Words,
    seconds: Words,
    keys: Words,
    parents: npt.NDArray[np.int64],
    children: npt.NDArray[np.int64],
) -> Layer:
    wins = np.zeros(firsts.size, np.bool_)
    mark_wins(firsts, seconds, ply, *_words(game), wins)
    return Layer(ply, firsts, seconds, keys, wins, parents.copy(), children.astype(np.int64))


def _words(game: Connect4) -> tuple[np.uint64, np.uint64]:
    bottom, board = bottom_word(game.columns), board_word(game.rows, game.columns)
    return np.uint64(bottom), np.uint64(board)


def back_up(layers: list[Layer], deepest: Callable[[Layer], Ends]) -> list[Ends]:
    """The ends of all positions of all layers.

    Args:
        layers: From the empty board down.
        deepest: Gives the ends of the last layer; its values for positions in which the side to
            move wins at once are ignored.
    """
    values = [_with_wins(layers[-1], preferences(deepest(layers[-1])))]
    for above, below in zip(layers[-2::-1], layers[:0:-1], strict=True):
        first_moves = above.ply % 2 == 0
        best = np.full(
            above.firsts.size, WORST_FOR_FIRST if first_moves else WORST_FOR_SECOND, np.int64
        )
        choose = np.maximum if first_moves else np.minimum
        choose.at(best, below.parents, values[0][below.children])
        values.insert(0, _with_wins(above, best))
    return [preferences(value) for value in values]


def entries_of(layers: list[Layer], ends: list[Ends]) -> list[tuple[int, int]]:
    """The keys of all positions of these layers with their ends, as input for a book."""
    return [
        entry
        for layer, found in zip(layers, ends, strict=True)
        for entry in zip(layer.keys.tolist(), found.tolist(), strict=True)
    ]


def _with_wins(layer: Layer, values: Ends) -> Ends:
    mover = Player.FIRST if layer.ply % 2 == 0 else Player.SECOND
    won = preferences(np.array(Value.won(mover, layer.ply + 1).end))
    return np.where(layer.wins, won, values)
