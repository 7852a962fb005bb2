"""The puzzles that are shipped."""

from __future__ import annotations

import pytest

from engine.core.game import Game
from engine.core.registry import game_called
from engine.strength.ladder import size_class
from engine.study.puzzles import PuzzleKind, boards, nearest, puzzle, puzzles_in, puzzles_of, read
from tests.builders import CLASSIC


@pytest.mark.parametrize("game", boards(), ids=lambda game: f"{game.key}-{game.variant}")
def test_each_puzzle_can_be_played_through(game: Game) -> None:
    """Each puzzle can be played through, and the other side never completes a line."""
    for one in puzzles_of(game)[::20]:
        problem = one.problem
        for number, step in enumerate(problem.steps):
            position = problem.position(number)
            assert position.outcome is None
            assert position.to_move is problem.solver
            assert len(step.answers) == 1
            assert step.answers[0] in position.legal_moves()
        end = problem.position(one.asked)
        assert end.outcome is None or end.outcome.winner in (problem.solver, None)
        if one.kind is PuzzleKind.WIN:
            assert one.wins_in == one.asked + (end.outcome is None)


def test_a_puzzle_is_found_by_its_id_however_it_is_typed() -> None:
    """A puzzle is found by its id in any case, and ids are unique."""
    every = [one for game in boards() for one in puzzles_of(game)]
    assert len({one.id for one in every}) == len(every)
    for one in every[::50]:
        assert puzzle(f" {one.id.lower()} ") is one
    assert puzzle("ILOU") is None


def test_puzzles_come_by_size_class_and_by_rating() -> None:
    """The puzzles of a size class share a scale; the nearest one that is not excluded is given."""
    every = puzzles_in(size_class(CLASSIC))
    assert set(puzzles_of(CLASSIC)) <= set(every)
    one = nearest(every, 1200)
    assert one is not None
    assert abs(one.rating - 1200) == min(abs(other.rating - 1200) for other in every)
    other = nearest(every, 1200, {one.id})
    assert other is not None
    assert other.id != one.id
    assert nearest([one], 1200, {one.id}) is None


def test_gato_has_three_grades() -> None:
    """Puzzles of Gato are easy, medium or hard, and rated as the mean of their grade."""
    found = {(one.grade, one.rating) for one in puzzles_of(game_called("gato"))}
    (easy, low), (medium, middle), (hard, high) = sorted(found)
    assert (easy, medium, hard) == (1, 2, 3)
    assert low < 650 < middle < 900 < high
    assert {one.grade for one in puzzles_of(CLASSIC)} == {0}


def test_a_file_is_text() -> None:
    """Spaces separate the steps of a line: an answer, and the other side's reply."""
    lines = ["# how it was made", "id,kind,moves,line,rating", "ABC123,win,4433,52 6,640"]
    (one,) = read(CLASSIC, lines)
    assert (one.id, one.kind, one.rating, one.asked) == ("ABC123", PuzzleKind.WIN, 640, 2)
    assert one.problem.line == CLASSIC.moves("526")
    assert one.problem.steps[0].replies == CLASSIC.moves("2")


def test_boards_without_puzzles_give_an_empty_result() -> None:
    """A board without puzzles gives an empty result without an error."""
    assert puzzles_of(game_called("4x4")) == ()
    assert puzzles_in("chess") == ()
