"""The value of every move of a Connect 4 position, from the books or by the solver.

Who wins after every move of a game under perfect play.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

from engine.core.analysis import Analysis, Verdict
from engine.core.limits import Stop
from engine.core.values import Value, plies_to_end, share_of
from engine.games.connect4.rules import Connect4, Connect4Position
from engine.games.connect4.solver import Solver
from engine.games.connect4.solver.book import DEEP, DeepBook, book_end, known_end
from engine.games.connect4.solver.compiled.rules import ALL
from engine.games.connect4.solver.kernel import SolverKernel
from engine.games.connect4.solver.solver import NEVER

PROOF_TABLE_BITS = 21
"""Of the table that a proof uses: 64 MiB, of which a short proof touches little."""


def prove(position: Connect4Position, seconds: float, stop: Stop | None = None) -> Analysis | None:
    """Prove the value of every move; None if that takes more than `seconds` or is stopped."""
    return SolverProver(position.game).prove(position, seconds=seconds, stop=stop)


class SolverProver:
    """Proofs on one board, with one table for all of them."""

    def __init__(self, game: Connect4) -> None:
        """Take the board; the table is made when a position is in no book."""
        self._game = game
        self._solver: Solver | None = None

    def prove(
        self,
        position: Connect4Position,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        stop: Stop | None = None,
    ) -> Analysis | None:
        """Prove the value of every move; None if that takes more than allowed or is stopped."""
        began = perf_counter()
        mover, squares = position.to_move, position.game.rows * position.game.columns
        known = {move: _known(position.play(move)) for move in position.legal_moves()}
        values = {move: value for move, value in known.items() if value is not None}
        visited = 0
        if len(values) < len(known):
            self._solver = self._solver or Solver(self._game, table_bits=PROOF_TABLE_BITS)
            solved = self._solver.solve_moves(position, stop, seconds, nodes)
            for move, solution in solved.items():
                if solution.score is None:
                    return None
                visited += solution.nodes
                values[move] = Value.from_score(solution.score, mover, squares)
        scores = {move: values[move].search(mover) for move in known}
        depth = plies_to_end(max(scores.values()), position.ply, squares)
        lines = {move: (move,) for move in scores}
        return Analysis(scores, lines, depth, visited, perf_counter() - began, proven=True)


def _known(position: Connect4Position) -> Value | None:
    """The value of a position without search, also of one that is over."""
    if position.outcome is not None:
        return Value.of_ended(position)
    end = known_end(position)
    return None if end is None else Value(end)


MOST_NODES = 300_000
"""The node budget of one game: a tenth of a second of one core, enough for 24 in 25 positions of an
average game on 6x7."""

PRICE = 60
"""What looking up a position with twelve stones costs, in nodes that take as long."""

VERDICT_TABLE_BITS = 18
"""Of the table that they share: 8 MiB."""


def verdicts(positions: Sequence[Connect4Position]) -> list[Verdict | None]:
    """Who wins after every move, for each position of a game; none of them may be over.

    The last positions come first: what the table learns from them makes earlier ones easier. Once
    a game has used up MOST_NODES, positions that are in no book get None. Nothing depends on the
    clock: the same game has the same verdicts on every machine.
    """
    if not positions:
        return []
    arbiter = SolverArbiter(positions[0].game, MOST_NODES, book_end)
    found = [arbiter.verdict(position) for position in reversed(positions)]
    return found[::-1]


class SolverArbiter:
    """Says who wins after every move of positions on one board, with one table for all of them."""

    def __init__(
        self,
        game: Connect4,
        nodes: int,
        known: Callable[[Connect4Position], int | None] | None = None,
    ) -> None:
        """Visit at most `nodes` positions in all; `known` has the ends that take no search.

        Without `known`, all books are asked, and moves that are tried between them are paid for.
        """
        self._known = known or self._in_books
        self._left = nodes
        self._kernel = SolverKernel.alone(game, VERDICT_TABLE_BITS, ALL)
        self._kernel.begin()
        self._kernel.allow(nodes)

    def verdict(self, position: Connect4Position) -> Verdict | None:
        """Who wins after every move of a position; None once the nodes are used up."""
        worths = {}
        for move in position.legal_moves():
            worth = self._worth_of(position.play(move))
            if worth is None:
                return None
            worths[move] = worth
        return worths

    def _in_books(self, after: Connect4Position) -> int | None:
        """The end that the books know."""
        end = book_end(after)
        if end is not None or after.game != DEEP or after.ply > DeepBook.PLY:
            return end
        price = PRICE * DEEP.columns ** (DeepBook.PLY - after.ply)
        if price > self._left - self._kernel.nodes:
            return None
        self._left -= price
        self._kernel.allow(self._left)
        return known_end(after)

    def _worth_of(self, after: Connect4Position) -> float | None:
        """What the move that led to a position was worth; None if that would take too long."""
        if after.outcome is not None:
            return Value.of_ended(after).share(after.to_move.other)
        end = self._known(after)
        if end is not None:
            return Value(end).share(after.to_move.other)
        won = self._kernel.ask(after, 0, NEVER.flag)
        if won is None:
            return None
        if won[0] > 0:
            return share_of(-1)
        lost = self._kernel.ask(after, -1, NEVER.flag)
        return None if lost is None else share_of(0 if lost[0] >= 0 else 1)
