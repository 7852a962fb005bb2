"""Asking for an opponent, and what is stored about it."""

from __future__ import annotations

from typing import Any

from bot.features.queue.store import QueuePlace, QueueStore
from bot.store.store import Store


def control(message: Any, name: str) -> str:
    """The id of one of this feature's buttons or menus in a message, in any language."""
    present = getattr(message, "message", message)
    ids = [str(item.custom_id) for row in present.components for item in row.children]
    return next(one for one in ids if one.startswith(f"cuatro:queue:{name}:"))


async def press(actor: Any, message: Any, name: str) -> Any:
    """Press one of this feature's buttons."""
    return await actor.click(message, custom_id=control(message, name))


async def find(actor: Any, channel: Any) -> Any:
    """Ask for an opponent by the button under help; return the private answer."""
    helped = await actor.slash(channel, "help")
    await actor.select(helped.response, ["friends"], custom_id="cuatro:help:topic")
    found = await press(actor, helped.response, "find")
    assert found.ephemeral
    return found


async def places(store: Store, user_id: int) -> list[QueuePlace]:
    """All places of a person, the oldest first."""
    return list(await QueueStore(store.database).of_person(user_id))
