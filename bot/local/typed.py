"""Slash commands typed as a line of text on the local page, and the page's language.

The page's composer offers commands as Discord does, but a line such as
`/connect4 start size:5x4 level:medium` that is typed or pasted as a whole arrives as an ordinary
message. Such a line is run as the command it names, or answered if it names none. Options are taken
by name or in their order, the size first, in English or Spanish: `/connect4 start 5x4 medium` and
`/conecta4 empezar 5x4 medio` are the same command.

On Discord each person's client knows their language. Offline nothing does, so the welcome has a
button for it.
"""

from __future__ import annotations

import asyncio
import logging
import unicodedata
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

import discord
import simcord
from discord import AppCommandOptionType, Interaction, Locale, app_commands

from bot.app import make_client
from bot.board.messages import MAX_IN_ROW
from bot.board.welcome import welcome_text, welcome_view
from bot.discord.client import INTENTS, CuatroClient
from bot.discord.commands import MOVE
from bot.discord.replies import NO_PINGS
from bot.discord.routes import CustomId
from bot.feature import Services
from bot.i18n import LANGUAGES, Translator, cleaned, fitting, in_code, say_for, say_in
from engine.core.registry import games as all_games
from engine.strength.roster import agents_for

logger = logging.getLogger(__name__)

LOCALES = {"en": Locale.american_english, "es": Locale.latin_american_spanish}
"""The page's locale for each language of `bot.i18n`."""

LANGUAGE = CustomId("language", rf"(?P<language>{'|'.join(LANGUAGES)})")

MAX_DIGITS = 15
"""Digits of a number that an option may have: no fewer than Discord accepts."""

VARIANT = "variant"
"""The parameter that comes first where options are not named."""

AGENTS = ("agent", "first_agent", "second_agent")
"""The parameters that take an agent's name, which have no list of choices."""

RETRY_SECONDS = 0.05
"""Seconds until an action for which the page was too busy is tried again."""

PAGE_LANGUAGE = "page:language"
"""The name of the note that keeps the page's language."""

People = Mapping[int, simcord.MemberActor]

Group = app_commands.Group

Parameter = app_commands.Parameter


async def switch_language(interaction: Interaction[Any], language: str) -> None:
    """Switch the page to another language, and show the welcome in that language."""
    await cast("TypingClient", interaction.client).set_language(language)
    await interaction.response.edit_message(**page_welcome(LOCALES[language]))


def page_welcome(locale: Locale) -> dict[str, Any]:
    """Return the page's first message: the usual welcome, with buttons for other languages."""
    say = say_for(locale.value)
    view = welcome_view(say)
    below = sum(item.row != 0 for item in view.children)
    others = (language for language in LANGUAGES if language != say.language)
    for number, language in enumerate(others, below):
        label, row = say_in(language)("button.language"), 1 + number // MAX_IN_ROW
        view.add_item(LANGUAGE.button(language, label=label, row=row))
    return {"content": welcome_text(say), "view": view}


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """A command as the offline Discord takes it."""

    name: str
    options: Mapping[str, Any]


class Mistyped(Exception):
    """A line is no command; `typed.<key>` is the text that says why, filled in with `details`."""

    def __init__(self, key: str, **details: str) -> None:
        super().__init__(key, details)
        self.key = key
        self.details = details


def language_of(groups: Sequence[Group], line: str, locale: str) -> str:
    """Return the only language in which the line's game has this name, otherwise the locale."""
    words = line.removeprefix("/").split()
    word = _folded(words[0]) if words else ""
    known = [
        language
        for language in LANGUAGES
        for group in groups
        if word == _folded(_in_words("command", group.name, say_in(language)))
    ]
    return known[0] if len(known) == 1 else locale


def read_line(groups: Sequence[Group], line: str, people: People, locale: str) -> TypedCommand:
    """Read a line as a command with options; raises Mistyped."""
    say = say_for(locale)
    name, *words = line.removeprefix("/").split() or [""]
    group = _named("command", groups, name)
    if group is None:
        families = _families()
        titles = [
            "/" + _in_words("command", one.name, say) for one in groups if one.name in families
        ]
        example = f"/{_in_words('command', groups[0].name, say)} {say('command.start.name')}"
        raise Mistyped("unknown", line=in_code(line), games=", ".join(titles), example=example)
    game = "/" + _in_words("command", group.name, say)
    commands = [one for one in group.commands if isinstance(one, app_commands.Command)]
    command = _named("command", commands, words[0]) if words else None
    if command is None:
        listed = _listed(_in_words("command", one.name, say) for one in commands)
        word = in_code(words[0]) if words else "…"
        raise Mistyped("no_command", game=game, word=word, commands=listed)
    title = f"{game} {_in_words('command', command.name, say)}"
    reader = _OptionReader(title, _families().get(group.name, ""), command.parameters, people, say)
    return TypedCommand(f"{group.name} {command.name}", reader.read(words[1:]))


