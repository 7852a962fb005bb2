"""Games between agents on a server."""

from __future__ import annotations

from bot.feature import Core, Feature, Parts
from bot.features.league.store import note_due


def build(_core: Core) -> Parts:
    """Give what the league contributes besides its step at the end of a game."""
    return Parts()


FEATURE = Feature("league", build, at_end=(note_due,))
