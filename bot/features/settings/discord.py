"""The settings of people and of servers: two forms, and saving what is entered in them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

import discord
from discord import Interaction

from bot.board.messages import Button
from bot.discord.forms import Entered, Field, channel_menu, checkboxes, form, menu, radio
from bot.discord.locales import apply_preferences, public_locale
from bot.discord.replies import answer_privately, missing_in, replace, show_form
from bot.discord.routes import SNOWFLAKE, CustomId, Route, lasting_view
from bot.feature import Core
from bot.game.refusal import Refusal
from bot.i18n import LANGUAGES, Translator, say_for, say_in
from bot.show.themes import CLASSIC, theme_key
from bot.store.people import Preferences, ServerPreferences
from renderers import THEMES

MINE, SERVER = "mine", "server"

SETTINGS = CustomId("settings", f"(?P<whose>{MINE}|{SERVER})")
"""The buttons that open the form of a person or of a server."""

MINE_FORM, SERVER_FORM = CustomId("my_settings"), CustomId("server_settings")
"""The forms."""

CHANNEL = f"(?:{SNOWFLAKE})?"

AGAIN = CustomId(
    "server_again",
    f"(?P<puzzles>{CHANNEL})",
    "(?P<hour>1?[0-9]|2[0-3])",
    f"(?P<games>{CHANNEL})",
    "(?P<language>[a-z]{2,7})",
    "(?P<theme>[a-z-]{1,32})",
    puzzles=lambda text: int(text) if text else None,
    hour=int,
    games=lambda text: int(text) if text else None,
)
"""The button that saves what was entered for a server, once the bot may post there."""

AS_DISCORD = "discord"
"""The value of a language that is that of Discord."""

USUAL_HOUR = 12
"""The hour that the form offers for the puzzle of the day, in UTC."""

HOURS = tuple(map(str, range(24)))

TICKS = {
    "tell": ("pings", "reminders"),
    "others": ("seen", "shares"),
    "access": ("spoken", "as_text"),
}
"""The fields with checkboxes: each box is a preference, and `seen` the opposite of `private`."""


@dataclass(frozen=True, slots=True)
class ServerChoice:
    """What a manager has entered for a server."""

    puzzles: int | None
    """The channel of the puzzle of the day; None for no puzzle."""
    hour: int
    games: int | None
    """The only channel for games; None for all channels."""
    language: str
    theme: str


@dataclass(frozen=True, slots=True)
class SettingsHandler:
    """Shows the forms, and saves what is entered in them."""

    core: Core

    @property
    def routes(self) -> tuple[Route, ...]:
        """The buttons and the forms."""
        return (
            SETTINGS.route(self.open),
            MINE_FORM.form_route(self.save_mine),
            SERVER_FORM.form_route(self.save_server),
            AGAIN.route(self.save_again),
        )

    async def begin(self, interaction: Interaction[Any]) -> None:
        """Open a person's settings; ask managers of the server whose they want."""
        if _manages(interaction):
            say = say_for(interaction.locale.value)
            await answer_privately(interaction, say("settings.whose"), _whose_view(say))
        else:
            await self.open(interaction, MINE)

    async def open(self, interaction: Interaction[Any], whose: str) -> None:
        """Open the form of a person or of a server."""
        say = say_for(interaction.locale.value)
        if whose == MINE:
            shown = await self._my_form(interaction, say)
        else:
            shown = await self._server_form(interaction, say)
        if not await show_form(interaction, shown):
            # A form has to be the first answer: the next press is likely to be in time.
            view = lasting_view()
            view.add_item(SETTINGS.button(whose, label=say("button.settings")))
            await answer_privately(interaction, say("settings.late"), view)

    async def save_mine(self, interaction: Interaction[Any]) -> None:
        """Save what a person has entered."""
        entered, user_id = Entered(interaction), interaction.user.id
        before = await self.core.store.players.preferences(user_id)
        inherited = await self._inherited(interaction)
        theme = entered.one("theme", THEMES) or before.theme or inherited
        # A person who has not chosen a look keeps that of each server.
        is_own = before.theme is not None or theme != inherited
        ticked = {name for field, names in TICKS.items() for name in entered.all(field, names)}
        await self._save_boxes(interaction, entered)
        chosen = Preferences(
            private="seen" not in ticked,
            language=entered.one("language", LANGUAGES),
            theme=theme if is_own else None,
            **{
                name: name in ticked for names in TICKS.values() for name in names if name != "seen"
            },
        )
        if chosen != before:
            preferences = self.core.store.preferences
            await preferences.set_person(user_id, self.core.clock(), **asdict(chosen))
            await apply_preferences(interaction, preferences)
        if chosen.private != before.private:
            await self.core.contributions.visibility_changed(user_id)
        await _tell(interaction, say_for(interaction.locale.value)("settings.saved"))

    async def _save_boxes(self, interaction: Interaction[Any], entered: Entered) -> None:
        """Save which of the features' boxes a person has ticked on a server."""
        user_id, guild_id = interaction.user.id, interaction.guild_id
        if guild_id is not None:
            for box in self.core.contributions.settings_boxes:
                is_on = bool(entered.all(box.field, (box.name,)))
                if is_on != await box.is_ticked(user_id, guild_id):
                    await box.choose(user_id, guild_id, is_on)

    async def described(self, user_id: int, say: Translator) -> str:
        """A line about what a person has chosen."""
        found = await self.core.store.players.preferences(user_id)
        parts = [
            (say("settings.language"), _language_name(found.language, say)),
            (
                say("settings.theme"),
                say(f"theme.{found.theme if found.theme in THEMES else CLASSIC}"),
            ),
        ]
        for field, names in TICKS.items():
            texts = [say(f"settings.{field}.{name}") for name in names if _is_ticked(found, name)]
            parts.append((say(f"settings.{field}"), ", ".join(texts) or "–"))
        listed = " · ".join(f"{label}: {text}" for label, text in parts)
        return say("stored.settings", settings=listed)

    async def files(self, user_id: int) -> dict[str, str]:
        """The file with what a person has chosen, for their export."""
        found = await self.core.store.players.preferences(user_id)
        return {"settings.json": json.dumps(asdict(found), indent=2) + "\n"}

    async def save_server(self, interaction: Interaction[Any]) -> None:
        """Save what a manager has entered for a server."""
        _managed(interaction)
        entered = Entered(interaction)
        await self._save(
            interaction,
            ServerChoice(
                entered.channel("puzzles"),
                int(entered.one("hour", HOURS) or USUAL_HOUR),
                entered.channel("games"),
                entered.one("language", LANGUAGES) or AS_DISCORD,
                entered.one("theme", THEMES) or CLASSIC,
            ),
        )

    async def save_again(self, interaction: Interaction[Any], *entered: Any) -> None:
        """Save what a manager has entered before."""
        _managed(interaction)
        await self._save(interaction, ServerChoice(*entered))

    async def _save(self, interaction: Interaction[Any], choice: ServerChoice) -> None:
        guild_id, say = _managed(interaction), say_for(interaction.locale.value)
        for channel_id in (choice.puzzles, choice.games):
            missing = () if channel_id is None else _missing_in(interaction, channel_id)
            if missing:
                await _tell(
                    interaction, _closed_text(channel_id, missing, say), _again(choice, say)
                )
                return
        preferences = self.core.store.preferences
        await preferences.set_server(
            guild_id,
            games_channel_id=choice.games,
            language=choice.language if choice.language in LANGUAGES else None,
            theme=None if choice.theme == CLASSIC else choice.theme,
        )
        await apply_preferences(interaction, preferences)
        await _tell(interaction, await self._post_puzzles(interaction, choice, say))

    async def _post_puzzles(
        self, interaction: Interaction[Any], choice: ServerChoice, say: Translator
    ) -> str:
        """Post puzzles as chosen from now on; returns what is said about it."""
        posts, guild_id = self.core.contributions.puzzle_posts, _managed(interaction)
        before = None if posts is None else await posts.find(guild_id)
        if posts is None or (before is None and choice.puzzles is None):
            return say("settings.saved")
        if choice.puzzles is None:
            await posts.stop(guild_id)
            return say("settings.puzzles_off")
        locale = public_locale(interaction)
        at, is_now = await posts.start(guild_id, choice.puzzles, locale, choice.hour)
        key = "settings.puzzles_now" if is_now else "settings.puzzles"
        return say(key, channel=f"<#{choice.puzzles}>", time=f"<t:{int(at)}:t>")

    async def _my_form(self, interaction: Interaction[Any], say: Translator) -> discord.ui.Modal:
        found = await self.core.store.players.preferences(interaction.user.id)
        theme = found.theme if found.theme in THEMES else await self._inherited(interaction)
        ticked = [name for names in TICKS.values() for name in names if _is_ticked(found, name)]
        guild_id, contributed = interaction.guild_id, self.core.contributions.settings_boxes
        boxes = () if guild_id is None else contributed
        for box in boxes:
            assert guild_id is not None
            if await box.is_ticked(interaction.user.id, guild_id):
                ticked.append(box.name)
        fields = [
            _languages(found.language, say("settings.language"), say),
            _looks(theme, say("settings.theme"), say),
        ]
        for field, names in TICKS.items():
            options = [(name, say(f"settings.{field}.{name}")) for name in names]
            options += [(box.name, say(box.label)) for box in boxes if box.field == field]
            fields.append(checkboxes(field, say(f"settings.{field}"), options, ticked))
        return form(MINE_FORM(), say("settings.title"), fields)

    async def _server_form(
        self, interaction: Interaction[Any], say: Translator
    ) -> discord.ui.Modal:
        guild_id = _managed(interaction)
        found: ServerPreferences = await self.core.store.servers.preferences(guild_id)
        fields = []
        if (posts := self.core.contributions.puzzle_posts) is not None:
            channel, hour = await posts.find(guild_id) or (None, USUAL_HOUR)
            hours = [(value, f"{value}:00") for value in HOURS]
            fields += [
                channel_menu("puzzles", say("server.puzzles"), channel),
                menu("hour", say("server.hour"), hours, str(hour)),
            ]
        fields += [
            channel_menu("games", say("server.games"), found.games_channel_id),
            _languages(found.language, say("server.language"), say),
            _looks(found.theme, say("server.theme"), say),
        ]
        return form(SERVER_FORM(), say("server.title"), fields)

    async def _inherited(self, interaction: Interaction[Any]) -> str:
        """The theme for people on a server who have not chosen one."""
        return await theme_key(self.core.store.preferences, (), interaction.guild_id)


