"""Command names and descriptions in all of the bot's languages."""

from __future__ import annotations

from discord import Locale, app_commands

from bot.words import ENGLISH, LANGUAGES, say_for, say_in


def spoken(key: str) -> app_commands.locale_str:
    """The English text of a key; `WordsTranslator` translates it."""
    return app_commands.locale_str(say_in(ENGLISH)(key), key=key)


class WordsTranslator(app_commands.Translator):
    """Translates the texts made by `spoken`."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """The text in the locale's language; None if that is English or not supported."""
        key = string.extras.get("key")
        language = locale.value.split("-")[0]
        if key is None or language == ENGLISH or language not in LANGUAGES:
            return None
        return say_for(locale.value)(key)
