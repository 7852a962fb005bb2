"""Reviews compared with the solver."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from benchmarks.review import Wanted, compare, full_board, report, reviewed
from engine.games.connect4.rules import Connect4
from engine.study.review import review

GAME = Connect4(5, 4)


def test_every_move_of_a_game_is_compared() -> None:
    """On a small board from the first one on, and none differs."""
    done = reviewed(Wanted("5x4", 3, 0, ("random", "easy")))
    assert done.wrong == ()
    assert done.compared == done.proven == done.plies > 6
    told = list(report("5x4", [done]))
    assert told[0] == f"5x4: 1 games, {done.plies} moves, {done.plies} proven"
    assert told[1] == f"compared with the solver: {done.plies}, wrong: 0"


def test_a_review_that_is_wrong_is_found() -> None:
    """Here one that takes each move for the one before it."""
    moves = GAME.moves("12123144")
    found = review(GAME, moves)
    assert compare(GAME, moves, found, 0) == (8, [])
    shifted = replace(found, moves=(found.moves[0], *found.moves[:-1]))
    compared, wrong = compare(GAME, moves, shifted, 4)
    assert compared == len(wrong) == 4


def test_full_boards_are_full() -> None:
    """For the time that the longest reviews take."""
    assert len(full_board(GAME, Random(1))) == 20
