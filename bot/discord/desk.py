"""The desk at which every player's request arrives, by command or by button."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import Any

import discord
from discord import Interaction

from bot.cards import stats_card
from bot.difficulty import current_level
from bot.discord.boards import NO_PINGS, UNREACHABLE, Boards
from bot.discord.controls import board_view, sure_view
from bot.discord.names import NameBook
from bot.orders import Control, Order
from bot.refusal import OutdatedControl, Refusal
from bot.services import Services
from bot.session import Session
from bot.store.history import summary
from bot.words import say_for
from engine.game import UnknownVariant
from engine.games import FAMILIES, game_of
from renderers import card_alt_text, draw_card

logger = logging.getLogger(__name__)


class Desk:
    """Answers interactions within Discord's three seconds.

    A request is checked and stored first, which takes milliseconds; searches come afterwards.
    """

    def __init__(self, client: discord.Client, services: Services) -> None:
        """Serve `client` from the given services."""
        self._services = services
        self._sessions = services.sessions
        self.names = NameBook(client)
        self.boards = Boards(client, services.sessions, services.workers, self.names)

    async def start(
        self, interaction: Interaction[Any], family: str, variant: str, level: str, first: str
    ) -> None:
        """Begin a game against a level; `first` is `me`, `bot` or `random`."""
        async with self._answering(interaction):
            try:
                game = game_of(family, variant)
            except UnknownVariant as error:
                raise Refusal("not_a_size", text=error.text) from error
            assert interaction.channel_id is not None
            order = Order(
                channel_id=interaction.channel_id,
                guild_id=interaction.guild_id,
                user_id=interaction.user.id,
                locale=interaction.locale.value,
                game=game,
                level=level,
                person_first=first == "me" or (first == "random" and self._services.toss()),
            )
            await self._open(interaction, await self._sessions.start(order))

    async def play(self, interaction: Interaction[Any], text: str) -> None:
        """Make a move by command; the answer tells its effect in words too."""
        say = say_for(interaction.locale.value)
        async with self._answering(interaction):
            channel_id = _channel(interaction)
            session = await self._sessions.play(channel_id, interaction.user.id, text)
            move = session.moves[-1].move
            played = say("played.you", move=move)
            await _confirm(interaction.response.send_message(played, ephemeral=True))
            final = await self.carry_on(session)
            if len(final.moves) > len(session.moves):
                played = say("played.both", move=move, answer=final.moves[-1].move)
                await _confirm(interaction.edit_original_response(content=played))

    async def press_move(self, interaction: Interaction[Any], control: Control, text: str) -> None:
        """Make a move by button."""
        async with self._answering(interaction):
            try:
                session = await self._sessions.play(
                    _channel(interaction), interaction.user.id, text, control=control
                )
            except OutdatedControl:
                await self._mend(interaction, control.game_id)
                return
            await _confirm(interaction.response.defer())
            await self.carry_on(session)

    async def hint(self, interaction: Interaction[Any]) -> None:
        """Show the engine's choice to the player alone, in words and on a picture."""
        say = say_for(interaction.locale.value)
        async with self._answering(interaction):
            channel_id, user_id = _channel(interaction), interaction.user.id
            await self._sessions.turn_of(channel_id, user_id)
            await interaction.response.defer(ephemeral=True, thinking=True)
            hint = await self._sessions.hint(channel_id, user_id)
            result = hint.result
            kind = "win" if result.is_win else "loss" if result.is_loss else "best"
            move = hint.session.game.label(result.move)
            await interaction.edit_original_response(
                content=say(f"hint.{kind}", move=move),
                attachments=[await self.boards.picture(hint.session, say, result)],
            )

    async def press_hint(self, interaction: Interaction[Any], _game_id: int) -> None:
        """Show a hint by button, always for the game that is running now."""
        await self.hint(interaction)

    async def resign(self, interaction: Interaction[Any]) -> None:
        """Give the game up; a moderator who does not play stops it."""
        say = say_for(interaction.locale.value)
        async with self._answering(interaction):
            moderator = interaction.permissions.manage_messages
            session = await self._sessions.resign(
                _channel(interaction), interaction.user.id, moderator=moderator
            )
            assert session.end is not None
            ended = say(f"ended.{session.end.ending}")
            await _confirm(interaction.response.send_message(ended, ephemeral=True))
            await self.boards.show(session)

    async def press_resign(self, interaction: Interaction[Any], game_id: int) -> None:
        """Ask whether the player is sure."""
        say = say_for(interaction.locale.value)
        async with self._answering(interaction):
            await self._sessions.seated(_channel(interaction), interaction.user.id)
            await interaction.response.send_message(
                say("resign.sure"), view=sure_view(game_id, say), ephemeral=True
            )

    async def press_sure(self, interaction: Interaction[Any], game_id: int) -> None:
        """Give the game up after all, if it is still the one that was meant."""
        say = say_for(interaction.locale.value)
        async with self._answering(interaction):
            session = await self._sessions.resign(
                _channel(interaction), interaction.user.id, game_id=game_id
            )
            ended = say("ended.resigned")
            await _confirm(interaction.response.edit_message(content=ended, view=None))
            await self.boards.show(session)

    async def press_rematch(self, interaction: Interaction[Any], game_id: int) -> None:
        """Play the same game again, the other side first."""
        async with self._answering(interaction):
            session = await self._sessions.rematch(
                game_id, _channel(interaction), interaction.user.id, interaction.locale.value
            )
            await self._open(interaction, session)

    async def board(self, interaction: Interaction[Any]) -> None:
        """Post the board again at the bottom of the channel."""
        async with self._answering(interaction):
            session = await self._sessions.current(_channel(interaction))
            if session is None:
                raise Refusal("no_game")
            await self._open(interaction, session)
            await self.boards.retire(session)

    async def stats(
        self, interaction: Interaction[Any], family: str, player: discord.User | None
    ) -> None:
        """Post a card with a player's statistics."""
        say = say_for(interaction.locale.value)
        async with self._answering(interaction):
            person = player or interaction.user
            if person.bot:
                raise Refusal("no_stats_for_bots")
            store = self._services.store
            history = await summary(store, person.id, family)
            variant = history.recent[0].variant if history.recent else FAMILIES[family].usual
            level = await current_level(store, person.id, family, variant)
            card = stats_card(history, person.display_name, family, level, variant, say)
            png = await self._services.workers.draw(draw_card, card)
            file = discord.File(
                io.BytesIO(png), filename=f"{family}-stats.png", description=card_alt_text(card)
            )
            await interaction.response.send_message(file=file, allowed_mentions=NO_PINGS)

    async def help(self, interaction: Interaction[Any], family: str) -> None:
        """Explain the game's commands, privately."""
        say = say_for(interaction.locale.value)
        async with self._answering(interaction):
            await interaction.response.send_message(say(f"help.{family}"), ephemeral=True)

    async def carry_on(self, session: Session) -> Session:
        """Show a session, make the agent's moves that follow and show those; return the last.

        The search begins while the picture before it is still on its way.
        """
        shown = asyncio.create_task(self.boards.show(session))
        try:
            while (answered := await self._sessions.reply(session.channel_id)) is not None:
                session = answered
                await shown
                shown = asyncio.create_task(self.boards.show(session))
        finally:
            await shown
        return session

    async def take_up(self) -> None:
        """Make the agents' moves that an earlier run of the bot was stopped at."""
        sessions = await self._sessions.unanswered()
        done = await asyncio.gather(
            *(self.carry_on(session) for session in sessions), return_exceptions=True
        )
        for session, result in zip(sessions, done, strict=True):
            if isinstance(result, BaseException):
                logger.error("game %s could not be taken up", session.id, exc_info=result)

    async def _open(self, interaction: Interaction[Any], session: Session) -> None:
        """Answer with a new message for a game's board, and go on from there."""
        say = say_for(session.locale)
        answer = await interaction.response.send_message(
            await self.boards.content(session, say),
            file=await self.boards.picture(session, say),
            view=board_view(session, say),
            allowed_mentions=NO_PINGS,
        )
        assert answer.message_id is not None
        session = await self._sessions.show_in(session, answer.message_id)
        if session.awaits_agent:
            await self.carry_on(session)

    async def _mend(self, interaction: Interaction[Any], game_id: int) -> None:
        """Bring the message up to date on which an outdated button was pressed."""
        await interaction.response.defer()
        session = await self._sessions.find(game_id)
        assert interaction.message is not None
        if session is None or session.message_id != interaction.message.id:
            await interaction.edit_original_response(view=None)
        elif not session.awaits_agent:
            await self.boards.show(session)

    @asynccontextmanager
    async def _answering(self, interaction: Interaction[Any]) -> AsyncIterator[None]:
        """Answer privately if the request is refused or fails; a failure climbs on to the log."""
        self.names.note(interaction.user)
        say = say_for(interaction.locale.value)
        try:
            yield
        except Refusal as refusal:
            await _tell(interaction, say(refusal.key, **refusal.details))
        except Exception:
            await _tell(interaction, say("error.unexpected"))
            raise


def _channel(interaction: Interaction[Any]) -> int:
    assert interaction.channel_id is not None, "commands and buttons are used in a channel"
    return interaction.channel_id


async def _confirm(answer: Awaitable[object]) -> None:
    """Tell somebody of what has been stored; where that fails, the game goes on all the same."""
    try:
        await answer
    except UNREACHABLE as error:
        logger.warning("a move was made but could not be confirmed: %s", error)


async def _tell(interaction: Interaction[Any], text: str) -> None:
    """Say something to one person, whether or not the interaction has been answered."""
    try:
        if interaction.response.is_done():
            await interaction.followup.send(text, ephemeral=True, allowed_mentions=NO_PINGS)
        else:
            await interaction.response.send_message(text, ephemeral=True, allowed_mentions=NO_PINGS)
    except UNREACHABLE as error:
        logger.warning("a private answer could not be given: %s", error)
