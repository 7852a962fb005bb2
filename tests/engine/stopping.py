"""Searches that are stopped from another thread."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from time import sleep
from typing import TypeVar

from engine.core.limits import Stop
from tests.builders import PATIENCE

T = TypeVar("T")


def stopped(search: Callable[[Stop], T], has_begun: Callable[[T], bool]) -> T:
    """Run a search in another thread, stop it, and return its result.

    Fails if the search ends by itself, or does not end when it is stopped. On a busy machine it may
    not have begun after a tenth of a second; `has_begun` says so, and then it is given longer.
    """
    for pause in (0.1, 1.0, 10.0):
        stop, found = Stop(), list[T]()

        def work(stop: Stop = stop, found: list[T] = found) -> None:
            found.append(search(stop))

        thread = Thread(target=work, daemon=True)
        thread.start()
        sleep(pause)
        assert thread.is_alive()
        stop.set()
        thread.join(PATIENCE)
        assert found, "the search does not end"
        if has_begun(found[0]):
            return found[0]
    raise AssertionError("the search has not begun")
