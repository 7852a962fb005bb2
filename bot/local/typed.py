"""Slash commands typed as a line of text on the local page.

`commands_of` reads the registered commands. `read_line` reads a line such as
`/connect4 start size:5x4 level:medium` as one of them. Options are taken by name or by position, in
any language: `/connect4 start 5x4 medium` and `/conecta4 empezar 5x4 medio` are the same command.
The page completes what is typed from the same data (`listed`).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import simcord
from discord import AppCommandOptionType, AppCommandType, Locale, app_commands

from bot.discord.commands import MOVE, WordsTranslator, takes
from bot.i18n import LANGUAGES, Translator, in_code, say_for, say_in
from engine.core.registry import games as all_games
from engine.strength.roster import agents_for

LOCALES = {"en": Locale.american_english, "es": Locale.latin_american_spanish}
"""The page's locale for each language of `bot.i18n`."""

MAX_DIGITS = 15
"""Digits of a number that an option may have: no fewer than Discord accepts."""

VARIANT = "variant"
"""The parameter that takes a variant, such as a size."""

GAME = "game"
"""The parameter that takes a game, whose agents and variants the other options have."""

AGENTS = ("agent", "first_agent", "second_agent")
"""The parameters that take an agent's name, which have no list of choices."""

YES = {"true", "yes", "si", "1"}
NO = {"false", "no", "0"}
"""What may be typed for an option that is true or false."""

People = Mapping[int, simcord.MemberActor]

Names = Mapping[str, str]
"""A name by language."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of an option's values."""

    value: str | float
    names: Names


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a command."""

    name: str
    """The name by which Discord knows it."""
    parameter: str
    """The name in the code."""
    names: Names
    about: Names
    kind: AppCommandOptionType
    is_required: bool
    is_suggested: bool
    """Whether the bot suggests values while one is typed."""
    choices: tuple[Choice, ...]
    least: float | None
    most: float | None


@dataclass(frozen=True, slots=True)
class Command:
    """A command that can be run: one without subcommands, or a subcommand."""

    path: tuple[str, ...]
    """The names by which Discord knows the command and the groups around it."""
    titles: Mapping[str, tuple[str, ...]]
    """The same by language."""
    about: Names
    options: tuple[Option, ...]

    def title(self, language: str) -> str:
        """Return the whole name in a language, as it is typed."""
        return "/" + " ".join(self.titles[language])


async def commands_of(tree: app_commands.CommandTree[Any]) -> tuple[Command, ...]:
    """Return the registered slash commands, in their order."""
    translator = WordsTranslator()
    found: list[Command] = []
    for one in tree.get_commands(type=AppCommandType.chat_input):
        payload = await one.get_translated_payload(tree, translator)
        found.extend(_leaves(one, payload, (), dict.fromkeys(LANGUAGES, ())))
    return tuple(found)


def _leaves(
    one: app_commands.Command[Any, ..., Any] | app_commands.Group,
    payload: Mapping[str, Any],
    path: tuple[str, ...],
    titles: Mapping[str, tuple[str, ...]],
) -> Iterator[Command]:
    path = (*path, one.name)
    names = _localized(payload, "name")
    titles = {language: (*titles[language], names[language]) for language in LANGUAGES}
    if isinstance(one, app_commands.Group):
        for child, below in zip(one.commands, payload["options"], strict=True):
            yield from _leaves(child, below, path, titles)
    else:
        options = zip(one.parameters, payload["options"], strict=True)
        yield Command(
            path,
            titles,
            _localized(payload, "description"),
            tuple(_option(parameter, below) for parameter, below in options),
        )


def _option(parameter: app_commands.Parameter, payload: Mapping[str, Any]) -> Option:
    return Option(
        payload["name"],
        parameter.name,
        _localized(payload, "name"),
        _localized(payload, "description"),
        AppCommandOptionType(payload["type"]),
        bool(payload.get("required")),
        bool(payload.get("autocomplete")),
        tuple(Choice(c["value"], _localized(c, "name")) for c in payload.get("choices", ())),
        payload.get("min_value"),
        payload.get("max_value"),
    )


def _localized(payload: Mapping[str, Any], key: str) -> Names:
    translated = payload.get(f"{key}_localizations") or {}
    return {
        language: translated.get(locale.value, payload[key]) for language, locale in LOCALES.items()
    }


def listed(commands: Sequence[Command], people: Iterable[str]) -> list[dict[str, Any]]:
    """Return the commands as the page's script reads them; `people` can be chosen by name."""
    names = list(people)
    return [
        {
            "path": one.path,
            "titles": {language: one.title(language) for language in LANGUAGES},
            "about": one.about,
            "options": [
                _listed_option(option, names) for option in one.options if _typable(option)
            ],
        }
        for one in commands
    ]


