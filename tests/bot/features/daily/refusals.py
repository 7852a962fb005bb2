"""Refusals of puzzles of the day."""

from __future__ import annotations

TESTED_ELSEWHERE = {
    "daily_shared": "test_sharing.py: the button is pressed twice",
}
"""Where the refusals of puzzles of the day are tested."""
