"""Answers offers of a draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.boards import Boards
from bot.discord.interactions import channel_of, confirm
from bot.discord.late import replace, tell
from bot.discord.names import NameBook
from bot.discord.questions import DRAW, close_question, send_question
from bot.discord.runner import GameRunner
from bot.discord.unreadable_notices import UnreadableNotices
from bot.play.draws import Draws
from bot.play.isolation import isolated
from bot.play.sessions import Sessions
from bot.play.undos import other_of
from bot.store import DrawRecord
from bot.table.session import Session
from bot.words import say_for
from bot.words.plain import escaped


@dataclass(frozen=True, slots=True)
class DrawHandler:
    """Asks the other person at the board whether the game may end as a draw."""

    client: discord.Client
    answering: Answering
    draws: Draws
    sessions: Sessions
    names: NameBook
    boards: Boards
    runner: GameRunner
    notices: UnreadableNotices

    async def offer(self, interaction: Interaction[Any], family: str) -> None:
        """Offer a draw; where the other person already does, that is agreed on."""
        async with self.answering(interaction, family):
            self.answering.require_in_time(interaction)
            await self._offer(interaction, family)

    async def press(self, interaction: Interaction[Any], game_id: int) -> None:
        """Offer a draw by button."""
        async with self.answering(interaction):
            self.answering.require_in_time(interaction)
            await self.sessions.require_running(channel_of(interaction), game_id)
            await self._offer(interaction)

    async def press_accept(self, interaction: Interaction[Any], draw_id: int) -> None:
        """End the game, and say so in place of the question."""
        async with self.answering(interaction):
            self.answering.require_in_time(interaction)
            ended = await self.draws.accept(draw_id, interaction.user.id)
            text = await self._text(await self._known(draw_id), ended)
            await confirm(replace(interaction, text))
            await self._show(interaction, ended)

    async def press_decline(self, interaction: Interaction[Any], draw_id: int) -> None:
        """Go on, and say so in place of the question."""
        async with self.answering(interaction):
            self.answering.require_in_time(interaction)
            session = await self.draws.decline(draw_id, interaction.user.id)
            text = await self._text(await self._known(draw_id), session)
            await confirm(replace(interaction, text))

    async def lapse(self) -> None:
        """Close the offers that no longer stand."""
        for draw in await self.draws.lapse():
            with isolated("lapsed offer to show", draw.id):
                session = await self.sessions.find_readable(draw.request.game_id)
                if session is None:
                    await self.notices.close_question(draw)
                    continue
                await self._close(await self._known(draw.id), session)

    async def _offer(self, interaction: Interaction[Any], family: str | None = None) -> None:
        draw = await self.draws.offer(channel_of(interaction), interaction.user.id, family)
        session = await self.sessions.find(draw.request.game_id)
        assert session is not None
        if draw.answer is None:
            await self._send(interaction, draw, session)
            return
        # The other person's offer stood: asking for a draw has accepted it.
        text = await self._text(draw, session)
        await confirm(tell(interaction, text))
        await self._close(draw, session)
        await self._show(interaction, session)

    async def _send(
        self, interaction: Interaction[Any], draw: DrawRecord, session: Session
    ) -> None:
        other = other_of(session, draw.request.asker)
        assert other is not None
        text = await self._text(draw, session)
        say = say_for(session.locale)
        message_id = await send_question(interaction, DRAW, draw.id, to=other, text=text, say=say)
        await self.draws.show_in(draw.id, message_id)

    async def _close(self, draw: DrawRecord, session: Session) -> None:
        if draw.message_id is not None:
            text = await self._text(draw, session)
            await close_question(self.client, session.channel_id, draw.message_id, text)

    async def _show(self, interaction: Interaction[Any], session: Session) -> None:
        await self.runner.present(session)
        await self.boards.make_up(interaction, session)

    async def _known(self, draw_id: int) -> DrawRecord:
        draw = await self.draws.find(draw_id)
        assert draw is not None, "offers are never deleted"
        return draw

    async def _text(self, draw: DrawRecord, session: Session) -> str:
        say = say_for(session.locale)
        asker, other = draw.request.asker, other_of(session, draw.request.asker)
        assert other is not None
        names = await self.names.of((asker, other), say)
        return say(
            f"draw.{draw.answer or 'open'}",
            asker=escaped(names[asker]),
            other=escaped(names[other]),
            mention=f"<@{other}>",
        )
