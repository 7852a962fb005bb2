"""Databases with a few games, for the tests of this folder."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile

import pytest

from tests.bot.database.transferring import fill
from tests.bot.databases import BLANK, address_of


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Path:
    """A file with a few games."""
    file = copyfile(migrated, tmp_path_factory.mktemp("filled") / "filled.db")
    asyncio.run(fill(address_of(file)))
    return file


@pytest.fixture
def source(
    database_kind: str, filled: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[str]:
    """The address of a database with a few games."""
    if database_kind == "postgres":
        with request.getfixturevalue("server").copy() as address:
            asyncio.run(fill(address))
            yield address
    else:
        yield address_of(copyfile(filled, tmp_path / "source.db"))


@pytest.fixture
def target(database_kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of an empty database on the other engine."""
    if database_kind == "postgres":
        yield address_of(tmp_path / "target.db")
    else:
        with request.getfixturevalue("server").copy(BLANK) as address:
            yield address


@pytest.fixture
def given(filled: Path, tmp_path: Path) -> str:
    """The address of a file with a few games, for tests in which the engine makes no difference."""
    return address_of(copyfile(filled, tmp_path / "given.db"))
