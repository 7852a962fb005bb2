"""Reading of tables of known values."""

from __future__ import annotations

import csv
from pathlib import Path


def rows_of(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file, in which lines that begin with `#` are comments."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))
