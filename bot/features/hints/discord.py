"""The button that has more of a hint said.

Answers requests for a hint.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Self

import discord
from discord import ButtonStyle, Interaction

from bot.board.boards import Boards
from bot.discord.answering import Answering
from bot.discord.presses import presses_of
from bot.discord.replies import NO_PINGS, acknowledge, channel_of, confirm, tell
from bot.discord.routes import ROW, SMALL, lasting_view
from bot.features.hints.rules import Hint, HintLevel, Hints, level_wanted
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.game.setup import Control
from bot.i18n import Say, say_for
from bot.ratings.rated import spoiled_by
from bot.sessions.people import Limiter
from bot.sessions.running import RunningGames, require_turn


class HintButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"cuatro:more:(?P<game>{ROW}):(?P<number>{SMALL}):(?P<level>[1-3])",
):
    """Says a hint of some level about one move of one game, in the place of the message."""

    def __init__(self, control: Control, level: HintLevel, label: str = "") -> None:
        """A button for a level of the hint for a move."""
        super().__init__(
            discord.ui.Button(
                label=label or level.name.lower(),
                style=ButtonStyle.secondary,
                custom_id=f"cuatro:more:{control.game_id}:{control.number}:{int(level)}",
            )
        )
        self.control = control
        self.level = level

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the button from its custom id."""
        control = Control(int(match["game"]), int(match["number"]))
        return cls(control, HintLevel(int(match["level"])))

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Say it."""
        await presses_of(interaction).hint(interaction, self.control, self.level)


def hint_view(control: Control, level: HintLevel, label: str, say: Say) -> discord.ui.View:
    """The button under a hint, or under the question whether one is wanted."""
    view = lasting_view()
    view.add_item(HintButton(control, level, say(label)))
    return view


@dataclass(frozen=True, slots=True)
class HintHandler:
    """Says privately where to look, then which threats matter, then what the engine would play.

    Before the first hint of a rated game it says what that costs, and asks.
    """

    answering: Answering
    hints: Hints
    games: RunningGames
    boards: Boards
    limiter: Limiter

    async def hint(
        self, interaction: Interaction[Any], family: str, level: str | None = None
    ) -> None:
        """Give a hint of the named level for the channel's game, or one that says more."""
        async with self.answering(interaction, family):
            channel_id, user_id = channel_of(interaction), interaction.user.id
            session = await self.games.turn_of(channel_id, user_id, family)
            await self._ask_or_give(interaction, session, HintLevel.called(level))

    async def press(self, interaction: Interaction[Any], game_id: int) -> None:
        """Give a hint by the button under a board."""
        async with self.answering(interaction):
            session = await self.games.require_running(channel_of(interaction), game_id)
            await self._ask_or_give(interaction, require_turn(session, interaction.user.id))

    async def press_level(
        self, interaction: Interaction[Any], control: Control, level: HintLevel
    ) -> None:
        """Say more in the place of a hint, or of the question whether it is worth its price."""
        async with self.answering(interaction):
            channel_id, user_id = channel_of(interaction), interaction.user.id
            running = await self.games.require_running(channel_id, control.game_id)
            session = require_turn(running, user_id)
            if session.number != control.number:
                raise Refusal("hint_outdated")
            self._count(session, user_id)
            await acknowledge(interaction)
            await self._give(interaction, session, level)

    async def _ask_or_give(
        self,
        interaction: Interaction[Any],
        session: Session,
        level: HintLevel | None = None,
    ) -> None:
        wanted = level or level_wanted(session)
        if spoiled_by(session) is None:
            say = say_for(interaction.locale.value)
            view = hint_view(Control(session.id, session.number), wanted, "button.show", say)
            await tell(interaction, say("hint.unrated"), view)
            return
        self._count(session, interaction.user.id)
        await interaction.response.defer(ephemeral=True, thinking=True)
        await self._give(interaction, session, wanted)

    def _count(self, session: Session, user_id: int) -> None:
        """Count a hint that has to be searched for."""
        if session.hint is None:
            self.limiter.take("hints", user_id)

    async def _give(
        self, interaction: Interaction[Any], session: Session, level: HintLevel
    ) -> None:
        hint = await self.answering.unless_closing(
            self.hints.give(session, interaction.user.id, level)
        )
        if hint is None:
            text = say_for(interaction.locale.value)("hint.closing")
            await confirm(interaction.edit_original_response(content=text, view=None))
            return
        await self._show(interaction, hint)

    async def _show(self, interaction: Interaction[Any], hint: Hint) -> None:
        say, session = say_for(interaction.locale.value), hint.session
        shown = await self.boards.hint(hint, say)
        control = Control(session.id, session.number)
        is_all = hint.level is HintLevel.MOVE
        await interaction.edit_original_response(
            content=shown.content,
            attachments=[shown.file],
            view=None if is_all else hint_view(control, hint.level.following, "button.more", say),
            allowed_mentions=NO_PINGS,
        )
