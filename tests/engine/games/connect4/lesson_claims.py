"""The claims of Connect 4's lessons, checked on the board by trying every square.

Nothing here uses the engine's own threats or reasons.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engine.core.boards import fours
from engine.core.game import Cell, Move, Player, Position, Square, target
from engine.core.problem import Lesson, Problem
from engine.games.connect4.rules import Connect4, Connect4Position

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Steps along a line, in rows and columns: across, down, and both diagonals."""
Cells = Sequence[Sequence[Cell]]
Claim = Callable[[Problem], None]


def threats(position: Position, player: Player) -> frozenset[Square]:
    """The empty squares on which a stone of a player would complete a four."""
    cells = position.cells()
    return frozenset(
        Square(row, column)
        for row, line in enumerate(cells)
        for column, cell in enumerate(line)
        if cell is Cell.EMPTY and directions(cells, player, Square(row, column))
    )


def directions(cells: Cells, player: Player, square: Square) -> list[tuple[int, int]]:
    """The directions in which a stone of a player on a square would be part of a four."""
    return [
        (down, right)
        for down, right in DIRECTIONS
        if 1 + sum(_run(cells, player, square, s * down, s * right) for s in (1, -1)) >= 4
    ]


def _run(cells: Cells, player: Player, square: Square, down: int, right: int) -> int:
    """How many stones of a player follow a square in a direction."""
    count, row, column = 0, square.row + down, square.column + right
    while 0 <= row < len(cells) and 0 <= column < len(cells[0]):
        if cells[row][column].owner is not player:
            break
        count, row, column = count + 1, row + down, column + right
    return count


def targets(position: Position) -> dict[Square, Move]:
    """The squares that can be reached now, with the moves that reach them."""
    found = {target(position, move): move for move in position.legal_moves()}
    return {square: move for square, move in found.items() if square is not None}


def now(position: Position, player: Player) -> set[Square]:
    """The threats that could be carried out now if it were this player's turn."""
    return set(threats(position, player)) & set(targets(position))


def waiting(position: Position, player: Player) -> set[Square]:
    """The threats that cannot be reached yet, because the square below is empty."""
    return set(threats(position, player)) - set(targets(position))


def below(square: Square) -> Square:
    """The square under another."""
    return Square(square.row + 1, square.column)


def row_number(position: Position, square: Square) -> int:
    """A square's row, counted from 1 at the bottom."""
    return len(position.cells()) - square.row


def asked(problem: Problem) -> tuple[Position, Position, Player]:
    """The position of a problem's first step, the one after its answer, and the solver."""
    before = problem.position(0)
    return before, before.play(problem.steps[0].answers[0]), problem.solver


def is_quiet(position: Position) -> bool:
    """Whether neither side could win at once."""
    return not any(now(position, player) for player in Player)


def line(problem: Problem) -> None:
    """The answer wins at once, and the opponent threatens nothing."""
    before, after, solver = asked(problem)
    assert not now(before, solver.other)
    assert after.outcome is not None
    assert after.outcome.winner is solver


def block(problem: Problem) -> None:
    """The opponent has exactly one threat, the solver none, and the answer is on its square."""
    before, _, solver = asked(problem)
    assert not now(before, solver)
    assert {targets(before)[at] for at in now(before, solver.other)} == {*problem.steps[0].answers}


def first(problem: Problem) -> None:
    """Both sides could win at once, on different squares, and the answer does."""
    before, after, solver = asked(problem)
    assert now(before, solver.other) - now(before, solver)
    assert after.outcome is not None
    assert after.outcome.winner is solver


def above(problem: Problem) -> None:
    """A move is correct unless the opponent wins directly on top of it, and some are not."""
    before, _, solver = asked(problem)
    assert is_quiet(before)
    handed = {
        move
        for at, move in targets(before).items()
        if any(below(threat) == at for threat in threats(before, solver.other))
    }
    assert handed
    assert set(before.legal_moves()) - handed == {*problem.steps[0].answers}


