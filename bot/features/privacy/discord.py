"""Commands about what is stored: seeing it, exporting it, deleting it; servers that come and go."""

from __future__ import annotations

import io
from functools import partial
from typing import Any

import discord
from discord import ButtonStyle, Interaction, app_commands

from bot.database.errors import isolated
from bot.discord.commands import GameCommand, choices, command
from bot.discord.replies import answer_privately, confirm, replace
from bot.discord.routes import SNOWFLAKE, CustomId, lasting_view
from bot.feature import Core
from bot.features.privacy.rules import Erasure
from bot.features.privacy.tables import GAMES_A_PART, ServerGames, Tables, parts_of
from bot.features.privacy.view import as_csv, as_json_lines, details_text, stored_text
from bot.game.clocks import Clock
from bot.game.refusal import Refusal
from bot.i18n import Translator, say_for

FORGET = CustomId("forget", rf"(?P<user>{SNOWFLAKE})", user=int)
"""The button that confirms that a person wants everything about them deleted."""

PRIVACY = CustomId("privacy", "(?P<action>show|details|export|delete|keep)")
"""The other buttons; each acts on the data of the person who presses it."""


FILES_A_MESSAGE = 10
"""The most files that Discord takes in a message."""


class DepartureHandler:
    """Deletes a server's data some time after it has removed the bot."""

    def __init__(self, client: discord.Client, clock: Clock, erasure: Erasure) -> None:
        """Delete with `erasure` the data of servers that `client` no longer knows."""
        self._client = client
        self._clock = clock
        self._erasure = erasure

    async def left(self, guild: discord.Guild) -> None:
        """Note that a server has removed the bot."""
        await self._erasure.departures.note(guild.id, self._clock())

    async def returned(self, guild: discord.Guild) -> None:
        """Note that a server has the bot (again), so that its data are not deleted."""
        await self._erasure.departures.cancel(guild.id)

    async def check(self) -> None:
        """Delete due data; does nothing until Discord has listed the bot's servers."""
        if self._client.is_ready():
            await self._erasure.purge([guild.id for guild in self._client.guilds])


