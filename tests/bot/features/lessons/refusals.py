"""Refusals of lessons."""

from __future__ import annotations

TESTED_ELSEWHERE = {
    "no_such_lesson": "test_discord.py",
}
"""Where the refusals of lessons are tested."""
