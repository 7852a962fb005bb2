"""Everything that players read, by language and region.

The texts are in `en.po` and `es.po` beside this file and in the folder of each game, under keys
such as `refusal.no_game`; their `{fields}` are filled in by `str.format`. What is counted has a
text for each of the language's plural forms, under keys such as `count.nodes.one` and
`count.nodes.other`.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from babel import Locale
from babel.numbers import format_decimal

from bot.words.catalogues import ENGLISH as ENGLISH
from bot.words.catalogues import LANGUAGES as LANGUAGES
from bot.words.catalogues import key_in, texts_in

REGIONS = ("en-GB", "en-US", "es-419", "es-ES")
"""The locales, as Discord writes them, whose numbers and dates are known to differ."""
UNITS = ((86400, "days"), (3600, "hours"), (60, "minutes"), (1, "seconds"))
"""What times are told in: seconds each, and under which `count.<name>` the texts stand."""


class Say:
    """The texts of one language, with numbers and dates as one of its regions writes them."""

    def __init__(self, locale: str) -> None:
        """Speak for a language, or for a language and a region such as `es-419`."""
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
        """What an agent of a game is called; None where it has no text.

        Args:
            game: The game's key.
            name: The agent's name.
            kind: `level`, or `short` for where there is little room.
        """
        return self.texts.get(self.key(kind, game, name))

    def variant(self, family: str, variant: str) -> str:
        """What people call a variant: its own text where it has one, such as a size."""
        return self.texts.get(f"variant.{family}.{variant}", variant)

    def move(self, family: str, label: str) -> str:
        """What a move's button says: its own text where it has one, else the move as written."""
        return self.texts.get(f"move.{family}.{label}", label)

    def mark(self, family: str, player: int) -> str:
        """What a player's stones are called in words: their letter, or the player's number."""
        return self.texts.get(f"mark.{family}.{player}", str(player))

    def number(self, value: float, digits: int = 0) -> str:
        """A number as this region writes it, with `digits` decimals."""
        return self._number(value, f"#,##0.{'0' * digits}" if digits else "#,##0")

    def decimal(self, value: float) -> str:
        """A number with two decimals, or four where two would show next to nothing."""
        return self.number(value, 4 if 0 < value < 0.01 else 2)

    def rating(self, value: float) -> str:
        """A rating: a whole number without a separator, as players write them everywhere."""
        return str(round(value))

    def count(self, what: str, number: int) -> str:
        """A number of things with the word for them, such as `1 node` or `2,880 nodes`.

        Args:
            what: The things, as in the keys `count.<what>.<plural form>`; KeyError without texts.
            number: How many there are.
        """
        other = self.texts[f"count.{what}.other"]
        text = self.texts.get(f"count.{what}.{self.locale.plural_form(number)}", other)
        return text.format(count=self.number(number))

    def nth(self, what: str, number: int) -> str:
        """A thing by its place in a row, such as `last stone` or `2nd-last stone`.

        Args:
            what: The thing, as in the keys `nth.<what>.<ordinal form>`, and `nth.<what>.1` for the
                first; KeyError without texts.
            number: Its place, from 1 on.
        """
        keys = (str(number), self.locale.ordinal_form(number), "other")
        texts = (self.texts.get(f"nth.{what}.{key}") for key in keys)
        text = next((text for text in texts if text is not None), None)
        if text is None:
            raise KeyError(f"nth.{what}")
        return text.format(number=self.number(number))

    def duration(self, seconds: float) -> str:
        """A span of time as people say it, in two units at most: `2 days`, `3 min 12 s`, `4.2 s`.

        Seconds have decimals only below a minute, as many as say something.
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
    """How many of the largest unit a time has, and of the next one; at least a minute, rounded."""
    # Rounded before units are compared, so that 23 h 59 min 59 s become a day.
    return next(
        ((unit, whole), (lesser, rest))
        for (size, unit), (part, lesser) in pairwise(UNITS)
        for whole, rest in [divmod(round(seconds / part), size // part)]
        if whole
    )


@cache
def say_in(locale: str) -> Say:
    """The texts for one of LANGUAGES or REGIONS; read once."""
    return Say(locale)


def say_for(locale: str) -> Say:
    """The texts for a locale as Discord writes it, such as `es-419`; English where unknown."""
    if locale in REGIONS:
        return say_in(locale)
    language = locale.split("-")[0].lower()
    return say_in(language if language in LANGUAGES else ENGLISH)
