"""The pie rule in words."""

from __future__ import annotations

from bot.show.scenes import Names, seat_name
from bot.table.session import Session
from bot.words import Say
from bot.words.plain import escaped
from engine.core.game import Player


def pie_line(session: Session, names: Names, say: Say) -> str:
    """What the pie rule allows now, or has brought; empty where it does not matter any more."""
    if session.swapped_at is not None:
        return say("pie.swapped")
    key = "choose" if session.may_swap else "on"
    if not session.pie or session.is_over or (key == "on" and session.moves):
        return ""
    return say(f"pie.{key}", name=escaped(seat_name(session, Player.SECOND, names, say)))
