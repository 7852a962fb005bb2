"""Commands and buttons of a running game: moving, resigning, showing the board, listing games."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from dataclasses import replace as changed
from functools import partial
from typing import Any, Protocol

import discord
from discord import ButtonStyle, Interaction
from discord.utils import MISSING

from bot.board.boards import CATCH_UP, Boards
from bot.board.challenges import ChallengeHandler, FindWaiting
from bot.board.messages import MOVE_IDS, RESIGN, SHOW, STOP, SURE, BoardMessages, question_view
from bot.board.runner import GameRunner
from bot.discord.answering import Answering
from bot.discord.commands import (
    MOVE,
    CommandFactory,
    CommandMentions,
    GameCommand,
    GlobalCommand,
    command,
    game_option,
    option,
)
from bot.discord.names import NameBook, game_lines
from bot.discord.replies import (
    acknowledge,
    answer_privately,
    channel_of,
    confirm,
    replace,
    retire_pressed,
    try_answer_privately,
)
from bot.discord.retries import is_repetition
from bot.discord.routes import CustomId, Route, game_action, lasting_view
from bot.game.refusal import Control, OutdatedControl, Refusal
from bot.game.session import Session
from bot.i18n import Translator, fitting, say_for
from bot.sessions.endings import is_lost_by_leaving, resignation
from bot.sessions.people import Limiter
from bot.sessions.running import ChannelPlays
from bot.sessions.sessions import Sessions
from bot.show.board_text import placed_words, reply_words, short_name
from bot.show.scenes import seat_name, turn_of
from bot.store.people import Preferences
from bot.store.preferences import CachedPreferences
from engine.core.package import GamePackage, MoveCommand
from engine.core.registry import games


class ChannelMoves(Protocol):
    """Takes moves of games in which a channel is to move."""

    async def take(self, interaction: Interaction[Any], family: str, text: str) -> None:
        """Take a move by command, and answer."""

    async def take_click(
        self, interaction: Interaction[Any], control: Control, text: str
    ) -> Session:
        """Take a move by button, answer, and return the game, whose board may need an update."""


@dataclass(frozen=True, slots=True)
class MoveHandler:
    """Makes people's moves and continues their games.

    A move is stored and confirmed within milliseconds. The agent's search comes after that, so
    that Discord gets an answer in time.
    """

    answering: Answering
    sessions: Sessions
    boards: Boards
    runner: GameRunner
    preferences: CachedPreferences
    messages: BoardMessages
    channel_moves: ChannelMoves | None
    """Takes moves where a channel plays; if None, such moves are refused."""

    @property
    def commands(self) -> tuple[CommandFactory, ...]:
        """The commands that make moves; they differ by game."""
        make = self._command
        return (CommandFactory(100, lambda game: [make(game.key, one) for one in game.commands]),)

    @property
    def routes(self) -> tuple[Route, ...]:
        """The buttons that make moves."""
        return (MOVE_IDS.route(self.click),)

    def _command(self, family: str, verb: MoveCommand) -> GameCommand:
        if verb.option is None:

            @command(verb.name, game=family)
            async def act(interaction: Interaction[Any]) -> None:
                await self.play(interaction, family, verb.text)

            return act
        if verb.is_number:

            @command(verb.name, game=family)
            @option(MOVE, verb.option, family)
            async def put(interaction: Interaction[Any], move: int) -> None:
                await self.play(interaction, family, verb.text.format(move))

            return put

        @command(verb.name, game=family)
        @option(MOVE, verb.option, family)
        async def play(interaction: Interaction[Any], move: str) -> None:
            await self.play(interaction, family, verb.text.format(move))

        return play

    async def play(self, interaction: Interaction[Any], family: str, text: str) -> None:
        """Make a move by command; the private answer also names the agent's move."""
        say = say_for(interaction.locale.value)
        try:
            session = await self._move(interaction, text, family=family)
        except ChannelPlays:
            if self.channel_moves is None:
                raise
            await self.channel_moves.take(interaction, family, text)
            return
        await confirm(answer_privately(interaction, played_text(session, session, say)))
        final = await self.runner.continue_game(session)
        chosen = await self.preferences.of_person(interaction.user.id)
        if chosen.as_text or len(final.moves) > len(session.moves):
            answer = await self._private_text(session, final, changed(chosen, spoken=True), say)
            await confirm(interaction.edit_original_response(content=fitting(answer)))
        await self.boards.answer_if_unshown(interaction, final)

    async def click(
        self, interaction: Interaction[Any], game_id: int, number: int, text: str
    ) -> None:
        """Make a move by button; also answer privately in words or text if that was chosen."""
        control = Control(game_id, number)
        try:
            session = await self._move(interaction, text, control=control)
        except OutdatedControl:
            await self._update_message(interaction, game_id)
            return
        except ChannelPlays:
            if self.channel_moves is None:
                raise
            session = await self.channel_moves.take_click(interaction, control, text)
            await self.boards.note_click(interaction, session)
            await self.boards.answer_if_unshown(interaction, session)
            return
        await confirm(acknowledge(interaction))
        await self.boards.note_click(interaction, session)
        final = await self.runner.continue_game(session)
        await self.boards.answer_if_unshown(interaction, final)
        chosen = await self.preferences.of_person(interaction.user.id)
        answer = await self._private_text(session, final, chosen, say_for(interaction.locale.value))
        if answer:
            await try_answer_privately(interaction, answer)

    async def _private_text(
        self, played: Session, final: Session, chosen: Preferences, say: Translator
    ) -> str:
        """What a person has chosen to read after a move: the move in words, the board as text."""
        words = [played_text(played, final, say)] if chosen.spoken else []
        board = [await self.messages.as_text(final, say)] if chosen.as_text else []
        return "\n".join((*words, *board))

    def _move(self, interaction: Interaction[Any], text: str, **asked: Any) -> Awaitable[Session]:
        is_late = partial(self.answering.is_late, interaction)
        channel_id, user_id = channel_of(interaction), interaction.user.id
        return self.sessions.play(channel_id, user_id, text, **asked, is_late=is_late)

    async def _update_message(self, interaction: Interaction[Any], game_id: int) -> None:
        """Update the message of an outdated button; on another than the board, say where that is.

        A refusal whose request was repeated is just removed.
        """
        await confirm(acknowledge(interaction))
        session = await self.sessions.games.find(game_id)
        assert interaction.message is not None
        if session is None or session.message_id != interaction.message.id:
            await confirm(retire_pressed(interaction))
            if session is not None and session.message_id and not is_repetition(interaction):
                raise OutdatedControl(session.place)
        elif not session.awaits_agent:
            await self.boards.note_click(interaction, session)
            await self.boards.show(session)