def open_three(problem: Problem) -> None:
    """The answer makes three across with a free, reachable square at each end."""
    before, after, solver = asked(problem)
    assert is_quiet(before)
    one, other = sorted(now(after, solver))
    assert one.row == other.row
    assert other.column - one.column == 4
    between = after.cells()[one.row][one.column + 1 : other.column]
    assert {cell.owner for cell in between} == {solver}


def fork(problem: Problem) -> None:
    """The answer makes two threats, which are not the ends of one line."""
    before, after, solver = asked(problem)
    assert is_quiet(before)
    one, other = sorted(now(after, solver))
    assert directions(after.cells(), solver, one) != directions(after.cells(), solver, other)


def tempo(problem: Problem) -> None:
    """The first answer makes one threat, which is blocked, and the second one makes two."""
    before, after, solver = asked(problem)
    assert is_quiet(before)
    assert {targets(after)[at] for at in now(after, solver)} == {*problem.steps[0].replies}
    second = problem.position(1)
    assert is_quiet(second)
    assert len(now(second.play(problem.steps[1].answers[0]), solver)) == 2


def centre(problem: Problem) -> None:
    """The answer is the middle column."""
    before, _, _ = asked(problem)
    assert is_quiet(before)
    assert problem.steps[0].answers == (before.game.parse("4"),)


def hole(problem: Problem) -> None:
    """The answer makes a threat that cannot be reached yet, and none that could be blocked."""
    before, after, solver = asked(problem)
    assert is_quiet(before)
    assert waiting(after, solver) - threats(before, solver)
    assert not now(after, solver)


def parity(problem: Problem) -> None:
    """The answer's threat is on the solver's rows; another move makes one on the other rows."""
    before, after, solver = asked(problem)
    assert is_quiet(before)
    made = {m: waiting(before.play(m), solver) - threats(before, solver) for m in
            before.legal_moves()}  # fmt: skip
    good = {m for m, squares in made.items() if any(is_own(before, s, solver) for s in squares)}
    assert good == {*problem.steps[0].answers}
    assert any(squares for m, squares in made.items() if m not in good)
    assert not now(after, solver)


def is_own(position: Position, square: Square, player: Player) -> bool:
    """Whether a square's row is odd for the first player, and even for the second."""
    return row_number(position, square) % 2 == player % 2


def follow(problem: Problem) -> None:
    """The solver is second, all columns were even before the last move; the answer is above it."""
    before, _, solver = asked(problem)
    assert is_quiet(before)
    assert solver is Player.SECOND
    assert problem.steps[0].answers == problem.moves[-1:]
    assert odd_columns(before) == {problem.moves[-1]}


def odd_columns(position: Position) -> set[Move]:
    """The columns with an odd number of stones."""
    assert isinstance(position, Connect4Position)
    return {move for move in position.game.columns_as_moves if position.height(move) % 2}


def zugzwang(problem: Problem) -> None:
    """The answer threatens nothing at once, but after every reply the solver wins at once."""
    before, after, solver = asked(problem)
    assert is_quiet(before)
    assert not now(after, solver)
    assert len(after.legal_moves()) >= 2
    for reply in after.legal_moves():
        last = after.play(reply)
        assert last.outcome is None
        assert now(last, solver)


CLAIMS: dict[str, Claim] = {
    "line": line, "block": block, "first": first, "above": above, "open": open_three,
    "fork": fork, "tempo": tempo, "centre": centre, "hole": hole, "parity": parity,
    "follow": follow, "zugzwang": zugzwang,
}  # fmt: skip
"""The claim that holds for every problem of a lesson."""


def shown(lesson: Lesson) -> set[Square]:
    """The squares that a lesson's text is about, found on its picture's board."""
    position, learner = lesson.shown.position, lesson.shown.learner
    mine, theirs = threats(position, learner), threats(position, learner.other)
    if lesson.key == "centre":
        return {Square(row, 3) for row in range(6)}
    if lesson.key in ("block", "above"):
        return set(theirs)
    if lesson.key == "first":
        return set(mine | theirs)
    return set(mine) if position.outcome is None else set()


