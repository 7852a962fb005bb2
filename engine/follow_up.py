"""Zugzwang in Connect 4: winning by always playing right above the other player's stone.

Victor Allis ("A Knowledge-based Approach of Connect-Four", 1988) calls it claimeven with control of
zugzwang. What is said here needs no search, because the strategy fixes which squares each player
gets. Let it be the other player's turn, let every column but one have an even number of empty
squares, and let the player complete a line in that one on a square with an odd number of empty
squares below it. If the player answers every move in its own column,

1. an answer is always possible, and the other player gets only the first, third, ... empty square
   of each column, in any order;
2. if no line can be made of those and the stones that are there, the other player never wins;
3. all other columns fill up, so in the end, if not sooner, the other player has to play right below
   the square, and the player wins on it.
"""

from __future__ import annotations

from engine.connect4 import Connect4, bit_of
from engine.threat_words import completing


def controlled(game: Connect4, own: int, other: int) -> int:
    """The square on which the player with the stones `own` wins, if the other one is to move.

    0 where the strategy does not prove a win.
    """
    taken = own | other
    heights = [(taken >> bit & 0xFF).bit_count() for bit in range(0, 8 * game.columns, 8)]
    uneven = [c for c, height in enumerate(heights) if (game.rows - height) % 2]
    if len(uneven) > 1:
        return 0
    wins = completing(game.fours, own, taken)
    for column in uneven or range(game.columns):
        for height in range(heights[column] + 1, game.rows, 2):
            square = bit_of(column, height)
            if wins & square and _never_loses(game, other, heights, column, height):
                return square
    return 0


def _never_loses(game: Connect4, other: int, heights: list[int], column: int, height: int) -> bool:
    """Whether the other player's stones make no line with all the squares that they can get."""
    for each, filled in enumerate(heights):
        top = height if each == column else game.rows
        for square in range(filled, top, 2):
            other |= bit_of(each, square)
    return all(four & other != four for four in game.fours)
