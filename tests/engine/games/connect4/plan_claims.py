"""The claims of the second course of Connect 4, checked on the board by trying every square."""

from __future__ import annotations

from collections.abc import Callable

from engine.core.game import Move, Player, Position, Square
from engine.core.problem import Lesson, Problem
from engine.core.registry import games
from tests.engine.games.connect4.lesson_claims import (
    DIRECTIONS,
    Claim,
    below,
    is_own,
    is_quiet,
    now,
    odd_columns,
    row_number,
    targets,
    threats,
    waiting,
)


def opening(problem: Problem) -> None:
    """At most six discs are on the board, and the answers win."""
    before = problem.position(0)
    assert before.ply <= 6
    assert is_quiet(before)
    assert results(before)[problem.steps[0].answers[0]] == 1


def owner(problem: Problem) -> None:
    """The answer is the only square with which the opponent makes a threat on their rows."""
    before = problem.position(0)
    assert is_quiet(before)
    assert needed(before) == {*problem.steps[0].answers}


def needed(before: Position) -> set[Move]:
    """The moves with which the other side would make a waiting threat on its rows."""
    return {move for move in before.legal_moves() if _makes_own(before, move, before.to_move.other)}


def _makes_own(before: Position, move: Move, player: Player) -> bool:
    """Whether a disc of a player there makes a waiting threat on their rows."""
    square = next(at for at, one in targets(before).items() if one == move)
    made = with_disc(before, player, square) - threats(before, player)
    above = Square(square.row - 1, square.column)
    reached = set(targets(before)) | {above}
    return any(is_own(before, at, player) for at in made - reached)


def with_disc(before: Position, player: Player, square: Square) -> set[Square]:
    """The empty squares that complete a four of a player who has one more disc."""
    mine = {square} | {
        Square(row, column)
        for row, line in enumerate(before.cells())
        for column, cell in enumerate(line)
        if cell.owner is player
    }
    free = set(empty(before)) - {square}
    return {at for line in fours_on(before) for at in line & free if line - {at} <= mine}


def empty(position: Position) -> list[Square]:
    """The empty squares."""
    return [
        Square(row, column)
        for row, line in enumerate(position.cells())
        for column, cell in enumerate(line)
        if cell.owner is None
    ]


def fours_on(position: Position) -> list[frozenset[Square]]:
    """All lines of four squares."""
    height, width = len(position.cells()), len(position.cells()[0])
    found = []
    for row in range(height):
        for column in range(width):
            for down, right in DIRECTIONS:
                end = Square(row + 3 * down, column + 3 * right)
                if end.row < height and 0 <= end.column < width:
                    steps = range(4)
                    found.append(
                        frozenset(Square(row + down * i, column + right * i) for i in steps)
                    )
    return found


def base(problem: Problem) -> None:
    """The answer and the opponent's last square were free, and a line of theirs needs both."""
    before = problem.position(0)
    assert is_quiet(before)
    assert others_of_pair(before, problem.moves[-1]) == {*problem.steps[0].answers}


def others_of_pair(before: Position, last: Move) -> set[Move]:
    """The moves onto a square that is in one line with the last disc and another of its player."""
    cells, player = before.cells(), before.to_move
    latest = next(
        Square(row, int(last))
        for row in range(len(cells))
        if cells[row][int(last)].owner is not None
    )
    found = set()
    for square, move in targets(before).items():
        for line in fours_on(before):
            owners = [cells[at.row][at.column].owner for at in line]
            is_theirs = player not in owners and owners.count(player.other) >= 2
            if move != last and {latest, square} <= line and is_theirs:
                found.add(move)
    return found


def leave(problem: Problem) -> None:
    """All columns were even before the last disc; the answer is elsewhere and makes a threat."""
    before, answer = problem.position(0), problem.steps[0].answers[0]
    assert is_quiet(before)
    assert problem.solver is Player.SECOND
    assert odd_columns(before) == {problem.moves[-1]}
    assert answer != problem.moves[-1]
    assert problem.moves[-1] in before.legal_moves()
    assert waiting(before.play(answer), problem.solver) - threats(before, problem.solver)


def stack(problem: Problem) -> None:
    """The answer makes one threat that can be blocked, and one right above it."""
    before, solver = problem.position(0), problem.solver
    assert is_quiet(before)
    after = before.play(problem.steps[0].answers[0])
    assert not now(after, solver.other)
    (blocked,) = now(after, solver)
    assert any(below(at) == blocked for at in threats(after, solver))
    assert (targets(after)[blocked],) == problem.steps[0].replies
    assert problem.position(1).play(problem.steps[1].answers[0]).outcome is not None


def undercut(problem: Problem) -> None:
    """The answer alone makes a waiting threat below one of the opponent's on their rows."""
    before, solver = problem.position(0), problem.solver
    assert is_quiet(before)
    below_it = {move for move in before.legal_moves() if lies_below(before.play(move), solver)}
    assert not lies_below(before, solver)
    assert below_it == {*problem.steps[0].answers}


