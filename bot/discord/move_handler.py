"""Answers moves, made by command or by button."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.boards import Boards
from bot.discord.interactions import channel_of, confirm
from bot.discord.late import acknowledge, reply_privately, tell
from bot.discord.runner import GameRunner
from bot.discord.vote_handler import VoteHandler
from bot.play.preferences import Preferences
from bot.play.running import ChannelPlays
from bot.play.sessions import Sessions
from bot.table.orders import Control
from bot.table.refusal import OutdatedControl
from bot.table.session import Session
from bot.words import Say, say_for


@dataclass(frozen=True, slots=True)
class MoveHandler:
    """Makes people's moves, or takes their votes, and carries their games on.

    A move is checked and stored before it is confirmed, which takes milliseconds; the agent's
    search comes after that, so that the answer is in time for Discord.
    """

    answering: Answering
    sessions: Sessions
    boards: Boards
    runner: GameRunner
    preferences: Preferences
    votes: VoteHandler

    async def play(self, interaction: Interaction[Any], family: str, text: str) -> None:
        """Make a move by command; the private answer also names the agent's move.

        Where the channel plays, it is a vote for that move.
        """
        say = say_for(interaction.locale.value)
        async with self.answering(interaction, family):
            try:
                session = await self.sessions.play(
                    channel_of(interaction),
                    interaction.user.id,
                    text,
                    family=family,
                    is_late=partial(self.answering.is_late, interaction),
                )
            except ChannelPlays:
                await self.votes.take(interaction, family, text)
                return
            played = played_text(session, session, say)
            await confirm(tell(interaction, played))
            final = await self.runner.carry_on(session)
            if len(final.moves) > len(session.moves):
                played = played_text(session, final, say)
                await confirm(interaction.edit_original_response(content=played))
            await self.boards.make_up(interaction, final)

    async def press(self, interaction: Interaction[Any], control: Control, text: str) -> None:
        """Make a move by button; who wants it in words is told what happened as well."""
        async with self.answering(interaction):
            try:
                session = await self.sessions.play(
                    channel_of(interaction),
                    interaction.user.id,
                    text,
                    control=control,
                    is_late=partial(self.answering.is_late, interaction),
                )
            except OutdatedControl:
                await self._update_message(interaction, control.game_id)
                return
            except ChannelPlays:
                session = await self.votes.press(interaction, control, text)
                await self._note(interaction, session)
                await self.boards.make_up(interaction, session)
                return
            await confirm(acknowledge(interaction))
            await self._note(interaction, session)
            final = await self.runner.carry_on(session)
            await self.boards.make_up(interaction, final)
            if await self.preferences.wants_words(interaction.user.id):
                say = say_for(interaction.locale.value)
                await reply_privately(interaction, played_text(session, final, say))

    async def _update_message(self, interaction: Interaction[Any], game_id: int) -> None:
        """Bring the message with an outdated button up to date."""
        await confirm(acknowledge(interaction))
        session = await self.sessions.find(game_id)
        assert interaction.message is not None
        if session is None or session.message_id != interaction.message.id:
            await confirm(interaction.edit_original_response(view=None))
        elif not session.awaits_agent:
            await self._note(interaction, session)
            await self.boards.show(session)

    async def _note(self, interaction: Interaction[Any], session: Session) -> None:
        """Note that the board can be reached through the button that was pressed on it.

        A second board, of a message that was posted twice, loses its buttons.
        """
        assert interaction.message is not None
        if session.message_id in (None, interaction.message.id):
            self.boards.lifelines.note(session.id, interaction.message.id, interaction)
        else:
            await confirm(interaction.edit_original_response(view=None))


def played_text(played: Session, final: Session, say: Say) -> str:
    """What somebody played, and what was answered by `final`, as a sentence or two."""
    family = played.game.key
    move, *answers = (say.move(family, m.move) for m in final.moves[len(played.moves) - 1 :])
    if not answers:
        return say("played.you", move=move)
    return say("played.both", move=move, answer=", ".join(answers))
