"""Who waits for an answer of the engine: everybody for one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from bot.table.refusal import Refusal


class Askers:
    """The people who have asked for a hint or an explanation that is not there yet.

    What they ask beyond that is refused, so nobody fills the queue in which all others wait.
    """

    def __init__(self) -> None:
        """Begin with nobody."""
        self._waiting: set[int] = set()

    def begin(self, user_id: int) -> None:
        """Somebody asks; refused if they wait for an answer already."""
        if user_id in self._waiting:
            raise Refusal("one_at_a_time")
        self._waiting.add(user_id)

    def end(self, user_id: int) -> None:
        """Somebody has their answer, or will not get one."""
        self._waiting.discard(user_id)

    @contextmanager
    def asking(self, user_id: int) -> Iterator[None]:
        """Somebody waits for an answer during the block; refused if they wait for one already."""
        self.begin(user_id)
        try:
            yield
        finally:
            self.end(user_id)
