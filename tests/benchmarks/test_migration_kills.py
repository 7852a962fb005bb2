"""A small run of the benchmark that kills migrations."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks.migration_kills import kill_again_and_again


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_killed_migration_leaves_a_whole_database(tmp_path: Path) -> None:
    """Wherever it is killed, no game or move is missing and the next start brings it to its end."""
    assert kill_again_and_again(tmp_path, games=50, kills=3) > 0
