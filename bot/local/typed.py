"""Slash commands typed as a line of text on the local page, and the page's language.

The page has a composer that offers commands as Discord does, but a line such as
`/connect4 start size:5x4 level:medium` that is typed or pasted whole arrives there as an ordinary
message. Here it is run as the command that it names, or answered if it names none. Options are
taken by name or in their order, the size first, in English or Spanish: `/connect4 start 5x4 medium`
and `/conecta4 empezar 5x4 medio` are the same command.

On Discord each person's own client knows their language. Offline nothing does, so the welcome has a
button for it.
"""

from __future__ import annotations

import asyncio
import logging
import unicodedata
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, cast

import discord
import simcord
from discord import AppCommandOptionType, Interaction, Locale, app_commands

from bot.app import make_client
from bot.board.messages import MOST_IN_ROW
from bot.board.welcome import welcome_text, welcome_view
from bot.discord.client import INTENTS, CuatroClient
from bot.discord.commands import MOVE
from bot.discord.replies import NO_PINGS
from bot.discord.routes import CustomId
from bot.feature import Services
from bot.i18n import LANGUAGES, Say, cleaned, fitting, in_code, say_for, say_in
from engine.core.registry import games as all_games
from engine.strength.roster import agents_for

LOCALES = {"en": Locale.american_english, "es": Locale.latin_american_spanish}
"""By language of `bot.i18n`, the locale that the page gets."""


LANGUAGE = CustomId("language", rf"(?P<language>{'|'.join(LANGUAGES)})")


async def switch_language(interaction: Interaction[Any], language: str) -> None:
    """Switch the page to another language, and say the welcome again in that language."""
    await cast("TypingClient", interaction.client).speak(language)
    await interaction.response.edit_message(**page_welcome(LOCALES[language]))


def page_welcome(locale: Locale) -> dict[str, Any]:
    """The welcome with which the page opens: the usual one, and buttons for other languages."""
    say = say_for(locale.value)
    view = welcome_view(say)
    below = sum(item.row != 0 for item in view.children)
    others = (language for language in LANGUAGES if language != say.language)
    for number, language in enumerate(others, below):
        label, row = say_in(language)("button.language"), 1 + number // MOST_IN_ROW
        view.add_item(LANGUAGE.button(language, label=label, row=row))
    return {"content": welcome_text(say), "view": view}


People = Mapping[int, simcord.MemberActor]

Group = app_commands.Group

Command = app_commands.Command[Any, ..., Any]

Parameter = app_commands.Parameter

MOST_DIGITS = 15
"""Digits of a number that an option may have: no fewer than Discord lets through."""

VARIANT = "variant"
"""The parameter that comes first where options are not named."""

AGENTS = ("agent", "first_agent", "second_agent")
"""The parameters that take a player's name, which has no list of choices."""


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """A command as the offline Discord takes it."""

    name: str
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Mistyped(Exception):
    """A line that is no command; the key under `typed.` and the details say what is wrong."""

    key: str
    details: Mapping[str, str] = field(default_factory=dict)


def language_of(groups: Sequence[Group], line: str, locale: str) -> str:
    """The locale to answer a line in: the reader's, or that in which alone its game has a name."""
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
    words = line.removeprefix("/").split()
    group = _named("command", groups, words[0]) if words else None
    if group is None:
        about = [_in_words("command", one.name, say) for one in groups if _is_game(one)]
        games, example = _listed(f"/{name}" for name in about), _start(groups[0], say)
        raise Mistyped("unknown", {"line": in_code(line), "games": games, "example": example})
    commands = [c for c in group.commands if isinstance(c, app_commands.Command)]
    if len(words) == 1:
        raise Mistyped("no_command", _no_command(group, commands, "…", say))
    command = _named("command", commands, words[1])
    if command is None:
        raise Mistyped("no_command", _no_command(group, commands, in_code(words[1]), say))
    reader = _Reader(group, command, people, say)
    return TypedCommand(f"{group.name} {command.name}", reader.options(words[2:]))


