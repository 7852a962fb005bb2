"""Exact values in Connect 4, from books or by search: of every move, or only the winners."""

from __future__ import annotations

from time import perf_counter

from engine.core.analysis import Analysis, Verdict
from engine.core.compiled.memory import NO_LIMIT
from engine.core.game import Move
from engine.core.limits import Stop
from engine.core.values import Value, plies_to_end, share_of
from engine.games.connect4.rules import Connect4, Connect4Position
from engine.games.connect4.solver import Solver
from engine.games.connect4.solver.book import DEEP, DeepBook, book_end, known_end
from engine.games.connect4.solver.compiled.rules import FASTEST
from engine.games.connect4.solver.kernel import SolverKernel
from engine.games.connect4.solver.solver import NEVER_STOPPED

ENTRY_BYTES = 32
"""Bytes of a table by its bits, as `Solver` counts them."""

PROOF_TABLE_BITS = 21
"""Bits of the table that a proof uses: 64 MiB, of which a short proof touches little."""


LOOKUP_COST = 60
"""The number of nodes that take as long as looking up a position with twelve stones."""

VERDICT_TABLE_BITS = 18
"""Bits of the table that searches for winners share, which takes 8 MiB."""


class Connect4Solver:
    """Exact values on one board, with a table for proofs and one for winners."""

    def __init__(self, game: Connect4, *, nodes: int | None = None, all_books: bool = True) -> None:
        """Create a solver for a board; tables are created at the first position that is in no book.

        Args:
            game: The board.
            nodes: Positions that finding winners may visit in all.
            all_books: Whether finding winners uses every book; trying the moves between two books
                then counts as nodes. Otherwise it uses only the shipped book, with which ratings
                were calibrated.
        """
        self._game = game
        self._solver: Solver | None = None
        self._kernel: SolverKernel | None = None
        self._left = nodes
        self._all_books = all_books

    @property
    def table_bytes(self) -> int:
        """The bytes of the table of proofs, of which short proofs touch little."""
        return ENTRY_BYTES << PROOF_TABLE_BITS

    def values(
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
        after = {move: position.play(move) for move in position.legal_moves()}
        known = {move: _known(one) for move, one in after.items()}
        values = {move: value for move, value in known.items() if value is not None}
        # Only what is in a book has no nodes, also where a rule or the end settles each move.
        visited = int(all(one.outcome is not None for one in after.values()))
        if len(values) < len(known):
            self._solver = self._solver or Solver(self._game, table_bits=PROOF_TABLE_BITS)
            solved = self._solver.solve_moves(position, stop, seconds, nodes)
            for move, solution in solved.items():
                if solution.score is None:
                    return None
                visited += solution.nodes
                values[move] = Value.from_score(solution.score, mover, squares)
            visited = max(visited, 1)
        scores = {move: values[move].search(mover) for move in known}
        depth = plies_to_end(max(scores.values()), position.ply, squares)
        lines = {move: (move,) for move in scores}
        return Analysis(scores, lines, depth, visited, perf_counter() - began, proven=True)

    def winners(self, position: Connect4Position) -> Verdict | None:
        """Find the winner after every move of a position; None once the nodes are used up."""
        shares: dict[Move, float] = {}
        searched: dict[Move, Connect4Position] = {}
        for move in position.legal_moves():
            after = position.play(move)
            value = Value.of_ended(after) if after.outcome is not None else self._book_value(after)
            if value is None:
                searched[move] = after
            shares[move] = 0.0 if value is None else value.share(position.to_move)
        if searched:
            signs = self._winner_kernel().judge_many([*searched.values()], NEVER_STOPPED.flag)
            if signs is None:
                return None
            shares |= zip(searched, (share_of(-sign) for sign in signs), strict=True)
        return shares

    def _book_value(self, after: Connect4Position) -> Value | None:
        """The value that the books contain; None for a position in no book."""
        end = self._in_books(after) if self._all_books else book_end(after)
        return None if end is None else Value(end)

    def _in_books(self, after: Connect4Position) -> int | None:
        """The end that the books contain; None for a position in no book."""
        end = book_end(after)
        if end is not None or after.game != DEEP or after.ply > DeepBook.PLY:
            return end
        if self._left is not None:
            cost = LOOKUP_COST * DEEP.columns ** (DeepBook.PLY - after.ply)
            kernel = self._winner_kernel()
            if cost > self._left - kernel.nodes:
                return None
            self._left -= cost
            kernel.allow(self._left)
        return known_end(after)

    def _winner_kernel(self) -> SolverKernel:
        """The kernel that finds winners, with its table."""
        if self._kernel is None:
            self._kernel = SolverKernel.alone(self._game, VERDICT_TABLE_BITS, FASTEST)
            self._kernel.begin()
            self._kernel.allow(NO_LIMIT if self._left is None else self._left)
        return self._kernel


def _known(position: Connect4Position) -> Value | None:
    """The value of a position without search, also of one that is over."""
    if position.outcome is not None:
        return Value.of_ended(position)
    end = known_end(position)
    return None if end is None else Value(end)
