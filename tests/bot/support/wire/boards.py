"""What a message on the simulated Discord shows, and what it should show by the database."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discord.http import Route

from bot.app import app_of, make_client, open_services
from bot.discord.client import CuatroClient
from bot.feature import Services
from bot.game.session import Session
from bot.i18n import say_for
from bot.settings import Settings
from tests.bot.databases import address_of
from tests.bot.discord_server import TOKEN, DiscordServer, Json
from tests.bot.support.wire.program import stored_games

Button = tuple[str, str, bool]
"""A button's custom id and label, and whether it is disabled."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The visible parts of a game's message: text, pictures with alternative text, and buttons."""

    text: str
    pictures: tuple[tuple[str, str], ...]
    buttons: tuple[Button, ...]

    def differences(self, other: Shown) -> list[str]:
        """The names of the parts that differ from another board."""
        return [n for n in ("text", "pictures", "buttons") if getattr(self, n) != getattr(other, n)]


def buttons_of(components: list[Json]) -> Iterator[Json]:
    """All buttons in the rows of a message."""
    for row in components:
        yield from row.get("components", ())


def shown_by(message: Json) -> Shown:
    """What a message on the simulated Discord shows."""
    pictures = tuple((a["filename"], a.get("description") or "") for a in message["attachments"])
    return Shown(message["content"].strip(), pictures, _buttons(message["components"]))


def game_in(message: Json) -> int | None:
    """The game that a message shows; None if it shows none."""
    pictures = message["attachments"]
    name = pictures[0]["filename"] if pictures else ""
    parts = name.removesuffix(".png").split("-")
    is_board = len(parts) == 3 and all(part.isdecimal() for part in parts[1:])
    return int(parts[1]) if is_board else None


class Truth:
    """The stored games and the boards they should have, read from a copy of an SQLite file."""

    def __init__(self, services: Services, client: CuatroClient, file: Path, copy: Path) -> None:
        """Read `file` through `copy`, which `services` use; `client` looks up names."""
        self._services = services
        self._messages = app_of(client).core.messages
        self._file = file
        self._copy = copy

    async def sessions(self, leaving_out: Collection[int] = ()) -> dict[int, Session]:
        """The games as they are stored now, by id."""
        # In a thread, since a transaction that reads or writes the copy needs this loop to end.
        await asyncio.to_thread(take_copy, self._file, self._copy)
        with closing(sqlite3.connect(self._copy)) as connection:
            rows = connection.execute("SELECT id FROM games ORDER BY id")
            ids = [row[0] for row in rows if row[0] not in leaving_out]
        records = [await self._services.store.games.find(one) for one in ids]
        return {r.id: Session.from_record(r) for r in records if r is not None}

    async def difference(self, server: DiscordServer, session: Session) -> str:
        """What is wrong with a game's board on the simulated Discord; empty if it is right."""
        if session.awaits_agent:
            return "an agent is silent"
        message = server.messages.get(str(session.message_id))
        if message is None:
            return "no message shows it"
        differences = shown_by(message).differences(await self.board(session))
        return f"wrong {', '.join(differences)}" if differences else ""

    async def board(self, session: Session) -> Shown:
        """What a session's message should show."""
        message = await self._messages.message(session, say_for(session.locale))
        picture = (message.file.filename, message.file.description or "")
        view = _buttons(message.view.to_components())
        return Shown(message.content.strip(), (picture,), view)


class LiveTruth(Truth):
    """The stored games of a database that bots are using."""

    async def sessions(self, leaving_out: Collection[int] = ()) -> dict[int, Session]:
        """The games as they are stored now, by id."""
        sessions = await stored_games(self._services.store)
        return {key: session for key, session in sessions.items() if key not in leaving_out}


class Reader(CuatroClient):
    """A client that draws boards and starts nothing."""

    async def setup_hook(self) -> None:
        """Do nothing."""


@asynccontextmanager
async def open_truth(server: DiscordServer, file: Path, folder: Path) -> AsyncIterator[Truth]:
    """Read a bot's SQLite file, which must exist, through a copy of it."""
    copy = folder / "copy.db"
    take_copy(file, copy)
    settings = Settings(database_url=address_of(copy), workers=1)
    async with open_services(settings) as services, _reader(server, services) as client:
        yield Truth(services, client, file, copy)


@asynccontextmanager
async def open_live_truth(server: DiscordServer, address: str) -> AsyncIterator[Truth]:
    """Read a database that bots are using, without taking part in their work."""
    settings = Settings(database_url=address, workers=1)
    async with (
        open_services(settings, takes_games=False) as services,
        _reader(server, services) as client,
    ):
        yield LiveTruth(services, client, Path(), Path())


@asynccontextmanager
async def _reader(server: DiscordServer, services: Services) -> AsyncIterator[CuatroClient]:
    base, Route.BASE = Route.BASE, server.api_url
    try:
        async with make_client(services, Reader) as client:
            await client.login(TOKEN)
            yield client
    finally:
        Route.BASE = base


def take_copy(file: Path, copy: Path) -> None:
    """Copy a database that is in use, as it is at one moment."""
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)


def _buttons(components: list[Any]) -> tuple[Button, ...]:
    return tuple(
        (one["custom_id"], one.get("label") or "", bool(one.get("disabled")))
        for one in buttons_of(components)
    )
