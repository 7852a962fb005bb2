"""The languages of an interaction: the reader's for private messages, the server's for public ones.

Discord gives both, and each can be chosen in the settings. What was chosen is put in the
interaction before a handler sees it, so that handlers need not know about it.
"""

from __future__ import annotations

from typing import Any

from discord import Interaction, Locale

from bot.show.themes import chosen_theme, note_reader
from bot.store.preferences import CachedPreferences

LOCALES = {"en": Locale.american_english, "es": Locale.latin_american_spanish}
"""The usual locale of each language."""

COMMUNITY = "COMMUNITY"
"""The feature of servers whose managers have chosen a language in Discord; in others it is English
without having been chosen."""

_OWN, _PUBLIC, _GAMES = "locale.own", "locale.public", "games.channel"
"""Keys of an interaction's extras: the locale of the person's Discord, that of public messages, and
the channel of games."""


async def apply_preferences(interaction: Interaction[Any], preferences: CachedPreferences) -> None:
    """Give an interaction what its person and its server have chosen: languages and a theme.

    To be called again once they have chosen something else.
    """
    person, server = await preferences.of_both(interaction.user.id, interaction.guild_id)
    own = interaction.extras.setdefault(_OWN, interaction.locale)
    interaction.locale = in_language(own, person.language)
    guild = interaction.guild
    public = interaction.locale
    if guild is not None and COMMUNITY in guild.features:
        public = guild.preferred_locale
    interaction.extras[_PUBLIC] = in_language(public, server.language).value
    interaction.extras[_GAMES] = server.games_channel_id
    note_reader(chosen_theme(person, server))


def public_locale(interaction: Interaction[Any]) -> str:
    """The locale of the public messages that an interaction leads to."""
    locale: str = interaction.extras.get(_PUBLIC, interaction.locale.value)
    return locale


def answer_locale(interaction: Interaction[Any], *, is_private: bool) -> str:
    """The locale of an answer: the reader's if it is private, else that of public messages."""
    return interaction.locale.value if is_private else public_locale(interaction)


def games_channel(interaction: Interaction[Any]) -> int | None:
    """The only channel of an interaction's server in which games may begin; None for all."""
    channel_id: int | None = interaction.extras.get(_GAMES)
    return channel_id


def in_language(locale: Locale, language: str | None) -> Locale:
    """A locale of the chosen language: the same one if it is in that language already."""
    if language not in LOCALES or locale.value.split("-")[0] == language:
        return locale
    return LOCALES[language]
