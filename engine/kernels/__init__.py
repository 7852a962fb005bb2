"""All compiled code: Numba kernels that work on 64-bit words.

Compiled machine code is kept on disk. Numba rebuilds a cached function when its own file changes,
but not when a compiled function that it calls changes in *another* file. So the cache lives in a
folder named by a hash of every kernel source: any change there starts from a cold, correct cache.

The folder stands below `NUMBA_CACHE_DIR` where that is set, else in the user's cache folder.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import numba


def sources_digest() -> str:
    """A short hash of the kernel sources and of Numba's version."""
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:12]


def _user_cache() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))


def _choose_folder() -> Path:
    given = os.environ.get("NUMBA_CACHE_DIR")
    base = Path(given) if given else _user_cache() / "cuatro"
    return base / f"kernels-{sources_digest()}"


CACHE_FOLDER = _choose_folder()
"""Where the compiled kernels of exactly these sources are kept."""

# Numba reads this when a function is decorated, so it must be set before a kernel is imported.
numba.config.CACHE_DIR = str(CACHE_FOLDER)  # type: ignore[attr-defined]  # made at run time


def is_warm() -> bool:
    """Whether kernels of these sources have been compiled here before."""
    return any(CACHE_FOLDER.rglob("*.nbi"))


COMPILED = (
    "bits",
    "connect4_evaluation",
    "connect4_search",
    "connect4_perft",
    "gato_lines",
    "gato_symmetry",
    "gato_search",
    "gato_perft",
    "boom_rules",
    "boom_memory",
    "boom_evaluation",
    "boom_search",
    "boom_perft",
    "boom_tokens",
    "solver_lines",
    "solver_pairs",
    "solver_table",
    "solver_order",
    "solver_chain",
    "solver_paths",
    "solver_search",
    "solver_windows",
    "solver_positions",
    "seeds_evaluation",
    "seeds_search",
    "seeds_tree",
    "seeds_lines",
)
"""The modules with compiled functions, each after those it calls."""


def compile_all(report: Callable[[str, int, int], None] = lambda name, done, of: None) -> None:
    """Compile every kernel, or load it from the cache.

    `report` is called before each module with its name, how many are done and how many there are,
    and once more at the end.
    """
    for done, name in enumerate(COMPILED):
        report(name, done, len(COMPILED))
        import_module(f"{__name__}.{name}")
    report("", len(COMPILED), len(COMPILED))
