"""Tables of what the original programs' rules give, worked out apart from this one."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="session")
def seed_tables() -> Mapping[str, list[dict[str, str]]]:
    """By the program's name, rows of a table that says in its head what they hold."""
    tables = {}
    for path in DATA.glob("*.csv"):
        lines = path.read_text(encoding="utf-8").splitlines()
        tables[path.stem] = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    return tables
