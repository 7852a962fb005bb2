"""The limits of a search, the flag that stops it, and a timer that stops compiled code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Timer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True)
class Limit:
    """Limits of a search, which ends at the first one that it reaches."""

    depth: int | None = None
    """Plies."""
    seconds: float | None = None
    """Wall-clock time."""
    nodes: int | None = None
    """Positions visited."""

    def __post_init__(self) -> None:
        if self.depth is not None and self.depth < 1:
            raise ValueError(f"depth must be at least 1, not {self.depth}")
        if self.seconds is not None and not self.seconds > 0:
            raise ValueError(f"seconds must be more than 0, not {self.seconds}")
        if self.nodes is not None and self.nodes < 1:
            raise ValueError(f"nodes must be at least 1, not {self.nodes}")


def _lowered_flag() -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    # Imported here because connecting a process does not need NumPy.
    import numpy as np

    return np.zeros(1, np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Stop:
    """A flag that another thread sets to end a search; several searches may share one."""

    flag: np.ndarray[tuple[int], np.dtype[np.uint8]] = field(default_factory=_lowered_flag)
    """Read by the kernels at every node."""

    def set(self) -> None:
        """End the searches that watch this flag, within 20 ms."""
        self.flag[0] = 1

    @property
    def is_set(self) -> bool:
        """Whether `set` has been called."""
        return bool(self.flag[0])


@contextmanager
def time_limit(cut_short: Callable[[], object], seconds: float | None) -> Iterator[None]:
    """Call `cut_short` from another thread if the block takes longer than `seconds`.

    It is never called after the block has ended. With None there is no limit.
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
