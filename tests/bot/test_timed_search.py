"""The events of a search that a meter receives."""

from __future__ import annotations

import asyncio

import pytest

from bot.telemetry import Meter, TimedSearch


class Notebook(Meter):
    """A meter that keeps its events."""

    def __init__(self) -> None:
        self.waiting = 0
        self.notes: list[tuple[str, str, int]] = []
        self.seconds: list[tuple[float, float]] = []

    def search_queued(self) -> None:
        """Count one more waiting search."""
        self.waiting += 1

    def search_unqueued(self) -> None:
        """Count one waiting search less."""
        self.waiting -= 1

    def searched(
        self, level: str, outcome: str, *, waited: float, seconds: float, nodes: int
    ) -> None:
        """Keep the event."""
        self.notes.append((level, outcome, nodes))
        self.seconds.append((waited, seconds))


def broken(timed: TimedSearch) -> None:
    """Fail after the search has begun."""
    timed.begin()
    raise ArithmeticError


def test_a_search_with_a_result() -> None:
    """A completed search reports its waiting time, its first try and its nodes."""
    notebook = Notebook()
    with TimedSearch("hard", notebook) as timed:
        assert notebook.waiting == 1
        timed.begin()
        timed.begin()
        assert notebook.waiting == 0
        timed.found(77, is_stopped=False)
    assert notebook.notes == [("hard", "found", 77)]
    assert all(waited >= 0 and seconds >= 0 for waited, seconds in notebook.seconds)


def test_a_search_that_fails() -> None:
    """A search whose block ends with an exception has failed."""
    notebook = Notebook()
    with pytest.raises(ArithmeticError), TimedSearch("hint", notebook) as timed:
        broken(timed)
    assert notebook.notes == [("hint", "failed", 0)]
    assert notebook.waiting == 0


def test_an_unneeded_search() -> None:
    """A result that comes too late counts as stopped, and so does a cancelled block."""
    notebook = Notebook()
    with TimedSearch("easy", notebook) as timed:
        timed.begin()
        timed.found(1, is_stopped=True)
    with pytest.raises(asyncio.CancelledError), TimedSearch("easy", notebook):
        raise asyncio.CancelledError
    assert notebook.notes == [("easy", "stopped", 1), ("easy", "stopped", 0)]


def test_a_search_that_never_begins_waits_no_longer() -> None:
    """A search that is dropped from the queue no longer counts as waiting."""
    notebook = Notebook()
    with pytest.raises(TimeoutError), TimedSearch("easy", notebook):
        raise TimeoutError
    assert notebook.waiting == 0
