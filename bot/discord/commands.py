"""Building commands from texts, options, choices and suggestions, and registering them.

Discord limits how often commands may be created, so they are sent only if they have changed.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from discord import Interaction, Locale, app_commands

from bot.discord.answering import FAMILY, Answering
from bot.discord.replies import require_games_allowed
from bot.discord.retries import note_used
from bot.i18n import ENGLISH, LANGUAGES, Translator, key_in, say_for, say_in
from bot.ratings.levels import ALL, classes_of
from bot.show.texts import has_sizes
from bot.store.results import Results
from engine.core.game import UnknownVariant
from engine.core.package import GamePackage
from engine.core.registry import default_game, game_of, games
from engine.strength.roster import agents_for

GameCommand = app_commands.Command[Any, ..., None]

Callback = Callable[..., Coroutine[Any, Any, None]]

MOVE = "move"
"""The parameter that is a move."""

NAME = "name"
"""The key of a command's extras for the name of its texts."""


def command(name: str, *options: str, game: str | None = None) -> Callable[[Callback], GameCommand]:
    """Decorator: turn a function into a command.

    Args:
        name: The key of its texts, under `command.<name>`; `name_of` returns it.
        options: Parameters with the same names as in the texts.
        game: A game that may have its own texts for the command.
    """

    def make(function: Callback) -> GameCommand:
        for name_ in options:
            function = option(name_, name_)(function)
        made: GameCommand = app_commands.command(
            name=_game_text("command", f"{name}.name", game),
            description=_game_text("command", f"{name}.description", game),
            extras={NAME: name},
        )(function)
        return made

    return make


def name_of(made: GameCommand) -> str:
    """The key of a command's texts."""
    name: str = made.extras[NAME]
    return name


def option(parameter: str, name: str, game: str | None = None) -> Callable[[Callback], Callback]:
    """Decorator: give a parameter the name and description of an option."""

    def apply(function: Callback) -> Callback:
        title = _game_text("option", f"{name}.name", game)
        description = _game_text("option", f"{name}.description", game)
        named = app_commands.rename(**{parameter: title})(function)
        return app_commands.describe(**{parameter: description})(named)

    return apply


def _game_text(kind: str, name: str, game: str | None) -> app_commands.locale_str:
    """A text of a kind: the game's own if it has one, else the shared text."""
    key = f"{kind}.{name}" if game is None else say_in(ENGLISH).key(kind, game, name)
    return localized(key)


def without(parameter: str) -> Callable[[Callback], Callback]:
    """Decorator: hide a parameter from Discord, so that it always has its default."""

    def apply(function: Callback) -> Callback:
        # discord.py makes an option of every parameter in a callback's signature.
        signature = inspect.signature(function)
        shown = [p for p in signature.parameters.values() if p.name != parameter]
        function.__signature__ = signature.replace(parameters=shown)  # type: ignore[attr-defined]
        return function

    return apply


def variant_of(family: GamePackage) -> Callable[[Callback], Callback]:
    """Decorator: hide the option `variant` for games with a single variant."""
    if len(family.variants) > 1:
        return option("variant", family.variant_option, family.key)
    return without("variant")


def sized(family: GamePackage) -> Callable[[Callback], Callback]:
    """Decorator: hide the option `size` for games with a single size class."""
    return option("size", "scale") if has_sizes(family.key) else without("size")


def takes(size: str) -> Callable[[str], bool]:
    """Return whether the game with a key has a variant that is written so."""

    def check(family: str) -> bool:
        try:
            game_of(family, size)
        except UnknownVariant:
            return False
        return True

    return check


def game_option(families: Iterable[str]) -> Callable[[Callback], Callback]:
    """Decorator: let people choose one of these games by the parameter `game`."""
    named = [app_commands.Choice(name=localized(f"game.{key}"), value=key) for key in families]

    def apply(function: Callback) -> Callback:
        return app_commands.choices(game=named)(option("game", "game")(function))

    return apply


class ChosenGame:
    """Finds the game that a command with the optional parameter `game` is about."""

    def __init__(self, results: Results) -> None:
        """Look in `results` for the game that a person played last."""
        self._results = results

    async def __call__(
        self,
        interaction: Interaction[Any],
        given: str | None,
        among: Iterable[str] | None = None,
        *,
        variant: str | None = None,
        fits: Callable[[str], bool] | None = None,
    ) -> GamePackage:
        """The game that was given, otherwise the one played last, otherwise the default one.

        Refusals of the interaction are worded for this game from now on.

        Args:
            interaction: The use of the command.
            given: The value of the parameter.
            among: The keys of the games that the command has; None for all.
            variant: A variant that the game must have; only used if no game is given.
            fits: Whether the other options fit the game with a key; only used if none is given.
        """
        if variant is not None:
            fits = takes(variant)
        offered = list(games() if among is None else among)
        if given in offered:
            key = str(given)
        else:
            fitting = [one for one in offered if fits is None or fits(one)] or offered
            usual = default_game().key
            last = await self._results.latest_family(interaction.user.id, fitting)
            key = last or (usual if usual in fitting else fitting[0])
        interaction.extras[FAMILY] = key
        return games()[key]


