"""Time controls as columns; games and challenges have the same two."""

from __future__ import annotations

from typing import Any

from bot.store.records import TimeControl


def clock_values(clock: TimeControl | None) -> dict[str, Any]:
    """The columns of a time control, or of none."""
    return {
        "clock_seconds": clock.seconds if clock else None,
        "clock_per": clock.per if clock else None,
    }


def clock_of(row: Any) -> TimeControl | None:
    """The time control in a row."""
    return None if row.clock_seconds is None else TimeControl(row.clock_seconds, row.clock_per)
