"""A person's tries at puzzles as files."""

from __future__ import annotations

from bot.features.daily.rules import days_as_csv
from bot.features.puzzles.rules import puzzles_as_csv
from bot.features.puzzles.store import DailyKey, DailyTry, PuzzleTry

ANA = 1


def test_tables_have_a_line_a_try_at_a_puzzle() -> None:
    """How long it took and what it changed; what is open has neither."""
    tried = PuzzleTry(ANA, "AAAAAA", "gato", 60.0, 90.0, 72.5, True, 1000.04, 1093.26)
    still_open = PuzzleTry(ANA, "BBBBBB", "gato", 100.0, 100.0, None, None, None, None)
    assert puzzles_as_csv([tried, still_open]).splitlines() == [
        "puzzle,size_class,begun,settled,seconds,solved,rating_before,rating_after",
        "AAAAAA,gato,1970-01-01T00:01:00+00:00,1970-01-01T00:01:12+00:00,12.5,True,1000.0,1093.3",
        "BBBBBB,gato,1970-01-01T00:01:40+00:00,,,,,",
    ]
    day = DailyTry(ANA, DailyKey("gato", 20_000), "AAAAAA", None, 60.0, 72.5, False)
    assert days_as_csv([day]).splitlines() == [
        "date,family,puzzle,begun,settled,solved",
        "2024-10-04,gato,AAAAAA,1970-01-01T00:01:00+00:00,1970-01-01T00:01:12+00:00,False",
    ]
