"""Slash commands typed as a line of text on the local page.

The page has a composer that offers commands as Discord does, but a line such as
`/connect4 start size:5x4 level:medium` or `/connect4 drop 3` that is typed or pasted whole arrives
there as an ordinary message. Here it is read as the command it names.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import discord
import simcord
from discord import AppCommandOptionType, app_commands

from bot.discord.client import INTENTS, CuatroClient
from bot.services import Services

logger = logging.getLogger(__name__)

PATIENCE = 0.05
"""Seconds until something is tried again that the page was too busy for."""
People = Mapping[int, simcord.MemberActor]


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """A command as the offline Discord takes it."""

    name: str
    options: Mapping[str, Any]


class TypingClient(CuatroClient):
    """The bot, with an ear for messages: offline there is nobody whose privacy that touches."""

    def __init__(self, services: Services) -> None:
        """Serve games from `services`."""
        super().__init__(services, force_sync=True, intents=INTENTS | _READING)
        self.typed: asyncio.Queue[discord.Message] = asyncio.Queue()

    async def on_message(self, message: discord.Message) -> None:
        """Take in what may be a typed command."""
        if not message.author.bot and message.content.startswith("/"):
            self.typed.put_nowait(message)


_READING = discord.Intents(guild_messages=True, message_content=True)


def read_typed(
    commands: Sequence[app_commands.Group], text: str, people: People
) -> TypedCommand | None:
    """Read a line as a command with options, by name (`size:5x4`) or in their order.

    None if it names no command, has an option that the command has not, or a value of the wrong
    kind: then it is just a message.
    """
    words = text.removeprefix("/").split()
    group = next((group for group in commands if words[:1] == [group.name]), None)
    command = group.get_command(words[1]) if group and len(words) > 1 else None
    if group is None or not isinstance(command, app_commands.Command):
        return None
    parameters = {parameter.display_name: parameter for parameter in command.parameters}
    options: dict[str, Any] = {}
    for word in words[2:]:
        name, colon, value = word.partition(":")
        if not colon:
            name, value = next((n for n in parameters if n not in options), ""), word
        if name not in parameters:
            return None
        try:
            options[name] = _value(parameters[name], value, people)
        except ValueError:
            return None
    return TypedCommand(f"{group.name} {command.name}", options)


def _value(parameter: app_commands.Parameter, text: str, people: People) -> Any:
    """An option's value from its text; raises ValueError."""
    if parameter.type is AppCommandOptionType.integer:
        return int(text)
    if parameter.type is AppCommandOptionType.user:
        name = text.strip("<@>").lower()
        for actor in people.values():
            if name in (str(actor.id), actor.name.lower()):
                return actor
        raise ValueError(f"nobody here is called {text}")
    return text


async def run_typed(
    client: TypingClient,
    channel: simcord.ChannelHandle,
    people: People,
    refresh: Callable[[], Awaitable[None]],
) -> None:
    """Run the commands that people type, one after the other; never returns."""
    groups = [
        group for group in client.tree.get_commands() if isinstance(group, app_commands.Group)
    ]
    while True:
        message = await client.typed.get()
        command = read_typed(groups, message.content, people)
        actor = people.get(message.author.id)
        if command is None or actor is None:
            continue
        try:
            await once_idle(actor.slash, channel, command.name, **command.options)
            await once_idle(actor.delete, message)
            await once_idle(refresh)
        except simcord.BackendError as error:
            logger.warning("%s could not be run: %s", message.content, error)


async def once_idle(work: Callable[..., Awaitable[Any]], *args: Any, **options: Any) -> None:
    """Do something as soon as the offline Discord is not busy with something else."""
    while True:
        try:
            await work(*args, **options)
        except simcord.SetupError as error:
            if "overlaps" not in str(error):
                logger.warning("a typed command was not run: %s", error)
                return
            await asyncio.sleep(PATIENCE)
        else:
            return
