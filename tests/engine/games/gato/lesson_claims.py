"""The claims of Gato's lessons, checked on the board by trying every square.

Nothing here uses the engine's own lines, threats or reasons.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.core.game import Move, Player, Position, Square
from engine.core.problem import Lesson, Problem

SIDE = range(4)
LINES = (
    *({Square(row, column) for column in SIDE} for row in SIDE),
    *({Square(row, column) for row in SIDE} for column in SIDE),
    {Square(at, at) for at in SIDE},
    {Square(at, 3 - at) for at in SIDE},
)
"""Rows, columns and diagonals."""


def threats(position: Position, player: Player) -> set[Square]:
    """The empty squares that complete a line for a player."""
    found, cells = set(), position.cells()
    for line in LINES:
        owners = {at: cells[at.row][at.column].owner for at in line}
        if list(owners.values()).count(player) == 3:
            found |= {at for at, owner in owners.items() if owner is None}
    return found


def square(move: Move) -> Square:
    """The square of a move."""
    return Square(*divmod(move, 4))


def is_quiet(position: Position) -> bool:
    """Whether neither side could win at once."""
    return not any(threats(position, player) for player in Player)


def forks(position: Position) -> set[Square]:
    """The squares with which the side to move makes two threats and leaves the other none."""
    player = position.to_move
    after = {square(move): position.play(move) for move in position.legal_moves()}
    return {
        at
        for at, one in after.items()
        if len(threats(one, player)) > 1 and not threats(one, player.other)
    }


def line(problem: Problem) -> None:
    """The answer wins at once, and the opponent threatens nothing."""
    before, (answer,) = problem.position(0), problem.steps[0].answers
    outcome = before.play(answer).outcome
    assert not threats(before, problem.solver.other)
    assert outcome is not None
    assert outcome.winner is problem.solver


def block(problem: Problem) -> None:
    """The opponent has exactly one threat, the solver none, and the answer is on its square."""
    before = problem.position(0)
    assert not threats(before, problem.solver)
    assert threats(before, problem.solver.other) == {*map(square, problem.steps[0].answers)}


def fork(problem: Problem) -> None:
    """The answer makes two threats, the opponent blocks one, and the other wins."""
    before, (step, last) = problem.position(0), problem.steps
    assert is_quiet(before)
    made = threats(before.play(step.answers[0]), problem.solver)
    assert made == {*map(square, (*step.replies, *last.answers))}


def stop(problem: Problem) -> None:
    """After any other move the opponent can make two threats at once, and after the answers not."""
    before = problem.position(0)
    assert is_quiet(before)
    for move in before.legal_moves():
        assert bool(forks(before.play(move))) is (move not in problem.steps[0].answers)


def tempo(problem: Problem) -> None:
    """The first answer makes one threat, which is blocked, and the second one makes two."""
    before, (force, step, last) = problem.position(0), problem.steps
    assert is_quiet(before)
    made = threats(before.play(force.answers[0]), problem.solver)
    assert made == {*map(square, force.replies)}
    between = problem.position(1)
    assert is_quiet(between)
    made = threats(between.play(step.answers[0]), problem.solver)
    assert made == {*map(square, (*step.replies, *last.answers))}


CLAIMS: dict[str, Callable[[Problem], None]] = {
    "line": line, "block": block, "fork": fork, "stop": stop, "tempo": tempo,
}  # fmt: skip
"""The claim that holds for every problem of a lesson."""


def shown(lesson: Lesson) -> set[Square]:
    """The squares that a lesson's text is about, found on its picture's board."""
    position, learner = lesson.shown.position, lesson.shown.learner
    if lesson.key == "line":
        assert position.outcome is not None
        assert position.outcome.winner is learner
        return set()
    if lesson.key == "block":
        return threats(position, learner.other)
    if lesson.key == "stop":
        assert is_quiet(position)
        return wanted(position)
    return threats(position, learner)


def wanted(position: Position) -> set[Square]:
    """The squares with which the side that has just moved would make two threats."""
    player, cells, found = position.to_move.other, position.cells(), set()
    for move in position.legal_moves():
        at, made = square(move), set()
        for line_ in LINES:
            owners = [cells[one.row][one.column].owner for one in line_ - {at}]
            if at in line_ and owners.count(player) == 2 and player.other not in owners:
                made |= {one for one in line_ - {at} if cells[one.row][one.column].owner is None}
        found |= {at} if len(made) > 1 else set()
    return found


Missed = Callable[[Problem, Position, Move], bool]


def makes_no_fork(_: Problem, before: Position, move: Move) -> bool:
    """Whether a move makes fewer than two threats."""
    return len(threats(before.play(move), before.to_move)) < 2


def forces_nothing(_: Problem, before: Position, move: Move) -> bool:
    """Whether a move makes no threat."""
    return not threats(before.play(move), before.to_move)


MISSED: dict[str, Missed] = {
    "fork": makes_no_fork,
    "tempo.step1": forces_nothing,
    "tempo.step2": makes_no_fork,
}
"""What a lesson's sentence about a wrong move says, by the name of the text without `missed`."""
