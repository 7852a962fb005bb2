"""Games played in several processes and kept in a file, so that a run can be continued."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from engine.core.parallel import in_processes

W = TypeVar("W")
R = TypeVar("R")


def played(
    play: Callable[[W], R],
    missing: Sequence[W],
    file: Path,
    processes: int,
    cells: Callable[[W, R], Mapping[str, Any]],
) -> Iterator[tuple[W, R]]:
    """Play games, append each to a file once it is over, and yield it with what was wanted.

    Args:
        play: Plays one game; called in other processes, or in this one if that is enough.
        missing: The games that are not in the file.
        file: Gets a line of JSON for each game, in the order in which they end.
        processes: How many games are played at the same time.
        cells: What the line of a game contains.
    """
    with file.open("a", encoding="utf-8") as log:
        for wanted, result in in_processes(processes)(partial(_with_wanted, play), missing):
            log.write(json.dumps(cells(wanted, result)) + "\n")
            log.flush()
            yield wanted, result


def _with_wanted(play: Callable[[W], R], wanted: W) -> tuple[W, R]:
    """A game that was wanted, with its result."""
    return wanted, play(wanted)


def lines_in(file: Path) -> Iterator[dict[str, Any]]:
    """The lines of such a file; none if it does not exist."""
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        yield json.loads(line)
