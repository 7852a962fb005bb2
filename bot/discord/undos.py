"""Taking turns back: at once, or by asking the other person in the channel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import Interaction

from bot.discord.answering import UNREACHABLE, channel_of, confirm, logger
from bot.discord.controls import UNDO, answer_view
from bot.play.undos import other_of
from bot.store import UndoRecord
from bot.table.session import Session
from bot.words import say_for

if TYPE_CHECKING:
    from bot.discord.desk import Desk


class UndoDesk:
    """Answers every request to take something back."""

    def __init__(self, desk: Desk) -> None:
        """Answer at `desk`."""
        self._desk = desk
        self._undos = desk.services.undos

    async def ask(self, interaction: Interaction[Any], family: str) -> None:
        """Take the player's last turn back, or ask the other person to agree to it."""
        async with self._desk.answering(interaction, family):
            await self._desk.require(interaction, family)
            asked = await self._undos.ask(channel_of(interaction), interaction.user.id)
            if isinstance(asked, UndoRecord):
                await self._send(interaction, asked)
                await self.lapse()
                return
            done = say_for(interaction.locale.value)("undo.done", number=asked.number)
            await confirm(interaction.response.send_message(done, ephemeral=True))
            await self._desk.present(asked)

    async def press_accept(self, interaction: Interaction[Any], undo_id: int) -> None:
        """Take back what was asked for, and say so in place of the question."""
        async with self._desk.answering(interaction):
            session = await self._undos.accept(undo_id, interaction.user.id)
            await self._answer(interaction, undo_id, session)
            await self._desk.present(session)
        await self.lapse()

    async def press_decline(self, interaction: Interaction[Any], undo_id: int) -> None:
        """Leave everything as it is, and say so in place of the question."""
        async with self._desk.answering(interaction):
            session = await self._undos.decline(undo_id, interaction.user.id)
            await self._answer(interaction, undo_id, session)
        await self.lapse()

    async def lapse(self) -> None:
        """Say under each request that no longer stands that it does not."""
        for undo in await self._undos.lapse():
            if undo.message_id is None:
                continue
            session = await self._desk.sessions.find(undo.request.game_id)
            assert session is not None
            channel = self._desk.client.get_partial_messageable(session.channel_id)
            message = channel.get_partial_message(undo.message_id)
            try:
                await message.edit(content=await self._text(undo, session, "lapsed"), view=None)
            except UNREACHABLE as error:
                logger.info("request %s to undo stays as it looks: %s", undo.id, error)

    async def _send(self, interaction: Interaction[Any], undo: UndoRecord) -> None:
        """Ask the other person, whom this notifies, and nobody else."""
        session = await self._desk.sessions.find(undo.request.game_id)
        assert session is not None
        other = other_of(session, undo.request.asker)
        assert other is not None
        answer = await interaction.response.send_message(
            await self._text(undo, session, "open"),
            view=answer_view(UNDO, undo.id, say_for(session.locale)),
            allowed_mentions=discord.AllowedMentions(users=[discord.Object(other)]),
        )
        assert answer.message_id is not None
        await self._undos.show_in(undo.id, answer.message_id)

    async def _answer(self, interaction: Interaction[Any], undo_id: int, session: Session) -> None:
        """Say what was answered in place of the question."""
        undo = await self._undos.find(undo_id)
        assert undo is not None
        assert undo.answer is not None
        text = await self._text(undo, session, undo.answer)
        await confirm(interaction.response.edit_message(content=text, view=None))

    async def _text(self, undo: UndoRecord, session: Session, word: str) -> str:
        say = say_for(session.locale)
        asker, other = undo.request.asker, other_of(session, undo.request.asker)
        assert other is not None
        names = await self._desk.names.of((asker, other), say)
        moves = [made.move for made in session.moves[undo.request.remaining :]]
        return say(
            f"undo.{word}",
            asker=discord.utils.escape_markdown(names[asker]),
            other=discord.utils.escape_markdown(names[other]),
            mention=f"<@{other}>",
            moves=", ".join(say.move(session.game.key, move) for move in moves),
        )
