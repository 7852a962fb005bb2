"""All compiled code: Numba kernels that work on 64-bit words.

Compiled machine code is kept on disk. Numba rebuilds a cached function when its own file changes,
but not when a compiled function that it calls changes in *another* file. So the cache lives in a
folder named by a hash of every kernel source: any change there starts from a cold, correct cache.

The folder stands below `NUMBA_CACHE_DIR` where that is set, else in the user's cache folder.

Importing this package compiles nothing and does not even load Numba: `compile_part` does.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path


def sources_digest() -> str:
    """A short hash of the kernel sources, their places and Numba's version."""
    digest = hashlib.sha256(version("numba").encode())
    folder = Path(__file__).parent
    # Sorted as text: paths sort differently from one system to another.
    for name in sorted(source.relative_to(folder).as_posix() for source in folder.rglob("*.py")):
        source = folder / name
        digest.update(name.encode())
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
"""Where the kernels compiled from exactly these sources are kept."""


PARTS: Mapping[str, tuple[str, ...]] = {
    "connect4": (
        "bits",
        "connect4.evaluation",
        "connect4.attention",
        "connect4.search",
        "connect4.perft",
    ),
    "connect4-more": (
        "solver.lines",
        "solver.pairs",
        "solver.table",
        "solver.order",
        "solver.chain",
        "solver.paths",
        "solver.search",
        "solver.windows",
        "solver.positions",
        "seeds.evaluation",
        "seeds.search",
        "seeds.tree",
    ),
    "gato": (
        "gato.lines",
        "gato.symmetry",
        "gato.attention",
        "gato.search",
        "gato.perft",
        "seeds.lines",
    ),
    "boom": (
        "boom.rules",
        "boom.memory",
        "boom.evaluation",
        "boom.attention",
        "boom.search",
        "boom.perft",
        "boom.tokens",
    ),
}
"""The modules with compiled functions, each after those it calls, in parts that are called by the
family that needs them; the one that is wanted first stands first. Connect 4 has a second part: what
proofs and the seed agents need besides its search.

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
    """Whether every part has been compiled from these sources here, for whatever processor.

    Unlike `is_warm` this does not load LLVM, which takes longer than all the rest.
    """
    return all(any(CACHE_FOLDER.glob(f"{name}-*.compiled")) for name in COMPILED)


def compile_module(name: str) -> None:
    """Compile one module of `COMPILED` and what it calls, or load them from the cache."""
    # Every function declares its signature, so importing a module compiles all of it.
    import_module(f"{__name__}.{name}")
    marker = _marker(name)
    if not marker.exists():
        marker.parent.mkdir(parents=True, exist_ok=True)
        # An empty file is there or not: a process that is killed here leaves no half of one.
        marker.touch()


def compile_part(part: str, report: Callable[[str], None] = lambda name: None) -> None:
    """Compile one of `PARTS`, or load it from the cache; `report` hears of each module done."""
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

    Its name depends on all that Numba checks before it trusts its cache: the source's place and
    time, the Python version, and the processor.
    """
    source = Path(__file__).parent.joinpath(*name.split(".")).with_suffix(".py")
    written = source.stat().st_mtime_ns
    seen = f"{source} {written} {sys.implementation.cache_tag} {_processor()}"
    return CACHE_FOLDER / f"{name}-{hashlib.sha256(seen.encode()).hexdigest()[:12]}.compiled"


@cache
def _processor() -> str:
    """The processor that is compiled for, as Numba names it."""
    from llvmlite.binding import get_host_cpu_name

    return os.environ.get("NUMBA_CPU_NAME") or str(get_host_cpu_name())
