"""What the bot registers with Discord, from a client that never connects."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from discord import app_commands

from bot.app import make_client, open_services
from bot.discord.client import CuatroClient
from bot.discord.routes import Route
from bot.i18n import ENGLISH, say_in
from bot.settings import Settings


def command_groups() -> tuple[app_commands.Group, ...]:
    """All groups of slash commands, for reading them; they cannot be run."""
    commands = _client().tree.get_commands()
    return tuple(one for one in commands if isinstance(one, app_commands.Group))


def group_of(game: str) -> app_commands.Group:
    """The commands of one game, by the game's key."""
    name = say_in(ENGLISH)(f"command.{game}.name")
    return next(group for group in command_groups() if group.name == name)


def feature_routes() -> tuple[Route, ...]:
    """The routes of all features."""
    return tuple(route for parts in _client().parts for route in parts.routes)


@cache
def _client() -> CuatroClient:
    return asyncio.run(_build())


async def _build() -> CuatroClient:
    with TemporaryDirectory() as folder:
        address = f"sqlite+aiosqlite:///{(Path(folder) / 'empty.db').as_posix()}"
        settings = replace(Settings(), database_url=address, workers=1)
        async with open_services(settings, looks_after=False) as services:
            return make_client(services)