def _is_ticked(found: Preferences, name: str) -> bool:
    return not found.private if name == "seen" else bool(getattr(found, name))


def _language_name(language: str | None, say: Translator) -> str:
    if language not in LANGUAGES:
        return say("settings.as_discord")
    return say_in(language)("button.language")


def _manages(interaction: Interaction[Any]) -> bool:
    return interaction.guild_id is not None and interaction.permissions.manage_guild


def _managed(interaction: Interaction[Any]) -> int:
    """The server of an interaction; refused to people who may not manage it."""
    if interaction.guild_id is None or not _manages(interaction):
        raise Refusal("not_a_manager")
    return interaction.guild_id


def _missing_in(interaction: Interaction[Any], channel_id: int) -> tuple[str, ...]:
    """The required permissions that the bot lacks in a channel of the interaction's server."""
    channel = interaction.guild and interaction.guild.get_channel(channel_id)
    return missing_in(channel) if isinstance(channel, discord.TextChannel) else ("view_channel",)


def _languages(chosen: str | None, label: str, say: Translator) -> Field:
    options = [(language, _language_name(language, say)) for language in LANGUAGES]
    options.insert(0, (AS_DISCORD, say("settings.as_discord")))
    return radio("language", label, options, AS_DISCORD if chosen is None else chosen)