def answered_above(position: Position, reply: Move) -> Position:
    """The position after a move and the one directly above it, unless the first ends the game."""
    after = position.play(reply)
    return after if after.outcome is not None else after.play(reply)


def ends_of_answering_above(position: Position) -> Iterator[Position]:
    """All ends of games in which each move is answered directly above it."""
    seen, open_ = set(), [position]
    while open_:
        at = open_.pop()
        for reply in at.legal_moves():
            after = answered_above(at, reply)
            if after.outcome is not None:
                yield after
            elif str(after.cells()) not in seen:
                seen.add(str(after.cells()))
                open_.append(after)


def replies(before: Position, move: Move) -> Position:
    """The position after a wrong move, which does not end the game."""
    after = before.play(move)
    assert after.outcome is None
    return after


def is_blocked_by_one_disc(before: Position, move: Move) -> bool:
    """Whether a move makes fewer than two threats that can be carried out."""
    return len(now(replies(before, move), before.to_move)) < 2


def has_no_open_three(before: Position, move: Move) -> bool:
    """Whether no row has a three of the mover with both ends free and reachable."""
    ends = now(replies(before, move), before.to_move)
    return not any(Square(at.row, at.column + 4) in ends for at in ends)


def forces_nothing(before: Position, move: Move) -> bool:
    """Whether a move leaves the mover no four to be blocked."""
    return not now(replies(before, move), before.to_move)


def is_in_fewer_lines(before: Position, move: Move) -> bool:
    """Whether a move's square is part of fewer lines than that of the middle column."""
    game = before.game
    assert isinstance(game, Connect4)
    lines = [set(game.squares(four)) for four in fours(game.rows, game.columns)]
    count = {m: sum(at in each for each in lines) for at, m in targets(before).items()}
    return count[move] < count[game.parse("4")]


def makes_no_waiting_threat(before: Position, move: Move) -> bool:
    """Whether a move makes no threat that cannot be reached yet."""
    player = before.to_move
    return not waiting(replies(before, move), player) - threats(before, player)


def makes_none_on_own_rows(before: Position, move: Move) -> bool:
    """Whether a move makes no such threat on the rows of its player."""
    player = before.to_move
    made = waiting(replies(before, move), player) - threats(before, player)
    return not any(is_own(before, at, player) for at in made)


def leaves_the_square_above(before: Position, move: Move, last: Move) -> bool:
    """Whether the opponent can play on top of their last disc, on an even row."""
    after = replies(before, move)
    above = next((at for at, m in targets(after).items() if m == last), None)
    return move != last and above is not None and row_number(after, above) % 2 == 0


def leaves_a_safe_move(before: Position, move: Move) -> bool:
    """Whether the opponent has a move after which the mover cannot win at once."""
    after = replies(before, move)
    return any(not now(after.play(one), before.to_move) for one in after.legal_moves())


Missed = Callable[[Problem, Position, Move], bool]


def _on_board(check: Callable[[Position, Move], bool]) -> Missed:
    return lambda _, before, move: check(before, move)


MISSED: dict[str, Missed] = {
    "open": _on_board(has_no_open_three),
    "fork": _on_board(is_blocked_by_one_disc),
    "tempo.step1": _on_board(forces_nothing),
    "tempo.step2": _on_board(is_blocked_by_one_disc),
    "centre": _on_board(is_in_fewer_lines),
    "hole": _on_board(makes_no_waiting_threat),
    "parity": _on_board(makes_none_on_own_rows),
    "follow": lambda asked, before, move: leaves_the_square_above(before, move, asked.moves[-1]),
    "zugzwang": _on_board(leaves_a_safe_move),
}
"""What a lesson's sentence about a wrong move says, by the name of the text without `missed`."""
