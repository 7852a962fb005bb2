"""Perfect play in Connect 4: the exact score of any position on any board.

A score is for the side to move: 0 for a draw, +k if it wins with its k-th last stone, counted in
the stones it would put on a full board, -k if the other side does so. On a board of N squares a win
completed by stone number n of the game scores (N + 2 - n) // 2, for either player and for odd N as
well: the last stone of each side counts 1, the one before it 2.
"""

from engine.games.connect4.solver.solver import Solution, Solver

__all__ = ["Solution", "Solver"]
