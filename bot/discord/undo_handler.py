"""Answers requests to take a turn back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.boards import Boards
from bot.discord.controls import question_view
from bot.discord.interactions import channel_of, confirm
from bot.discord.late import replace, tell
from bot.discord.names import NameBook
from bot.discord.questions import UNDO, close_question, send_question
from bot.discord.runner import GameRunner
from bot.discord.unreadable_notices import UnreadableNotices
from bot.play.isolation import isolated
from bot.play.sessions import Sessions
from bot.play.undos import Undos, other_of, remaining_after
from bot.rating.rated import spoiled_by
from bot.store import UndoRecord
from bot.table.session import Session
from bot.words import say_for
from bot.words.plain import escaped


@dataclass(frozen=True, slots=True)
class UndoHandler:
    """Takes turns back: at once, or after asking the other person at the board."""

    client: discord.Client
    answering: Answering
    undos: Undos
    sessions: Sessions
    names: NameBook
    boards: Boards
    runner: GameRunner
    notices: UnreadableNotices

    async def ask(self, interaction: Interaction[Any], family: str) -> None:
        """Take the player's last turn back, or ask the other person to agree."""
        async with self.answering(interaction, family):
            self.answering.require_in_time(interaction)
            await self._take_back_or_ask(interaction, family)

    async def press(self, interaction: Interaction[Any], game_id: int) -> None:
        """Do the same by button; where that would cost the game its rating, ask first."""
        async with self.answering(interaction):
            self.answering.require_in_time(interaction)
            channel_id, user_id = channel_of(interaction), interaction.user.id
            session = await self.sessions.require_running(channel_id, game_id)
            remaining_after(session, user_id)
            if other_of(session, user_id) is None and spoiled_by(session) is None:
                say = say_for(interaction.locale.value)
                view = question_view("takeback", game_id, say)
                text = say("undo.unrated")
                await tell(interaction, text, view)
                return
            await self._take_back_or_ask(interaction)

    async def press_anyway(self, interaction: Interaction[Any], game_id: int) -> None:
        """Take the turn back in place of the question whether it is worth its price."""
        async with self.answering(interaction):
            self.answering.require_in_time(interaction)
            channel_id, user_id = channel_of(interaction), interaction.user.id
            await self.sessions.require_running(channel_id, game_id)
            asked = await self.undos.ask(channel_id, user_id)
            assert not isinstance(asked, UndoRecord), "nobody else has to agree"
            done = say_for(interaction.locale.value)("undo.done", number=asked.number)
            await confirm(replace(interaction, done))
            await self._show(interaction, asked)

    async def press_accept(self, interaction: Interaction[Any], undo_id: int) -> None:
        """Take back what was asked for, and say so in place of the question."""
        async with self.answering(interaction):
            self.answering.require_in_time(interaction)
            session = await self.undos.accept(undo_id, interaction.user.id)
            await self._close(interaction, undo_id, session)
            await self._show(interaction, session)
        await self.lapse()

    async def press_decline(self, interaction: Interaction[Any], undo_id: int) -> None:
        """Leave everything as it is, and say so in place of the question."""
        async with self.answering(interaction):
            self.answering.require_in_time(interaction)
            session = await self.undos.decline(undo_id, interaction.user.id)
            await self._close(interaction, undo_id, session)
        await self.lapse()

    async def lapse(self) -> None:
        """Close the requests that no longer stand."""
        for undo in await self.undos.lapse():
            with isolated("lapsed request to show", undo.id):
                await self._show_lapsed(undo)

    async def _show_lapsed(self, undo: UndoRecord) -> None:
        """Say in a request's message that it no longer stands."""
        if undo.message_id is not None:
            session = await self.sessions.find_readable(undo.request.game_id)
            if session is None:
                await self.notices.close_question(undo)
                return
            text = await self._text(undo, session, "lapsed")
            await close_question(self.client, session.channel_id, undo.message_id, text)

    async def _take_back_or_ask(
        self, interaction: Interaction[Any], family: str | None = None
    ) -> None:
        asked = await self.undos.ask(channel_of(interaction), interaction.user.id, family)
        if isinstance(asked, UndoRecord):
            await self._send(interaction, asked)
            await self.lapse()
            return
        done = say_for(interaction.locale.value)("undo.done", number=asked.number)
        await confirm(tell(interaction, done))
        await self._show(interaction, asked)

    async def _show(self, interaction: Interaction[Any], session: Session) -> None:
        await self.runner.present(session)
        await self.boards.make_up(interaction, session)

    async def _send(self, interaction: Interaction[Any], undo: UndoRecord) -> None:
        session = await self.sessions.find(undo.request.game_id)
        assert session is not None
        other = other_of(session, undo.request.asker)
        assert other is not None
        message_id = await send_question(
            interaction,
            UNDO,
            undo.id,
            to=other,
            text=await self._text(undo, session, "open"),
            say=say_for(session.locale),
        )
        await self.undos.show_in(undo.id, message_id)

    async def _close(self, interaction: Interaction[Any], undo_id: int, session: Session) -> None:
        """Replace the question by its answer."""
        undo = await self.undos.find(undo_id)
        assert undo is not None
        assert undo.answer is not None
        text = await self._text(undo, session, undo.answer)
        await confirm(replace(interaction, text))

    async def _text(self, undo: UndoRecord, session: Session, word: str) -> str:
        say = say_for(session.locale)
        asker, other = undo.request.asker, other_of(session, undo.request.asker)
        assert other is not None
        names = await self.names.of((asker, other), say)
        moves = [made.move for made in session.moves[undo.request.remaining :]]
        return say(
            f"undo.{word}",
            asker=escaped(names[asker]),
            other=escaped(names[other]),
            mention=f"<@{other}>",
            moves=", ".join(say.move(session.game.key, move) for move in moves),
        )
