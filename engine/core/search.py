"""Iterative deepening with a game's kernel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from time import perf_counter

from engine.core.analysis import Analysis, SearchResult, pick
from engine.core.attention import Hidden
from engine.core.compiled.scores import WIN
from engine.core.game import IllegalMove, Move, Position
from engine.core.kept import TABLES
from engine.core.kernel import Kernel, KernelKind
from engine.core.limits import Limit, Stop, time_limit
from engine.core.registry import package_of
from engine.core.values import is_decided, plies_to_end

SMALL_TABLE, LARGE_TABLE = 14, 20
"""Bits of the transposition table: 256 KiB for shallow searches, 16 MiB for the others."""

ENTRY_BYTES = 16
"""Bytes of an entry."""

SHALLOW = 6
"""The greatest depth in plies for which the small table suffices."""


def analyse(
    position: Position,
    limit: Limit,
    stop: Stop | None = None,
    margin: int = 0,
    hidden: Hidden | None = None,
    *,
    keeps_table: bool = False,
    kind: KernelKind = KernelKind.USUAL,
) -> Analysis:
    """Score the moves of a position that is not over, deeper and deeper until a limit is reached.

    The first ply is always searched, regardless of limits. An iteration that is cut short is
    discarded. A game without compiled code has a limit of its own (`GamePackage.max_nodes`). With
    lines in `hidden`, the scores are those of a player who overlooks them. With `keeps_table` the
    search begins with the table of an earlier one in the same game, if that was kept
    (`engine.core.kept`). If a kernel that looks less deep at unpromising moves has proven an end,
    the rest of the time goes into the search for a nearer one. Raises ValueError for a position
    that is over.
    """
    if position.outcome is not None:
        raise ValueError("the game is over: there is no move to search for")
    began = perf_counter()
    earlier = _kept(position) if keeps_table else None
    kernel = earlier or _loaded(position, limit.depth, hidden, kind)
    found = Deepening(position, kernel, margin).go_on(limit, stop)
    if keeps_table and kernel.table_bytes:
        TABLES.keep("search", position, kernel, kernel.table_bytes)
    may_end_sooner = kind is KernelKind.STRONGEST and package_of(position).selective_kernel
    if may_end_sooner and is_decided(found.top):
        found = _with_nearest_end(position, found, limit, stop, margin)
    return replace(found, seconds=perf_counter() - began)


def _with_nearest_end(
    position: Position, found: Analysis, limit: Limit, stop: Stop | None, margin: int
) -> Analysis:
    """A selective search that has proven the end, or one of all moves if that proves it in time."""
    deepest = max(plies_to_end(found.top, position.ply) - 1, 1)
    seconds = None if limit.seconds is None else limit.seconds - found.seconds
    nodes = None if limit.nodes is None else limit.nodes - found.nodes
    if (seconds is not None and seconds <= 0) or (nodes is not None and nodes < 1):
        return found
    depth = deepest if limit.depth is None else min(deepest, limit.depth)
    rest = Limit(depth, seconds, nodes)
    whole = analyse(position, rest, stop, margin, kind=KernelKind.FITTED)
    if not is_decided(whole.top):
        return found
    return replace(whole, nodes=found.nodes + whole.nodes)


def scores_by_depth(
    position: Position, limit: Limit, margin: int = 0, hidden: Hidden | None = None
) -> list[dict[Move, int]]:
    """The scores of `analyse` after every ply that is searched.

    If the search ended early because no deeper one could change the choice, the last scores also
    hold for every greater depth within the limit.
    """
    search = Deepening(position, _loaded(position, limit.depth, hidden), margin)
    return [dict(scores) for scores in search.deeper(limit, Stop())]


def _kept(position: Position) -> Kernel | None:
    """The kernel of an earlier search in the same game, now for this position; mostly None."""
    kernel: Kernel | None = TABLES.take("search", position, package_of(position).related)
    if kernel is not None:
        kernel.move_to(position)
    return kernel


def _loaded(
    position: Position,
    depth: int | None,
    hidden: Hidden | None,
    kind: KernelKind = KernelKind.USUAL,
) -> Kernel:
    """The kernel of a position, with a table whose size suits the depth."""
    shallow = depth is not None and depth <= SHALLOW
    bits = SMALL_TABLE if shallow else LARGE_TABLE
    kernel: Kernel = package_of(position).load(position, bits, kind)
    if hidden:
        kernel.hide(hidden)
    return kernel


class Deepening:
    """A search of one position, ply by ply, that can go on after a limit has ended it."""

    def __init__(self, position: Position, kernel: Kernel | None = None, margin: int = 0) -> None:
        """Take a position that is not over, its kernel if it is loaded, and the margin.

        Otherwise the evaluation is the one fitted to exact results, if the game has one.
        """
        self._position = position
        self._kernel = kernel or _loaded(position, None, None, KernelKind.FITTED)
        self._margin = margin
        self._order = from_the_middle(position)
        self._scores: Mapping[Move, int] = {}
        self.depth = 0
        """Plies searched."""

    @property
    def size(self) -> int:
        """The bytes of its table."""
        return max(self._kernel.table_bytes, ENTRY_BYTES << LARGE_TABLE)

    def go_on(self, limit: Limit, stop: Stop | None = None) -> Analysis:
        """Search deeper until a limit is reached, and return the scores of the last ply.

        Limits are for this call; the nodes are those of all.
        """
        began = perf_counter()
        for _ in self.deeper(limit, stop or Stop()):
            pass
        lines = {
            move: _line(self._kernel, self._position, move, self.depth) for move in self._scores
        }
        if limit.depth is None and self._is_settled():
            left = None if limit.seconds is None else limit.seconds - (perf_counter() - began)
            if left is None or left > 0:
                with time_limit(lambda: self._kernel.allow(0), left):
                    self._find_nearest_ends(lines, stop or Stop())
        nodes, seconds = self._kernel.nodes, perf_counter() - began
        return Analysis(dict(self._scores), lines, self.depth, nodes, seconds)

    def deeper(self, limit: Limit, stop: Stop) -> Iterator[Mapping[Move, int]]:
        """Yield the scores after every further ply until a limit is reached."""
        kernel, most = self._kernel, _nodes(self._position, limit)
        before = kernel.nodes
        if not self.depth:
            kernel.allow(None)
            self._scores = self._searched(1, Stop()) or {}
            assert self._scores, "nothing can cut the first ply short"
            self.depth = 1
            yield self._scores
        kernel.allow(None if most is None else before + most)
        last = min(limit.depth or kernel.deepest, kernel.deepest)
        with time_limit(lambda: kernel.allow(0), limit.seconds):
            while self.depth < last and not self._is_settled():
                self._order = _by_score(self._order, self._scores)
                scores = self._searched(self.depth + 1, stop)
                if scores is None:
                    return
                self._scores, self.depth = scores, self.depth + 1
                yield scores

    def _searched(self, depth: int, stop: Stop) -> Mapping[Move, int] | None:
        return self._kernel.score_moves(depth, self._margin, self._order, stop.flag)

    def _find_nearest_ends(self, lines: dict[Move, tuple[Move, ...]], stop: Stop) -> None:
        """Correct scores and lines of the moves with a proven end beyond the depth searched.

        A search sees some ends beyond its depth, but not all, so there may be a nearer one.
        """
        scores = dict(self._scores)
        for move, score in scores.items():
            depth = plies_to_end(score, self._position.ply) - 1 if is_decided(score) else 0
            if depth <= self.depth:
                continue
            found = self._kernel.score_moves(depth, 0, [move], stop.flag)
            if found is None:
                break
            if found[move] != score:
                scores[move] = found[move]
                lines[move] = _line(self._kernel, self._position, move, depth)
        self._scores = scores

    def _is_settled(self) -> bool:
        """Whether a deeper search could not change the choice.

        A proven end within the search's depth is the nearest one: a full-width search would have
        found any nearer.
        """
        best, ply = max(self._scores.values()), self._position.ply
        return is_decided(best) and plies_to_end(best, ply) <= self.depth + 1


def _nodes(position: Position, limit: Limit) -> int | None:
    """The most positions that a search may visit."""
    limits = (limit.nodes, package_of(position).max_nodes)
    return min((nodes for nodes in limits if nodes is not None), default=None)


def search(
    position: Position,
    limit: Limit,
    *,
    rng: Random,
    stop: Stop | None = None,
    keeps_table: bool = False,
    kind: KernelKind = KernelKind.USUAL,
) -> SearchResult:
    """The best move within the limits; equal best moves are chosen uniformly by `rng`."""
    began = perf_counter()
    found = analyse(position, limit, stop, keeps_table=keeps_table, kind=kind)
    result = pick(found, position.to_move, rng)
    return replace(result, seconds=perf_counter() - began)


def _by_score(order: Sequence[Move], scores: Mapping[Move, int]) -> list[Move]:
    """The moves with the best score first, otherwise in the given order."""
    return sorted(order, key=lambda move: -scores.get(move, -WIN))


def from_the_middle(position: Position) -> list[Move]:
    """The legal moves, those in the middle of the list first."""
    moves = position.legal_moves()
    return sorted(moves, key=lambda move: abs(2 * moves.index(move) - len(moves) + 1))


def _line(kernel: Kernel, position: Position, move: Move, depth: int) -> tuple[Move, ...]:
    """The expected moves from `move` on, as far as the kernel remembers them."""
    line = [move]
    position = position.play(move)
    while position.outcome is None and len(line) < depth:
        following = kernel.remembered(position)
        if following is None:
            break
        try:
            position = position.play(following)
        except IllegalMove:
            break
        line.append(following)
    return tuple(line)
