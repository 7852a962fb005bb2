"""Who may look at a game that is over."""

from __future__ import annotations

from typing import Any

from discord import Interaction

from bot.discord.interactions import channel_of
from bot.table.refusal import Refusal
from bot.table.session import Session


def require_seen(session: Session, interaction: Interaction[Any]) -> None:
    """Refuse to show a game to somebody who neither played in it nor is where it was played.

    A game without people is for its whole server.
    """
    if interaction.user.id in session.people or channel_of(interaction) == session.channel_id:
        return
    here = interaction.guild_id
    if session.people or here is None or here != session.guild_id:
        raise Refusal("not_in_that_game", game=session.game.key)
