"""The desk at which every player's request arrives, by command or by button."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from discord import Interaction

from bot.discord.answering import NO_PINGS, channel_of, confirm, tell
from bot.discord.boards import Boards
from bot.discord.controls import board_view, sure_view
from bot.discord.figures import Figures
from bot.discord.lists import Lists
from bot.discord.names import NameBook
from bot.discord.openings import Openings
from bot.discord.pace import Pace
from bot.discord.pings import Pings
from bot.discord.replays import Replays
from bot.discord.silence import Silence
from bot.discord.undos import UndoDesk
from bot.services import Services
from bot.table.orders import Control
from bot.table.refusal import OutdatedControl, Refusal
from bot.table.session import Session
from bot.words import say_for
from engine.games import FAMILIES

if TYPE_CHECKING:
    from bot.discord.client import CuatroClient

logger = logging.getLogger(__name__)


class Desk:
    """Answers interactions within Discord's three seconds.

    A request is checked and stored first, which takes milliseconds; searches come afterwards.
    """

    def __init__(self, client: CuatroClient, services: Services) -> None:
        """Serve `client` from the given services."""
        self.client = client
        self.services = services
        self.sessions = services.sessions
        self.names = NameBook(client)
        self.boards = Boards(client, services.sessions, services.workers, self.names)
        self.pings = Pings(self)
        self.silence = Silence(services.sessions, services.reminders, self.present, self.pings)
        self.openings = Openings(self)
        self.replays = Replays(self)
        self.undos = UndoDesk(self)
        self.figures = Figures(self)
        self.lists = Lists(self)
        self.pace = Pace(services.settings.watch_pace)

    async def play(self, interaction: Interaction[Any], family: str, text: str) -> None:
        """Make a move by command; the answer tells its effect in words too."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction, family):
            await self.require(interaction, family)
            channel_id = channel_of(interaction)
            session = await self.sessions.play(channel_id, interaction.user.id, text)
            move = session.moves[-1].move
            played = say("played.you", move=move)
            await confirm(interaction.response.send_message(played, ephemeral=True))
            final = await self.carry_on(session)
            await self.pings.tell(final)
            answers = [made.move for made in final.moves[len(session.moves) :]]
            if answers:
                played = say("played.both", move=move, answer=", ".join(answers))
                await confirm(interaction.edit_original_response(content=played))

    async def press_move(self, interaction: Interaction[Any], control: Control, text: str) -> None:
        """Make a move by button."""
        async with self.answering(interaction):
            try:
                session = await self.sessions.play(
                    channel_of(interaction), interaction.user.id, text, control=control
                )
            except OutdatedControl:
                await self._mend(interaction, control.game_id)
                return
            await confirm(interaction.response.defer())
            await self.pings.tell(await self.carry_on(session))

    async def hint(self, interaction: Interaction[Any], family: str | None = None) -> None:
        """Show the engine's choice to the player alone, in words and on a picture."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction, family):
            await self.require(interaction, family)
            channel_id, user_id = channel_of(interaction), interaction.user.id
            await self.sessions.turn_of(channel_id, user_id)
            await interaction.response.defer(ephemeral=True, thinking=True)
            hint = await self.sessions.hint(channel_id, user_id)
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

    async def resign(self, interaction: Interaction[Any], family: str) -> None:
        """Give the game up; a moderator who does not play stops it."""
        async with self.answering(interaction, family):
            await self.require(interaction, family)
            await self._end(interaction, None)

    async def press_stop(self, interaction: Interaction[Any], game_id: int) -> None:
        """Stop a game between agents."""
        async with self.answering(interaction):
            await self._end(interaction, game_id)

    async def press_resign(self, interaction: Interaction[Any], game_id: int) -> None:
        """Ask whether the player is sure."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction):
            await self.sessions.seated(channel_of(interaction), interaction.user.id)
            await interaction.response.send_message(
                say("resign.sure"), view=sure_view(game_id, say), ephemeral=True
            )

    async def press_sure(self, interaction: Interaction[Any], game_id: int) -> None:
        """Give the game up after all, if it is still the one that was meant."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction):
            session = await self.sessions.resign(
                channel_of(interaction), interaction.user.id, game_id=game_id
            )
            ended = say("ended.resigned")
            await confirm(interaction.response.edit_message(content=ended, view=None))
            await self.present(session)

    async def board(self, interaction: Interaction[Any], family: str) -> None:
        """Post the board again at the bottom of the channel."""
        async with self.answering(interaction, family):
            await self.require(interaction, family)
            session = await self.sessions.current(channel_of(interaction))
            if session is None:
                raise Refusal("no_game")
            await self.open(interaction, session)
            await self.boards.retire(session)

    async def help(self, interaction: Interaction[Any], family: str) -> None:
        """Explain the game's commands, privately."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction, family):
            text = "\n".join(
                (say(f"help.{family}"), say("help.every", game=say(f"command.{family}.name")))
            )
            await interaction.response.send_message(text, ephemeral=True)

    async def present(self, session: Session) -> None:
        """Show how a game stands now, and tell whose turn that makes it."""
        await self.boards.show(session)
        await self.pings.tell(session)

    async def carry_on(self, session: Session, *, is_shown: bool = False) -> Session:
        """Show a session, make the agent's moves that follow and show those; return the last.

        The search begins while the picture before it is still on its way.
        """
        shown = asyncio.create_task(self._show(session, is_shown=is_shown))
        try:
            while (answered := await self.sessions.reply(session.channel_id)) is not None:
                session = answered
                await shown
                shown = asyncio.create_task(self._show(session))
        finally:
            await shown
        return session

    async def _show(self, session: Session, *, is_shown: bool = False) -> None:
        if not is_shown:
            await self.boards.show(session)

    async def _watch(self, session: Session) -> AsyncIterator[None]:
        """Let two agents play on, a move a step."""
        while (answered := await self.sessions.reply(session.channel_id)) is not None:
            await self.boards.show(answered)
            yield

    async def take_up(self) -> None:
        """Make the agents' moves that an earlier run of the bot was stopped at."""
        sessions = await self.sessions.unanswered()
        done = await asyncio.gather(
            *(self._take_up(session) for session in sessions), return_exceptions=True
        )
        for session, result in zip(sessions, done, strict=True):
            if isinstance(result, BaseException):
                logger.error("game %s could not be taken up", session.id, exc_info=result)

    async def _take_up(self, session: Session) -> None:
        await self.boards.show(session)
        await self.go_on(session)

    async def open(self, interaction: Interaction[Any], session: Session) -> None:
        """Answer with a new message for a game's board, and go on from there."""
        say = say_for(session.locale)
        answer = await interaction.response.send_message(
            await self.boards.content(session, say),
            file=await self.boards.picture(session, say),
            view=board_view(session, say),
            allowed_mentions=NO_PINGS,
        )
        assert answer.message_id is not None
        await self.go_on(await self.sessions.show_in(session, answer.message_id))

    async def go_on(self, session: Session) -> None:
        """Make the agent's moves from a board that is shown; a game to watch goes on by itself."""
        if session.people:
            await self.carry_on(session, is_shown=True)
        elif session.awaits_agent:
            self.pace.begin(("watch", session.id), self._watch(session))

    async def _end(self, interaction: Interaction[Any], game_id: int | None) -> None:
        say = say_for(interaction.locale.value)
        moderator = interaction.permissions.manage_messages
        session = await self.sessions.resign(
            channel_of(interaction), interaction.user.id, moderator=moderator, game_id=game_id
        )
        assert session.end is not None
        ended = say(f"ended.{session.end.ending}")
        await confirm(interaction.response.send_message(ended, ephemeral=True))
        await self.present(session)

    async def require(self, interaction: Interaction[Any], family: str | None) -> None:
        """Refuse a command of one game where the channel has another."""
        session = await self.sessions.current(channel_of(interaction))
        if session is not None and family not in (None, session.game.key):
            raise Refusal("other_game", other=session.game.key)

    async def _mend(self, interaction: Interaction[Any], game_id: int) -> None:
        """Bring the message up to date on which an outdated button was pressed."""
        await interaction.response.defer()
        session = await self.sessions.find(game_id)
        assert interaction.message is not None
        if session is None or session.message_id != interaction.message.id:
            await interaction.edit_original_response(view=None)
        elif not session.awaits_agent:
            await self.boards.show(session)

    @asynccontextmanager
    async def answering(
        self, interaction: Interaction[Any], family: str | None = None
    ) -> AsyncIterator[None]:
        """Answer privately if the request is refused or fails; a failure climbs on to the log."""
        self.names.note(interaction.user)
        say = say_for(interaction.locale.value)
        try:
            yield
        except Refusal as refusal:
            details = {"game": family or await self._family_in(interaction), **refusal.details}
            for name in details.keys() & {"game", "other"}:
                details[name] = say(f"command.{details[name]}.name")
            await tell(interaction, say(refusal.key, **details))
        except Exception as error:
            if self.client.is_closed():
                # Whatever was stored is safe; the next run shows it.
                logger.info("an answer was cut short as the bot ended: %s", error)
                return
            game = say(f"command.{family or next(iter(FAMILIES))}.name")
            await tell(interaction, say("error.unexpected", game=game))
            raise

    async def _family_in(self, interaction: Interaction[Any]) -> str:
        """The game that a text should name: the channel's, else the first there is."""
        session = await self.sessions.current(channel_of(interaction))
        return next(iter(FAMILIES)) if session is None else session.game.key
