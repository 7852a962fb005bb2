"""Reports of games against agents on Discord: the command, the details and the table."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import discord
from discord import Interaction, app_commands

from bot.discord.commands import (
    GameCommand,
    choices,
    command,
    game_option,
    option,
    suggest_sizes_by_game,
)
from bot.discord.locales import answer_locale
from bot.discord.names import name_of
from bot.discord.replies import NO_PINGS, answer_privately, png_file
from bot.discord.routes import FAMILY, SIZE, CustomId, lasting_view
from bot.feature import Core
from bot.features.statistics.buttons import play_view
from bot.features.statistics.cards import progress_line
from bot.features.statistics.discord import answer_theme, chosen_family, typed_size
from bot.features.statistics.efforts import effort_lines, efforts_as_csv
from bot.features.statistics.lists import Heading, report_scene
from bot.features.statistics.rules import Statistics
from bot.i18n import cleaned, say_for
from bot.show.scenes import card_picture
from bot.show.texts import size_from_text
from bot.store.results import Scope
from engine.core.registry import games
from renderers import card_alt_text

FIGURES = CustomId("report", "(?P<whose>me|server)", f"(?P<family>{FAMILY})(:(?P<size>{SIZE}))?")
"""Gives the figures behind a report privately: of the reader's own games, or of the server's."""


@dataclass(frozen=True, slots=True)
class ReportHandler:
    """Shows the results of people or servers against agents."""

    core: Core
    statistics: Statistics

    def report(self) -> GameCommand:
        """The command that shows people the report of their games, or posts the server's."""

        @command("report", "whose")
        @option("size", "scale")
        @game_option(games())
        @app_commands.choices(whose=choices("whose", ("me", "server")))
        async def report(
            interaction: Interaction[Any],
            whose: str = "me",
            game: str | None = None,
            size: str | None = None,
        ) -> None:
            family = await chosen_family(self.core, interaction, game, size)
            is_own = whose == "me" or interaction.guild_id is None
            await self._show(interaction, family, size, is_own=is_own)

        suggest_sizes_by_game(report)
        return report

    async def details(
        self, interaction: Interaction[Any], whose: str, family: str, size: str | None
    ) -> None:
        """Give what each level cost and how long its games were, as lines and as a table."""
        say, wanted = say_for(interaction.locale.value), size_from_text(family, size)
        self.core.limiter.take("pictures", interaction.user.id)
        await interaction.response.defer(ephemeral=True, thinking=True)
        scope = Scope(family, guild_id=interaction.guild_id)
        if whose == "me" or interaction.guild_id is None:
            scope = Scope(family, user_id=interaction.user.id)
        efforts = await self.statistics.efforts(scope, wanted)
        if not efforts:
            key = "report.empty" if whose == "server" else "report.empty_own"
            await interaction.edit_original_response(content=say(key))
            return
        table = io.BytesIO(efforts_as_csv(family, efforts).encode())
        await interaction.edit_original_response(
            content=effort_lines(family, efforts, say),
            attachments=[discord.File(table, filename=f"cuatro-{family}-report.csv")],
            allowed_mentions=NO_PINGS,
        )

    async def _show(
        self, interaction: Interaction[Any], family: str, size: str | None, *, is_own: bool
    ) -> None:
        wanted, user, guild = size_from_text(family, size), interaction.user, interaction.guild
        self.core.limiter.take("pictures", user.id)
        say, face, added = say_for(interaction.locale.value), None, list[str | None]()
        if is_own:
            scope, title, face = Scope(family, user_id=user.id), name_of(user), user.id
        else:
            scope = Scope(family, guild_id=interaction.guild_id)
            title = cleaned(guild.name) if guild else ""
        found = await self.statistics.report(scope, wanted)
        if not found.levels:
            key = "report.empty_own" if is_own else "report.empty"
            await answer_privately(interaction, say(key), play_view(family, say))
            return
        await interaction.response.defer(ephemeral=is_own, thinking=True)
        say = say_for(answer_locale(interaction, is_private=is_own))
        if not is_own:
            contributed = self.core.contributions.report_lines
            added = [await one.line(family, interaction.guild_id, say) for one in contributed]
        elif found.progress:
            added = [progress_line(found.progress, say)]
        title = title or say("report.server")
        heading = Heading(title, family, found.coverage, face, self.core.clock())
        scene = report_scene(heading, found.levels, say)
        theme = await answer_theme(self.core, interaction, is_private=is_own)
        png = await self.core.workers.draw_report(card_picture, scene, theme)
        view, named = lasting_view(), typed_size(family, size)
        values = ("me" if is_own else "server", family, *([named] if named else []))
        view.add_item(FIGURES.button(*values, label=say("button.report_details")))
        await interaction.edit_original_response(
            content="\n".join(filter(None, added)),
            attachments=[png_file(png, f"{family}-report", card_alt_text(scene))],
            view=view,
            allowed_mentions=NO_PINGS,
        )
