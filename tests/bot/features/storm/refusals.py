"""Refusals of storms."""

from __future__ import annotations

TESTED_ELSEWHERE = {
    "storm_shared": "test_discord.py: the button is pressed twice",
}
"""Where the refusals of storms are tested."""
