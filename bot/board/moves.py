"""Answers requests to see the board.

Answers requests for one's running games.

Answers moves, made by command or by button.

Who may look at a game that is over.

Answers requests to end a game early.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from discord import ButtonStyle, Interaction

from bot.board.boards import Boards
from bot.board.messages import SURE, question_view
from bot.board.runner import GameRunner
from bot.discord.answering import Answering
from bot.discord.commands import (
    MOVE,
    Commands,
    GameCommand,
    command,
    option,
)
from bot.discord.names import NameBook, game_lines
from bot.discord.replies import acknowledge, channel_of, confirm, replace, reply_privately, tell
from bot.game.refusal import OutdatedControl, Refusal
from bot.game.session import Session
from bot.game.setup import Control
from bot.i18n import Say, say_for
from bot.sessions.people import Limiter, Preferences
from bot.sessions.running import ChannelPlays
from bot.sessions.sessions import Sessions, has_begun
from engine.core.package import MoveCommand

if TYPE_CHECKING:
    from bot.handlers import Handlers


@dataclass(frozen=True, slots=True)
class BoardHandler:
    """Moves the board to the bottom of the channel."""

    answering: Answering
    sessions: Sessions
    boards: Boards
    runner: GameRunner
    limiter: Limiter

    async def board(self, interaction: Interaction[Any], family: str) -> None:
        """Post the board again and remove the buttons from the message before."""
        async with self.answering(interaction, family):
            session = await self.sessions.games.present(channel_of(interaction), family)
            self.limiter.take("pictures", interaction.user.id)
            await self.runner.open(interaction, session)
            await self.boards.retire(session)


def _move(handlers: Handlers, family_key: str, verb: MoveCommand) -> GameCommand:
    """A command that plays a move."""
    if verb.option is None:

        @command(verb.name, game=family_key)
        async def act(interaction: Interaction[Any]) -> None:
            await handlers.moves.play(interaction, family_key, verb.text)

        return act
    if verb.is_number:

        @command(verb.name, game=family_key)
        @option(MOVE, verb.option, family_key)
        async def put(interaction: Interaction[Any], move: int) -> None:
            await handlers.moves.play(interaction, family_key, verb.text.format(move))

        return put

    @command(verb.name, game=family_key)
    @option(MOVE, verb.option, family_key)
    async def play(interaction: Interaction[Any], move: str) -> None:
        await handlers.moves.play(interaction, family_key, verb.text.format(move))

    return play


def _at_board(handlers: Handlers, family_key: str) -> Commands:
    """The commands about the channel's game."""

    @command("board")
    async def board(interaction: Interaction[Any]) -> None:
        await handlers.board.board(interaction, family_key)

    @command("resign")
    async def resign(interaction: Interaction[Any]) -> None:
        await handlers.resigning.resign(interaction, family_key)

    @command("games")
    async def games(interaction: Interaction[Any]) -> None:
        await handlers.games.games(interaction, family_key)

    return board, resign, games


@dataclass(frozen=True, slots=True)
class GamesHandler:
    """Lists running games, each with a link to its board."""

    answering: Answering
    sessions: Sessions
    names: NameBook

    async def games(self, interaction: Interaction[Any], family: str) -> None:
        """List the running games of whoever asks, of all kinds and on all servers, privately."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction, family):
            games = await self.sessions.games.running_of(interaction.user.id)
            if games:
                lines = await game_lines(games, self.names, say)
                text = say("games.list", games=lines)
            else:
                text = say("games.none", game=say(f"command.{family}.name"))
            await reply_privately(interaction, text)


class ChannelMoves(Protocol):
    """Takes moves of games in which no single person is to move."""

    async def take(self, interaction: Interaction[Any], family: str, text: str) -> None:
        """Take a move by command, and answer."""

    async def press(self, interaction: Interaction[Any], control: Control, text: str) -> Session:
        """Take a move by button, answer, and return the game for its board to be looked after."""


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
    votes: ChannelMoves

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

    async def press(
        self, interaction: Interaction[Any], game_id: int, number: int, text: str
    ) -> None:
        """Make a move by button; who wants it in words is told what happened as well."""
        control = Control(game_id, number)
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
        session = await self.sessions.games.find(game_id)
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


def require_seen(session: Session, interaction: Interaction[Any]) -> None:
    """Refuse to show a game to somebody who neither played in it nor is where it was played.

    A game without people is for its whole server.
    """
    if interaction.user.id in session.people or channel_of(interaction) == session.channel_id:
        return
    here = interaction.guild_id
    if session.people or here is None or here != session.guild_id:
        raise Refusal("not_in_that_game", game=session.game.key)


@dataclass(frozen=True, slots=True)
class ResignHandler:
    """Resigns games for their players and stops them for moderators."""

    answering: Answering
    sessions: Sessions
    boards: Boards
    runner: GameRunner

    async def resign(self, interaction: Interaction[Any], family: str) -> None:
        """Resign by command; a moderator who is not playing stops the game instead."""
        async with self.answering(interaction, family):
            self.answering.require_in_time(interaction)
            await self._end(interaction, family=family)

    async def press_stop(self, interaction: Interaction[Any], game_id: int) -> None:
        """Stop a game between agents."""
        async with self.answering(interaction):
            self.answering.require_in_time(interaction)
            await self._end(interaction, game_id=game_id)

    async def press_resign(self, interaction: Interaction[Any], game_id: int) -> None:
        """Ask the player to confirm."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction):
            await self.sessions.games.require_running(channel_of(interaction), game_id)
            session = await self.sessions.games.seated(channel_of(interaction), interaction.user.id)
            text = say("resign.sure" if has_begun(session) else "resign.sure_early")
            await tell(interaction, text, question_view(SURE, game_id, say, ButtonStyle.danger))

    async def press_sure(self, interaction: Interaction[Any], game_id: int) -> None:
        """Resign the confirmed game, if it is still running."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction):
            self.answering.require_in_time(interaction)
            session = await self.sessions.resign(
                channel_of(interaction), interaction.user.id, game_id=game_id
            )
            assert session.end is not None
            ended = say(f"ended.{session.end.ending}")
            await confirm(replace(interaction, ended))
            await self.runner.present(session)
            await self.boards.make_up(interaction, session)

    async def _end(
        self,
        interaction: Interaction[Any],
        *,
        family: str | None = None,
        game_id: int | None = None,
    ) -> None:
        say = say_for(interaction.locale.value)
        session = await self.sessions.resign(
            channel_of(interaction),
            interaction.user.id,
            family=family,
            moderator=interaction.permissions.manage_messages,
            game_id=game_id,
        )
        assert session.end is not None
        ended = say(f"ended.{session.end.ending}")
        await confirm(tell(interaction, ended))
        await self.runner.present(session)
        await self.boards.make_up(interaction, session)