def _listed_option(option: Option, people: Sequence[str]) -> dict[str, Any]:
    choices = [
        {"words": {language: _one_word(c, language) for language in LANGUAGES}, "names": c.names}
        for c in option.choices
    ]
    if option.kind is AppCommandOptionType.user:
        choices = [{"words": dict.fromkeys(LANGUAGES, n), "names": {}} for n in people]
    return {
        "name": option.name,
        "names": option.names,
        "about": option.about,
        "required": option.is_required,
        "suggested": option.is_suggested,
        "choices": choices,
    }


def _typable(option: Option) -> bool:
    """Whether an option can be typed; the bot takes no files, and channels have no short name."""
    return option.kind not in (AppCommandOptionType.channel, AppCommandOptionType.attachment)


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """A command with the options that were typed."""

    path: tuple[str, ...]
    options: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The whole name, such as `connect4 start`."""
        return " ".join(self.path)


class Mistyped(Exception):
    """A line is no command; `typed.<key>` is the text that says why, filled in with `details`."""

    def __init__(self, key: str, **details: str) -> None:
        super().__init__(key, details)
        self.key = key
        self.details = details


def language_of(commands: Sequence[Command], line: str, locale: str) -> str:
    """Return the only language in which the first word is a command, otherwise the locale."""
    words = line.removeprefix("/").split()
    word = _folded(words[0]) if words else ""
    known = [
        language
        for language in LANGUAGES
        if any(word == _folded(one.titles[language][0]) for one in commands)
    ]
    return known[0] if len(known) == 1 else locale


def read_line(commands: Sequence[Command], line: str, people: People, locale: str) -> TypedCommand:
    """Read a line as a command with options; raises Mistyped."""
    say = say_for(locale)
    words = line.removeprefix("/").split()
    below = list(commands)
    for depth, word in enumerate([*words, ""]):
        if len(below) == 1 and len(below[0].path) == depth:
            return TypedCommand(
                below[0].path, _OptionReader(below[0], people, say).read(words[depth:])
            )
        named = [one for one in below if _is_called(one, depth, word)]
        if not named:
            raise _no_command(commands, below, words, depth, line, say)
        below = named
    raise AssertionError("the empty word names no command")


def _is_called(command: Command, depth: int, word: str) -> bool:
    """Whether a word is one of the words of a command's name, in any language."""
    return len(command.path) > depth and _folded(word) in {
        _folded(title[depth]) for title in command.titles.values()
    }


def _no_command(
    commands: Sequence[Command],
    below: Sequence[Command],
    words: Sequence[str],
    depth: int,
    line: str,
    say: Translator,
) -> Mistyped:
    """Return why the word at `depth` names none of the commands that the words before it left."""
    known = dict.fromkeys(one.titles[say.language][depth] for one in below)
    if depth == 0:
        roots = ", ".join(f"/{name}" for name in known)
        example = commands[0].title(say.language)
        return Mistyped("unknown", line=in_code(line), commands=roots, example=example)
    group = "/" + " ".join(below[0].titles[say.language][:depth])
    word = in_code(words[depth]) if depth < len(words) else "…"
    return Mistyped("no_command", game=group, word=word, commands=_in_list(known))


