"""The game that the README shows, played by itself on the offline Discord."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import replace
from pathlib import Path
from random import Random

import discord
import simcord
from rich.console import Console

from bot.app import open_services
from bot.feature import Services
from bot.i18n import ENGLISH, say_in
from bot.local.local import World, open_world
from bot.settings import Settings
from engine.core.limits import Limit
from engine.core.search import search

SIZE, LEVEL = "6x7", "medium"

SEED = 1
"""The seed of all chance in the demo: the same game every time."""

PLAYER = Limit(depth=10)
"""How far the person of the demo looks ahead."""


class _Record:
    """Writes the pictures and the transcript as the demo goes on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lines = ["# A game with Cuatro", ""]
        self.pictures = 0

    async def picture(self, name: str, attachment: discord.Attachment) -> None:
        """Keep an attachment under its number and name, with its alternative text."""
        self.pictures += 1
        file = f"{self.pictures:02}-{name}.png"
        blob = await attachment.read()
        await asyncio.to_thread((self.folder / file).write_bytes, blob)
        self.lines += [f"![{attachment.description}]({file})", ""]

    def say(self, who: str, text: str) -> None:
        """Note what somebody typed, pressed or was told."""
        self.lines += [f"**{who}**: {text}", ""]

    def finish(self) -> None:
        """Write the transcript."""
        (self.folder / "transcript.md").write_text("\n".join(self.lines), encoding="utf-8")


async def play_demo(folder: Path, console: Console) -> None:
    """Play the demo and write its pictures and `transcript.md` into `folder`."""
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    record = _Record(folder)
    with tempfile.TemporaryDirectory() as scratch:
        database = Path(scratch, "demo.db").as_posix()
        settings = replace(Settings(), database_url=f"sqlite+aiosqlite:///{database}")
        async with (
            open_services(settings, Random(SEED)) as services,
            open_world(services) as world,
        ):
            await _play(world, services, record)
    await asyncio.to_thread(record.finish)
    console.print(f"{record.pictures} pictures and transcript.md are in {folder}", soft_wrap=True)


async def _play(world: World, services: Services, record: _Record) -> None:
    ana, channel, rng = world.people[0], world.channel, Random(SEED)
    record.say("Ana", f"`/connect4 start size:{SIZE} level:{LEVEL}`")
    started = await ana.slash(channel, "connect4 start", size=SIZE, level=LEVEL)
    assert started.response is not None
    await record.picture("start", started.response.attachments[0])
    turn = 0
    while (session := await services.sessions.games.current(channel.id)) is not None:
        turn += 1
        if turn == 3:
            await _ask_for_hint(world, record)
        move = session.game.label(search(session.position, PLAYER, rng=rng).move)
        if turn % 2:
            record.say("Ana", f"presses **{move}**")
            await ana.click(_newest_board(channel), label=move)
        else:
            record.say("Ana", f"`/connect4 drop {move}`")
            await ana.slash(channel, "connect4 drop", column=int(move))
        board = _newest_board(channel)
        record.say("Cuatro", board.content.replace("\n", " · "))
        await record.picture(f"turn-{turn}", board.attachments[0])
    stats = await ana.slash(channel, "connect4 stats")
    assert stats.response is not None
    record.say("Ana", "`/connect4 stats`")
    await record.picture("stats", stats.response.attachments[0])


async def _ask_for_hint(world: World, record: _Record) -> None:
    hint = await world.people[0].slash(world.channel, "connect4 hint", level="move")
    assert hint.response is not None
    record.say("Ana", "`/connect4 hint level:move`")
    record.say("Cuatro", hint.response.content)
    label = say_in(ENGLISH)("button.show")
    await world.people[0].click(hint.response.message, label=label)
    # The hint takes the place of the question.
    shown = world.channel.history(viewer=world.people[0])[-1]
    record.say("Ana", f"presses **{label}**")
    record.say("Cuatro", shown.content)
    await record.picture("hint", shown.attachments[0])


def _newest_board(channel: simcord.ChannelHandle) -> discord.Message:
    """The message that shows the board: the last one that is not private and has a picture."""
    boards = [m for m in channel.history() if m.attachments and not m.flags.ephemeral]
    return boards[-1]
