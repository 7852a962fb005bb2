"""Exact values in every notation: scores, stored integers, shares and lengths."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.compiled.scores import WIN
from engine.core.game import Player, replay
from engine.core.values import (
    Score,
    Value,
    best_end,
    expected,
    is_decided,
    moves_to_end,
    plies_to_end,
    preferences,
    share_of,
)
from engine.games.connect4.rules import Connect4


@pytest.mark.parametrize(
    ("size", "score", "player", "end"),
    [
        ("6x7", 1, Player.FIRST, 41),
        ("6x7", -1, Player.FIRST, -42),
        ("6x7", 18, Player.FIRST, 7),
        ("5x5", 1, Player.FIRST, 25),
        ("5x5", -1, Player.FIRST, -24),
        ("5x5", 1, Player.SECOND, -24),
        ("5x5", -2, Player.SECOND, 23),
        ("5x5", 0, Player.SECOND, 0),
    ],
)
def test_a_score_determines_the_last_stone(size: str, score: int, player: Player, end: int) -> None:
    """A win with the k-th last own stone ends the game with the stone of that number."""
    squares = Connect4.from_variant(size).rows * Connect4.from_variant(size).columns
    value = Value.from_score(score, player, squares)
    assert value == Value(end)
    assert value.score(player, squares) == score
    assert value.score(player.other, squares) == -score


@given(st.sampled_from(Player), st.integers(16, 64), st.data())
def test_conversions_lead_back(player: Player, squares: int, data: st.DataObject) -> None:
    """Converting a value to any convention and back gives the same value."""
    k = data.draw(st.integers(-(squares // 2 - 3), squares // 2 - 3))
    value = Value.from_score(k, player, squares)
    assert value.score(player, squares) == k
    assert Value.from_search(value.search(player), player) == value
    assert Value.from_search(value.search(player.other), player.other) == value
    assert value.search(player) == -value.search(player.other)
    assert value.share(player) + value.share(player.other) == 1


@pytest.mark.parametrize(
    ("end", "winner", "search", "shares"),
    [
        (41, Player.FIRST, WIN - 41, (1.0, 0.0)),
        (-8, Player.SECOND, 8 - WIN, (0.0, 1.0)),
        (0, None, 0, (0.5, 0.5)),
    ],
)
def test_a_value_by_hand(
    end: int, winner: Player | None, search: int, shares: tuple[float, float]
) -> None:
    """Examples have the expected winner, search score and shares of a point."""
    value = Value(end)
    assert value.winner is winner
    assert value.search(Player.FIRST) == search
    assert (value.share(Player.FIRST), value.share(Player.SECOND)) == shares


@pytest.mark.parametrize(
    ("moves", "end"), [("1212121", 7), ("12121252", -8), ("1113233214423442", 0)]
)
def test_a_game_that_is_over_has_its_value(moves: str, end: int) -> None:
    """The value of a finished game has its winner and the number of the last stone."""
    game = Connect4.from_variant("4x4" if end == 0 else "6x7")
    over = replay(game, game.moves(moves))
    assert over.outcome is not None
    assert Value.of_ended(over) == Value(end)


def test_an_evaluation_has_no_exact_value() -> None:
    """An evaluation raises ValueError instead of becoming an exact value."""
    with pytest.raises(ValueError, match="17 is an evaluation"):
        Value.from_search(17, Player.FIRST)


@pytest.mark.parametrize(
    ("score", "ply", "plies", "moves"),
    [(WIN - 7, 6, 1, 1), (WIN - 9, 6, 3, 2), (8 - WIN, 6, 2, 1), (10 - WIN, 6, 4, 2)],
)
def test_the_distance_to_the_end(score: int, ply: int, plies: int, moves: int) -> None:
    """A win ends with an own move, a loss with the opponent's answer."""
    assert plies_to_end(score, ply) == plies
    assert moves_to_end(score, ply) == moves


def test_a_draw_is_played_to_the_last_square() -> None:
    """The distance of a draw is the number of empty squares."""
    assert plies_to_end(0, 12, 42) == 30


def test_shares_of_a_point() -> None:
    """A win is worth one point, a draw half a point, a loss none."""
    assert [share_of(score) for score in (WIN - 7, 3, 0, -1, 8 - WIN)] == [1, 1, 0.5, 0, 0]


@pytest.mark.parametrize(
    ("ends", "first", "second"),
    [
        ([11, 13, 0, -12], 11, -12),
        ([13, 11, 0], 11, 0),
        ([-12, -14, -10], -14, -10),
        ([13, 41, 39], 13, 41),
    ],
)
def test_early_wins_and_late_losses_are_preferred(ends: list[int], first: int, second: int) -> None:
    """Each player prefers a win to a draw to a loss, the nearest win and the latest loss."""
    assert best_end(Player.FIRST, ends) == first
    assert best_end(Player.SECOND, ends) == second
    array = np.array(ends)
    assert array[preferences(array).argmax()] == first
    assert array[preferences(array).argmin()] == second
    assert (preferences(preferences(array)) == array).all()


@given(points=st.integers(-WIN, WIN), player=st.sampled_from(Player), proven=st.booleans())
def test_a_stored_score_is_restored(points: int, player: Player, proven: bool) -> None:
    """A score is restored from the stored number, the player and whether it was proven."""
    score = Score.from_stored(points, player, proven=proven)
    assert score.exact == (proven or is_decided(points))
    assert Score.from_stored(score.stored(), score.player, proven=proven) == score


@given(points=st.integers(-WIN, WIN), player=st.sampled_from(Player))
def test_a_score_means_the_same_for_either_player(points: int, player: Player) -> None:
    """For the other player a score changes its sign and nothing else."""
    score = Score.from_stored(points, player, proven=False)
    other = score.for_player(player.other)
    assert (other.points, other.player) == (-points, player.other)
    assert other.for_player(player) == score
    assert other.winner == score.winner
    assert other.value == score.value


def test_a_score_has_a_winner_and_a_distance() -> None:
    """The score of a win by the 19th stone gives the winner, the plies left and the exact value."""
    score = Score(WIN - 19, Player.FIRST, exact=True)
    assert score.winner is Player.FIRST
    assert score.for_player(Player.SECOND).winner is Player.FIRST
    assert (score.plies_to_end(12), score.moves_to_end(12)) == (7, 4)
    assert score.value == Value.won(Player.FIRST, 19)
    assert Score(0, Player.FIRST, exact=True).winner is None
    assert Score(0, Player.FIRST, exact=True).value == Value(0)
    assert Score(0, Player.FIRST, exact=True).plies_to_end(40, 42) == 2


def test_an_evaluation_has_no_winner() -> None:
    """An evaluation has neither a winner nor a value, but an expected score."""
    guess = Score(40, Player.SECOND, exact=False)
    assert (guess.is_decided, guess.winner, guess.value) == (False, None, None)
    assert guess.expected(20.0) == pytest.approx(expected(40, 20.0))
    assert guess.expected(20.0) + guess.for_player(Player.FIRST).expected(20.0) == pytest.approx(1)
