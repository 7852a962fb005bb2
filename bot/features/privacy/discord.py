"""Notices servers that remove the bot or take it back, and deletes what is theirs in time.

The slash commands about what is stored of people, the same for all games.

The button that confirms that somebody wants to be forgotten.

Answers what people want to know, or want deleted, of what is stored about them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import discord
from discord import ButtonStyle, Interaction, app_commands

from bot.board.challenges import ChallengeHandler
from bot.board.runner import GameRunner
from bot.database.errors import isolated
from bot.discord.answering import FIRST_FAMILY, Answering
from bot.discord.commands import command, spoken
from bot.discord.names import NameBook
from bot.discord.presses import presses_of
from bot.discord.replies import confirm, reply_privately
from bot.discord.routes import SNOWFLAKE
from bot.features.privacy.rules import Erasure
from bot.features.privacy.store import PersonRecord
from bot.features.proposals.discord import DrawHandler, UndoHandler
from bot.features.statistics.discord import StatisticsHandler
from bot.game.refusal import Refusal
from bot.i18n import Say, say_for
from bot.show.names import day

if TYPE_CHECKING:
    from bot.handlers import Handlers

EVERY = 86_400.0
"""Seconds between two looks for servers whose time has come."""


@dataclass(frozen=True, slots=True)
class DepartureHandler:
    """Keeps a server's data for as long as it has the bot, and a while longer."""

    client: discord.Client
    erasure: Erasure

    async def left(self, guild: discord.Guild) -> None:
        """Note that a server has removed the bot."""
        await self.erasure.note_departure(guild.id)

    async def returned(self, guild: discord.Guild) -> None:
        """Note that a server has the bot, perhaps again."""
        await self.erasure.note_return(guild.id)

    async def check(self) -> None:
        """Delete what is due; does nothing before Discord has said which servers there are."""
        if self.client.is_ready():
            await self.erasure.purge([guild.id for guild in self.client.guilds])


def privacy_commands(handlers: Handlers) -> app_commands.Group:
    """The group `privacy`: to see, to take along and to delete what is stored about oneself."""
    group = app_commands.Group(
        name=spoken("command.privacy.name"),
        description=spoken("command.privacy_group.description"),
    )

    @command("privacy_show")
    async def show(interaction: Interaction[Any]) -> None:
        await handlers.privacy.show(interaction)

    @command("privacy_export")
    async def export(interaction: Interaction[Any]) -> None:
        await handlers.privacy.export(interaction)

    @command("privacy_delete")
    async def delete(interaction: Interaction[Any]) -> None:
        await handlers.privacy.delete(interaction)

    for made in (show, export, delete):
        group.add_command(made)
    return group


class ForgetButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"cuatro:forget:(?P<user>{SNOWFLAKE})",
):
    """Deletes everything about whoever asked for it."""

    def __init__(self, user_id: int, label: str = "") -> None:
        """A button for one person."""
        super().__init__(
            discord.ui.Button(
                label=label or "?",
                style=ButtonStyle.danger,
                custom_id=f"cuatro:forget:{user_id}",
            )
        )
        self.user_id = user_id

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the button from its custom id."""
        return cls(int(match["user"]))

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Delete."""
        await presses_of(interaction).forget(interaction, self.user_id)


def forget_view(user_id: int, say: Say) -> discord.ui.View:
    """The button alone."""
    view = discord.ui.View(timeout=None)
    view.add_item(ForgetButton(user_id, say("button.forget")))
    return view


@dataclass(frozen=True, slots=True)
class PrivacyHandler:
    """Shows people what is stored about them, hands it out, and deletes it."""

    answering: Answering
    erasure: Erasure
    statistics: StatisticsHandler
    challenges: ChallengeHandler
    undos: UndoHandler
    draws: DrawHandler
    runner: GameRunner
    names: NameBook

    async def show(self, interaction: Interaction[Any]) -> None:
        """Say on one page what is stored about whoever asks, and how to be rid of it."""
        async with self.answering(interaction, FIRST_FAMILY):
            found = await self.erasure.record(interaction.user.id)
            text = stored_text(found, say_for(interaction.locale.value))
            await reply_privately(interaction, text)

    async def export(self, interaction: Interaction[Any]) -> None:
        """Send people their own games, as `export` does."""
        await self.statistics.export(interaction, FIRST_FAMILY)

    async def delete(self, interaction: Interaction[Any]) -> None:
        """Ask whether everything about somebody is to be deleted."""
        async with self.answering(interaction, FIRST_FAMILY):
            found = await self.erasure.record(interaction.user.id)
            say = say_for(interaction.locale.value)
            games = say.count("games", found.games + found.running)
            await interaction.response.send_message(
                say("stored.ask", games=games),
                view=forget_view(interaction.user.id, say),
                ephemeral=True,
            )

    async def press(self, interaction: Interaction[Any], user_id: int) -> None:
        """Delete everything about whoever presses the button, which has to be theirs."""
        async with self.answering(interaction, FIRST_FAMILY):
            if user_id != interaction.user.id:
                raise Refusal("unknown_button")
            await interaction.response.defer()
            await self._leave(user_id)
            await self.erasure.forget(user_id)
            self.names.forget(user_id)
            done = say_for(interaction.locale.value)("stored.deleted")
            await confirm(interaction.edit_original_response(content=done, view=None))

    async def _leave(self, user_id: int) -> None:
        """End what somebody takes part in, and show that, while it can still be found."""
        await self.challenges.withdraw(user_id)
        for session in await self.erasure.give_up(user_id):
            with isolated("end to show of game", session.id):
                await self.runner.present(session)
        await self.undos.lapse()
        await self.draws.lapse()


def stored_text(found: PersonRecord, say: Say) -> str:
    """What is stored about a person, as one page."""
    settings = (
        say("privacy.hide" if found.private else "privacy.show"),
        say("pings.on" if found.pings else "pings.off"),
        say("spoken.say" if found.spoken else "spoken.hush"),
    )
    return say(
        "stored.page",
        since=day(found.joined_at, say),
        games=say.number(found.games),
        running=say.number(found.running),
        moves=say.number(found.moves),
        hints=say.number(found.hints),
        ratings=say.number(found.ratings),
        puzzles=say.number(found.puzzles),
        lessons=say.number(found.lesson_parts),
        votes=say.number(found.votes),
        settings=" · ".join(settings),
    )
