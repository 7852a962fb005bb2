"""Taken channels, the button that opens a thread, and the threads themselves."""

from __future__ import annotations

from typing import Any

import discord
from sqlalchemy import select

from bot.features.threads.store import ThreadRow
from bot.i18n import say_in


def labels(message: Any) -> list[str]:
    """The labels of a message's buttons, as they are now."""
    rows = getattr(message, "message", message).components
    found = [item for row in rows for item in row.children]
    return [item.label for item in found if isinstance(item, discord.Button)]


async def open_thread(actor: Any, refused: Any, language: str = "en") -> Any:
    """Press Open a thread under a refusal, and return the result."""
    return await actor.click(refused.response.message, label=say_in(language)("button.apart"))


def newest_thread(channel: Any) -> Any:
    """The thread of a channel that was opened last."""
    return channel.threads[-1]


def is_archived(venue: Any, thread: Any) -> bool:
    """Whether a thread is archived."""
    return bool(venue.env.backend.channels[thread.id].thread_metadata.archived)


async def game_in(venue: Any, channel: Any) -> Any:
    """The running game of a channel or a thread."""
    return await venue.services.sessions.games.current(channel.id)


async def rows(venue: Any) -> list[Any]:
    """What is stored about threads, in the order in which they were opened."""
    return list(await venue.services.store.database.fetch(select(ThreadRow).order_by(ThreadRow.id)))


def refuse_threads(venue: Any, status: int, code: int, message: str) -> None:
    """Let Discord refuse the next thread."""
    venue.env.inject_error(
        "POST", "/channels/*/threads", status=status, code=code, message=message, times=1
    )
