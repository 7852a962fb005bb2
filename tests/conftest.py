"""Hooks and fixtures of all tests."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, settings

from engine.core.compiled import compile_all, is_warm
from engine.core.kept import DEFAULT_BUDGET, TABLES
from engine.core.package import KernelPart
from engine.core.registry import compiled_modules, parts
from tests.children import ChildrenLeft
from tests.database_times import DatabaseTimes, note_database

DATABASES = ("sqlite", "postgres")
"""The databases that the tests of the store and of its users can run on."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that chooses databases."""
    parser.addoption(
        "--database",
        choices=(*DATABASES, "both"),
        help="run all tests of the store, of sessions and of Discord on this database; without it "
        "they run on SQLite, and those that are marked `databases` on PostgreSQL too",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Report at the end how many tests ran on which database, and check that no process is left."""
    keep_bytecode()
    # What is imported and collected stays until the end: searching it for garbage finds none.
    gc.disable()
    # How long an example takes depends on the machine's load, and speed is not tested.
    settings.register_profile(
        "untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.load_profile("untimed")
    if not is_worker(config):
        config.pluginmanager.register(DatabaseTimes())
        config.pluginmanager.register(ChildrenLeft())


def keep_bytecode() -> None:
    """Let this process and its children keep bytecode even if the environment says otherwise.

    Otherwise each worker rewrites the assertions of all tests in every run, and each process that
    a test starts compiles the whole program again.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the kernels before the workers start: each part once, on all processors."""
    if is_worker(session.config):
        return
    cold = [part for part in parts().values() if not is_warm(part.modules)]
    if cold:
        with ThreadPoolExecutor(os.cpu_count()) as processes:
            # The slowest parts begin first.
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
    """Whether this process is a worker of pytest-xdist."""
    return hasattr(config, "workerinput")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Note the database of a test."""
    note_database(item)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the slow files, so that no process has to finish them alone at the end."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_collection_finish() -> None:
    """Spare the garbage collector what has been imported and collected: it stays until the end.

    The objects of each bot that a test starts would make the collector run a thousand times.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 10)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def compiled() -> None:
    """Load the kernels first, so that no test does so within a time limit."""
    compile_all(compiled_modules())


@pytest.fixture
def no_tables() -> Iterator[None]:
    """Drop the tables that this process keeps, before and after a test."""
    TABLES.resize(0)
    TABLES.resize(DEFAULT_BUDGET)
    yield
    TABLES.resize(0)
    TABLES.resize(DEFAULT_BUDGET)
