"""The texts of a language: those of the bot, and those that each game brings in its own folder.

A game's texts are `texts/<language>.po` in the folder of its package, also for games of other
distributions. Its keys contain the game's key, such as `help.gato` or `command.gato.place.name`, so
that games never define each other's; where a game has no text of its own under a key such as
`command.gato.drop.name`, the shared `command.drop.name` is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from babel.messages.pofile import PoFileError, read_po

from engine.core.checks import IncompleteGame
from engine.core.package import GamePackage
from engine.core.registry import default_game, games

ENGLISH = "en"
LANGUAGES = (ENGLISH, "es")

COMMON_REFUSALS = ("over", "outside")
"""Reasons for which every game refuses a move."""


@cache
def texts_in(language: str) -> Mapping[str, str]:
    """Return all texts of a language by their keys; raises IncompleteGame."""
    return MappingProxyType(merged(language, games().values()))


def merged(language: str, packages: Iterable[GamePackage]) -> Mapping[str, str]:
    """Return the bot's texts with those of some games; raises IncompleteGame."""
    texts = _read(Path(__file__).with_name(f"{language}.po"), language)
    owners = dict.fromkeys(texts, "the bot")
    for package in packages:
        for key, text in _texts_of(package, language).items():
            if key in texts:
                raise IncompleteGame(
                    package.key, "texts", f"{language}.po repeats {key}, a text of {owners[key]}"
                )
            texts[key], owners[key] = text, package.key
    return texts


def key_in(texts: Mapping[str, str], kind: str, game: str, name: str) -> str:
    """Return the key of a game's own text, `<kind>.<game>.<name>`; without one, `<kind>.<name>`."""
    own = f"{kind}.{game}.{name}"
    return own if own in texts else f"{kind}.{name}"


def check_texts() -> None:
    """Raise IncompleteGame for the first text that a registered game lacks, in any language."""
    for language in LANGUAGES:
        for package in games().values():
            check_texts_of(package, language, texts_in(language))


def check_texts_of(package: GamePackage, language: str, texts: Mapping[str, str]) -> None:
    """Raise IncompleteGame for the first text of a language that a game lacks."""
    for key in needed_by(package, texts):
        if not texts.get(key):
            raise IncompleteGame(package.key, "texts", f"{language}.po has no {key}")


def needed_by(package: GamePackage, texts: Mapping[str, str]) -> Iterator[str]:
    """Yield the keys of all texts that a game needs."""
    game = package.key
    yield from (f"{kind}.{game}" for kind in ("game", "help", "expected"))
    commands = [command.name for command in package.commands]
    options = [command.option for command in package.commands if command.option is not None]
    options += [package.variant_option] if len(package.variants) > 1 else []
    for part in ("name", "description"):
        yield f"command.{game}.{part}"
        for kind, names in (("command", commands), ("option", options)):
            yield from (key_in(texts, kind, game, f"{name}.{part}") for name in names)
    for reason in (*COMMON_REFUSALS, *package.refusals):
        yield key_in(texts, "refusal.illegal", game, reason)
    yield from (f"remark.{remark}" for remark in package.remarks)
    yield from (f"hint.area.{game}.{effect}" for effect in package.effects)
    if package.welcome_levels:
        yield f"welcome.{game}"
    yield from (f"button.begin.{game}.{level}" for level in package.welcome_levels)
    for lesson in package.lessons:
        yield from (f"lesson.{game}.{lesson.key}.{part}" for part in ("title", "text", "ask"))
    if package is default_game():
        yield from (f"menu.challenge.{game}", f"welcome.{game}.example")


def _texts_of(package: GamePackage, language: str) -> Mapping[str, str]:
    """The texts in a game's folder."""
    name = f"{language}.po"
    path = package.folder("texts") / name
    if not path.is_file():
        raise IncompleteGame(package.key, "texts", f"there is no {name} in {path.parent}")
    try:
        return _read(path, language)
    except (PoFileError, UnicodeDecodeError) as error:
        raise IncompleteGame(package.key, "texts", f"{name} cannot be read: {error}") from error


def _read(path: Path, language: str) -> dict[str, str]:
    with path.open("rb") as file:
        catalog = read_po(file, locale=language, abort_invalid=True)
    return {str(message.id): str(message.string) for message in catalog if message.id}