def choices(kind: str, values: Iterable[str]) -> list[app_commands.Choice[str]]:
    """The values that an option can have, with texts under `<kind>.<value>`."""
    return [app_commands.Choice(name=localized(f"{kind}.{value}"), value=value) for value in values]


def level_choices(values: Iterable[str], family: str = "any") -> list[app_commands.Choice[str]]:
    """The levels that an option can have, named as the game calls them; `any` for several games.

    The strongest level is called perfect only where every move is proven.
    """
    texts = say_in(ENGLISH).texts
    keys = {value: key_in(texts, "level", family, value) for value in values}
    return [app_commands.Choice(name=localized(key), value=value) for value, key in keys.items()]


Commands = tuple[GameCommand, ...]


@dataclass(frozen=True, slots=True)
class CommandFactory:
    """Makes the commands of one kind for each game."""

    order: int
    """Smaller numbers come first among a game's commands."""
    make: Callable[[GamePackage], Iterable[GameCommand]]


@dataclass(frozen=True, slots=True)
class GlobalCommand:
    """A command beside the groups of the games; most have an optional parameter `game`."""

    order: int
    """Smaller numbers come first."""
    command: GameCommand
    group: str | None = None
    """The key of the group that it belongs to, whose texts are `command.<group>`; None for none."""
    anywhere: bool = False
    """Whether it is answered even in channels where the server allows no games."""


class CommandMentions:
    """Mentions of commands that can be pressed, once Discord has given the commands ids."""

    def __init__(self) -> None:
        """No ids are known yet."""
        self._ids: Mapping[str, int] = {}

    def learn(self, ids: Mapping[str, int]) -> None:
        """Use these ids of commands and groups, by their default names."""
        self._ids = ids

    def __call__(self, *keys: str, say: Translator) -> str:
        """The mention of a command by the keys of its texts, with the group first.

        If its id is unknown, this is its name in the language of `say`.
        """
        english = command_path(keys, say_in(ENGLISH))
        known = self._ids.get(english.partition(" ")[0])
        return f"`/{command_path(keys, say)}`" if known is None else f"</{english}:{known}>"


def command_path(keys: Iterable[str], say: Translator) -> str:
    """A command's name and the name of its group before it, by the keys of their texts."""
    group, *rest = keys
    names = (say.key("command", group, f"{key}.name") for key in rest)
    return " ".join((say(f"command.{group}.name"), *map(say, names)))


def game_group(
    game: GamePackage, factories: Iterable[CommandFactory], answering: Answering
) -> app_commands.Group:
    """A game's command group: the commands of the factories, each wrapped by `answering`."""
    group = empty_group(game.key)
    for factory in sorted(factories, key=lambda one: one.order):
        for made in factory.make(game):
            group.add_command(wrapped(made, answering, game.key))
    return group


def empty_group(key: str) -> app_commands.Group:
    """A group without commands, whose texts are `command.<key>`."""
    return app_commands.Group(
        name=localized(f"command.{key}.name"), description=localized(f"command.{key}.description")
    )


def global_commands(
    declared: Iterable[GlobalCommand], answering: Answering
) -> tuple[GameCommand | app_commands.Group, ...]:
    """The commands and groups beside those of the games, in order, wrapped by `answering`."""
    found: dict[str, GameCommand | app_commands.Group] = {}
    for one in sorted(declared, key=lambda one: one.order):
        made = wrapped(one.command, answering, anywhere=one.anywhere)
        if one.group is None:
            found[made.name] = made
        else:
            group = found.setdefault(one.group, empty_group(one.group))
            assert isinstance(group, app_commands.Group), f"{one.group} is a command"
            group.add_command(made)
    return tuple(found.values())


def wrapped(
    made: GameCommand, answering: Answering, family: str | None = None, *, anywhere: bool = True
) -> GameCommand:
    """Wrap a command's callback with `answering`, for the game of this key; returns the command.

    Unless it is answered `anywhere`, it is refused in channels where the server allows no games.
    """
    inner = cast("Callable[..., Awaitable[None]]", made.callback)

    async def answer(interaction: Interaction[Any], **given: Any) -> None:
        note_used(interaction)
        async with answering(interaction, family):
            if not anywhere:
                require_games_allowed(interaction)
            await inner(interaction, **given)

    # discord.py has read the parameters from `inner`; from now on it only calls the callback.
    made._callback = answer
    return made


