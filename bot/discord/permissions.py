"""What the bot must be allowed to do where a game is to be."""

from __future__ import annotations

from typing import Any

import discord
from discord import Interaction

from bot.table.refusal import Refusal

NEEDED = ("view_channel", "send_messages", "attach_files", "embed_links")
"""By their names in discord.py; people read the texts under `permission.<name>`."""
NEEDED_IN_THREADS = ("view_channel", "send_messages_in_threads", "attach_files", "embed_links")


def missing_in(channel: discord.TextChannel) -> tuple[str, ...]:
    """What the bot may not do in a channel of a server."""
    allowed = channel.permissions_for(channel.guild.me)
    return tuple(name for name in NEEDED if not getattr(allowed, name))


def missing_permissions(interaction: Interaction[Any]) -> tuple[str, ...]:
    """What the bot may not do in the channel of an interaction; nothing in direct messages."""
    if interaction.guild_id is None:
        return ()
    in_thread = isinstance(interaction.channel, discord.Thread)
    needed = NEEDED_IN_THREADS if in_thread else NEEDED
    return tuple(name for name in needed if not getattr(interaction.app_permissions, name))


def require_permissions(interaction: Interaction[Any], family: str) -> None:
    """Refuse to begin a game of a family where its board could not be shown and kept up to date."""
    missing = missing_permissions(interaction)
    if missing:
        raise Refusal("missing_permissions", missing=missing, game=family)
