"""The entry points of games from other distributions, and the folders of their files.

Nothing here imports a game.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

GROUP = "cuatro.games"
"""The group of entry points, each of which is a `GamePackage`."""
WITHOUT = "CUATRO_GAMES_WITHOUT"
"""The environment variable that names entry points to leave out, separated by commas."""


def installed_games() -> tuple[EntryPoint, ...]:
    """Return the entry points of all games that are not left out, in the order of their names."""
    without = {name.strip() for name in os.environ.get(WITHOUT, "").split(",")}
    found = sorted(entry_points(group=GROUP), key=lambda entry: entry.name)
    return tuple(entry for entry in found if entry.name not in without)


def game_folders() -> Mapping[str, Path]:
    """Return the folders of all installed games, by the names of their outermost packages."""
    found = {}
    for name in sorted({entry.module.partition(".")[0] for entry in installed_games()}):
        spec = find_spec(name)
        if spec is not None and spec.submodule_search_locations:
            found[name] = Path(next(iter(spec.submodule_search_locations)))
    return found
