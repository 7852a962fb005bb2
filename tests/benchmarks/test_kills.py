"""After kills nothing is lost and boards come right."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks import kills
from tests.bot.support.wire.ledger import mismatches

pytestmark = pytest.mark.long


@pytest.mark.parametrize(
    ("wanted", "stored", "found"),
    [
        ("", "", (0, 0)),
        ("A B C", "A B C", (0, 0)),
        ("A B C", "A C", (1, 0)),
        ("A B C", "A B B C", (0, 1)),
        ("A b C", "A C", (0, 0)),
        ("A b C", "A B C", (0, 0)),
        ("a A", "A", (0, 0)),
        ("A", "A A", (0, 1)),
        ("A B", "B A", (1, 1)),
        ("", "A", (0, 1)),
    ],
)
def test_moves_are_matched(wanted: str, stored: str, found: tuple[int, int]) -> None:
    """Acknowledged moves (capitals) are stored once, others at most once."""
    asked = tuple((text.upper(), text.isupper()) for text in wanted.split())
    assert mismatches(asked, tuple(stored.split())) == found


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
async def test_boards_come_right_after_kills(tmp_path: Path) -> None:
    """After SIGKILLs no acknowledged move is lost, and every board becomes right."""
    outcome = await kills.run(1, 1, tmp_path, gently=True, within=60.0)
    wrongs = outcome.wrongs
    assert outcome.kills == 1
    assert outcome.boards > 0
    assert wrongs.moves > 0
    assert (wrongs.lost, wrongs.doubled, wrongs.starts, wrongs.ends) == (0, 0, 0, 0)
    assert outcome.wrong == []
