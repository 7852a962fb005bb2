"""The agent that likes long runs."""

from __future__ import annotations

from collections import Counter
from random import Random

from engine.connect4 import Connect4
from engine.game import replay
from engine.seeds.greedy import Greedy


def test_the_highest_value_of_the_tree_is_played() -> None:
    """The agent plays the better of two moves worth 24 and 12.8, of which the end is three off."""
    game = Connect4(4, 4)
    position = replay(game, game.moves("1422324412413"))
    # The kernel's tests work these values out.
    result = Greedy().choose(position, rng=Random(1))
    assert (game.label(result.move), result.score, result.depth, result.nodes) == ("3", 24, 3, 4)


def test_equal_moves_are_all_chosen() -> None:
    """On an empty board of four columns, the two in the middle are chosen about as often."""
    rng, start = Random(1), Connect4(5, 4).start()
    counts = Counter(Greedy().choose(start, rng=rng).move for _ in range(1000))
    assert counts.keys() == {1, 2}
    assert abs(counts.most_common()[0][1] - 500) < 60


def test_four_in_line_is_only_a_long_run() -> None:
    """A win at once is passed by where another run promises more: nothing looks for wins."""
    game = Connect4()
    position = replay(game, game.moves("63254213731"))
    outcome = position.play(game.parse("3")).outcome
    assert outcome is not None
    assert outcome.ending == "line"
    result = Greedy().choose(position, rng=Random(1))
    assert game.label(result.move) == "4"


def test_no_score_claims_a_proof() -> None:
    """Even a move that makes four is only evaluated: its score is no proven win."""
    game = Connect4()
    position = replay(game, game.moves("112233"))
    result = Greedy().choose(position, rng=Random(1))
    assert game.label(result.move) == "4"
    # Four across (13), the other directions 1 each, and no reply.
    assert result.score == 13 + 1 + 1 + 1
    assert not result.is_win


def test_four_plies_are_grown() -> None:
    """From an empty board of seven columns, all 2,800 nodes of four plies are valued."""
    result = Greedy().choose(Connect4().start(), rng=Random(1))
    assert (result.depth, result.nodes) == (4, 7 + 49 + 343 + 2401)
