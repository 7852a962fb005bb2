"""Hints on Discord: the command, the button under the board, and the private message.

The message shows where to look; its button replaces it with a more detailed hint.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
from discord import Interaction, app_commands

from bot.board.messages import BoardMessages, Button, is_played_by_people, picture_name
from bot.discord.answering import Answering
from bot.discord.commands import Commands, choices, command, option
from bot.discord.replies import (
    NO_PINGS,
    acknowledge,
    answer_privately,
    channel_of,
    confirm,
    png_file,
)
from bot.discord.routes import GAME, SMALL, CustomId, Route, game_action, lasting_view
from bot.features.hints.rules import HintLevel, Hints, level_wanted
from bot.features.hints.view import hint_picture
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.i18n import Translator, say_for
from bot.ratings.rated import spoiled_by
from bot.sessions.people import Limiter
from bot.sessions.running import RunningGames, require_turn
from bot.show.themes import reader_theme
from engine.core.package import GamePackage

HINT = game_action("hint")

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
    """The button under a board where people play."""
    if not is_played_by_people(session):
        return None
    return HINT.button(session.id, label=say("button.hint"), disabled=session.awaits_agent)


def more_view(session: Session, level: HintLevel, label: str, say: Translator) -> discord.ui.View:
    """The button under a hint, or under the question whether one is wanted."""
    view = lasting_view()
    view.add_item(MORE.button(session.id, session.number, int(level), label=say(label)))
    return view


@dataclass(frozen=True, slots=True)
class HintHandler:
    """Gives hints privately; before the first one of a rated game it explains the cost."""

    hints: Hints
    games: RunningGames
    messages: BoardMessages
    answering: Answering
    limiter: Limiter

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
        return HINT.route(self.hint), MORE.route(self.more)

    async def hint(self, interaction: Interaction[Any], game_id: int) -> None:
        """Give a hint by the button under a board."""
        session = await self.games.require_running(channel_of(interaction), game_id)
        session = require_turn(session, interaction.user.id)
        await self._ask_or_give(interaction, session, None)

    async def more(
        self, interaction: Interaction[Any], game_id: int, number: int, level: HintLevel
    ) -> None:
        """Give a hint in place of the last one, or of the question whether it is wanted."""
        session = await self.games.require_running(channel_of(interaction), game_id)
        session = require_turn(session, interaction.user.id)
        if session.number != number:
            raise Refusal("hint_outdated")
        self._count(session, interaction.user.id)
        await acknowledge(interaction)
        await self._give(interaction, session, level)

    async def _ask_or_give(
        self, interaction: Interaction[Any], session: Session, level: HintLevel | None
    ) -> None:
        wanted = level or level_wanted(session)
        if spoiled_by(session) is None:
            say = say_for(interaction.locale.value)
            view = more_view(session, wanted, "button.show", say)
            await answer_privately(interaction, say("hint.unrated"), view)
            return
        self._count(session, interaction.user.id)
        await interaction.response.defer(ephemeral=True, thinking=True)
        await self._give(interaction, session, wanted)

    def _count(self, session: Session, user_id: int) -> None:
        """Count a hint towards the person's limit if it has to be searched for."""
        if session.hint is None:
            self.limiter.take("hints", user_id)

    async def _give(
        self, interaction: Interaction[Any], session: Session, level: HintLevel
    ) -> None:
        giving = self.hints.give(session, interaction.user.id, level)
        hint = await self.answering.unless_closing(giving)
        if hint is None:
            text = say_for(interaction.locale.value)("hint.closing")
            await confirm(interaction.edit_original_response(content=text, view=None))
            return
        say, session = say_for(interaction.locale.value), hint.session
        names = await self.messages.names_in(session, say)
        shown = await self.messages.workers.draw(hint_picture, hint, names, say, reader_theme())
        is_all = hint.level is HintLevel.MOVE
        await interaction.edit_original_response(
            content=shown.text,
            attachments=[png_file(shown.png, picture_name(session), shown.alt_text)],
            view=None if is_all else more_view(session, hint.level.following, "button.more", say),
            allowed_mentions=NO_PINGS,
        )
