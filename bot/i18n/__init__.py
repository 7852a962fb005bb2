"""All texts for players, by language and region.

Texts are in `<language>.po` files under keys such as `refusal.no_game`; their `{fields}` are filled
in by `str.format`. Counts have a text for each of the language's plural forms, under keys such as
`count.nodes.one` and `count.nodes.other`. There are three places:

- the core's texts are beside this file;
- a feature's are in its own folder, and are removed with it;
- a game's are in `texts/` of its package, also for games of other distributions. Its keys contain
  the game's key, such as `help.gato` or `command.gato.place.name`, so that games never define each
  other's. Where a game has no text of its own under a key such as `command.gato.drop.name`, the
  shared `command.drop.name` is used.

The module also cleans and escapes names and input of people for messages.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType

from babel import Locale
from babel.messages.pofile import PoFileError, read_po
from babel.numbers import format_decimal

from engine.core.checks import IncompleteGame
from engine.core.package import GamePackage
from engine.core.registry import default_game, games

FEATURES = Path(__file__).parents[1] / "features"

ENTRY_POINTS = "cuatro.features"
"""The entry points by which installed packages add features."""

ENGLISH = "en"

LANGUAGES = (ENGLISH, "es")

COMMON_REFUSALS = ("over", "outside")
"""Reasons for which every game refuses a move."""

REGIONS = ("en-GB", "en-US", "es-419", "es-ES")
"""The locales, as Discord writes them, whose numbers and dates are known to differ."""

UNITS = ((86400, "days"), (3600, "hours"), (60, "minutes"), (1, "seconds"))
"""The units of durations: the seconds of each, and the name of its texts, `count.<name>`."""

MAX_ECHOED = 60
"""The most characters of a person's input that an answer repeats."""

LONGEST_NAME = 100
"""Characters of a name that are shown; Discord allows no more in the name of a server."""

LONGEST_MESSAGE = 2000
"""Discord's limit on the text of a message."""

MAX_MARKS = 4
"""Accents that one letter keeps: no language needs more, and more of them cover other lines."""

CUT = "…"

_JOINERS = "\u200c\u200d"
"""The joiners of emoji and of letters in some scripts: the only invisible characters kept."""

_INVISIBLE = ("Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp")
"""Kinds of characters that cannot be seen but change how others are shown, or have no shape."""

_MARKDOWN = re.compile(r"([\\*_~`|<>\[\]]|^#(?=#*\s)|^-(?=#?\s))")


