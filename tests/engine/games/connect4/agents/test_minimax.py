"""The minimax of two student agents, from a position to a result."""

from __future__ import annotations

from engine.core.agent import FULL_MARGIN, Searched
from engine.core.compiled.scores import WIN
from engine.core.game import replay
from engine.core.limits import Stop
from engine.games.connect4.agents.compiled.evaluation import Evaluation
from engine.games.connect4.agents.minimax import minimax
from engine.games.connect4.rules import Connect4, Connect4Position
from tests.engine.stopping import stopped


def at(game: Connect4, moves: str) -> Connect4Position:
    """The position after a game."""
    return replay(game, game.moves(moves))  # type: ignore[return-value]


def test_a_margin_says_which_moves_are_scored() -> None:
    """Without a margin only the best moves have a score; with a wide one all have, in order."""
    position = at(Connect4(), "11223")
    # The first player threatens column 4 and wins by move 7 unless it is blocked.
    assert list(minimax(position, Evaluation.WINDOW, 2).values) == [3]
    every = minimax(position, Evaluation.WINDOW, 2, margin=FULL_MARGIN).values
    assert list(every) == list(range(7))
    assert {score for move, score in every.items() if move != 3} == {7 - WIN}


def test_the_depth_is_no_more_than_the_squares_left() -> None:
    """With three squares left, a search of seven plies has depth three."""
    position = at(Connect4(4, 4), "1422324412413")
    for depth, reached in ((2, 2), (3, 3), (7, 3)):
        assert minimax(position, Evaluation.TUPLES, depth).depth == reached


def test_a_stop_ends_a_running_search() -> None:
    """A stop set from another thread ends a search with depth 0."""
    position = Connect4(8, 8).start()

    def search(stop: Stop) -> Searched:
        return minimax(position, Evaluation.TUPLES, 60, stop=stop)

    found = stopped(search, has_begun=lambda found: found.nodes > 1000)
    assert found.depth == 0
