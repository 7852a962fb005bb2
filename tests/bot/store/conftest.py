"""An open store for the tests of this folder."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.store import Store
from tests.bot.conftest import on_both


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Whatever is stored here is stored in both databases."""
    on_both(metafunc)


@pytest.fixture
async def store(address: str) -> AsyncIterator[Store]:
    """An open store on a database of the test's own."""
    opened = Store(address)
    await opened.open()
    yield opened
    await opened.close()
