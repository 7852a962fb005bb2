"""Hints on Discord: the command, the button under the board, and the private message.

The message shows where to look; its button replaces it with a more detailed hint.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
from discord import Interaction, app_commands

from bot.board.messages import (
    MOVE_IDS,
    BoardMessages,
    Button,
    is_played_by_people,
    picture_name,
)
from bot.discord.answering import Answering
from bot.discord.commands import Commands, choices, command, option
from bot.discord.replies import (
    NO_PINGS,
    acknowledge,
    channel_of,
    confirm,
    png_file,
    replace,
)
from bot.discord.routes import GAME, SMALL, CustomId, Route, game_action, lasting_view
from bot.features.hints.rules import Hint, HintLevel, Hints, level_wanted
from bot.features.hints.view import hint_picture, names_move
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.i18n import Translator, say_for
from bot.ratings.rated import can_raise, is_contest
from bot.sessions.people import Limiter, RequireHelp
from bot.sessions.running import RunningGames, require_turn
from bot.show.moves import button_words
from bot.show.themes import reader_theme
from engine.core.package import GamePackage

HINT, NONE = map(game_action, ("hint", "hint:none"))

DETAILS = CustomId("hint:details", GAME, rf"(?P<number>{SMALL})", game=int, number=int)
"""The ids of buttons that add the values of the moves to a hint for one move of one game."""

MORE = CustomId(
    "more",
    GAME,
    rf"(?P<number>{SMALL})",
    r"(?P<level>[1-3])",
    game=int,
    number=int,
    level=lambda text: HintLevel(int(text)),
)
"""The ids of buttons that give a hint of a level for one move of one game."""


def hint_button(session: Session, say: Translator) -> Button | None:
    """The button under a board where people play and may ask for hints."""
    if not is_played_by_people(session) or is_contest(session):
        return None
    disabled = session.awaits_agent or session.is_held
    return HINT.button(session.id, label=say("button.hint"), disabled=disabled)


def asking_view(session: Session, level: HintLevel, say: Translator) -> discord.ui.View:
    """The buttons under the question whether a hint is wanted."""
    view = lasting_view()
    view.add_item(_more(session, level, "button.show", say))
    view.add_item(NONE.button(session.id, label=say("button.no_hint")))
    return view


def hint_view(hint: Hint, say: Translator, *, with_details: bool) -> discord.ui.View:
    """The buttons under a hint: the next step or, at the last one, its move and the details."""
    session, view = hint.session, lasting_view()
    if hint.level is not HintLevel.MOVE:
        view.add_item(_more(session, hint.level.following, "button.more", say))
        return view
    if names_move(hint):
        text = session.game.label(hint.result.move)
        label = say("button.hint_play", move=button_words(session.game, hint.result.move, say))
        at, style = (session.id, session.number, text), discord.ButtonStyle.primary
        view.add_item(MOVE_IDS.button(*at, label=label, style=style))
    if not with_details and not hint.is_free:
        label = say("button.details")
        view.add_item(DETAILS.button(session.id, session.number, label=label))
    return view


def _more(session: Session, level: HintLevel, label: str, say: Translator) -> Button:
    at, style = (session.id, session.number, int(level)), discord.ButtonStyle.primary
    return MORE.button(*at, label=say(label), style=style)


@dataclass(frozen=True, slots=True)
class HintHandler:
    """Gives hints privately; before the first one of a rated game it explains the cost."""

    hints: Hints
    games: RunningGames
    messages: BoardMessages
    answering: Answering
    limiter: Limiter
    require_help: RequireHelp

    def commands(self, game: GamePackage) -> Commands:
        """The command of one game."""

        @command("hint")
        @option("level", "hint_level")
        @app_commands.choices(level=choices("hint_level", [one.name.lower() for one in HintLevel]))
        async def hint(interaction: Interaction[Any], level: str | None = None) -> None:
            channel_id, user_id = channel_of(interaction), interaction.user.id
            session = await self.games.require_turn_of(channel_id, user_id, game.key)
            await self._ask_or_give(interaction, session, HintLevel.named(level))

        return (hint,)

    @property
    def routes(self) -> tuple[Route, ...]:
        """The buttons under boards and under hints."""
        return (
            HINT.route(self.hint),
            MORE.route(self.more),
            DETAILS.route(self.details),
            NONE.route(self.decline),
        )

    async def hint(self, interaction: Interaction[Any], game_id: int) -> None:
        """Give a hint by the button under a board."""
        session = await self.games.require_running(channel_of(interaction), game_id)
        session = require_turn(session, interaction.user.id)
        await self._ask_or_give(interaction, session, None)

    async def more(
        self, interaction: Interaction[Any], game_id: int, number: int, level: HintLevel
    ) -> None:
        """Give a hint in place of the last one, or of the question whether it is wanted."""
        session = await self._asked(interaction, game_id, number)
        self._count(session, interaction.user.id)
        await acknowledge(interaction)
        await self._give(interaction, session, level)

    async def details(self, interaction: Interaction[Any], game_id: int, number: int) -> None:
        """Add the values of the moves to a hint."""
        session = await self._asked(interaction, game_id, number)
        self._count(session, interaction.user.id)
        await acknowledge(interaction)
        await self._give(interaction, session, HintLevel.MOVE, with_details=True)

    async def decline(self, interaction: Interaction[Any], _game_id: int) -> None:
        """Withdraw the question whether a hint is wanted."""
        await replace(interaction, say_for(interaction.locale.value)("hint.none"))

    async def _asked(self, interaction: Interaction[Any], game_id: int, number: int) -> Session:
        """The game of a button under a hint; refused once another move has been made."""
        session = await self.games.require_running(channel_of(interaction), game_id)
        session = require_turn(session, interaction.user.id)
        if session.number != number:
            raise Refusal("hint_outdated")
        return await self._allowed(interaction, session)

    async def _ask_or_give(
        self, interaction: Interaction[Any], session: Session, level: HintLevel | None
    ) -> None:
        wanted = level or level_wanted(await self._allowed(interaction, session))
        self._count(session, interaction.user.id)
        await interaction.response.defer(ephemeral=True, thinking=True)
        if not can_raise(session):
            await self._give(interaction, session, wanted)
            return
        # A hint that does not choose between moves is free.
        finding = self.hints.free(session, interaction.user.id)
        say, found = say_for(interaction.locale.value), await self.answering.unless_closing(finding)
        if found is not None:
            await self._show(interaction, found, with_details=False)
        else:
            view = asking_view(session, wanted, say)
            await interaction.edit_original_response(content=say("hint.unrated"), view=view)

    async def _allowed(self, interaction: Interaction[Any], session: Session) -> Session:
        """A game; refused where hints are not allowed, or this person may not now."""
        # A hint would take the rating from the other player.
        if is_contest(session):
            raise Refusal("hint_rated")
        await self.require_help(interaction.user.id, (session.position,))
        return session

    def _count(self, session: Session, user_id: int) -> None:
        """Count a hint towards the person's limit if it has to be searched for."""
        if not self.hints.is_known(session):
            self.limiter.take("hints", user_id)

    async def _give(
        self,
        interaction: Interaction[Any],
        session: Session,
        level: HintLevel,
        *,
        with_details: bool = False,
    ) -> None:
        giving = self.hints.give(session, interaction.user.id, level)
        hint = await self.answering.unless_closing(giving)
        if hint is None:
            text = say_for(interaction.locale.value)("hint.closing")
            await confirm(interaction.edit_original_response(content=text, view=None))
            return
        await self._show(interaction, hint, with_details=with_details)

    async def _show(self, interaction: Interaction[Any], hint: Hint, *, with_details: bool) -> None:
        say, session = say_for(interaction.locale.value), hint.session
        names = await self.messages.names_in(session, say)
        drawing, theme = self.messages.workers.draw, reader_theme()
        shown = await drawing(hint_picture, hint, names, say, theme, with_details=with_details)
        await interaction.edit_original_response(
            content=shown.text,
            attachments=[png_file(shown.png, picture_name(session), shown.alt_text)],
            view=hint_view(hint, say, with_details=with_details),
            allowed_mentions=NO_PINGS,
        )
