"""Compiled code: how Numba's kernels are compiled and cached on disk.

Compiled machine code is cached on disk. Numba rebuilds a cached function when its own file changes,
but not when a compiled function that it calls changes in another file, nor when a constant that it
froze does. So the cache folder is named after a hash of every file in every `compiled` folder, of
the engine and of installed games: any change there starts with a cold, correct cache.

The folder is created below `NUMBA_CACHE_DIR` if that is set, otherwise in the user's cache folder.

Importing this package compiles nothing and does not load Numba: `compile_module` does. The modules
are listed by the packages of games (`engine.core.registry.compiled_modules`).
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from engine.core.installed import game_folders

ENGINE = Path(__file__).parents[2]
FOLDER = "compiled"
"""The name of the folders whose files are hashed."""


def sources_digest(engine: Path = ENGINE, games: Mapping[str, Path] | None = None) -> str:
    """Return a short hash of the compiled sources, their paths and Numba's version.

    Args:
        engine: The engine's folder.
        games: The folders of other distributions' games by name; None for those installed. Games
            without compiled code change nothing.
    """
    digest = hashlib.sha256(version("numba").encode())
    for path, name in all_sources({".py"}, engine, games):
        if path.parent.name == FOLDER:
            digest.update(name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def all_sources(
    suffixes: Collection[str], engine: Path = ENGINE, games: Mapping[str, Path] | None = None
) -> Iterator[tuple[Path, str]]:
    """Yield the files of the engine and of other distributions' games, each with its name.

    The name is the path below the engine's folder; for other games it begins with their package.
    Names come in the same order everywhere.
    """
    folders = {"": engine, **(game_folders() if games is None else games)}
    for package, folder in folders.items():
        files = (file for file in folder.rglob("*") if file.suffix in suffixes)
        # Sorted as text: the order of paths depends on the operating system.
        for name in sorted(file.relative_to(folder).as_posix() for file in files):
            yield folder / name, f"{package}:{name}" if package else name


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
"""The folder of the kernels compiled from exactly these sources."""


def is_warm(modules: Iterable[str]) -> bool:
    """Return whether these modules are in the cache for this Python and processor."""
    return all(_marker(name).exists() for name in modules)


def looks_warm(modules: Iterable[str]) -> bool:
    """Return whether these modules are in the cache for this Python and any processor.

    Unlike `is_warm` this does not load LLVM, which takes longer than all the rest.
    """
    return all(any(CACHE_FOLDER.glob(f"{name}-*.compiled")) for name in modules)


def compile_module(name: str) -> None:
    """Compile one module and what it calls, or load them from the cache."""
    # Every function declares its signature, so importing a module compiles all of it.
    import_module(name)
    marker = _marker(name)
    if not marker.exists():
        marker.parent.mkdir(parents=True, exist_ok=True)
        # An empty file either exists or not, so a process killed here leaves nothing incomplete.
        marker.touch()


def compile_all(
    modules: Iterable[str],
    report: Callable[[str, int, int], None] = lambda name, done, of: None,
) -> None:
    """Compile modules in turn, or load them from the cache, so a killed call can be resumed.

    `report` is called before each module with its name, the number done and the total, and once
    more at the end.
    """
    names = list(modules)
    for done, name in enumerate(names):
        report(name, done, len(names))
        compile_module(name)
    report("", len(names), len(names))


def _marker(name: str) -> Path:
    """The file whose existence shows that a module has been compiled completely.

    Its name depends on everything that Numba checks before it uses its cache: the source's path and
    time, the Python version, and the processor.
    """
    source = _source_of(name)
    written = source.stat().st_mtime_ns
    seen = f"{source} {written} {sys.implementation.cache_tag} {_processor()}"
    return CACHE_FOLDER / f"{name}-{hashlib.sha256(seen.encode()).hexdigest()[:12]}.compiled"


def _source_of(name: str) -> Path:
    """The file of one of our modules.

    `find_spec(name)` would import the packages around it, and so compile whatever these import.
    """
    package, *inner = name.split(".")
    spec = find_spec(package)
    assert spec is not None, f"{name} is one of our modules"
    folders = spec.submodule_search_locations or ()
    return next(
        file for file in (Path(one, *inner).with_suffix(".py") for one in folders) if file.exists()
    )


@cache
def _processor() -> str:
    """The target processor, as Numba names it."""
    from llvmlite.binding import get_host_cpu_name

    return os.environ.get("NUMBA_CPU_NAME") or str(get_host_cpu_name())
