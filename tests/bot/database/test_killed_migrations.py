"""Migrations that are killed with SIGKILL."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.bot.support.killed_migrations import kill_migrations


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_killed_migration_leaves_a_whole_database(tmp_path: Path) -> None:
    """After a kill at any point no game or move is missing, and the next start finishes it."""
    assert kill_migrations(tmp_path, games=50, kills=3) > 0