def _looks(chosen: str | None, label: str, say: Translator) -> Field:
    options = [(key, say(f"theme.{key}")) for key in THEMES]
    return radio("theme", label, options, CLASSIC if chosen is None else chosen)


def settings_button(whose: str, _family: str, say: Translator) -> Button:
    """The button under help that opens a person's or a server's settings."""
    label = say("button.settings" if whose == MINE else "button.settings_server")
    return SETTINGS.button(whose, label=label)


def _whose_view(say: Translator) -> discord.ui.View:
    view, primary = lasting_view(), discord.ButtonStyle.primary
    view.add_item(SETTINGS.button(MINE, label=say("button.settings_mine"), style=primary))
    view.add_item(SETTINGS.button(SERVER, label=say("button.settings_server")))
    return view


def _closed_text(channel_id: int | None, missing: tuple[str, ...], say: Translator) -> str:
    names = ", ".join(say(f"permission.{name}") for name in missing)
    return say("settings.closed", channel=f"<#{channel_id}>", missing=names)


def _again(choice: ServerChoice, say: Translator) -> discord.ui.View:
    """A button that saves a choice once the bot may post there."""
    view, values = lasting_view(), asdict(choice).values()
    values_ = ("" if value is None else value for value in values)
    view.add_item(AGAIN.button(*values_, label=say("button.try_again")))
    return view


async def _tell(
    interaction: Interaction[Any], text: str, view: discord.ui.View = discord.utils.MISSING
) -> None:
    """Say something in place of the private question that led here, or else in a new message."""
    message = interaction.message
    if message is not None and message.flags.ephemeral and view is discord.utils.MISSING:
        await replace(interaction, text)
    else:
        await answer_privately(interaction, text, view)
