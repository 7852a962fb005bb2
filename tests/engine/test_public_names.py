"""The public names of the package."""

from __future__ import annotations

import subprocess
import sys

import pytest

import engine
from engine.core import game
from tests.builders import ROOT

PUBLIC = [
    "Cell",
    "Game",
    "IllegalMove",
    "Move",
    "NotAMove",
    "Outcome",
    "Player",
    "Position",
    "Remark",
    "Square",
    "UnknownVariant",
    "replay",
]


def test_the_public_names_are_these() -> None:
    """The package exports the types that describe games, and nothing else."""
    assert sorted(engine.__all__) == PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_is_the_one_of_its_module(name: str) -> None:
    """Each public name can be imported and is the object that `engine.core.game` defines."""
    assert getattr(engine, name) is getattr(game, name)


@pytest.mark.parametrize("module", ["engine", "engine.core.game", "engine.games.connect4.rules"])
def test_rules_load_without_the_compiler(module: str) -> None:
    """Importing the rules loads neither Numba nor a compiled kernel nor an event loop."""
    code = f"import {module}, sys; print(*sorted({{'numba', 'asyncio'}} & sys.modules.keys()))"
    found = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        cwd=ROOT,
    )
    assert found.stdout.split() == []
