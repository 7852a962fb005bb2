"""The interface of search kernels, and a kernel that uses a game's own rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any, Protocol

from engine.core.compiled.scores import INFINITE, WIN, WON_BOUND
from engine.core.game import Move, Player, Position


class KernelKind(Enum):
    """Which of a game's kernels searches; where the game lacks one, it is the one before."""

    USUAL = "usual"
    FITTED = "fitted"
    """Its evaluation is fitted to exact results."""
    STRONGEST = "strongest"
    """Fitted too, and less deep at unpromising moves: its scores are exact for no depth, and a win
    or loss that it has proven may come sooner."""


class Kernel(Protocol):
    """One position loaded for search, with a memory of its own."""

    deepest: int
    """The most plies that a search from this position can look ahead."""

    @property
    def nodes(self) -> int:
        """Positions visited so far."""

    def allow(self, nodes: int | None) -> None:
        """End the search once it has visited more than `nodes`; None lifts the limit."""

    @property
    def table_bytes(self) -> int:
        """Bytes of a table that stays useful for the game's later positions; 0 for none."""

    def move_to(self, position: Any) -> None:
        """Load another position of the board and keep the table; only if there is one."""

    def score_moves(
        self, depth: int, margin: int, order: Sequence[Move], flag: Any
    ) -> dict[Move, int] | None:
        """Score the moves in `order` to `depth` plies.

        Those within `margin` of the best get their exact score; the others are left out. Returns
        None if the search was cut short, since an aborted search proves nothing.
        """

    def hide(self, lines: Sequence[int]) -> None:
        """Overlook lines, given as `engine.core.attention.Hidden`; without effect in some games."""

    def remembered(self, position: Any) -> Move | None:
        """The move that the last search preferred in a position it visited."""


class _CutShort(Exception):
    """The search reached a limit or was stopped."""


class PlainKernel:
    """Alpha-beta search over a game's own rules, for games without compiled code.

    It is about a hundred times slower than compiled code. If the true score of a position lies
    between alpha and beta, the search returns it; if it is at most alpha, a score of at most alpha;
    if it is at least beta, one of at least beta.
    """

    def __init__(
        self, position: Position, deepest: int, evaluate: Callable[[Any], int] | None = None
    ) -> None:
        """Load a position of a game that lasts at most `deepest` more plies.

        `evaluate` scores a position for the side to move, within WON_BOUND; without it, positions
        that are not over score 0.
        """
        self.deepest = deepest
        self._position = position
        self._evaluate = evaluate
        self._nodes = 0
        self._most: int | None = None
        self._flag: Any = (0,)
        self._preferred: dict[Any, Move] = {}

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return self._nodes

    def allow(self, nodes: int | None) -> None:
        """End the search once it has visited more than `nodes`; None lifts the limit."""
        self._most = nodes

    @property
    def table_bytes(self) -> int:
        """Always 0: what it remembers is for one position."""
        return 0

    def move_to(self, position: Any) -> None:
        """Load another position."""
        self._position = position

    def hide(self, lines: Sequence[int]) -> None:
        """Do nothing: players of games without compiled code overlook no lines."""

    def remembered(self, position: Any) -> Move | None:
        """The move that the last search preferred in a position it visited."""
        return self._preferred.get(position)

    def score_moves(
        self, depth: int, margin: int, order: Sequence[Move], flag: Any
    ) -> dict[Move, int] | None:
        """Score the moves in `order` to `depth` plies; None if the search was cut short."""
        self._flag = flag
        self._preferred.clear()
        scores: dict[Move, int] = {}
        best = -INFINITE
        try:
            for move in order:
                floor = max(best - margin - 1, -INFINITE)
                score = self._after(self._position, move, depth - 1, floor, INFINITE)
                if score > floor:
                    scores[move] = score
                best = max(best, score)
        except _CutShort:
            return None
        return {move: score for move, score in scores.items() if score >= best - margin}

    def _after(self, position: Position, move: Move, depth: int, alpha: int, beta: int) -> int:
        """The score of a move for the side that makes it."""
        self._nodes += 1
        if self._flag[0] or (self._most is not None and self._nodes > self._most):
            raise _CutShort
        mover, following = position.to_move, position.play(move)
        if following.outcome is not None:
            return _ended(following, mover)
        # The side to move need not change, so the sign follows the player.
        if following.to_move is mover:
            return self._score(following, depth, alpha, beta)
        return -self._score(following, depth, -beta, -alpha)

    def _score(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        """The score of a position that is not over, for the side to move."""
        if depth <= 0:
            if self._evaluate is None:
                return 0
            return min(max(self._evaluate(position), 1 - WON_BOUND), WON_BOUND - 1)
        best = -INFINITE
        for move in self._ordered(position):
            score = self._after(position, move, depth - 1, max(alpha, best), beta)
            if score > best:
                best = score
                self._preferred[position] = move
            if best >= beta:
                break
        return best

    def _ordered(self, position: Position) -> Sequence[Move]:
        """The legal moves: the preferred one first, then from the middle of the list outwards."""
        moves = position.legal_moves()
        middle = sorted(range(len(moves)), key=lambda at: abs(2 * at - len(moves) + 1))
        ordered = [moves[at] for at in middle]
        first = self._preferred.get(position)
        if first is not None:
            ordered.remove(first)
            ordered.insert(0, first)
        return ordered


def _ended(position: Position, player: Player) -> int:
    """The score of a game that is over, for a player."""
    assert position.outcome is not None, "the game is over"
    winner = position.outcome.winner
    if winner is None:
        return 0
    return WIN - position.ply if winner is player else position.ply - WIN
