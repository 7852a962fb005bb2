"""Which level a player meets who asks for `auto`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bot.store import ResultRecord, Store
from bot.store.history import recent_results
from engine.levels import LEVELS

JUDGED = 5
"""How many of the latest finished games are judged."""
RAISE_FROM, LOWER_TO = 4, 1
"""So many wins of them or more raise the level, so many or fewer lower it."""
NAMES = tuple(LEVELS)
START = NAMES[0]
"""What a new player meets: a level that a beginner can beat."""


LOOKED_AT = 20
"""How many finished games are read to find the ones against a level."""


async def current_level(store: Store, user_id: int, family: str, variant: str) -> str:
    """The level that `auto` gives a player now, on one variant of a game."""
    recent = await recent_results(store, user_id, family, variant=variant, most=LOOKED_AT)
    return level_for(recent)


def level_for(recent: Sequence[ResultRecord]) -> str:
    """The level for the next game, from the latest finished games, the newest first.

    Only games against a level count. The level that is raised or lowered is the one that most of
    the judged games were played at (the latest of equals), so that one good run raises the level
    once and not again with each game that follows. Between raising and lowering, and before
    there are five games, the player stays where the last game that `auto` chose was played, or
    else the last game of all.
    """
    played = [result for result in recent if result.agent in LEVELS]
    if not played:
        return START
    stay = next((result for result in played if result.auto), played[0])
    assert stay.agent is not None
    judged = played[:JUDGED]
    if len(judged) < JUDGED:
        return stay.agent
    wins = sum(result.won is True for result in judged)
    usual = Counter(result.agent for result in judged).most_common(1)[0][0]
    assert usual is not None
    if wins >= RAISE_FROM:
        return NAMES[min(NAMES.index(usual) + 1, len(NAMES) - 1)]
    if wins <= LOWER_TO:
        return NAMES[max(NAMES.index(usual) - 1, 0)]
    return stay.agent
