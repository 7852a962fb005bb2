"""The results of a long build so far, on disk, so that it can be stopped at any time."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Self

from engine.connect4 import Connect4


class Journal:
    """A file of results, one line `key end` each, below a line `rows columns plies`.

    Every result is on its way to the disk when `add` returns. Threads may share a journal.
    """

    def __init__(self, path: Path, game: Connect4, plies: int) -> None:
        """Open a journal or begin one; raises ValueError for one of another book.

        A last line without its end, which a kill in the middle of a write leaves, is cut off.
        """
        head = f"{game.rows} {game.columns} {plies}\n".encode()
        data = path.read_bytes() if path.exists() else b""
        whole = data[: data.rfind(b"\n") + 1]
        if not (whole.startswith(head) if whole else head.startswith(data)):
            raise ValueError(
                f"{path} is no journal of {game.variant} with {plies} plies: "
                "move it away or choose another file"
            )
        self.known: Mapping[int, int] = _results(path, whole[len(head) :])
        """The results that were there: keys with their ends."""
        self._lock = Lock()
        self._file = path.open("ab")
        self._file.truncate(len(whole))
        if not whole:
            self._write(head)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def add(self, key: int, end: int) -> None:
        """Note a result."""
        with self._lock:
            self._write(f"{key} {end}\n".encode())

    def _write(self, line: bytes) -> None:
        self._file.write(line)
        self._file.flush()


def _results(path: Path, lines: bytes) -> dict[int, int]:
    try:
        pairs = (line.split() for line in lines.splitlines())
        return {int(key): int(end) for key, end in pairs}
    except ValueError as error:
        raise ValueError(f"{path} is damaged: {error}") from error