class _Reader:
    """Reads the options of one command."""

    def __init__(self, group: Group, command: Command, people: People, say: Say) -> None:
        self._group, self._people, self._say = group, people, say
        # Channels are chosen, in the page's own composer; there is no word for one.
        typable = [p for p in command.parameters if p.type is not AppCommandOptionType.channel]
        self._parameters = sorted(typable, key=lambda p: p.name != VARIANT)
        self._title = f"/{_in_words('command', group.name, say)} "
        self._title += _in_words("command", command.name, say)

    def options(self, words: Sequence[str]) -> dict[str, Any]:
        """The options that words give, by the names under which Discord knows them."""
        found: dict[str, Any] = {}
        for word in words:
            parameter, text = self._parameter(word, found)
            found[parameter.display_name] = self._value(parameter, text)
        for parameter in self._parameters:
            if parameter.required and parameter.display_name not in found:
                raise Mistyped(
                    "missing",
                    {
                        "command": self._title,
                        "option": self._name(parameter),
                        "example": self._example(parameter),
                    },
                )
        return found

    def _parameter(self, word: str, found: Mapping[str, Any]) -> tuple[Parameter, str]:
        """Which parameter a word is for, and the value that it gives."""
        name, colon, text = word.partition(":")
        options = _listed(f"`{self._name(p)}`" for p in self._parameters)
        details = {"command": self._title, "word": in_code(name), "options": options}
        if not self._parameters:
            raise Mistyped("nothing_to_add", {"command": self._title})
        if colon:
            for parameter in self._parameters:
                if _folded(name) in _spellings("option", parameter.display_name):
                    return parameter, text
            raise Mistyped("no_option", details)
        for parameter in self._parameters:
            if parameter.display_name not in found:
                return parameter, word
        raise Mistyped("too_much", details)

    def _value(self, parameter: Parameter, text: str) -> Any:
        details = {"option": self._name(parameter), "word": in_code(text)}
        if parameter.type is AppCommandOptionType.integer:
            if not (text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS):
                example = self._example(parameter)
                raise Mistyped("not_a_number", {**details, "example": example})
            return self._within(parameter, int(text), details)
        if parameter.type is AppCommandOptionType.user:
            return self._person(text)
        if parameter.name in AGENTS:
            family = _family(self._group)
            return next((n for n in agents_for(family) if _is_called(family, n, text)), text)
        if not parameter.choices:
            return text
        for choice in parameter.choices:
            if _folded(text) in {_folded(str(choice.value)), *_spellings("", choice.name)}:
                return choice.value
        listed = _listed(f"`{_one_word(choice, self._say)}`" for choice in parameter.choices)
        raise Mistyped("not_a_choice", {**details, "choices": listed})

    def _within(self, parameter: Parameter, number: int, details: Mapping[str, str]) -> int:
        least, most = parameter.min_value, parameter.max_value
        if least is None or most is None or least <= number <= most:
            return number
        raise Mistyped("out_of_range", {**details, "least": str(least), "most": str(most)})

    def _person(self, text: str) -> simcord.MemberActor:
        name = _folded(text.strip("<@>"))
        for actor in self._people.values():
            if name in (str(actor.id), _folded(actor.name)):
                return actor
        people = _listed(f"`{actor.name}`" for actor in self._people.values())
        raise Mistyped("nobody", {"word": in_code(text), "people": people})

    def _name(self, parameter: Parameter) -> str:
        return _in_words("option", parameter.display_name, self._say)

    def _example(self, parameter: Parameter) -> str:
        """The command with a value that this parameter could have."""
        if parameter.type is AppCommandOptionType.integer:
            return f"{self._title} 3"
        if parameter.choices:
            return f"{self._title} {_one_word(parameter.choices[0], self._say)}"
        is_move = parameter.name == MOVE
        return f"{self._title} {_example_move(_family(self._group)) if is_move else '…'}"


def _is_game(group: Group) -> bool:
    """Whether a group of commands is about a game."""
    return group.name in {say_in("en")(f"command.{key}.name") for key in all_games()}


def _family(group: Group) -> str:
    """The family that a group's commands are about."""
    return next(key for key in all_games() if say_in("en")(f"command.{key}.name") == group.name)


def _start(group: Group, say: Say) -> str:
    """The command that begins a game."""
    return f"/{_in_words('command', group.name, say)} {say('command.start.name')}"


def _no_command(
    group: Group, commands: Iterable[Command], word: str, say: Say
) -> Mapping[str, str]:
    listed = _listed(f"`{_in_words('command', command.name, say)}`" for command in commands)
    game = f"/{_in_words('command', group.name, say)}"
    return {"game": game, "word": word, "commands": listed}


def _named(kind: str, among: Sequence[Any], word: str) -> Any:
    """The group or command that a word names in any language; None if it names none."""
    return next((one for one in among if _folded(word) in _spellings(kind, one.name)), None)


def _keys(kind: str, english: str) -> list[str]:
    """The keys of the texts of a kind that read so in English."""
    prefix, suffix = (f"{kind}.", ".name") if kind else ("", "")
    return [
        key
        for key, text in say_in("en").texts.items()
        if text == english and key.startswith(prefix) and key.endswith(suffix)
    ]


