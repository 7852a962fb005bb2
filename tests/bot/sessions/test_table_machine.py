"""After any sequence of actions the program's games equal those of a plain model."""

from __future__ import annotations

from pathlib import Path

from tests.bot.sessions.table_machine import run_sequences


def test_random_sequences_agree_with_the_model(migrated: Path) -> None:
    """Each step raises only the refusal that is due, and afterwards all games are equal."""
    seen = run_sequences(migrated, count=8, steps=25, is_repeatable=True)
    assert seen[""] > 50
    assert len(seen) > 10
