"""What all tests need."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from engine.core.compiled import compile_all, is_warm
from engine.core.package import KernelPart
from engine.core.registry import compiled_modules, parts
from tests.database_times import DatabaseTimes, note_database

DATABASES = ("sqlite", "postgres")
"""What the tests of the store and of what it keeps can run on."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let databases be chosen."""
    parser.addoption(
        "--database",
        choices=(*DATABASES, "both"),
        help="run all tests of the store, of sessions and of Discord on this database; without it "
        "they run on SQLite, and those that are marked `databases` on PostgreSQL too",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Tell at the end what ran on which database."""
    if not is_worker(config):
        config.pluginmanager.register(DatabaseTimes())


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the kernels before the workers start: each part once, on all processors."""
    cold = [part for part in parts().values() if not is_warm(part.modules)]
    if cold and not is_worker(session.config):
        with ThreadPoolExecutor(os.cpu_count()) as processes:
            # What takes longest is begun first.
            list(processes.map(compile_apart, sorted(cold, key=lambda part: -part.seconds)))


def compile_apart(part: KernelPart) -> None:
    """Compile a part of the kernels in a process of its own."""
    subprocess.run(
        [sys.executable, "-m", "engine.cli.compiling", part.name],
        cwd=os.path.dirname(os.path.dirname(__file__)),
        stdout=subprocess.DEVNULL,
        check=True,
    )


def is_worker(config: pytest.Config) -> bool:
    """Whether this process was started by another to run some of the tests."""
    return hasattr(config, "workerinput")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Note on which database a test runs."""
    note_database(item)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take long: at the end, no process has much left to do alone."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.fixture(scope="session", autouse=True)
def compiled() -> None:
    """Load the kernels first, so that no test does it against a clock."""
    compile_all(compiled_modules())
