"""An open store for the tests of this folder."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from shutil import copyfile

import pytest

from bot.store import Store


@pytest.fixture
async def store(tmp_path: Path, migrated: Path) -> AsyncIterator[Store]:
    """An open store on a file of the test's own."""
    file = copyfile(migrated, tmp_path / "store.db")
    opened = Store(f"sqlite+aiosqlite:///{file.as_posix()}")
    await opened.open()
    yield opened
    await opened.close()
