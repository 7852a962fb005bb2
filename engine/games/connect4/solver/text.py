"""Exact scores as lines of text: the output of `python -m engine solve`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from time import perf_counter

from engine.core.game import IllegalMove, Move, NotAMove
from engine.core.values import Value
from engine.games.connect4.rules import Connect4, Connect4Position
from engine.games.connect4.solver.book import known_end
from engine.games.connect4.solver.solver import Solution, Solver, solver_of

TABLE_BITS = 22
"""Bits of the table: six million positions, 128 MiB."""


class Answerer:
    """Finds the scores of positions: from the books, if allowed, else by solving."""

    def __init__(self, game: Connect4, *, books: bool, threads: int) -> None:
        """Take a board, whether to look into books, and how many threads share a position."""
        self._books = books
        self._solver = solver_of(game, threads, TABLE_BITS)

    def solve(self, position: Connect4Position) -> Solution:
        """The score of a position for the side to move, also of one that is over."""
        return self._known(position) or self._solver.solve(position)

    def solve_moves(self, position: Connect4Position) -> dict[Move, Solution]:
        """The score of every legal move, for the side that makes it."""
        after = {move: position.play(move) for move in position.legal_moves()}
        known = {move: self._known(each) for move, each in after.items()}
        unknown = [each for move, each in after.items() if known[move] is None]
        if isinstance(self._solver, Solver):
            solved = iter(self._solver.solve_many(unknown))
        else:
            solved = iter([self._solver.solve(each) for each in unknown])
        return {move: (one or next(solved)).for_opponent() for move, one in known.items()}

    def _known(self, position: Connect4Position) -> Solution | None:
        """The score of a position that is over or in a book; None for any other."""
        began = perf_counter()
        if position.outcome is not None:
            value = Value.of_ended(position)
        else:
            end = known_end(position) if self._books else None
            if end is None:
                return None
            value = Value(end)
        score = value.score(position.to_move, position.game.rows * position.game.columns)
        return Solution(score, score, score, 0, perf_counter() - began)


def solve_lines(
    game: Connect4,
    lines: Iterable[str],
    *,
    every_column: bool = False,
    books: bool = True,
    threads: int = 1,
) -> Iterator[tuple[int, str | ValueError]]:
    """Answer each line that holds a game, by its number: with a line of text, or the error.

    A line begins with the columns played, counted from 1; text after a space is ignored, so files
    of `moves score` can be read. An empty board is a line `-`; an empty line is skipped. The answer
    is `moves score nodes microseconds`; with `every_column` the scores of all columns replace the
    score, and `.` marks a full one.
    """
    answerer = Answerer(game, books=books, threads=threads)
    for number, line in enumerate(lines, start=1):
        words = line.split()
        if not words:
            continue
        try:
            position = _position(game, "" if words[0] == "-" else words[0])
            answer = _scores(answerer, position) if every_column else _score(answerer, position)
        except (NotAMove, IllegalMove, ValueError) as error:
            yield number, error
        else:
            yield number, f"{words[0]} {answer}"


def _position(game: Connect4, moves: str) -> Connect4Position:
    position = game.start()
    for move in game.moves(moves):
        position = position.play(move)
    return position


def _score(answerer: Answerer, position: Connect4Position) -> str:
    if position.outcome is not None:
        raise ValueError("the game is over: there is nothing to solve")
    found = answerer.solve(position)
    return f"{found.score} {found.nodes} {1e6 * found.seconds:.0f}"


def _scores(answerer: Answerer, position: Connect4Position) -> str:
    if position.outcome is not None:
        raise ValueError("the game is over: there is nothing to solve")
    found = answerer.solve_moves(position)
    columns = (found.get(move) for move in position.game.columns_as_moves)
    scores = " ".join("." if one is None else str(one.score) for one in columns)
    nodes = sum(one.nodes for one in found.values())
    seconds = sum(one.seconds for one in found.values())
    return f"{scores} {nodes} {1e6 * seconds:.0f}"
