"""Refusals of puzzles."""

from __future__ import annotations

TESTED_ELSEWHERE = {
    "no_theme": "test_discord.py: Discord suggests the themes of all games",
}
"""Where the refusals of puzzles are tested."""