def localized(key: str) -> app_commands.locale_str:
    """The English text of a key; `WordsTranslator` translates it."""
    return app_commands.locale_str(say_in(ENGLISH)(key), key=key)


_TRANSLATED = frozenset(
    locale.value
    for locale in Locale
    if (language := locale.value.split("-")[0]) in LANGUAGES and language != ENGLISH
)
"""The locales whose texts differ from the English ones."""


class WordsTranslator(app_commands.Translator):
    """Translates the texts made by `localized`."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """The text in the locale's language; None if that is English or not supported."""
        # discord.py asks for each text in every locale.
        if locale.value not in _TRANSLATED:
            return None
        key = string.extras.get("key")
        return None if key is None else say_for(locale.value)(key)


MAX_CHOICES = 25
"""Discord's limit on suggestions."""


def suggest(
    command: GameCommand, option: str, titles: Callable[[Translator], Mapping[str, str]]
) -> None:
    """Suggest the values of an option that match what has been typed, in the order of `titles`.

    `titles` gives the names of the values in one language.
    """

    async def matching(
        interaction: Interaction[Any], current: str
    ) -> list[app_commands.Choice[str]]:
        return _matching(current, titles(say_for(interaction.locale.value)))

    command.autocomplete(option)(matching)


def _matching(current: str, titles: Mapping[str, str]) -> list[app_commands.Choice[str]]:
    """The values whose names have a word that begins with what has been typed."""
    typed = current.strip().lower().replace("×", "x")
    found = [
        app_commands.Choice(name=title, value=value)
        for value, title in titles.items()
        if not typed or any(word.startswith(typed) for word in f"{value} {title}".lower().split())
    ]
    return found[:MAX_CHOICES]


def suggest_variants(family: GamePackage, command: GameCommand) -> None:
    """Suggest variants, the usual one first; does nothing for a game with a single variant."""
    if len(family.variants) > 1:
        suggest(command, "variant", lambda say: _variants(family, say))


def _variants(family: GamePackage, say: Translator) -> dict[str, str]:
    """The names of a game's variants, the usual one first."""
    ordered = sorted(family.variants, key=lambda variant: variant != family.usual)
    return {variant: say.variant(family.key, variant) for variant in ordered}


def suggest_sizes(family: GamePackage, command: GameCommand) -> GameCommand:
    """Suggest all sizes, the size classes and their sizes; returns the command.

    Does nothing for a game with a single size class.
    """
    if has_sizes(family.key):
        suggest(command, "size", lambda say: _sizes(family.key, say))
    return command


def _sizes(family: str, say: Translator) -> dict[str, str]:
    """The names of all sizes, of the size classes and of their sizes."""
    classes = classes_of(family)
    named = {c.name: say.texts.get(f"covers.{c.name}", c.name) for c in classes}
    sizes = {v: say.variant(family, v) for c in classes for v in c.variants}
    return {ALL: say("covers.all"), **named, **sizes}


def _agents(family: str, say: Translator) -> dict[str, str]:
    """The names of a game's agents."""
    return {name: say.agent(family, name) or name for name in agents_for(family)}


Titles = Callable[[str, Translator], Mapping[str, str]]
"""The names of an option's values, by the game's key and the texts."""


def suggest_by_game(command: GameCommand, option: str, titles: Titles) -> None:
    """Suggest the values of an option for the game that is being chosen by the option `game`."""

    async def matching(
        interaction: Interaction[Any], current: str
    ) -> list[app_commands.Choice[str]]:
        typed = getattr(interaction.namespace, say_in(ENGLISH)("option.game.name"), None)
        key = str(typed) if typed in games() else default_game().key
        return _matching(current, titles(key, say_for(interaction.locale.value)))

    command.autocomplete(option)(matching)


def suggest_variants_by_game(command: GameCommand) -> None:
    """Suggest the variants of the game that is being chosen, for the parameter `variant`."""
    suggest_by_game(command, "variant", lambda key, say: _variants(games()[key], say))


def suggest_sizes_by_game(command: GameCommand) -> None:
    """Suggest the size classes and sizes of the game that is being chosen."""
    suggest_by_game(command, "size", _sizes)


def suggest_agents_by_game(command: GameCommand, *options: str) -> None:
    """Suggest the agents of the game that is being chosen."""
    for option in options:
        suggest_by_game(command, option, _agents)
