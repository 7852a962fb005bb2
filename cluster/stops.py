"""The stop flags of the searches that run in this worker, by the keys of their tasks."""

from __future__ import annotations

from threading import Lock

from engine.core.limits import Stop


class Stops:
    """Lets the worker's event loop stop what its threads do."""

    def __init__(self) -> None:
        """Begin with none."""
        self._stops: dict[str, Stop] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        """How many are kept."""
        return len(self._stops)

    def of(self, key: str) -> Stop:
        """The flag of a task; set already if the task was stopped before it began."""
        with self._lock:
            return self._stops.setdefault(key, Stop())

    def forget(self, key: str) -> None:
        """Drop a flag."""
        with self._lock:
            self._stops.pop(key, None)


STOPS = Stops()
