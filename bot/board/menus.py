"""Entries in the context menus of boards, for people who want more than its buttons."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import discord
from discord import Interaction, app_commands

from bot.board.messages import BoardMessages
from bot.board.moves import require_seen
from bot.discord.answering import FAMILY, Answering
from bot.discord.commands import localized
from bot.discord.replies import answer_privately, channel_of
from bot.discord.retries import OURS
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.i18n import say_for
from bot.sessions.running import RunningGames

OF_A_GAME = re.compile(
    f"{OURS}(?:move|hint|undo|draw|resign|stop|go|swap|guess|rules|rematch|easier|harder|review"
    "|replay|why|details):([0-9]{1,15})(?::.*)?"
)
"""The ids of buttons under boards, with the game's id."""


@dataclass(frozen=True, slots=True)
class BoardMenus:
    """Makes entries in the context menus of messages, which are about the game shown there."""

    answering: Answering
    games: RunningGames

    def entry(
        self, key: str, act: Callable[[Interaction[Any], Session], Awaitable[None]]
    ) -> app_commands.ContextMenu:
        """The entry with the text of a key, which does something with the message's game."""

        async def answer(interaction: Interaction[Any], message: discord.Message) -> None:
            async with self.answering(interaction):
                session = await self._game(interaction, message)
                interaction.extras[FAMILY] = session.game.key
                require_seen(session, interaction)
                await act(interaction, session)

        return app_commands.ContextMenu(name=localized(key), callback=answer)

    async def _game(self, interaction: Interaction[Any], message: discord.Message) -> Session:
        """The game that a message shows; refused if it is no board."""
        own = interaction.client.user
        if own is not None and message.author.id == own.id:
            ids = (
                item.custom_id or ""
                for row in message.components
                if isinstance(row, discord.ActionRow)
                for item in row.children
                if isinstance(item, discord.Button)
            )
            found = next(filter(None, map(OF_A_GAME.fullmatch, ids)), None)
            if found is not None:
                session = await self.games.find(int(found[1]))
            else:
                here = await self.games.current(channel_of(interaction))
                session = here if here is not None and here.message_id == message.id else None
            if session is not None:
                return session
        raise Refusal("not_a_board")


def text_entry(menus: BoardMenus, messages: BoardMessages) -> app_commands.ContextMenu:
    """The entry that shows a board in words."""

    async def show(interaction: Interaction[Any], session: Session) -> None:
        say = say_for(interaction.locale.value)
        await answer_privately(interaction, await messages.as_text(session, say))

    return menus.entry("menu.as_text", show)
