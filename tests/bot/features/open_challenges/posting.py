"""Posting open challenges, and ratings for them."""

from __future__ import annotations

from typing import Any

import discord
from sqlalchemy import insert

from bot.features.open_challenges.store import OpenChallenge, OpenChallengeStore
from bot.store.people import add_people
from bot.store.store import Store
from bot.store.tables import RatingRow
from engine.core.registry import game_of, games
from engine.strength.ladder import size_class

SECONDS = 15 * 60.0
"""The usual time for which a challenge is open."""


def controls(message: Any) -> list[Any]:
    """The buttons and menus of a message, as they are now."""
    present = getattr(message, "message", message)
    return [item for row in present.components for item in row.children]


def labels(message: Any) -> list[str]:
    """The labels of a message's buttons."""
    return [item.label for item in controls(message) if isinstance(item, discord.Button)]


def control(message: Any, name: str) -> str:
    """The id of one of this feature's buttons or menus in a message, in any language."""
    ids = [str(item.custom_id) for item in controls(message)]
    return next(one for one in ids if one.startswith(f"cuatro:open:{name}:"))


async def press(actor: Any, message: Any, name: str) -> Any:
    """Press one of this feature's buttons."""
    return await actor.click(message, custom_id=control(message, name))


async def rate(store: Store, user_id: int, number: float, family: str = "connect4") -> None:
    """Give a person a rating on the ladder of a game's usual size."""
    values = {
        "user_id": user_id,
        "ladder": size_class(game_of(family, games()[family].usual)),
        "value": number,
        "deviation": 60.0,
        "volatility": 0.06,
        "shown": number,
        "games": 30,
        "updated_at": 0.0,
    }
    async with store.database.writing() as connection:
        await add_people(connection, (user_id,), 0.0)
        await connection.execute(insert(RatingRow).values(values))


async def stored(store: Store, user_id: int) -> OpenChallenge:
    """The only challenge that a person has posted or joined."""
    (found,) = await OpenChallengeStore(store.database).all_of(user_id)
    return found