class _OptionReader:
    """Reads the options of one command."""

    def __init__(self, command: Command, people: People, say: Translator) -> None:
        self._title = command.title(say.language)
        self._family = _families().get(command.path[0], "")
        self._people, self._say = people, say
        self._options = [option for option in command.options if _typable(option)]

    def read(self, words: Sequence[str]) -> dict[str, Any]:
        """Return the options that words give, by the names that Discord knows."""
        found: dict[str, Any] = {}
        for word in words:
            option, text = self._option(word, found)
            value = found[option.name] = self._value(option, text)
            if option.parameter == GAME and value in all_games():
                self._family = value
        for option in self._options:
            if option.is_required and option.name not in found:
                example, name = self._example(option), self._name(option)
                raise Mistyped("missing", command=self._title, option=name, example=example)
        return found

    def _option(self, word: str, found: Mapping[str, Any]) -> tuple[Option, str]:
        """Return the option that a word is for, and the value that it gives."""
        if not self._options:
            raise Mistyped("nothing_to_add", command=self._title)
        name, colon, text = word.partition(":")
        if colon:
            for option in self._options:
                if _folded(name) in {_folded(one) for one in (*option.names.values(), option.name)}:
                    return option, text
        else:
            free = [option for option in self._options if option.name not in found]
            chosen = [option for option in free if self._suits(option, word)]
            for option in (*chosen, *free):
                return option, word
        raise Mistyped(
            "no_option" if colon else "too_much",
            command=self._title,
            word=in_code(name),
            options=_in_list(self._name(option) for option in self._options),
        )

    def _suits(self, option: Option, word: str) -> bool:
        """Return whether a word is certainly one of an option's values."""
        if option.parameter == VARIANT:
            return any(map(takes(word), [self._family] if self._family else all_games()))
        if option.parameter in AGENTS:
            return _agent(self._family, word) is not None
        if option.kind is AppCommandOptionType.user:
            return any(_folded(word) == _folded(one.name) for one in self._people.values())
        if option.kind is AppCommandOptionType.boolean:
            return _folded(word) in YES | NO
        if option.kind is AppCommandOptionType.integer and not option.choices:
            return word.isdecimal()
        return _choice(option, word) is not None

    def _value(self, option: Option, text: str) -> Any:
        name, word = self._name(option), in_code(text)
        if option.kind is AppCommandOptionType.user:
            return self._person(text)
        if option.kind is AppCommandOptionType.boolean:
            if _folded(text) in YES | NO:
                return _folded(text) in YES
            raise Mistyped("not_a_choice", option=name, word=word, choices=_in_list(("yes", "no")))
        if option.kind is AppCommandOptionType.integer and not option.choices:
            return self._number(option, text)
        if option.parameter in AGENTS:
            return _agent(self._family, text) or text
        if not option.choices:
            return text
        choice = _choice(option, text)
        if choice is not None:
            return choice.value
        words = (_one_word(one, self._say.language) for one in option.choices)
        raise Mistyped("not_a_choice", option=name, word=word, choices=_in_list(words))

    def _number(self, option: Option, text: str) -> int:
        name, word = self._name(option), in_code(text)
        if not (text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS):
            example = self._example(option)
            raise Mistyped("not_a_number", option=name, word=word, example=example)
        least, most = option.least, option.most
        if least is None or most is None or least <= int(text) <= most:
            return int(text)
        raise Mistyped("out_of_range", option=name, word=word, least=f"{least}", most=f"{most}")

    def _person(self, text: str) -> simcord.MemberActor:
        name = _folded(text.strip("<@>"))
        for actor in self._people.values():
            if name in (str(actor.id), _folded(actor.name)):
                return actor
        people = _in_list(actor.name for actor in self._people.values())
        raise Mistyped("nobody", word=in_code(text), people=people)

    def _name(self, option: Option) -> str:
        return option.names[self._say.language]

    def _example(self, option: Option) -> str:
        """Return the command with a value that this option could have."""
        value = "…"
        if option.choices:
            value = _one_word(option.choices[0], self._say.language)
        elif option.kind is AppCommandOptionType.integer:
            value = "3"
        elif option.parameter == MOVE and self._family:
            package = all_games()[self._family]
            start = package.from_variant(package.usual).start()
            value = package.example_move or start.game.label(start.legal_moves()[0])
        return f"{self._title} {value}"


def _families() -> dict[str, str]:
    """Return the games by the names of their groups of commands."""
    return {say_in("en")(f"command.{key}.name"): key for key in all_games()}


def _agent(family: str, text: str) -> str | None:
    """Return the agent that has a text as its name in any language; None if there is none."""
    for key in [family] if family else all_games():
        for agent in agents_for(key):
            titles = (say_in(language).agent(key, agent) for language in LANGUAGES)
            if _folded(text) in {_folded(title) for title in titles if title is not None}:
                return agent
    return None


def _choice(option: Option, text: str) -> Choice | None:
    """Return the choice that a text names, by its value or its name in any language."""
    word = _folded(text)
    for choice in option.choices:
        if word in {_folded(str(choice.value)), *map(_folded, choice.names.values())}:
            return choice
    return None


def _one_word(choice: Choice, language: str) -> str:
    """Return a choice as it may be typed: its name if that is a word, otherwise its value."""
    name = choice.names[language]
    return str(choice.value) if " " in name else name


def _in_list(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _folded(text: str) -> str:
    """Return a text without case and accents, which people leave out when they type."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()
