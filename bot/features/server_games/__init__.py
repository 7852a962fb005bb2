"""The running games of a server, under a person's own in `/games`, with links to watch them.

Listed are only games in channels that the reader can view. People who hide their statistics are not
named.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

import discord
from discord import Interaction
from sqlalchemy import Select, select

from bot.board.moves import GamesSection
from bot.discord.names import jump_url
from bot.discord.replies import UNREACHABLE
from bot.discord.visibility import visible_channels
from bot.feature import Core, Feature, Parts
from bot.game.session import Session
from bot.i18n import Translator, escaped
from bot.show.scenes import seat_name
from bot.show.texts import game_title
from bot.store.tables import GameRow
from engine.core.game import Player

logger = logging.getLogger(__name__)

LISTED = 8
"""The most games of a server that are listed."""

READ = 50
"""The most running games that are looked at, as the reader may not see the channels of all."""


def build(core: Core) -> Parts:
    """The part of `/games` about the server."""
    return Parts(games_sections=(GamesSection(10, ServerGames(core).section),))


def running_on(guild_id: int, family: str | None = None) -> Select[int]:
    """The query for the channels of a server's running games of one family or all, newest first."""
    running = GameRow.finished_at.is_(None) & (GameRow.guild_id == guild_id)
    if family is not None:
        running &= GameRow.family == family
    return select(GameRow.channel_id).where(running).order_by(GameRow.id.desc()).limit(READ)


@dataclass(frozen=True, slots=True)
class ServerGames:
    """Lists the running games of a server for one reader."""

    core: Core

    async def section(
        self, interaction: Interaction[Any], family: str | None, say: Translator
    ) -> str:
        """The lines about the server's games, of one family or all.

        Empty in direct messages, and where the reader can see no game but their own.
        """
        games = await self._visible(interaction, family)
        if not games:
            return ""
        lines = [await self._line(game, say) for game in games]
        return "\n".join((say("server_games.title"), *lines))

    async def _visible(self, interaction: Interaction[Any], family: str | None) -> list[Session]:
        """Games of others in channels that the reader can view, the newest first."""
        reader = interaction.user
        if not isinstance(reader, discord.Member):
            return []
        rows = await self.core.store.database.fetch(running_on(reader.guild.id, family))
        running = [int(row.channel_id) for row in rows]
        if not running:
            return []
        try:
            visible = await visible_channels(self.core.client, reader)
        except UNREACHABLE as error:
            logger.warning("the channels of server %s are unknown: %r", reader.guild.id, error)
            return []
        games: list[Session] = []
        for channel_id in running:
            if channel_id in visible and len(games) < LISTED:
                game = await self.core.sessions.games.current(channel_id)
                # A person's own games are listed above.
                if game is not None and reader.id not in (*game.people, game.setup.started_by):
                    games.append(game)
        return games

    async def _line(self, game: Session, say: Translator) -> str:
        """The players of a game, its move number, and the link to its board."""
        names = dict(await self.core.names.of(game.user_ids, say))
        for user_id in game.people:
            if await self.core.store.players.is_private(user_id):
                names[user_id] = say("server_games.hidden")
        first, second = (escaped(seat_name(game, side, names, say)) for side in Player)
        begun = say("server_games.move", n=len(game.moves) + 1)
        state = say("server_games.guess") if game.awaits_guesses else begun
        title, link = game_title(game.game, say), jump_url(game.place)
        return say(
            "server_games.line", game=title, first=first, second=second, state=state, link=link
        )


FEATURE = Feature("server_games", build)
