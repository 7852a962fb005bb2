"""The bot as it runs on the local page, which has a language.

On Discord each person's client knows their language. Offline nothing does, so the first message has
a button for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from discord import File, Interaction, Locale
from discord.ui import View

from bot.app import app_of, make_client
from bot.board.welcome import games_pictures, welcome_text, welcome_view
from bot.discord.client import CuatroClient
from bot.discord.commands import WordsTranslator
from bot.discord.registration import sync_commands
from bot.discord.routes import CustomId
from bot.feature import Services
from bot.i18n import LANGUAGES, say_for, say_in
from bot.local.typed import LOCALES

LANGUAGE = CustomId("language", rf"(?P<language>{'|'.join(LANGUAGES)})")

LAST_ROW = 4
"""The last row of buttons, which holds those of the languages."""

PAGE_LANGUAGE = "page:language"
"""The name of the note that keeps the page's language."""


class PageClient(CuatroClient):
    """The bot with a language for everyone on the page."""

    def __init__(self, *args: Any, **options: Any) -> None:
        """Make a client in English; the arguments are those of `CuatroClient`."""
        super().__init__(*args, **options)
        self.locale = Locale.american_english
        """The language that people on the page use."""
        self.on_locale: Callable[[Locale], None] = lambda locale: None
        """Called with each new locale; set by the page's server."""

    async def setup_hook(self) -> None:
        """Restore the page's language, and send the commands, which a new Discord does not know."""
        await self.tree.set_translator(WordsTranslator())
        await sync_commands(self.tree, self.store, force=True)
        kept = await self.store.notes.find(PAGE_LANGUAGE)
        self.locale = LOCALES.get(kept or "", self.locale)
        await super().setup_hook()
        # The page shows mentions as they are written, so commands are named instead.
        self.mentions.learn({})

    async def set_language(self, language: str) -> None:
        """Switch the page to a language, now and at later starts."""
        self.locale = LOCALES[language]
        self.on_locale(self.locale)
        await self.store.notes.put(PAGE_LANGUAGE, language)

    def dispatch(self, event: str, /, *args: Any, **more: Any) -> None:
        """Give interactions the page's language before they are handled."""
        if event == "interaction":
            args[0].locale = self.locale
        super().dispatch(event, *args, **more)


def page_client(services: Services) -> PageClient:
    """Return the bot for the local page."""
    return make_client(services, PageClient, routes=(LANGUAGE.route(switch_language),))


async def switch_language(interaction: Interaction[Any], language: str) -> None:
    """Switch the page to another language, and show the welcome in that language.

    It also replaces a language that the person chose in the settings, which would win over it.
    """
    client, user_id = cast("PageClient", interaction.client), interaction.user.id
    await client.set_language(language)
    preferences = client.store.preferences
    if (await preferences.of_person(user_id)).language is not None:
        at = interaction.created_at.timestamp()
        await preferences.set_person(user_id, at, language=language)
    text, view, files = await page_welcome(client, LOCALES[language])
    await interaction.response.edit_message(content=text, view=view, attachments=files)


async def page_welcome(client: PageClient, locale: Locale) -> tuple[str, View, list[File]]:
    """Return the page's first message: the usual welcome, with buttons for other languages."""
    say = say_for(locale.value)
    view = welcome_view(say, app_of(client).core.contributions.greeting_buttons)
    for language in (one for one in LANGUAGES if one != say.language):
        label = say_in(language)("button.language")
        view.add_item(LANGUAGE.button(language, label=label, row=LAST_ROW))
    return welcome_text(say), view, await games_pictures(say)
