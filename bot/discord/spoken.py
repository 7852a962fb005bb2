"""Command names and descriptions in every language that the bot speaks."""

from __future__ import annotations

from discord import Locale, app_commands

from bot.words import ENGLISH, LANGUAGES, say_for, say_in


def spoken(key: str) -> app_commands.locale_str:
    """The English text under a key, which `WordsTranslator` finds in the other languages."""
    return app_commands.locale_str(say_in(ENGLISH)(key), key=key)


class WordsTranslator(app_commands.Translator):
    """Translates what `spoken` has marked."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """The text in the locale's language; None where that is English or not spoken."""
        key = string.extras.get("key")
        language = locale.value.split("-")[0]
        if key is None or language == ENGLISH or language not in LANGUAGES:
            return None
        return say_for(locale.value)(key)
