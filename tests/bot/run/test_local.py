"""Playing without Discord: the offline server, typed commands, and what outlives a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from random import Random
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.discord.client import CuatroClient
from bot.run.local import open_world
from bot.run.typed import read_typed, run_typed
from bot.services import open_services
from bot.settings import Settings


async def test_a_game_is_found_again_after_a_restart(settings: Settings) -> None:
    """The next run of the local mode finds the stored game in the same channel."""
    async with open_services(settings, Random(1)) as services, open_world(services) as world:
        ana = world.people[0]
        await ana.slash(world.channel, "connect4 start", size="5x4", level="medium")
        await ana.slash(world.channel, "connect4 drop", column=3)
        channel_id, person_id = world.channel.id, ana.id
        moves = (await services.store.games.find(1)).moves  # type: ignore[union-attr]
    async with open_services(settings, Random(1)) as services, open_world(services) as world:
        ana = world.people[0]
        assert (world.channel.id, ana.id) == (channel_id, person_id)
        shown = await ana.slash(world.channel, "connect4 board")
        assert not shown.ephemeral
        assert shown.response is not None
        assert "Last move" in (shown.response.attachments[0].description or "")
        await ana.click(shown.response.message, label="1")
        game = await services.store.games.find(1)
        assert game is not None
        assert game.moves[: len(moves)] == moves
        assert len(game.moves) == len(moves) + 2


async def test_the_offline_discord_tells_the_real_time(settings: Settings) -> None:
    """Until when a move is due is shown from the present on, so both clocks agree."""
    async with open_services(settings) as services, open_world(services) as world:
        behind = datetime.now(UTC) - world.env.now()
        assert abs(behind.total_seconds()) < 60


async def test_the_bot_is_called_by_its_name(settings: Settings) -> None:
    """The offline bot goes by the name of Cuatro."""
    async with open_services(settings) as services, open_world(services) as world:
        assert world.client.user is not None
        assert world.client.user.name == "Cuatro"


@pytest.fixture
async def groups(services: Any) -> Any:
    """The command groups of the bot."""
    client = CuatroClient(services)
    yield [g for g in client.tree.get_commands() if isinstance(g, app_commands.Group)]
    await client.close()


@pytest.mark.parametrize(
    ("text", "name", "options"),
    [
        ("/connect4 start", "connect4 start", {}),
        (
            "/connect4 start size:5x4 level:medium",
            "connect4 start",
            {"size": "5x4", "level": "medium"},
        ),
        ("/connect4 start 5x4 hard", "connect4 start", {"size": "5x4", "level": "hard"}),
        ("/connect4  drop   3 ", "connect4 drop", {"column": 3}),
        ("/connect4 drop column:3", "connect4 drop", {"column": 3}),
    ],
)
async def test_a_typed_line_is_read_as_a_command(
    groups: Any, text: str, name: str, options: Mapping[str, Any]
) -> None:
    """Options are taken by name or in their order."""
    command = read_typed(groups, text, {})
    assert command is not None
    assert (command.name, dict(command.options)) == (name, options)


@pytest.mark.parametrize(
    "text",
    [
        "/",
        "/connect4",
        "/connect5 start",
        "/connect4 fly",
        "/connect4 drop three",
        "/connect4 start colour:red",
        "/connect4 hint now",
        "/connect4 stats player:nobody",
    ],
)
async def test_other_lines_are_just_messages(groups: Any, text: str) -> None:
    """A line that names no command or fits none of its options is not one."""
    assert read_typed(groups, text, {}) is None


async def test_typed_commands_are_run_and_taken_away(settings: Settings) -> None:
    """A typed command has its effect for whoever typed it, and its line is removed."""
    async with open_services(settings, Random(1)) as services, open_world(services) as world:
        people = {person.id: person for person in world.people}
        refreshed: asyncio.Queue[None] = asyncio.Queue()

        async def refresh() -> None:
            refreshed.put_nowait(None)

        runner = asyncio.create_task(run_typed(world.client, world.channel, people, refresh))
        for line in (
            "/connect4 start size:5x4 level:medium",
            "/connect4 drop 3",
            "/connect4 stats player:ana",
        ):
            await world.people[1].send(world.channel, line)
            await refreshed.get()
        await world.people[1].send(world.channel, "just talking")
        runner.cancel()
        game = await services.store.games.find(1)
        assert game is not None
        assert game.opening.first.user_id == world.people[1].id
        assert game.moves[0].move == "3"
        lines = [m.content for m in world.channel.history() if not m.author.bot]
        assert lines == ["just talking"]
        cards = [m for m in world.channel.history() if m.attachments]
        assert "Ana" in (cards[-1].attachments[0].description or "")
        assert isinstance(cards[-1], discord.Message)
