"""A clock for compiled code, which has none of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer


@contextmanager
def time_limit(cut_short: Callable[[], object], seconds: float | None) -> Iterator[None]:
    """Call `cut_short` from another thread if the block takes longer; never once it has ended.

    Without seconds there is no limit.
    """
    if seconds is None:
        yield
        return
    timer = Timer(seconds, cut_short)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