def played_text(played: Session, final: Session, say: Translator) -> str:
    """A person's move, the last of `played`, and an agent's reply in `final`, in words."""
    move = placed_words(played.game.key, played.moves[-1].move, say)
    if len(final.moves) == len(played.moves) or final.moves[-1].user_id is not None:
        return say("played.you", move=move)
    reply = " ".join(reply_words(*turn_of(final), say))
    return say("played.both", move=move, reply=reply)


@dataclass(frozen=True, slots=True)
class GamesSection:
    """More lines under a person's running games in `/games`."""

    order: int
    """Smaller numbers come first."""
    write: Callable[[Interaction[Any], str | None, Translator], Awaitable[str]]
    """Returns the lines about one family of games, or with None about all; empty for none."""


CANCEL, HALT, KEEP = map(game_action, ("cancel", "halt", "keep"))
"""The ids of buttons that answer the question before a game is ended, beside SURE."""


@dataclass(frozen=True, slots=True)
class GameHandler:
    """Resigns and stops games, shows their boards again, and lists a person's games."""

    answering: Answering
    sessions: Sessions
    boards: Boards
    runner: GameRunner
    names: NameBook
    limiter: Limiter
    mentions: CommandMentions
    challenges: ChallengeHandler
    games_sections: Sequence[GamesSection] = ()
    """What features add to the list of games."""
    waiting_lines: Sequence[FindWaiting] = ()
    """What people may wait for by features, beside challenges of one person."""

    @property
    def commands(self) -> tuple[CommandFactory, ...]:
        """The commands `resign` and `board` of each game."""
        return CommandFactory(240, self._resign), CommandFactory(250, self._board)

    @property
    def global_commands(self) -> tuple[GlobalCommand, ...]:
        """The command `games`."""
        return (GlobalCommand(100, self._games()),)

    @property
    def routes(self) -> tuple[Route, ...]:
        """The buttons that resign or stop a game, and those of the question before."""
        return (
            RESIGN.route(self.ask),
            SURE.route(self.resign),
            CANCEL.route(self.cancel),
            HALT.route(self.halt),
            KEEP.route(self.keep),
            STOP.route(self.ask),
            SHOW.route(self.show),
            CATCH_UP.route(self.catch_up),
        )

    def _resign(self, game: GamePackage) -> tuple[GameCommand]:
        @command("resign")
        async def resign(interaction: Interaction[Any]) -> None:
            await self.ask(interaction, family=game.key)

        return (resign,)

    async def ask(
        self,
        interaction: Interaction[Any],
        game_id: int | None = None,
        family: str | None = None,
    ) -> None:
        """Ask whether to resign, to cancel or, for a moderator who is not playing, to stop a game.

        A game that no people play is stopped at once.
        """
        self.answering.require_in_time(interaction)
        channel_id, user_id = channel_of(interaction), interaction.user.id
        if game_id is not None:
            await self.sessions.games.require_running(channel_id, game_id)
        session = await self.sessions.games.require_current(channel_id, family)
        is_moderator = interaction.permissions.manage_messages
        # Refused to people who may not end it.
        resignation(session, user_id, moderator=is_moderator, at=session.last_at())
        if not session.people:
            await self._end(interaction, session.id, answer_privately, moderator=is_moderator)
            return
        text, view = await self._question(session, user_id, say_for(interaction.locale.value))
        await answer_privately(interaction, text, view)

    async def resign(self, interaction: Interaction[Any], game_id: int) -> None:
        """Resign a game after the question, which the answer replaces."""
        await self._end(interaction, game_id, replace)

    async def cancel(self, interaction: Interaction[Any], game_id: int) -> None:
        """Cancel a game that has hardly begun; where leaving loses it, ask whether to resign."""
        session = await self.sessions.games.require_running(channel_of(interaction), game_id)
        if session.side_of(interaction.user.id) is not None and is_lost_by_leaving(session):
            say = say_for(interaction.locale.value)
            await replace(interaction, *await self._question(session, interaction.user.id, say))
            return
        await self._end(interaction, game_id, replace)

    async def halt(self, interaction: Interaction[Any], game_id: int) -> None:
        """Stop a game as a moderator after the question, which the answer replaces."""
        is_moderator = interaction.permissions.manage_messages
        await self._end(interaction, game_id, replace, moderator=is_moderator)

    async def keep(self, interaction: Interaction[Any], game_id: int) -> None:
        """Leave a game as it is; the answer replaces the question."""
        await self.sessions.games.require_running(channel_of(interaction), game_id)
        await replace(interaction, say_for(interaction.locale.value)("resign.kept"))

    async def _question(
        self, session: Session, user_id: int, say: Translator
    ) -> tuple[str, discord.ui.View]:
        """The question before a person ends a game, and its buttons."""
        names = await self.names.of(session.people, say)
        side = session.side_of(user_id)
        if side is None:
            players = [
                say("name.me") if seat.user_id is None else f"**{short_name(names[seat.user_id])}**"
                for seat in session.seats
            ]
            text = say("resign.stop", players=say.all_of(players))
            return text, _question_view(HALT, session.id, "button.leave_running", say)
        if not is_lost_by_leaving(session):
            return say("resign.sure_early"), _question_view(CANCEL, session.id, "button.keep", say)
        other = session.seat(side.other)
        kind = "_agent" if other.user_id is None else "_alone" if other.user_id == user_id else ""
        name = short_name(seat_name(session, side.other, names, say))
        text = say(f"resign.sure{kind}", other=name)
        return text, _question_view(SURE, session.id, "button.keep", say)

    async def _end(
        self,
        interaction: Interaction[Any],
        game_id: int,
        answer: Callable[[Interaction[Any], str], Awaitable[None]],
        *,
        moderator: bool = False,
    ) -> None:
        """Resign or stop a game, and confirm that with `answer`."""
        self.answering.require_in_time(interaction)
        session = await self.sessions.resign(
            channel_of(interaction), interaction.user.id, moderator=moderator, game_id=game_id
        )
        assert session.end is not None
        ended = say_for(interaction.locale.value)(f"ended.{session.end.ending}")
        await confirm(answer(interaction, ended))
        await self.runner.present(session, interaction)

    def _board(self, game: GamePackage) -> tuple[GameCommand]:
        @command("board")
        async def board(interaction: Interaction[Any]) -> None:
            await self.show(interaction, game.key)

        return (board,)

    async def show(self, interaction: Interaction[Any], family: str | None = None) -> None:
        """Show the board of the channel's game again, below all messages."""
        session = await self.sessions.games.require_current(channel_of(interaction), family)
        self.limiter.take("pictures", interaction.user.id)
        await self.runner.open(interaction, session)

    async def catch_up(self, interaction: Interaction[Any], game_id: int) -> None:
        """Bring the board of a game up to date that could not be shown for lack of permissions."""
        session = await self.sessions.games.require(game_id)
        self.limiter.take("pictures", interaction.user.id)
        await self.boards.catch_up(interaction, session)

    def _games(self) -> GameCommand:
        @command("games")
        @game_option(games())
        async def running(interaction: Interaction[Any], game: str | None = None) -> None:
            # Games on all servers are listed.
            found = await self.sessions.games.running_of(interaction.user.id)
            found = [one for one in found if game in (None, one.game.key)]
            say = say_for(interaction.locale.value)
            if found:
                places = [await self.runner.apart.place_of(one) for one in found]
                lines_of = await game_lines(found, places, self.names, say)
                text = say("games.list", games=lines_of)
            else:
                text = say("games.none", play=self.mentions("begin", say=say))
            finds = (self.challenges.waiting, *self.waiting_lines)
            waiting = [await find(interaction.user.id, say) for find in finds]
            lines, view = [one.text for one in waiting if one], lasting_view()
            for one in waiting:
                if one is not None:
                    view.add_item(one.button)
            sections = sorted(self.games_sections, key=lambda section: section.order)
            added = [await section.write(interaction, game, say) for section in sections]
            own = "" if lines and not found else text
            parts = "\n".join(part for part in (own, *lines, *added) if part)
            await try_answer_privately(interaction, parts, view if lines else MISSING)

        return running


def _question_view(ids: CustomId, game_id: int, keep: str, say: Translator) -> discord.ui.View:
    """The question's button that ends a game, and one labelled by the key `keep` that does not."""
    view = question_view(ids, game_id, say, ButtonStyle.danger)
    view.add_item(KEEP.button(game_id, label=say(keep)))
    return view


def require_seen(session: Session, interaction: Interaction[Any]) -> None:
    """Refuse to show a game to a person who neither played in it nor is in its channel.

    A game without people can be seen in its whole server.
    """
    if interaction.user.id in session.people or channel_of(interaction) == session.channel_id:
        return
    here = interaction.guild_id
    if session.people or here is None or here != session.guild_id:
        raise Refusal("not_in_that_game", game=session.game.key)
