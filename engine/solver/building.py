"""Building opening books: the deepest layer is solved, the layers above follow from it."""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue

import numpy as np

from engine.connect4 import Connect4, Connect4Position
from engine.parallel import ParallelMap
from engine.search import Stop
from engine.solver.book import DeepBook, write_book
from engine.solver.journal import Journal
from engine.solver.opening import DEEP, write_opening
from engine.solver.pieces import TABLE_BITS, end_of, pieces, solve_piece
from engine.solver.retrograde import Layer, back_up, entries_of, list_layers
from engine.solver.solver import Solver
from engine.values import Ends

KEY_BITS = 64
"""Bits of a key in the kernels that list positions."""
Solving = Generator[tuple[int, int], None, None]
"""Places in a layer with their ends, each once the journal has it."""
Report = Callable[[int, int], None]
"""Called with how many positions of the deepest layer are done, and how many there are."""


def build_book(
    game: Connect4,
    plies: int,
    path: Path,
    threads: int,
    report: Report,
    parallel: ParallelMap | None = None,
) -> int:
    """Write the book of a board with up to `plies` stones.

    Positions are solved in `threads` of this process or, where that is given, by `parallel`.

    Every result goes straight into a journal beside the book. A build that was stopped, be it by an
    exception from `report` or by Ctrl-C, resumes from there; the book appears when it is complete.

    Returns how many positions the book holds. Raises ValueError for plies that the board or the
    book's keys have no room for, fewer than one thread, or the journal of another book.
    """
    _refuse(game, plies, threads)
    if game == DEEP and plies <= DeepBook.PLY:
        positions = write_opening(plies, path)
        report(positions, positions)
        return positions
    journal_path = path.with_suffix(".journal")
    with Journal(journal_path, game, plies) as journal:
        layers = list_layers(game, plies)
        layer = layers[-1]

        def solve(indices: list[int]) -> Solving:
            if parallel is None:
                return _in_threads(game, layer, indices, journal, threads)
            return _in_parallel(game, layer, indices, journal, parallel)

        found = _solve_layer(layer, journal, solve, report)
    ends = back_up(layers, lambda _: found)
    entries = entries_of(layers, ends)
    write_book(path, game.rows, game.columns, plies, entries)
    journal_path.unlink()
    return len(entries)


def _refuse(game: Connect4, plies: int, threads: int) -> None:
    most = min(game.rows * game.columns - 1, (KEY_BITS - game.columns) // 2)
    if not 0 <= plies <= most:
        raise ValueError(f"a book of {game.variant} has 0 to {most} plies, not {plies}")
    if threads < 1:
        raise ValueError(f"a build needs at least one thread, not {threads}")


def _solve_layer(
    layer: Layer, journal: Journal, solve: Callable[[list[int]], Solving], report: Report
) -> Ends:
    """The ends of a layer; 0 where the side to move wins at once, as those are never read."""
    keys, wanted = layer.keys.tolist(), np.flatnonzero(~layer.wins).tolist()
    ends = np.zeros(layer.keys.size, np.int64)
    rest = []
    for index in wanted:
        known = journal.known.get(keys[index])
        if known is None:
            rest.append(index)
        else:
            ends[index] = known
    total = len(wanted)
    done = total - len(rest)
    report(done, total)
    with closing(solve(rest)) as solved:
        for index, end in solved:
            ends[index] = end
            done += 1
            report(done, total)
    return ends


def _in_parallel(
    game: Connect4, layer: Layer, indices: list[int], journal: Journal, parallel: ParallelMap
) -> Solving:
    """Solve positions wherever `parallel` has it done."""
    with closing(parallel(solve_piece, tuple(pieces(game, layer, indices)))) as solved:
        for found in solved:
            for index, end in found:
                journal.add(int(layer.keys[index]), end)
                yield index, end


def _in_threads(
    game: Connect4, layer: Layer, indices: list[int], journal: Journal, threads: int
) -> Solving:
    """Solve positions in threads."""
    stop, todo = Stop(), iter(indices)
    results: SimpleQueue[tuple[int, int] | None] = SimpleQueue()

    def work() -> None:
        try:
            solver = Solver(game, table_bits=TABLE_BITS)
            # A list's iterator gives each item to one thread only.
            for index in todo:
                position = Connect4Position(
                    game, int(layer.firsts[index]), int(layer.seconds[index])
                )
                end = end_of(solver, position, stop)
                if end is None:
                    return
                journal.add(int(layer.keys[index]), end)
                results.put((index, end))
        except BaseException:
            stop.set()
            raise
        finally:
            results.put(None)

    with ThreadPoolExecutor(threads) as pool:
        try:
            workers = [pool.submit(work) for _ in range(min(threads, len(indices)))]
            for _ in workers:
                # Each worker puts None last.
                yield from iter(results.get, None)
            for worker in workers:
                worker.result()
        finally:
            # Also reached midway: by Ctrl-C, or when the caller wants no more results.
            stop.set()
