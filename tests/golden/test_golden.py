"""Pictures and the engine's answers equal the stored ones."""

from __future__ import annotations

import pytest

from tests.golden.command_table import README, readme_with_table
from tests.golden.files import FILES, stored

pytestmark = pytest.mark.long


@pytest.mark.parametrize("name", FILES)
def test_results_equal_the_golden_file(name: str) -> None:
    """Each result has the stored hash; `--write` updates the file after an intended change."""
    now, before = list(FILES[name]()), stored(name)
    assert len(before) > 40
    assert [line for line in now if line not in before] == []
    assert now == before


def test_the_readme_lists_all_commands() -> None:
    """README's table of commands is the one that `--write` generates."""
    assert README.read_text("utf-8") == readme_with_table()
