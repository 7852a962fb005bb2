"""Maps that run pieces of long work in parallel, in processes of this machine or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Protocol, TypeVar

P = TypeVar("P")

R = TypeVar("R")


class ParallelMap(Protocol):
    """Runs pieces of work in parallel.

    Pieces and results are plain values that can be pickled, and the function is importable by name.
    """

    def __call__(self, work: Callable[[P], R], pieces: Sequence[P], /) -> Generator[R, None, None]:
        """Yield the result of each piece as it completes, in any order.

        Pieces that have not begun when the generator is closed are dropped. Raises what `work`
        raises.
        """


def in_processes(number: int) -> ParallelMap:
    """Return a map that uses `number` processes of this machine."""

    def parallel_map(work: Callable[[P], R], pieces: Sequence[P], /) -> Generator[R, None, None]:
        # A fork would copy locks held by other threads; a fresh process has none.
        with ProcessPoolExecutor(number, mp_context=get_context("spawn")) as pool:
            running = [pool.submit(work, piece) for piece in pieces]
            try:
                for done in as_completed(running):
                    yield done.result()
            finally:
                pool.shutdown(wait=False, cancel_futures=True)

    return parallel_map
