"""What all tests need."""

from __future__ import annotations

import pytest

from engine.kernels import compile_all


@pytest.fixture(scope="session", autouse=True)
def compiled() -> None:
    """Compile the kernels first, so that no process that a test starts does it against a clock."""
    compile_all()
