"""Maps that run pieces of long work in parallel, in processes of this machine or on a cluster."""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
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
        with ProcessPoolExecutor(
            number, mp_context=get_context("spawn"), initializer=_end_silently
        ) as pool:
            # Ctrl-C may arrive as soon as the processes have started: pieces must be dropped then.
            try:
                with _interrupts_later():
                    running = [pool.submit(work, piece) for piece in pieces]
                for done in as_completed(running):
                    yield done.result()
            finally:
                pool.shutdown(wait=False, cancel_futures=True)

    return parallel_map


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Start processes that no Ctrl-C reaches before they call `_end_silently`.

    Until then they would print a traceback. Where signals cannot be blocked, nothing changes.
    """
    block = getattr(signal, "pthread_sigmask", None)
    if block is None:
        yield
        return
    before = block(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        block(signal.SIG_SETMASK, before)


def _end_silently() -> None:
    """Let Ctrl-C end this process at once, and without a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if unblock := getattr(signal, "pthread_sigmask", None):
        unblock(signal.SIG_UNBLOCK, {signal.SIGINT})