class _OptionReader:
    """Reads the options of one command."""

    def __init__(
        self,
        title: str,
        family: str,
        parameters: Iterable[Parameter],
        people: People,
        say: Translator,
    ) -> None:
        self._title, self._family, self._people, self._say = title, family, people, say
        # Channels are chosen in the page's own composer; they cannot be typed.
        typable = (p for p in parameters if p.type is not AppCommandOptionType.channel)
        self._parameters = sorted(typable, key=lambda p: p.name != VARIANT)

    def read(self, words: Sequence[str]) -> dict[str, Any]:
        """Return the options that words give, by the names that Discord knows."""
        found: dict[str, Any] = {}
        for word in words:
            parameter, text = self._parameter(word, found)
            found[parameter.display_name] = self._value(parameter, text)
        for parameter in self._parameters:
            if parameter.required and parameter.display_name not in found:
                example, name = self._example(parameter), self._name(parameter)
                raise Mistyped("missing", command=self._title, option=name, example=example)
        return found

    def _parameter(self, word: str, found: Mapping[str, Any]) -> tuple[Parameter, str]:
        """Return the parameter that a word is for, and the value that it gives."""
        if not self._parameters:
            raise Mistyped("nothing_to_add", command=self._title)
        name, colon, text = word.partition(":")
        for parameter in self._parameters:
            if colon and _folded(name) in _spellings("option", parameter.display_name):
                return parameter, text
            if not colon and parameter.display_name not in found:
                return parameter, word
        raise Mistyped(
            "no_option" if colon else "too_much",
            command=self._title,
            word=in_code(name),
            options=_listed(self._name(p) for p in self._parameters),
        )

    def _value(self, parameter: Parameter, text: str) -> Any:
        if parameter.type is AppCommandOptionType.user:
            return self._person(text)
        option, word = self._name(parameter), in_code(text)
        if parameter.type is AppCommandOptionType.integer:
            if not (text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS):
                example = self._example(parameter)
                raise Mistyped("not_a_number", option=option, word=word, example=example)
            least, most = parameter.min_value, parameter.max_value
            if least is None or most is None or least <= int(text) <= most:
                return int(text)
            raise Mistyped(
                "out_of_range", option=option, word=word, least=f"{least}", most=f"{most}"
            )
        if parameter.name in AGENTS:
            agents = agents_for(self._family)
            return next((one for one in agents if _is_called(self._family, one, text)), text)
        if not parameter.choices:
            return text
        for choice in parameter.choices:
            if _folded(text) in {_folded(str(choice.value)), *_spellings("", choice.name)}:
                return choice.value
        choices = _listed(_one_word(choice, self._say) for choice in parameter.choices)
        raise Mistyped("not_a_choice", option=option, word=word, choices=choices)

    def _person(self, text: str) -> simcord.MemberActor:
        name = _folded(text.strip("<@>"))
        for actor in self._people.values():
            if name in (str(actor.id), _folded(actor.name)):
                return actor
        people = _listed(actor.name for actor in self._people.values())
        raise Mistyped("nobody", word=in_code(text), people=people)

    def _name(self, parameter: Parameter) -> str:
        return _in_words("option", parameter.display_name, self._say)

    def _example(self, parameter: Parameter) -> str:
        """Return the command with a value that this parameter could have."""
        value = "…"
        if parameter.type is AppCommandOptionType.integer:
            value = "3"
        elif parameter.choices:
            value = _one_word(parameter.choices[0], self._say)
        elif parameter.name == MOVE:
            package = all_games()[self._family]
            start = package.from_variant(package.usual).start()
            value = package.example_move or start.game.label(start.legal_moves()[0])
        return f"{self._title} {value}"


def _families() -> dict[str, str]:
    """Return the games by the names of their groups of commands."""
    return {say_in("en")(f"command.{key}.name"): key for key in all_games()}


def _named(kind: str, among: Sequence[Any], word: str) -> Any:
    """Return the group or command that a word names in any language; None if it names none."""
    return next((one for one in among if _folded(word) in _spellings(kind, one.name)), None)


def _keys(kind: str, english: str) -> list[str]:
    """Return the keys of the texts of a kind that are `english` in English."""
    prefix, suffix = (f"{kind}.", ".name") if kind else ("", "")
    return [
        key
        for key, text in say_in("en").texts.items()
        if text == english and key.startswith(prefix) and key.endswith(suffix)
    ]


