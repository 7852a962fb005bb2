"""What all tests need."""

from __future__ import annotations

import pytest

from engine.kernels import compile_all

DATABASES = ("sqlite", "postgres")
"""What the tests of the store and of what it keeps can run on."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let one database be chosen."""
    parser.addoption(
        "--database",
        choices=(*DATABASES, "both"),
        default="both",
        help="run the tests that are for both databases on one of them only",
    )


@pytest.fixture(scope="session", autouse=True)
def compiled() -> None:
    """Compile the kernels first, so that no process that a test starts does it against a clock."""
    compile_all()
