"""Every measurement is registered with the document that quotes it."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module

import pytest

from benchmarks.registry import MEASUREMENTS, Measurement
from tests.builders import ROOT

FOLDER = ROOT / "benchmarks"


def test_every_runnable_module_is_registered() -> None:
    """Modules with a main block, and packages with `__main__`, are the registered ones."""
    modules = {
        path.parent.name if path.name == "__main__.py" else path.stem
        for path in FOLDER.rglob("*.py")
        if '__name__ == "__main__"' in path.read_text("utf-8")
    }
    assert modules - {"benchmarks"} == {one.name for one in MEASUREMENTS}


@pytest.mark.parametrize("one", MEASUREMENTS, ids=lambda one: one.name)
def test_its_document_names_the_command(one: Measurement) -> None:
    """The document of a measurement exists and says how to run it."""
    text = (ROOT / "docs" / one.document).read_text("utf-8")
    assert re.search(rf"python -m benchmarks[. ]{one.name}\b", " ".join(text.split()))


@pytest.mark.parametrize("one", MEASUREMENTS, ids=lambda one: one.name)
def test_it_can_be_run(one: Measurement) -> None:
    """Its module imports only names that exist, and has a main function."""
    folder = FOLDER / one.name
    module = f"benchmarks.{one.name}{'.__main__' if folder.is_dir() else ''}"
    assert callable(import_module(module).main)


def test_the_list_has_a_row_for_each() -> None:
    """`--list` prints name, question, minutes, machine and document."""
    command = [sys.executable, "-m", "benchmarks", "--list"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) == len(MEASUREMENTS) + 2
    assert lines[2].count("|") == 6