class Translator:
    """Translates text keys to one language; formats numbers and dates as in one of its regions."""

    def __init__(self, locale: str) -> None:
        """Use a language, or a language and a region such as `es-419`."""
        self.locale = Locale.parse(locale, sep="-")
        self.language = self.locale.language
        self.texts = texts_in(self.language)

    def __call__(self, key: str, **details: object) -> str:
        """The text under a key, filled in; raises KeyError for a key that does not exist."""
        return self.texts[key].format(**details)

    def key(self, kind: str, game: str, name: str) -> str:
        """The key of a game's own text of a kind; that of the shared text where it has none."""
        return key_in(self.texts, kind, game, name)

    def agent(self, game: str, name: str, kind: str = "level") -> str | None:
        """The name of an agent of a game; None if it has no text.

        `kind` is `level` for lists to choose from, or `short` elsewhere.
        """
        return self.texts.get(self.key(kind, game, name))

    def variant(self, family: str, variant: str) -> str:
        """The name of a variant: its own text if it has one, such as a size."""
        return self.texts.get(f"variant.{family}.{variant}", variant)

    def move(self, family: str, label: str) -> str:
        """A move as players read it: its own text if it has one, else the move's notation."""
        return self.texts.get(f"move.{family}.{label}", label)

    def label(self, family: str, move: str) -> str:
        """The label of a move's button: like `move`, but with an emoji where the game has one."""
        return self.texts.get(f"label.{family}.{move}", self.move(family, move))

    def mark(self, family: str, player: int) -> str:
        """The name of a player's stones: their letter, or the player's number."""
        return self.texts.get(f"mark.{family}.{player}", str(player))

    def number(self, value: float, digits: int = 0) -> str:
        """A number as this region writes it, with `digits` decimals."""
        return self._number(value, f"#,##0.{'0' * digits}" if digits else "#,##0")

    def decimal(self, value: float) -> str:
        """A number with two decimals, or four if it is very small."""
        return self.number(value, 4 if 0 < value < 0.01 else 2)

    def rating(self, value: float) -> str:
        """A rating: a whole number without a separator, as players write them everywhere."""
        return str(round(value))

    def count(self, what: str, number: int) -> str:
        """A number of things with the word for them, such as `1 node` or `2,880 nodes`.

        Its texts are `count.<what>.<plural form>`; raises KeyError without texts.
        """
        return self.plural(f"count.{what}", number)

    def all_of(self, words: Sequence[str]) -> str:
        """Words joined by "and", such as `a, b and c`; the word changes as Spanish requires."""
        return self._joined("all", words)

    def any_of(self, words: Sequence[str]) -> str:
        """Words joined by "or", such as `3 or 7`; the word changes as Spanish requires."""
        return self._joined("any", words)

    def _joined(self, kind: str, words: Sequence[str]) -> str:
        if len(words) < 2:
            return "".join(words)
        *others, last = words
        # Markup before the last word has no sound.
        sound = last.lstrip("*_`").lower()
        clashes = re.match(self.texts[f"list.{kind}.clash.before"], sound)
        form = "clash" if clashes else "usual"
        return self.texts[f"list.{kind}.{form}"].format(others=", ".join(others), last=last)

    def plural(self, key: str, number: int, **details: object) -> str:
        """The sentence about a number of things under `<key>.<plural form>`, filled in.

        Raises KeyError without texts.
        """
        form = f"{key}.{self.locale.plural_form(number)}"
        text = self.texts[form if form in self.texts else f"{key}.other"]
        return text.format(count=self.number(number), **details)

    def duration(self, seconds: float) -> str:
        """A span of time in two units at most: `2 days`, `3 min 12 s`, `4.2 s`.

        Seconds have decimals only below a minute, and only significant ones.
        """
        if round(seconds, 1) < 60:
            digits = 4 if seconds < 0.01 else 2 if seconds < 10 else 1
            text = self._number(round(seconds, digits), "#,##0.####")
            return self.texts["count.seconds.other"].format(count=text)
        (unit, whole), (lesser, rest) = _largest_units(seconds)
        words = self.count(unit, whole)
        return f"{words} {self.count(lesser, rest)}" if rest else words

    def _number(self, value: float, pattern: str) -> str:
        return format_decimal(value, format=pattern, locale=self.locale)