def _spellings(kind: str, english: str) -> set[str]:
    """Return what may be typed for a name: the name in every language."""
    keys = _keys(kind, english)
    return {_folded(say_in(language)(key)) for language in LANGUAGES for key in keys}


def _in_words(kind: str, english: str, say: Translator) -> str:
    """Return a name in the reader's language."""
    return say(_keys(kind, english)[0])


def _is_called(family: str, agent: str, text: str) -> bool:
    """Whether a text is the name of a game's agent in any language."""
    titles = (say_in(language).agent(family, agent) for language in LANGUAGES)
    return _folded(text) in {_folded(title) for title in titles if title is not None}


def _one_word(choice: app_commands.Choice[Any], say: Translator) -> str:
    """Return a choice as it may be typed: its name if that is a word, otherwise its value."""
    keys = _keys("", choice.name)
    name = say(keys[0]) if keys else str(choice.value)
    return str(choice.value) if " " in name else name


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _folded(text: str) -> str:
    """Return a text without case and accents, which people leave out when they type."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()


class TypingClient(CuatroClient):
    """The bot with the intent to read messages; offline there is no privacy to protect.

    It also keeps the page's language, which on Discord each person's own client knows.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        """Add the intent to read messages; the arguments are those of `CuatroClient`."""
        reading = discord.Intents(guild_messages=True, message_content=True)
        super().__init__(*args, force_sync=True, intents=INTENTS | reading, **options)
        self.typed: asyncio.Queue[discord.Message] = asyncio.Queue()
        self.locale = Locale.american_english
        """The language that people on the page use."""
        self.on_locale: Callable[[Locale], None] = lambda locale: None
        """Called with each new locale; set by the page's server."""

    async def setup_hook(self) -> None:
        """Restore the page's language."""
        kept = await self.store.notes.find(PAGE_LANGUAGE)
        self.locale = LOCALES.get(kept or "", self.locale)
        await super().setup_hook()

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

    async def on_message(self, message: discord.Message) -> None:
        """Queue what may be a typed command."""
        if not message.author.bot and message.content.startswith("/"):
            self.typed.put_nowait(message)


def typing_client(services: Services) -> TypingClient:
    """Return the bot for the local page."""
    return make_client(services, TypingClient, routes=(LANGUAGE.route(switch_language),))


class TypedLines:
    """Runs the commands that people type, one after the other."""

    def __init__(
        self,
        client: TypingClient,
        channel: simcord.ChannelHandle,
        people: Sequence[simcord.MemberActor],
        refresh: Callable[[], Awaitable[None]],
    ) -> None:
        """Run what `people` type in `channel`; `refresh` shows what has changed."""
        self._client = client
        self._channel = channel
        self._people = {person.id: person for person in people}
        self._refresh = refresh
        self._groups = [one for one in client.tree.get_commands() if isinstance(one, Group)]
        self._mistyped: dict[int, tuple[discord.Message, discord.Message]] = {}
        """By person, the last line that named no command, and the answer to it."""

    async def run(self) -> None:
        """Run what is typed; never returns."""
        while True:
            message = await self._client.typed.get()
            actor = self._people.get(message.author.id)
            if actor is None:
                continue
            try:
                await self._take(message, actor)
                await once_idle(self._refresh)
            except Exception:
                # One line that fails must not leave all later ones unanswered.
                logger.exception("%s could not be run", cleaned(message.content))

    async def _take(self, message: discord.Message, actor: simcord.MemberActor) -> None:
        """Run a line, or say what is wrong with it; the next line removes both messages."""
        if mistyped := self._mistyped.pop(actor.id, None):
            line, answer = mistyped
            with suppress(simcord.BackendError):
                await once_idle(actor.delete, line)
            with suppress(discord.NotFound):
                await answer.delete()
        locale = language_of(self._groups, message.content, self._client.locale.value)
        try:
            command = read_line(self._groups, message.content, self._people, locale)
        except Mistyped as wrong:
            text = say_for(locale)(f"typed.{wrong.key}", **wrong.details)
            answer = await message.reply(fitting(text), allowed_mentions=NO_PINGS)
            self._mistyped[actor.id] = (message, answer)
        else:
            await once_idle(actor.slash, self._channel, command.name, **command.options)
            await once_idle(actor.delete, message)


async def once_idle(work: Callable[..., Awaitable[Any]], *args: Any, **options: Any) -> None:
    """Do something as soon as the offline Discord is not busy with something else."""
    while True:
        try:
            await work(*args, **options)
        except simcord.SetupError as error:
            if "overlaps" not in str(error):
                logger.warning("a typed command was not run: %s", error)
                return
            await asyncio.sleep(RETRY_SECONDS)
        else:
            return
