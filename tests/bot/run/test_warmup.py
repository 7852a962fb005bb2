"""Compiling the kernels at startup."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree

from engine.core.compiled import CACHE_FOLDER, compile_all
from engine.core.registry import compiled_modules, parts
from tests.builders import ROOT

COMPILED = [module for part in parts().values() for module in part.modules]
MISSING = min(parts().values(), key=lambda part: part.seconds).modules[-1]
"""A module that is quick to compile."""

WARM_UP = """
from rich.console import Console
from bot.workers.preparation import warm_up
warm_up(Console(width=200))
"""


def start(cache: Path) -> str:
    """The output of a start while it compiles the kernels."""
    ended = subprocess.run(
        [sys.executable, "-c", WARM_UP],
        cwd=ROOT,
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stderr == ""
    return ended.stdout


def begun(cache: Path) -> None:
    """The compiled code of a first start that was killed shortly before its end."""
    compile_all(compiled_modules())
    kept = copytree(CACHE_FOLDER, cache / CACHE_FOLDER.name)
    for file in [*kept.glob(f"{MISSING}-*"), *kept.rglob(f"{MISSING.split('.')[-1]}.*")]:
        file.unlink()


def test_a_first_start_says_that_it_compiles_and_a_second_does_not(tmp_path: Path) -> None:
    """A first start reports that it compiles and how far it is; later starts report nothing."""
    begun(tmp_path)
    first = start(tmp_path)
    assert "First start: compiling the engine" in first
    assert f"{len(COMPILED)}/{len(COMPILED)}" in first
    assert str(tmp_path) in first
    assert start(tmp_path) == ""