def lies_below(position: Position, player: Player) -> bool:
    """Whether a player has a waiting threat below one of the other's on the other's rows."""
    theirs = {at for at in waiting(position, player.other) if is_own(position, at, player.other)}
    mine = waiting(position, player)
    return any(at.column == high.column and at.row > high.row for at in mine for high in theirs)


def both(problem: Problem) -> None:
    """The answer alone gives waiting threats on both kinds of rows, in different columns."""
    before, solver = problem.position(0), problem.solver
    assert is_quiet(before)
    found = {move for move in before.legal_moves() if has_both(before.play(move), solver)}
    assert not has_both(before, solver)
    assert found == {*problem.steps[0].answers}


def has_both(position: Position, player: Player) -> bool:
    """Whether a player's waiting threats lie on odd and even rows and in several columns."""
    mine = waiting(position, player)
    kinds = {row_number(position, at) % 2 for at in mine}
    return len(kinds) == 2 and len({at.column for at in mine}) > 1


def defend(problem: Problem) -> None:
    """Every move loses, and the answer leaves the opponent one move that wins."""
    before = problem.position(0)
    assert is_quiet(before)
    assert set(results(before).values()) == {0}
    replies = results(before.play(problem.steps[0].answers[0]))
    assert list(replies.values()).count(1) == 1 < len(replies)


def results(position: Position) -> dict[Move, float]:
    """The proven result of every move: 1 for a win, 0 for a loss."""
    proof = games()["connect4"].solver(position.game).values(position, nodes=10**8, seconds=60)
    assert proof is not None
    return dict(proof.verdict)


CLAIMS: dict[str, Claim] = {
    "opening": opening, "owner": owner, "base": base, "leave": leave, "stack": stack,
    "undercut": undercut, "both": both, "defend": defend,
}  # fmt: skip
"""The claim that holds for every problem of a lesson."""


def shown(lesson: Lesson) -> set[Square]:
    """The squares that a lesson's text is about, found on its picture's board."""
    position, learner = lesson.shown.position, lesson.shown.learner
    mine, theirs = threats(position, learner), threats(position, learner.other)
    reached = {move: at for at, move in targets(position).items()}
    if lesson.key == "opening":
        verdict = results(position)
        assert [verdict[move] for move in sorted(verdict)] == [0, 0, 0.5, 1, 0.5, 0, 0]
        return {reached[move] for move, share in verdict.items() if share == 1}
    if lesson.key == "owner":
        return {reached[move] for move in needed(position)}
    if lesson.key == "base":
        return {reached[move] for move in others_of_pair(position, lesson.shown.moves[-1])}
    if lesson.key == "undercut":
        return {
            at for at in waiting(position, learner.other) if is_own(position, at, learner.other)
        }
    if lesson.key == "both":
        assert has_both(position, learner)
        assert not theirs
    if lesson.key == "leave":
        moves = [*lesson.shown.moves]
        before = position.game.start()
        for move in moves[:-1]:
            before = before.play(move)
        verdict = results(before)
        assert odd_columns(before) == {moves[-2]} != {moves[-1]}
        assert [move for move, share in verdict.items() if share == 1] == [moves[-1]]
    return set() if lesson.key == "defend" else set(mine)


Missed = Callable[[Problem, Position, Move], bool]


def makes_no_threat(_: Problem, before: Position, move: Move) -> bool:
    """Whether a move makes no new threat, and does not win."""
    player, after = before.to_move, before.play(move)
    return not threats(after, player) - threats(before, player) and results(before)[move] < 1


def lets_them_threaten(_: Problem, before: Position, move: Move) -> bool:
    """Whether the opponent can make a waiting threat on their rows after a move."""
    after = before.play(move)
    return any(_makes_own(after, one, after.to_move) for one in after.legal_moves())


def leaves_the_other(problem: Problem, before: Position, move: Move) -> bool:
    """Whether the opponent can take the square of the answer after a move."""
    return problem.steps[0].answers[0] in before.play(move).legal_moves()


def makes_no_stack(_: Problem, before: Position, move: Move) -> bool:
    """Whether a move makes no threat right above another."""
    mine = threats(before.play(move), before.to_move)
    return not any(below(at) in mine for at in mine)


def gives_the_win_away(_: Problem, before: Position, move: Move) -> bool:
    """Whether the best move wins, and this one does not."""
    verdict = results(before)
    return max(verdict.values()) == 1 > verdict[move]


def holds_out_less(problem: Problem, before: Position, move: Move) -> bool:
    """Whether the answer loses later."""
    proof = games()["connect4"].solver(before.game).values(before, nodes=10**8, seconds=60)
    assert proof is not None
    return proof.scores[move] < proof.scores[problem.steps[0].answers[0]]


MISSED: dict[str, Missed] = {
    "opening": gives_the_win_away,
    "owner": lets_them_threaten,
    "base": leaves_the_other,
    "leave": makes_no_threat,
    "stack": makes_no_stack,
    "undercut": lambda _, before, move: not lies_below(before.play(move), before.to_move),
    "both": lambda _, before, move: not has_both(before.play(move), before.to_move),
    "defend": holds_out_less,
}
"""What a lesson's sentence about a wrong move says, by the name of the text without `missed`."""
