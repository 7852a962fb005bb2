"""How the pieces of long work are done: in processes of this machine, or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Protocol, TypeVar

P = TypeVar("P")

R = TypeVar("R")


class ParallelMap(Protocol):
    """Does pieces of work side by side.

    Pieces and results are plain values that another process can take, and the function is one that
    it finds by its name.
    """

    def __call__(self, work: Callable[[P], R], pieces: Sequence[P], /) -> Generator[R, None, None]:
        """Yield the result of each piece when it is done, in any order.

        What has not begun when the generator is closed is not done. Raises what `work` raises.
        """


def in_processes(number: int) -> ParallelMap:
    """Do pieces in so many processes of this machine."""

    def parallel_map(work: Callable[[P], R], pieces: Sequence[P], /) -> Generator[R, None, None]:
        # A fork would carry over locks that other threads hold; a fresh process has none.
        with ProcessPoolExecutor(number, mp_context=get_context("spawn")) as pool:
            running = [pool.submit(work, piece) for piece in pieces]
            try:
                for done in as_completed(running):
                    yield done.result()
            finally:
                pool.shutdown(wait=False, cancel_futures=True)

    return parallel_map
