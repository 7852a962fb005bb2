"""Compiled code: how Numba's kernels are compiled, kept on disk and found again.

Compiled machine code is kept on disk. Numba rebuilds a cached function when its own file changes,
but not when a compiled function that it calls changes in another file, nor when a constant that it
froze does. So the cache folder is named by a hash of every file in every `compiled` folder of the
engine: any change there starts from a cold, correct cache.

The folder lies below `NUMBA_CACHE_DIR` where that is set, else in the user's cache folder.

Importing this package compiles nothing and does not load Numba: `compile_part` does.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

ENGINE = Path(__file__).parents[2]
FOLDER = "compiled"
"""The name of the folders whose files take part in the hash."""


def sources_digest() -> str:
    """Return a short hash of the compiled sources, their paths and Numba's version."""
    digest = hashlib.sha256(version("numba").encode())
    # Sorted as text: paths sort differently from one system to another.
    for name in sorted(path.relative_to(ENGINE).as_posix() for path in _sources()):
        digest.update(name.encode())
        digest.update((ENGINE / name).read_bytes())
    return digest.hexdigest()[:12]


def _sources() -> list[Path]:
    """Every Python file in a `compiled` folder of the engine."""
    return [path for path in ENGINE.rglob("*.py") if path.parent.name == FOLDER]


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
"""Where the kernels compiled from exactly these sources are kept."""


def _within(package: str, *names: str) -> tuple[str, ...]:
    return tuple(f"{package}.{name}" for name in names)


PARTS: Mapping[str, tuple[str, ...]] = {
    "connect4": (
        "engine.core.compiled.bits",
        *_within("engine.games.connect4.compiled", "evaluation", "attention", "search", "perft"),
    ),
    "connect4-more": (
        *_within(
            "engine.games.connect4.solver.compiled",
            "lines",
            "pairs",
            "table",
            "order",
            "chain",
            "paths",
            "search",
            "windows",
            "positions",
        ),
        *_within("engine.games.connect4.agents.compiled", "evaluation", "search", "tree"),
    ),
    "gato": _within(
        "engine.games.gato.compiled", "lines", "symmetry", "attention", "search", "perft", "student"
    ),
    "boom": _within(
        "engine.games.boom.compiled",
        "rules",
        "memory",
        "evaluation",
        "attention",
        "search",
        "perft",
        "tokens",
    ),
}
"""The modules with compiled functions, each after those it calls, in parts that are called by the
family that needs them; the one that is wanted first comes first. Connect 4 has a second part: what
proofs and the student agents need besides its search.

Parts share `bits` and nothing else, so each may be compiled in a process of its own: two that
compile `bits` at once lose a second and nothing more, as Numba replaces its files whole.
"""
COMPILED = tuple(name for names in PARTS.values() for name in names)
"""All modules with compiled functions, each after those it calls."""


def is_warm(*parts: str) -> bool:
    """Whether these parts, or all, have been compiled from these sources here, by this Python."""
    names = [name for part in parts or PARTS for name in PARTS[part]]
    return all(_marker(name).exists() for name in names)


def looks_warm() -> bool:
    """Return whether every part has been compiled from these sources here, for any processor.

    Unlike `is_warm` this does not load LLVM, which takes longer than all the rest.
    """
    return all(any(CACHE_FOLDER.glob(f"{name}-*.compiled")) for name in COMPILED)


def compile_module(name: str) -> None:
    """Compile one module of `COMPILED` and what it calls, or load them from the cache."""
    # Every function declares its signature, so importing a module compiles all of it.
    import_module(name)
    marker = _marker(name)
    if not marker.exists():
        marker.parent.mkdir(parents=True, exist_ok=True)
        # An empty file is there or not: a process that is killed here leaves no half of one.
        marker.touch()


def compile_part(part: str, report: Callable[[str], None] = lambda name: None) -> None:
    """Compile one of `PARTS`, or load it from the cache; `report` is given each finished module."""
    for name in PARTS[part]:
        compile_module(name)
        report(name)


def compile_all(report: Callable[[str, int, int], None] = lambda name, done, of: None) -> None:
    """Compile every kernel, or load it from the cache; resumes where an earlier call was killed.

    `report` is called before each module with its name, how many are done and how many there are,
    and once more at the end.
    """
    for done, name in enumerate(COMPILED):
        report(name, done, len(COMPILED))
        compile_module(name)
    report("", len(COMPILED), len(COMPILED))


def _marker(name: str) -> Path:
    """The file that says that a module has been compiled completely.

    Its name depends on all that Numba checks before it trusts its cache: the source's path and
    time, the Python version, and the processor.
    """
    spec = find_spec(name)
    assert spec is not None, f"{name} is one of our modules"
    assert spec.origin is not None, f"{name} is a file"
    written = Path(spec.origin).stat().st_mtime_ns
    seen = f"{spec.origin} {written} {sys.implementation.cache_tag} {_processor()}"
    return CACHE_FOLDER / f"{name}-{hashlib.sha256(seen.encode()).hexdigest()[:12]}.compiled"


@cache
def _processor() -> str:
    """The processor that is compiled for, as Numba names it."""
    from llvmlite.binding import get_host_cpu_name

    return os.environ.get("NUMBA_CPU_NAME") or str(get_host_cpu_name())