class PrivacyHandler:
    """Shows people what is stored about them, exports it, and deletes it."""

    def __init__(self, core: Core, erasure: Erasure) -> None:
        """Read and delete with `erasure`."""
        self._core = core
        self._erasure = erasure

    def command(self) -> GameCommand:
        """The command `/privacy`."""
        actions = {"show": self.show, "export": self.export, "delete": self.ask}

        @command("privacy", "action")
        @app_commands.choices(action=choices("action", actions))
        async def privacy(interaction: Interaction[Any], action: str = "show") -> None:
            await actions[action](interaction)

        return privacy

    def export_command(self) -> GameCommand:
        """The command that exports a person's data as files."""

        @command("export", "whose")
        @app_commands.choices(whose=choices("whose", ("me", "server")))
        async def export(interaction: Interaction[Any], whose: str = "me") -> None:
            await (self.export_server if whose == "server" else self.export)(interaction)

        return export

    async def press(self, interaction: Interaction[Any], action: str) -> None:
        """Do what a button says."""
        actions = {
            "show": self.show,
            "details": self.details,
            "export": self.export,
            "delete": self.ask,
            "keep": self.keep,
        }
        await actions[action](interaction)

    async def show(self, interaction: Interaction[Any]) -> None:
        """Show in two lines what is stored about a person."""
        found = await self._erasure.record(interaction.user.id)
        say = say_for(interaction.locale.value)
        text = stored_text(found, self._core.clock(), say)
        await answer_privately(interaction, text, _stored_view(say))

    async def details(self, interaction: Interaction[Any]) -> None:
        """Show on one page everything that is stored about a person."""
        user_id, say = interaction.user.id, say_for(interaction.locale.value)
        found = await self._erasure.record(user_id)
        described = await self._erasure.described(user_id, say)
        await answer_privately(interaction, details_text(found, described, say))

    async def export(self, interaction: Interaction[Any]) -> None:
        """Send a person their games as CSV and JSON lines, and the files that features add."""
        say, user_id = say_for(interaction.locale.value), interaction.user.id
        self._core.limiter.take("pictures", user_id)
        await interaction.response.defer(ephemeral=True, thinking=True)
        games = await self._core.store.results.finished_by(user_id)
        lines = as_json_lines(games, user_id)
        texts = {"games.csv": as_csv(games, user_id), "games.jsonl": lines}
        texts |= await self._erasure.files(user_id)
        files = [
            discord.File(io.BytesIO(text.encode()), filename=f"cuatro-{name}")
            for name, text in texts.items()
        ]
        written = lines.count("\n")
        content = say("export.done", games=say.number(written))
        if missing := await self._core.store.results.count_finished(user_id) - written:
            content += " " + say("export.missing", games=say.number(missing))
        await interaction.edit_original_response(content=content, attachments=files)

    async def export_server(self, interaction: Interaction[Any]) -> None:
        """Send a manager all games of the server as two tables, in which people are numbers."""
        if interaction.guild_id is None:
            raise Refusal("export_no_server")
        if not interaction.permissions.manage_guild:
            raise Refusal("export_not_a_manager")
        self._core.limiter.take("pictures", interaction.user.id)
        await interaction.response.defer(ephemeral=True, thinking=True)
        say, games = say_for(interaction.locale.value), ServerGames(self._core.store.database)
        ids = await games.ids(interaction.guild_id)
        if not ids:
            await interaction.edit_original_response(content=say("export.server_none"))
            return
        tables, files, is_first = Tables(), list[discord.File](), True
        for part, some in parts_of(ids):
            tables = tables.next_part()
            async for game in games.read(some):
                tables.add(game)
            make = partial(tables.files, part, is_only=len(ids) <= GAMES_A_PART)
            contents = await self._core.workers.draw_report(make)
            files += (discord.File(io.BytesIO(data), name) for name, data in contents.items())
            if len(files) >= FILES_A_MESSAGE or part * GAMES_A_PART >= len(ids):
                if is_first:
                    await interaction.edit_original_response(attachments=files)
                else:
                    await interaction.followup.send(files=files, ephemeral=True)
                files, is_first = [], False
        content = say("export.server", games=say.number(tables.count))
        if missing := len(ids) - tables.count:
            content += " " + say("export.missing", games=say.number(missing))
        await interaction.edit_original_response(content=content)

    async def ask(self, interaction: Interaction[Any]) -> None:
        """Ask whether everything about a person is to be deleted."""
        await self._erasure.record(interaction.user.id)
        say = say_for(interaction.locale.value)
        view = _forget_view(interaction.user.id, say)
        await answer_privately(interaction, say("stored.ask"), view)

    async def keep(self, interaction: Interaction[Any]) -> None:
        """Delete nothing; the answer replaces the question."""
        await replace(interaction, say_for(interaction.locale.value)("stored.kept"))

    async def forget(self, interaction: Interaction[Any], user_id: int) -> None:
        """Delete everything about a person, if they pressed the button themselves."""
        if user_id != interaction.user.id:
            raise Refusal("unknown_button")
        await interaction.response.defer()
        await self._leave(user_id)
        await self._erasure.forget(user_id)
        self._core.names.forget(user_id)
        self._core.store.preferences.forget(user_id)
        done = say_for(interaction.locale.value)("stored.deleted")
        await confirm(interaction.edit_original_response(content=done, view=None))

    async def _leave(self, user_id: int) -> None:
        """End everything in which a person takes part, and show that; their data still exist."""
        await self._core.challenge_posts.withdraw(user_id)
        for session in await self._erasure.resign_all(user_id):
            with isolated("end to show of game", session.id):
                await self._core.runner.present(session)
        await self._erasure.leave(user_id)


def _forget_view(user_id: int, say: Translator) -> discord.ui.View:
    view, danger = lasting_view(), ButtonStyle.danger
    view.add_item(FORGET.button(user_id, label=say("button.forget_sure"), style=danger))
    view.add_item(PRIVACY.button("keep", label=say("button.keep_data")))
    return view


def _stored_view(say: Translator) -> discord.ui.View:
    view, danger = lasting_view(), ButtonStyle.danger
    view.add_item(PRIVACY.button("export", label=say("button.download")))
    view.add_item(PRIVACY.button("details", label=say("button.details_stored")))
    view.add_item(PRIVACY.button("delete", label=say("button.forget"), style=danger))
    return view
