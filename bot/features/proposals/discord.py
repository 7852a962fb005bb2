"""Answers offers of a draw.

Answers second players who take the other side.

Answers requests to take a turn back.

The pie rule in words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
from discord import Interaction

from bot.board.boards import Boards
from bot.board.challenges import DRAW, UNDO, close_question, send_question
from bot.board.convergence import UnreadableNotices
from bot.board.messages import question_view
from bot.board.runner import GameRunner
from bot.database.errors import isolated
from bot.discord.answering import Answering
from bot.discord.names import NameBook
from bot.discord.replies import acknowledge, channel_of, confirm, replace, tell
from bot.discord.routes import game_action
from bot.features.proposals.rules import Draws, Swaps, Undos, other_of, remaining_after
from bot.features.proposals.store import DrawRecord, UndoRecord
from bot.game.session import Session
from bot.i18n import Say, escaped, say_for
from bot.ratings.rated import spoiled_by
from bot.sessions.sessions import Sessions
from bot.show.scenes import Names, seat_name
from engine.core.game import Player


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
            await self.sessions.games.require_running(channel_of(interaction), game_id)
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
                session = await self.sessions.games.find_readable(draw.request.game_id)
                if session is None:
                    await self.notices.close_question(draw)
                    continue
                await self._close(await self._known(draw.id), session)

    async def _offer(self, interaction: Interaction[Any], family: str | None = None) -> None:
        draw = await self.draws.offer(channel_of(interaction), interaction.user.id, family)
        session = await self.sessions.games.find(draw.request.game_id)
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


@dataclass(frozen=True, slots=True)
class SwapHandler:
    """Swaps sides by the pie rule, and shows that."""

    answering: Answering
    swaps: Swaps
    boards: Boards
    runner: GameRunner

    async def press(self, interaction: Interaction[Any], game_id: int) -> None:
        """Swap sides instead of moving."""
        async with self.answering(interaction):
            self.answering.require_in_time(interaction)
            channel_id, user_id = channel_of(interaction), interaction.user.id
            session = await self.swaps.swap(channel_id, user_id, game_id)
            await confirm(acknowledge(interaction))
            if interaction.message is not None and session.message_id == interaction.message.id:
                self.boards.lifelines.note(session.id, interaction.message.id, interaction)
            await self.runner.present(session)
            await self.boards.make_up(interaction, session)


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
            session = await self.sessions.games.require_running(channel_id, game_id)
            remaining_after(session, user_id)
            if other_of(session, user_id) is None and spoiled_by(session) is None:
                say = say_for(interaction.locale.value)
                view = question_view(game_action("takeback"), game_id, say)
                text = say("undo.unrated")
                await tell(interaction, text, view)
                return
            await self._take_back_or_ask(interaction)

    async def press_anyway(self, interaction: Interaction[Any], game_id: int) -> None:
        """Take the turn back in place of the question whether it is worth its price."""
        async with self.answering(interaction):
            self.answering.require_in_time(interaction)
            channel_id, user_id = channel_of(interaction), interaction.user.id
            await self.sessions.games.require_running(channel_id, game_id)
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
            session = await self.sessions.games.find_readable(undo.request.game_id)
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
        session = await self.sessions.games.find(undo.request.game_id)
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


def pie_line(session: Session, names: Names, say: Say) -> str:
    """What the pie rule allows now, or has brought; empty where it does not matter any more."""
    if session.swapped_at is not None:
        return say("pie.swapped")
    key = "choose" if session.may_swap else "on"
    if not session.pie or session.is_over or (key == "on" and session.moves):
        return ""
    return say(f"pie.{key}", name=escaped(seat_name(session, Player.SECOND, names, say)))
