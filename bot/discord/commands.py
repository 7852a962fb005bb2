"""Building commands from texts, options, choices and suggestions, and registering them.

Discord limits how often commands may be created, so they are sent only if they have changed.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from discord import HTTPException, Interaction, Locale, app_commands

from bot.discord.answering import FIRST_FAMILY, Answering
from bot.i18n import ENGLISH, LANGUAGES, Translator, say_for, say_in
from bot.ratings.levels import ALL, classes_of
from bot.store.store import Store
from engine.core.package import GamePackage
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
    return option("size", "scale") if len(classes_of(family.key)) > 1 else without("size")


def choices(kind: str, values: Iterable[str]) -> list[app_commands.Choice[str]]:
    """The values that an option can have, with texts under `<kind>.<value>`."""
    return [app_commands.Choice(name=localized(f"{kind}.{value}"), value=value) for value in values]


Commands = tuple[GameCommand, ...]


@dataclass(frozen=True, slots=True)
class CommandFactory:
    """Makes the commands of one kind for each game."""

    order: int
    """Smaller numbers come first among a game's commands."""
    make: Callable[[GamePackage], Iterable[GameCommand]]


def game_group(
    game: GamePackage, factories: Iterable[CommandFactory], answering: Answering
) -> app_commands.Group:
    """A game's command group: the commands of the factories, each wrapped by `answering`."""
    group = app_commands.Group(
        name=localized(f"command.{game.key}.name"),
        description=localized(f"command.{game.key}.description"),
    )
    for factory in sorted(factories, key=lambda one: one.order):
        for made in factory.make(game):
            group.add_command(wrapped(made, answering, game.key))
    return group


def wrapped(made: GameCommand, answering: Answering, family: str | None = None) -> GameCommand:
    """Wrap a command's callback with `answering`, for the game of this key; returns the command."""
    inner = cast("Callable[..., Awaitable[None]]", made.callback)

    async def answer(interaction: Interaction[Any], **given: Any) -> None:
        async with answering(interaction, family):
            await inner(interaction, **given)

    # discord.py has read the parameters from `inner`; from now on it only calls the callback.
    made._callback = answer
    return made


def wrapped_group(group: app_commands.Group, answering: Answering) -> app_commands.Group:
    """Wrap each command of a group that belongs to no game with `answering`; returns the group."""
    for made in group.commands:
        assert isinstance(made, app_commands.Command), "groups are not nested"
        wrapped(made, answering, FIRST_FAMILY)
    return group


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
        typed = current.strip().lower().replace("×", "x")
        found = [
            app_commands.Choice(name=title, value=value)
            for value, title in titles(say_for(interaction.locale.value)).items()
            if not typed
            or any(word.startswith(typed) for word in f"{value} {title}".lower().split())
        ]
        return found[:MAX_CHOICES]

    command.autocomplete(option)(matching)


def suggest_variants(family: GamePackage, command: GameCommand) -> None:
    """Suggest variants, the usual one first; does nothing for a game with a single variant."""
    variants = sorted(family.variants, key=lambda variant: variant != family.usual)
    if len(variants) > 1:
        suggest(command, "variant", lambda say: {v: say.variant(family.key, v) for v in variants})


def suggest_sizes(family: GamePackage, command: GameCommand) -> GameCommand:
    """Suggest all sizes, the size classes and their sizes; returns the command.

    Does nothing for a game with a single size class.
    """
    classes = classes_of(family.key)

    def titles(say: Translator) -> dict[str, str]:
        named = {c.name: say.texts.get(f"covers.{c.name}", c.name) for c in classes}
        sizes = {v: say.variant(family.key, v) for c in classes for v in c.variants}
        return {ALL: say("covers.all"), **named, **sizes}

    if len(classes) > 1:
        suggest(command, "size", titles)
    return command


def suggest_agents(family_key: str, command: GameCommand, *options: str) -> None:
    """Suggest agents."""

    def titles(say: Translator) -> dict[str, str]:
        return {name: say.agent(family_key, name) or name for name in agents_for(family_key)}

    for option in options:
        suggest(command, option, titles)


logger = logging.getLogger(__name__)

INVALID_FORM = 50035
"""Discord's error code for a request whose content it rejects."""


async def sync_commands(
    tree: app_commands.CommandTree[Any], store: Store, *, force: bool = False
) -> bool:
    """Send the commands if they differ from those sent last; returns whether they were sent.

    Raises CommandSyncFailure, which names the commands, if Discord rejects them.
    """
    application_id, commands = tree.client.application_id, tree.get_commands()
    assert application_id is not None
    assert tree.translator is not None
    # Translated once, for the comparison and for Discord; `tree.sync` would do it again.
    payload = [await one.get_translated_payload(tree, tree.translator) for one in commands]
    text = json.dumps(payload, sort_keys=True, default=str)
    present = hashlib.sha256(text.encode()).hexdigest()
    note = f"commands:{application_id}"
    if not force and await store.notes.find(note) == present:
        return False
    try:
        await tree.client.http.bulk_upsert_global_commands(application_id, payload=payload)
    except HTTPException as error:
        if error.code == INVALID_FORM:
            raise app_commands.CommandSyncFailure(error, commands) from None
        raise
    await store.notes.put(note, present)
    logger.info("the commands were registered with Discord")
    return True
