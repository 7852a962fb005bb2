"""Stored hints, for tests of their consequences."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bot.game.session import Session, fingerprint
from bot.store.records import HintRecord


async def note_hint(services: Any, channel_id: int, user_id: int) -> Session:
    """Store a hint for the person to move in a channel's game; returns the game with it."""
    session = await services.sessions.games.require_turn_of(channel_id, user_id)
    assert isinstance(session, Session)
    if session.hint is not None:
        return session
    position = session.position
    move = position.game.label(position.legal_moves()[0])
    hint = HintRecord(
        session.number, user_id, move, services.clock(), fingerprint(position), score=0, depth=1
    )
    await services.store.games.add_hint(session.id, hint, owner=services.ownership.id)
    kept = services.sessions.games.keep(replace(session, hints=(*session.hints, hint)))
    assert isinstance(kept, Session)
    return kept
