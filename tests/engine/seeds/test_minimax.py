"""The minimax of two seed agents, from a position to a result."""

from __future__ import annotations

from random import Random
from threading import Thread
from time import perf_counter, sleep

from engine.connect4 import Connect4
from engine.game import Move, replay
from engine.kernels.scores import WIN
from engine.kernels.seeds.evaluation import Evaluation
from engine.search import SearchResult, Stop
from engine.seeds.minimax import minimax


def test_only_the_moves_asked_for_are_considered() -> None:
    """A better move that is not among those to choose from is not chosen."""
    game, rng = Connect4(), Random(1)
    position = replay(game, game.moves("11223"))
    # The first player threatens column 4 and wins by move 7 unless it is blocked.
    for moves, blocked in (([Move(0), Move(3)], True), ([Move(0), Move(6)], False)):
        began = perf_counter()
        result = minimax(position, moves, Evaluation.WINDOW, 2, began=began, rng=rng, stop=None)
        assert (result.move == 3) == blocked
        assert result.move in moves
        assert (result.score == 7 - WIN) != blocked


def test_the_depth_is_no_more_than_the_squares_left() -> None:
    """With three squares left, a search of seven plies has seen three."""
    game = Connect4(4, 4)
    position = replay(game, game.moves("1422324412413"))
    moves = position.legal_moves()
    for depth, reached in ((2, 2), (3, 3), (7, 3)):
        result = minimax(
            position,
            moves,
            Evaluation.TUPLES,
            depth,
            began=perf_counter(),
            rng=Random(1),
            stop=None,
        )
        assert result.depth == reached


def test_a_stop_ends_a_running_search() -> None:
    """A stop set from another thread ends a search, with a legal move."""
    position, stop = Connect4(8, 8).start(), Stop()
    found: list[SearchResult] = []

    def work() -> None:
        began, moves = perf_counter(), position.legal_moves()
        found.append(
            minimax(position, moves, Evaluation.TUPLES, 60, began=began, rng=Random(1), stop=stop)
        )

    thread = Thread(target=work, daemon=True)
    thread.start()
    sleep(0.1)
    assert thread.is_alive()
    stop.set()
    thread.join(60)
    assert found[0].move in position.legal_moves()
    assert found[0].depth == 0
    assert found[0].nodes > 1000
