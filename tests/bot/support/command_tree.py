"""The commands and routes of the bot, from an application that never connects."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from discord import app_commands

from bot.app import App, app_of, make_client, open_services
from bot.discord.client import CuatroClient
from bot.discord.routes import Route
from bot.feature import Contributions, PersonalData
from bot.i18n import ENGLISH, say_in
from bot.local.typed import Command, commands_of
from bot.settings import Settings
from tests.bot.databases import address_of

SlashCommand = app_commands.Group | app_commands.Command[Any, ..., Any]


def slash_commands() -> tuple[SlashCommand, ...]:
    """All slash commands and groups of them, which cannot be run."""
    return tuple(one for one in _app().commands if not isinstance(one, app_commands.ContextMenu))


def command_groups() -> tuple[app_commands.Group, ...]:
    """All groups of slash commands, which cannot be run."""
    return tuple(one for one in _app().commands if isinstance(one, app_commands.Group))


def group_of(game: str) -> app_commands.Group:
    """The commands of one game, by the game's key."""
    name = say_in(ENGLISH)(f"command.{game}.name")
    return next(group for group in command_groups() if group.name == name)


@cache
def typed_commands() -> tuple[Command, ...]:
    """All slash commands as they are typed on the local page."""
    tree = _client().tree
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, commands_of(tree)).result()


def routes() -> tuple[Route, ...]:
    """The routes of buttons and menus."""
    return tuple(route for named in _app().router._routes.values() for route in named)


def personal_data() -> tuple[PersonalData, ...]:
    """The personal data of all features."""
    contributions = Contributions()
    contributions.seal(_app().parts)
    return contributions.personal


def _app() -> App:
    return app_of(_client())


@cache
def _client() -> CuatroClient:
    # In a thread, since the caller may have a running event loop.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, _build()).result()


async def _build() -> CuatroClient:
    with TemporaryDirectory() as folder:
        address = address_of(Path(folder) / "empty.db")
        settings = replace(Settings(), database_url=address, workers=1)
        async with open_services(settings, takes_games=False) as services:
            return make_client(services)
