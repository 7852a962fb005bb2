"""The language of the local page, and the button that switches it.

On Discord everybody's own client knows their language. Offline nothing does, so the
welcome has a button for it.
"""

from __future__ import annotations

import re
from typing import Any, Protocol, Self, cast

import discord
from discord import ButtonStyle, Interaction, Locale

from bot.discord.welcome import ROW, WelcomeMessage, welcome_message
from bot.words import LANGUAGES, say_for, say_in

LOCALES = {"en": Locale.american_english, "es": Locale.latin_american_spanish}
"""By language of `bot.words`, the locale that the page gets."""


class Speaking(Protocol):
    """The client as the button sees it."""

    async def speak(self, language: str) -> None:
        """Switch the page to a language."""


class LanguageButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"cuatro:language:(?P<language>{'|'.join(LANGUAGES)})",
):
    """Switches the page to another language."""

    def __init__(self, language: str, row: int | None = None) -> None:
        """A button that is labelled with the language's own name."""
        super().__init__(
            discord.ui.Button(
                label=say_in(language)("button.language"),
                style=ButtonStyle.secondary,
                custom_id=f"cuatro:language:{language}",
                row=row,
            )
        )
        self.language = language

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the button from its custom id."""
        return cls(match["language"])

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Switch, and say the welcome again in that language."""
        await cast("Speaking", interaction.client).speak(self.language)
        greeting = page_welcome(LOCALES[self.language])
        await interaction.response.edit_message(content=greeting.content, view=greeting.view)


def page_welcome(locale: Locale) -> WelcomeMessage:
    """The welcome with which the page opens: everybody's, and buttons for other languages."""
    say = say_for(locale.value)
    greeting = welcome_message(say)
    below = sum(item.row != 0 for item in greeting.view.children)
    others = (language for language in LANGUAGES if language != say.language)
    for number, language in enumerate(others, below):
        greeting.view.add_item(LanguageButton(language, row=1 + number // ROW))
    return greeting