def _spellings(kind: str, english: str) -> set[str]:
    """What may be typed for a name: it in every language."""
    keys = _keys(kind, english)
    return {_folded(say_in(language)(key)) for language in LANGUAGES for key in keys}


def _in_words(kind: str, english: str, say: Say) -> str:
    """A name as the reader knows it."""
    return say(_keys(kind, english)[0])


def _is_called(family: str, agent: str, text: str) -> bool:
    """Whether a text is what an agent of a game is called, in any language."""
    titles = (say_in(language).agent(family, agent) for language in LANGUAGES)
    return _folded(text) in {_folded(title) for title in titles if title is not None}


def _example_move(family: str) -> str:
    """A move of a game, for an example."""
    package = all_games()[family]
    start = package.from_variant(package.usual).start()
    return package.example_move or start.game.label(start.legal_moves()[0])


def _one_word(choice: app_commands.Choice[Any], say: Say) -> str:
    """A choice as it may be typed: its name if that is a word, else its value."""
    keys = _keys("", choice.name)
    name = say(keys[0]) if keys else str(choice.value)
    return str(choice.value) if " " in name else name


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def _folded(text: str) -> str:
    """A text without case and accents, which people leave out when they type."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()


logger = logging.getLogger(__name__)

PATIENCE = 0.05
"""Seconds until something is tried again that the page was too busy for."""

PAGE_LANGUAGE = "page:language"
"""The note under which the page's language is kept."""

_READING = discord.Intents(guild_messages=True, message_content=True)


class TypingClient(CuatroClient):
    """The bot, with an ear for messages: offline there is nobody whose privacy that touches.

    It also knows who has switched the page to another language, which on Discord each person's own
    client tells.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        """Connect; the arguments are those of `CuatroClient`."""
        super().__init__(*args, force_sync=True, intents=INTENTS | _READING, **options)
        self.typed: asyncio.Queue[discord.Message] = asyncio.Queue()
        self.locale = Locale.american_english
        """The language that people on the page use."""
        self.on_locale: Callable[[Locale], None] = lambda locale: None
        """Is told of every other one; whoever shows the page sets it."""

    async def setup_hook(self) -> None:
        """Find out in which language the page was left."""
        kept = await self.store.notes.find(PAGE_LANGUAGE)
        self.locale = LOCALES.get(kept or "", self.locale)
        await super().setup_hook()

    async def speak(self, language: str) -> None:
        """Switch the page to a language, now and at later starts."""
        self.locale = LOCALES[language]
        self.on_locale(self.locale)
        await self.store.notes.put(PAGE_LANGUAGE, language)

    def dispatch(self, event: str, /, *args: Any, **more: Any) -> None:
        """Give interactions the page's language before anything answers them."""
        if event == "interaction":
            args[0].locale = self.locale
        super().dispatch(event, *args, **more)

    async def on_message(self, message: discord.Message) -> None:
        """Take in what may be a typed command."""
        if not message.author.bot and message.content.startswith("/"):
            self.typed.put_nowait(message)


def typing_client(services: Services) -> TypingClient:
    """The bot for the local page."""
    return make_client(services, TypingClient, routes=(LANGUAGE.route(switch_language),))


class TypedLines:
    """Runs the commands that people type, one after the other."""

    def __init__(
        self,
        client: TypingClient,
        channel: simcord.ChannelHandle,
        people: People,
        refresh: Callable[[], Awaitable[None]],
    ) -> None:
        """Run what `people` type in `channel`; `refresh` shows what has changed."""
        self._client = client
        self._channel = channel
        self._people = people
        self._refresh = refresh
        self._groups = [
            group for group in client.tree.get_commands() if isinstance(group, app_commands.Group)
        ]
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
        """Run a line, or say what is wrong with it; the next line takes both away."""
        await self._tidy(actor)
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

    async def _tidy(self, actor: simcord.MemberActor) -> None:
        """Remove the last mistyped line and its answer, where they still are."""
        line, answer = self._mistyped.pop(actor.id, (None, None))
        if line is None or answer is None:
            return
        with suppress(simcord.BackendError):
            await once_idle(actor.delete, line)
        with suppress(discord.NotFound):
            await answer.delete()


async def once_idle(work: Callable[..., Awaitable[Any]], *args: Any, **options: Any) -> None:
    """Do something as soon as the offline Discord is not busy with something else."""
    while True:
        try:
            await work(*args, **options)
        except simcord.SetupError as error:
            if "overlaps" not in str(error):
                logger.warning("a typed command was not run: %s", error)
                return
            await asyncio.sleep(PATIENCE)
        else:
            return