def _largest_units(seconds: float) -> tuple[tuple[str, int], tuple[str, int]]:
    """The largest unit of a time of a minute or more, and the next one, with rounded numbers."""
    # Rounded before units are compared, so that 23 h 59 min 59 s become a day.
    return next(
        ((unit, whole), (lesser, rest))
        for (size, unit), (part, lesser) in pairwise(UNITS)
        for whole, rest in [divmod(round(seconds / part), size // part)]
        if whole
    )


@cache
def say_in(locale: str) -> Translator:
    """The translator for one of LANGUAGES or REGIONS; made once."""
    return Translator(locale)


def say_for(locale: str) -> Translator:
    """The translator for a Discord locale, such as `es-419`; English for an unknown one."""
    if locale in REGIONS:
        return say_in(locale)
    language = locale.split("-")[0].lower()
    return say_in(language if language in LANGUAGES else ENGLISH)


def cleaned(text: str, most: int = LONGEST_NAME) -> str:
    """One line without controls, marks of direction and piled up accents; cut to `most`.

    The work is bounded however long the text is.
    """
    shown, marks = [], 0
    for character in text[: 4 * most]:
        category = unicodedata.category(character)
        marks = marks + 1 if category == "Mn" else 0
        if category == "Zs" or character in "\n\r\t\u2028\u2029":
            shown.append(" ")
        elif marks <= MAX_MARKS and (character in _JOINERS or category not in _INVISIBLE):
            shown.append(character)
    return clipped(" ".join("".join(shown).split()), most)


def escaped(text: str) -> str:
    """A text that Discord shows as it is: no Markdown, no mentions and no links."""
    plain = _MARKDOWN.sub(r"\\\1", cleaned(text, LONGEST_MESSAGE))
    # Discord reads neither a mention nor an address across these.
    return plain.replace("@", "@\u200b").replace("://", ":\\//")


def quoted(text: str) -> str:
    """A person's input as an answer repeats it: cleaned, shortened and escaped."""
    return escaped(cleaned(text, MAX_ECHOED)) or CUT


def in_code(text: str) -> str:
    """A person's input as an answer repeats it between backticks."""
    return cleaned(text, MAX_ECHOED).replace("`", "'") or CUT


def clipped(text: str, most: int) -> str:
    """A text of at most `most` characters; one that is cut ends with an ellipsis."""
    return text if len(text) <= most else text[: most - len(CUT)] + CUT


def fitting(text: str) -> str:
    """A message's text within Discord's limit, cut at the end of a line if possible."""
    if len(text) <= LONGEST_MESSAGE:
        return text
    whole = text[: LONGEST_MESSAGE - 2].rpartition("\n")[0]
    # A single line of that length has no end to cut at.
    cuts_much = len(whole) < LONGEST_MESSAGE // 2
    return clipped(text, LONGEST_MESSAGE) if cuts_much else f"{whole}\n{CUT}"


@cache
def texts_in(language: str) -> Mapping[str, str]:
    """All texts of a language by their keys; raises IncompleteGame."""
    return MappingProxyType(merged(language, games().values()))


def merged(language: str, packages: Iterable[GamePackage]) -> Mapping[str, str]:
    """The bot's texts with those of its features and of some games.

    Raises ValueError for a key that two features or the core define, and IncompleteGame for a game
    that repeats a key.
    """
    texts: dict[str, str] = {}
    owners: dict[str, str] = {}
    for folder in (Path(__file__).parent, *_feature_folders()):
        path = folder / f"{language}.po"
        owner = "the bot" if folder == Path(__file__).parent else f"the feature {folder.name}"
        for key, text in (_read(path, language) if path.is_file() else {}).items():
            if key in texts:
                raise ValueError(f"{path} repeats {key}, a text of {owners[key]}")
            texts[key], owners[key] = text, owner
    for package in packages:
        for key, text in _texts_of(package, language).items():
            if key in texts:
                raise IncompleteGame(
                    package.key, "texts", f"{language}.po repeats {key}, a text of {owners[key]}"
                )
            texts[key], owners[key] = text, package.key
    return texts


def _feature_folders() -> Iterator[Path]:
    """The folders of all features, found without importing them."""
    yield from sorted(path for path in FEATURES.iterdir() if path.is_dir())
    for point in entry_points(group=ENTRY_POINTS):
        spec = find_spec(point.module)
        if spec is not None and spec.origin is not None:
            yield Path(spec.origin).parent


def key_in(texts: Mapping[str, str], kind: str, game: str, name: str) -> str:
    """The key of a game's own text, `<kind>.<game>.<name>`; without one, `<kind>.<name>`."""
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
    yield from (f"button.begin.{game}.{level}" for level in package.welcome_levels)
    yield from (f"course.{game}.{course.key}" for course in package.courses)
    for lesson in package.lessons:
        yield from (f"lesson.{game}.{lesson.key}.{part}" for part in ("title", "text", "ask"))
    if package is default_game():
        yield f"menu.challenge.{game}"


def optional_for(package: GamePackage) -> Iterator[str]:
    """Yield the keys of the texts that lessons may have about answers and shown solutions."""
    for lesson in package.lessons:
        steps = max((len(problem.steps) for problem in lesson.problems), default=0)
        parts = [f"part{part}" for part in range(1, len(lesson.problems) + 1)]
        parts += [f"step{step}" for step in range(1, steps + 1)]
        for kind in ("missed", "right", "shown"):
            yield f"lesson.{package.key}.{lesson.key}.{kind}"
            yield from (f"lesson.{package.key}.{lesson.key}.{kind}.{part}" for part in parts)


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
