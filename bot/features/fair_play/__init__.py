"""Fair play: while two people play a rated game, Cuatro helps neither of them in it."""

from __future__ import annotations

from bot.feature import Core, Feature, Parts
from bot.features.fair_play.rules import FairPlay
from bot.features.fair_play.store import FairPlayStore


def build(core: Core) -> Parts:
    """What bars help."""
    fair_play = FairPlay(FairPlayStore(core.store.database), core.sessions.games)
    return Parts(bars=(fair_play.bar,))


FEATURE = Feature("fair_play", build)
