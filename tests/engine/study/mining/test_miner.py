"""Finding puzzles in games."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from engine.core.problem import Problem
from engine.study.mining.describing import described
from engine.study.mining.files import games
from engine.study.mining.miner import Miner, canonical
from engine.study.puzzles import Puzzle, PuzzleKind
from tests.builders import CLASSIC

GAME = "473244472265355364477225662655333611111177"
"""A game between two rungs."""
MIRRORED = "".join(str(8 - int(column)) for column in GAME)


def found(miner: Miner, moves: str = GAME) -> list[tuple[str, int, str]]:
    """The puzzles of a game: their kinds, plies and lines."""
    return [as_text(puzzle) for puzzle in miner.puzzles(CLASSIC.moves(moves))]


def as_text(puzzle: Puzzle) -> tuple[str, int, str]:
    """A puzzle as its kind, ply and line."""
    line = "".join(map(CLASSIC.label, puzzle.problem.line))
    return puzzle.kind.value, len(puzzle.problem.moves), line


def test_a_game_has_puzzles_of_each_kind() -> None:
    """A game gives puzzles of each kind, from its end, whose first move is not obvious."""
    assert found(Miner.of(CLASSIC)) == [
        ("win", 33, "6111111"),
        ("hold", 21, "5"),
        ("refute", 18, "52255"),
    ]


def test_known_puzzles_are_not_found_again() -> None:
    """Known puzzles are not found again, nor in the mirror image of the game."""
    miner = Miner.of(CLASSIC)
    first = list(miner.puzzles(CLASSIC.moves(GAME)))
    other = Miner.of(CLASSIC)
    other.know(first)
    assert other == replace(miner, judge=other.judge)
    assert found(other) == found(miner) == []
    mirrored = list(miner.puzzles(CLASSIC.moves(MIRRORED)))
    assert not {puzzle.id for puzzle in first} & {puzzle.id for puzzle in mirrored}


def test_no_position_is_asked_twice() -> None:
    """No two puzzles ask the same position, up to symmetry."""
    (win, *_) = Miner.of(CLASSIC).puzzles(CLASSIC.moves(GAME))
    later = Problem(CLASSIC, win.problem.made(2), win.problem.steps[2:])
    known = replace(win, id="OTHER1", problem=later)
    miner = Miner.of(CLASSIC)
    miner.know([known])
    every = [known, *miner.puzzles(CLASSIC.moves(GAME)), *miner.puzzles(CLASSIC.moves(MIRRORED))]
    asked = [canonical(one.problem.position(step)) for one in every for step in range(one.asked)]
    assert len(every) > 3
    assert len(set(asked)) == len(asked)


def test_the_kinds_of_puzzles_are_balanced() -> None:
    """The miner rejects puzzles of a kind, or with a single move, that is too frequent."""
    miner = Miner.of(CLASSIC)
    miner.kinds[PuzzleKind.HOLD] = 100
    miner.kinds[PuzzleKind.REFUTE] = 100
    assert [kind for kind, _, _ in found(miner)] == ["win"]
    assert miner.kinds[PuzzleKind.WIN] == 1
    singles = Miner.of(CLASSIC)
    singles.singles = 100
    assert all(len(line) > 1 for _, _, line in found(singles))


def test_plain_wins_can_be_mined_alone() -> None:
    """A miner of plain wins returns only forced wins in two to four moves with a reply."""
    miner = Miner.of(CLASSIC, plain=True)
    kept = [one for moves in islice(games(CLASSIC, 2), 4) for one in miner.puzzles(moves)]
    assert kept
    for one in kept:
        assert described(one, miner.judge).is_plain_win
