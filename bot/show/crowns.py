"""Crowns in words: the levels that somebody has beaten without help."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from bot.rating.size_classes import class_of, classes_of
from bot.show.coverage import has_sizes, size_title
from bot.show.titles import agent_title
from bot.store import CrownRecord
from bot.table.session import Session
from bot.words import Say
from engine.core.registry import game_of
from engine.strength.roster import LEVELS


def crown_lines(family: str, crowns: Sequence[CrownRecord], say: Say) -> list[str]:
    """The levels by size, each size's from the weakest on; nothing without crowns."""
    won = defaultdict(set)
    for crown in crowns:
        won[crown.ladder].add(crown.agent)
    parts = []
    for size in classes_of(family):
        game = game_of(family, size.usual)
        levels = ", ".join(agent_title(game, n, say) for n in LEVELS if n in won[size.ladder])
        if levels:
            named = has_sizes(family)
            parts.append(f"{size_title(size, say)}: **{levels}**" if named else f"**{levels}**")
    return [say("crowns.line", crowns=" · ".join(parts))] if parts else []


def crown_won_line(session: Session, crowns: Sequence[CrownRecord], say: Say) -> str:
    """That a game has won its player a crown; empty where it has not."""
    first = [crown for crown in crowns if crown.game_id == session.id and crown.agent in LEVELS]
    if not first:
        return ""
    game = session.game
    level = agent_title(game, first[0].agent, say)
    if not has_sizes(game.key):
        return say("crowns.won", level=level)
    size = size_title(class_of(game.key, game.variant), say)
    return say("crowns.won_on", level=level, size=size)
