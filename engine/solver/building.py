"""Building opening books: the deepest layer is solved, the layers above follow from it."""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue

import numpy as np

from engine.connect4 import Connect4, Connect4Position
from engine.search import Stop
from engine.solver.book import DeepBook, write_book
from engine.solver.journal import Journal
from engine.solver.opening import DEEP, write_opening
from engine.solver.retrograde import Layer, back_up, entries_of, list_layers
from engine.solver.solver import Solver
from engine.values import Ends, Value

TABLE_BITS = 22
"""Of each thread's table: 128 MiB."""
KEY_BITS = 64
"""Bits of a key in the kernels that list positions."""
Report = Callable[[int, int], None]
"""Called with how many positions of the deepest layer are done, and how many there are."""


def build_book(game: Connect4, plies: int, path: Path, threads: int, report: Report) -> int:
    """Write the book of a board with up to `plies` stones.

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
        found = _solve_layer(game, layers[-1], journal, threads, report)
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
    game: Connect4, layer: Layer, journal: Journal, threads: int, report: Report
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
    with closing(_solve(game, layer, rest, journal, threads)) as solved:
        for index, end in solved:
            ends[index] = end
            done += 1
            report(done, total)
    return ends


def _solve(
    game: Connect4, layer: Layer, indices: list[int], journal: Journal, threads: int
) -> Generator[tuple[int, int], None, None]:
    """Solve positions in threads; gives each index with its end once the journal has it."""
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
                score = solver.solve(position, stop).score
                if score is None:
                    return
                end = Value.from_score(score, position.to_move, game.rows * game.columns).end
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
