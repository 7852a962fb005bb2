"""Building opening books: the deepest layer is solved, the layers above follow from it.

The positions of the deepest layer are divided into pieces that other processes can solve. Results
are written to a journal on disk, so that a long build can be stopped at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from types import TracebackType
from typing import Self

import numpy as np

from engine.core.limits import Stop
from engine.core.parallel import ParallelMap
from engine.core.values import Ends, Value
from engine.games.connect4.rules import Connect4, Connect4Position
from engine.games.connect4.solver.book import DEEP, DeepBook, write_book, write_opening
from engine.games.connect4.solver.retrograde import Layer, back_up, entries_of, list_layers
from engine.games.connect4.solver.solver import Solver

KEY_BITS = 64
"""Bits of a key in the kernels that list positions."""

Solving = Generator[tuple[int, int], None, None]
"""Indices in a layer with their ends, each yielded once it is in the journal."""

Report = Callable[[int, int], None]
"""Called with the number of positions of the deepest layer that are done, and their total."""


def build_book(
    game: Connect4,
    plies: int,
    path: Path,
    threads: int,
    report: Report,
    parallel: ParallelMap | None = None,
) -> int:
    """Write the book of a board with up to `plies` stones.

    Positions are solved in `threads` of this process or, if given, by `parallel`.

    Every result goes straight into a journal beside the book. A build that was stopped, by an
    exception from `report` or by Ctrl-C, resumes from there; the book appears when it is complete.

    Returns the number of positions in the book. Raises ValueError for more plies than the board or
    the book's keys allow, fewer than one thread, or the journal of another book.
    """
    _require_buildable(game, plies, threads)
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


def _require_buildable(game: Connect4, plies: int, threads: int) -> None:
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
    """Solve positions with `parallel`."""
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
            # Also runs on Ctrl-C, or if the caller stops early.
            stop.set()


class Journal:
    """A file of results, one line `key end` each, below a line `rows columns plies`.

    Every result is handed to the operating system before `add` returns. Threads may share a
    journal.
    """

    def __init__(self, path: Path, game: Connect4, plies: int) -> None:
        """Open a journal or begin one; raises ValueError for one of another book.

        An incomplete last line, which a kill during a write leaves, is cut off.
        """
        head = f"{game.rows} {game.columns} {plies}\n".encode()
        data = path.read_bytes() if path.exists() else b""
        whole = data[: data.rfind(b"\n") + 1]
        if not (whole.startswith(head) if whole else head.startswith(data)):
            raise ValueError(
                f"{path} is no journal of {game.variant} with {plies} plies: "
                "move it away or choose another file"
            )
        self.known: Mapping[int, int] = _results(path, whole[len(head) :])
        """The results that were already there: keys with their ends."""
        self._lock = Lock()
        self._file = path.open("ab")
        self._file.truncate(len(whole))
        if not whole:
            self._write(head)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def add(self, key: int, end: int) -> None:
        """Write a result."""
        with self._lock:
            self._write(f"{key} {end}\n".encode())

    def _write(self, line: bytes) -> None:
        self._file.write(line)
        self._file.flush()


def _results(path: Path, lines: bytes) -> dict[int, int]:
    try:
        pairs = (line.split() for line in lines.splitlines())
        return {int(key): int(end) for key, end in pairs}
    except ValueError as error:
        raise ValueError(f"{path} is damaged: {error}") from error


TABLE_BITS = 22
"""Bits of the table with which positions are solved, which then takes 128 MiB."""

SIZE, PIECES = 16, 1000
"""The most positions in a piece, enough to make sending cheap; and the pieces into which a build is
divided at least, if it has as many positions: those of small layers take seconds or minutes each,
and what has been solved of a piece is lost with its worker."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Positions to solve, each by its index in the layer and the stones of either side."""

    rows: int
    columns: int
    positions: tuple[tuple[int, int, int], ...]


Solved = tuple[tuple[int, int], ...]
"""Indices in the layer with the ends found for them."""


def pieces(game: Connect4, layer: Layer, indices: Sequence[int]) -> Iterator[Piece]:
    """These positions of a layer, divided into pieces."""
    size = min(max(len(indices) // PIECES, 1), SIZE)
    for begin in range(0, len(indices), size):
        chosen = indices[begin : begin + size]
        positions = tuple((i, int(layer.firsts[i]), int(layer.seconds[i])) for i in chosen)
        yield Piece(game.rows, game.columns, positions)


def solve_piece(piece: Piece) -> Solved:
    """Solve the positions of a piece."""
    game = Connect4(piece.rows, piece.columns)
    solver = Solver(game, table_bits=TABLE_BITS)
    found = []
    for index, first, second in piece.positions:
        end = end_of(solver, Connect4Position(game, first, second))
        assert end is not None, "nothing stops it"
        found.append((index, end))
    return tuple(found)


def end_of(solver: Solver, position: Connect4Position, stop: Stop | None = None) -> int | None:
    """The end of a position; None if the search was stopped."""
    score = solver.solve(position, stop).score
    if score is None:
        return None
    squares = position.game.rows * position.game.columns
    return Value.from_score(score, position.to_move, squares).end
