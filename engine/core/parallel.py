"""Maps that run pieces of long work in parallel, in processes of this machine or on a cluster."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from typing import Protocol, TypeVar

P = TypeVar("P")

R = TypeVar("R")


AHEAD = 4
"""Pieces for each process that are begun or wait to begin, so that none is ever idle."""


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
    """Return a map that uses `number` processes of this machine; a single one is this process."""
    if number == 1:
        return _one_by_one

    def parallel_map(work: Callable[[P], R], pieces: Sequence[P], /) -> Generator[R, None, None]:
        # A fork would copy locks held by other threads; a fresh process has none.
        with ProcessPoolExecutor(
            number, mp_context=get_context("spawn"), initializer=_end_silently
        ) as pool:
            # Few pieces at a time: processes that Ctrl-C ends must not find the pool being filled.
            left = iter(pieces)
            try:
                with _interrupts_later():
                    running = {pool.submit(work, one) for one in islice(left, AHEAD * number)}
                while running:
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    with _held_back():
                        running |= {pool.submit(work, one) for one in islice(left, len(done))}
                    for one in done:
                        yield one.result()
            finally:
                pool.shutdown(wait=False, cancel_futures=True)

    return parallel_map


def _one_by_one(work: Callable[[P], R], pieces: Sequence[P], /) -> Generator[R, None, None]:
    yield from map(work, pieces)


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Start processes that no Ctrl-C reaches before they call `_end_silently`.

    Until then they would print a traceback. Where signals cannot be blocked, nothing changes.
    """
    block = getattr(signal, "pthread_sigmask", None)
    with _held_back():
        before = block(signal.SIG_BLOCK, {signal.SIGINT}) if block else None
        try:
            yield
        finally:
            if block:
                block(signal.SIG_SETMASK, before)


@contextmanager
def _held_back() -> Iterator[None]:
    """Raise KeyboardInterrupt after the block instead of within it, where a lock could stay taken.

    Blocking the signal is not enough: another thread may receive it, and Python then interrupts the
    main one. Only that one is ever interrupted, so elsewhere there is nothing to do.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held = list[int]()
    earlier = signal.signal(signal.SIGINT, lambda number, _frame: held.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if earlier is None else earlier)
        if held:
            signal.raise_signal(signal.SIGINT)


def _end_silently() -> None:
    """Let Ctrl-C end this process at once, and without a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if unblock := getattr(signal, "pthread_sigmask", None):
        unblock(signal.SIG_UNBLOCK, {signal.SIGINT})
