"""Reviews of whole games, compared with plain enumeration and known values."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from engine.core.game import Game, IllegalMove, Move, Player, replay
from engine.core.limits import Stop
from engine.core.registry import game_called
from engine.study.exercises import exercises
from engine.study.move_class import MoveClass, class_of
from engine.study.review import review
from tests.builders import TIMEOUT, PlayPerfectly


def random_game(game: Game, seed: int) -> list[Move]:
    """The moves of a game in which neither player wins as long as there is another move."""
    position, moves, rng = game.start(), list[Move](), Random(seed)
    while position.outcome is None:
        every = position.legal_moves()
        quiet = [move for move in every if position.play(move).outcome is None]
        moves.append(rng.choice(quiet or every))
        position = position.play(moves[-1])
    return moves


def classes(game: str, moves: str) -> list[str]:
    """The classes of a game's moves."""
    found = game_called(game)
    return [class_of(one).value for one in review(found, found.moves(moves), seconds=TIMEOUT).moves]


@pytest.mark.parametrize("name", ["4x4", "5x4", "6x7", "5x5", "gato"])
@pytest.mark.parametrize("seed", [1, 2])
def test_last_moves_agree_with_playing_all_games(
    name: str, seed: int, play_perfectly: PlayPerfectly
) -> None:
    """Each move of a position has the score that playing all games to their end gives."""
    game = game_called(name)
    moves = random_game(game, seed)
    found = review(game, moves, seconds=TIMEOUT)
    assert [one.move for one in found.moves] == moves
    for one in found.moves[-7:]:
        position = replay(game, moves[: one.ply])
        assert one.is_proven
        assert one.player is position.to_move
        assert one.analysis.scores == play_perfectly(position)


def test_the_opening_of_the_classic_board_is_known() -> None:
    """Only the middle wins on the classic board; other first moves are mistakes or blunders."""
    (called,) = review(game_called("6x7"), [Move(3)], seconds=TIMEOUT).moves
    found = [MoveClass.of(called.losses[Move(column)]).value for column in range(7)]
    assert found == ["blunder", "blunder", "mistake", "best", "mistake", "blunder", "blunder"]


def test_a_missed_win_and_a_late_one() -> None:
    """Completing three in a column is a best move, and another move instead is not."""
    assert classes("5x4", "4142431")[-1] != "best"
    assert classes("5x4", "4142434")[-1] == "best"


@pytest.mark.parametrize("name", ["8x8", "boom"])
def test_unproven_moves_are_classed_by_a_search(name: str) -> None:
    """In games without a solver, first moves have classes but no exact values; last ones have."""
    game = game_called(name)
    moves = random_game(game, 3)[:60]
    end = replay(game, moves)
    while end.outcome is None:
        moves.append(end.legal_moves()[0])
        end = end.play(moves[-1])
    found = review(game, moves, seconds=0.5)
    first, last = found.moves[0], found.moves[-1]
    assert (first.value, first.best_value, first.is_proven) == (None, None, False)
    assert first.analysis.depth >= 1
    assert class_of(first) in MoveClass
    assert last.value is not None
    assert set(found.moves[0].losses) == set(game.start().legal_moves())


def test_a_missed_win_is_judged_by_the_next_position() -> None:
    """The loss of a missed win is corrected by the analysis of the next position."""
    game = game_called("boom")
    found = review(game, game.moves("443346146116B"), seconds=2)
    missed, following = found.moves[11:13]
    assert missed.best_value is not None
    assert missed.analysis.depth < following.analysis.depth or following.is_proven
    same = missed.player is following.player
    assert missed.analysis.scores[missed.move] == (1 if same else -1) * following.analysis.top


def turning_point(game: str, moves: str) -> tuple[int, Sequence[Move], Sequence[Move]]:
    """The turning point of a game, and both lines."""
    found = game_called(game)
    turned = review(found, found.moves(moves), seconds=TIMEOUT).turning_point
    assert turned is not None
    assert turned.played.proven
    assert turned.instead.proven
    return turned.ply, turned.played.moves, turned.instead.moves


def test_the_turning_point_shows_both_lines_to_the_end() -> None:
    """The turning point has the losing move's refutation and the best line, both to the end."""
    game = game_called("6x7")
    ply, played, instead = turning_point("6x7", "4453345")
    start = game.moves("4453345")[:ply]
    assert ply == 2
    assert (game.label(played[0]), game.label(instead[0])) == ("5", "4")
    lost, won = (replay(game, (*start, *line)).outcome for line in (played, instead))
    assert lost is not None
    assert lost.winner is Player.SECOND
    assert won is not None
    assert won.winner is Player.FIRST


def test_a_game_may_turn_later_in_practice_than_by_its_values() -> None:
    """It turned at the last four that was allowed and taken, or missed by who completed none."""
    game = game_called("5x4")
    found = review(game, game.moves("3424241234"), seconds=TIMEOUT)
    assert found.turning_point is not None
    assert found.practical is not None
    assert found.turned is found.practical
    assert (found.turning_point.ply, found.practical.ply) == (4, 8)
    assert found.practical.played.moves == game.moves("34")
    assert found.without_opening(5).turning_point is None
    assert found.without_opening(9).practical is None
    assert exercises(found, Player.FIRST)[0].played.ply == 8
    given_up = review(game, game.moves("342424123"), seconds=TIMEOUT)
    assert given_up.practical is not None
    assert given_up.practical.ply == 7


def test_a_turning_point_that_is_a_missed_four_is_the_one_in_practice_too() -> None:
    """Where the values changed with a missed or allowed four, there is no other turning point."""
    game = game_called("gato")
    found = review(game, game.moves("a1b2a2b3a3b1c2a4"), seconds=TIMEOUT)
    assert found.practical is None
    assert found.turned is found.turning_point


def test_a_game_without_errors_has_no_turning_point() -> None:
    """A game without errors, or without moves, has no turning point."""
    game = game_called("6x7")
    assert review(game, game.moves("4444"), seconds=TIMEOUT).turning_point is None
    empty = review(game, ())
    assert (empty.moves, empty.turning_point, empty.accuracy(Player.FIRST)) == ((), None, None)


def test_unfinished_games_are_reviewed_like_finished_ones() -> None:
    """In proven positions a move's class does not depend on later moves."""
    moves = "12123144"
    whole = classes("5x4", moves)
    for length in range(len(moves)):
        assert classes("5x4", moves[:length]) == whole[:length]


def test_the_same_game_has_the_same_review() -> None:
    """Scores and the extent of proofs are repeatable, because time is counted in nodes."""
    game = game_called("7x7")
    moves = random_game(game, 5)
    one, two = (review(game, moves, seconds=0.1) for _ in range(2))
    assert [a.analysis.scores for a in one.moves] == [a.analysis.scores for a in two.moves]
    assert one.turning_point == two.turning_point
    assert 0 < sum(a.analysis.proven for a in one.moves) < len(moves)


def test_a_stopped_review_uses_books() -> None:
    """A stopped review has books' openings and wins in one; the rest is a search of one ply."""
    game, stop = game_called("6x7"), Stop()
    stop.set()
    moves = random_game(game, 1)
    found = review(game, moves, seconds=TIMEOUT, stop=stop)
    assert all(one.analysis.proven for one in found.moves[:8])
    assert all(one.analysis.depth == 1 for one in found.moves if not one.analysis.proven)
    assert not all(one.analysis.proven for one in found.moves)


def test_an_illegal_game_is_refused() -> None:
    """Moves against the rules raise IllegalMove."""
    game = game_called("6x7")
    with pytest.raises(IllegalMove):
        review(game, [Move(0)] * 7)
