"""Everything that players read, by language.

The texts stand in `en.po` and `es.po` beside this file, under keys such as `refusal.no_game`;
their `{fields}` are filled in by `str.format`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from babel import Locale
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

ENGLISH = "en"
LANGUAGES = (ENGLISH, "es")


class Say:
    """The texts of one language."""

    def __init__(self, language: str) -> None:
        """Read the language's catalogue."""
        self.language = language
        with Path(__file__).with_name(f"{language}.po").open("rb") as file:
            catalog = read_po(file, locale=language)
        self.texts = {str(message.id): str(message.string) for message in catalog if message.id}

    def __call__(self, key: str, **details: object) -> str:
        """The text under a key, filled in; raises KeyError for a key that does not exist."""
        return self.texts[key].format(**details)

    def plural(self, key: str, count: int, **details: object) -> str:
        """The text under a key for a count: its own text for one where the language has one.

        The count itself is the field `count`, written as this language writes numbers.
        """
        form = _plural_form(self.language, count)
        text = self.texts.get(f"{key}.{form}", self.texts[key])
        return text.format(**{"count": self.number(count), **details})

    def variant(self, family: str, variant: str) -> str:
        """What people call a variant: its own text where it has one, such as a size."""
        return self.texts.get(f"variant.{family}.{variant}", variant)

    def move(self, family: str, label: str) -> str:
        """What a move's button says: its own text where it has one, else the move as written."""
        return self.texts.get(f"move.{family}.{label}", label)

    def number(self, value: float, digits: int = 0) -> str:
        """A number as this language writes it, with so many decimals."""
        decimals = f".{'0' * digits}" if digits else ""
        return format_decimal(value, format=f"#,##0{decimals}", locale=self.language)

    def decimal(self, value: float) -> str:
        """A number with two decimals, or four where two would show next to nothing."""
        return self.number(value, 4 if 0 < value < 0.01 else 2)

    def duration(self, seconds: float) -> str:
        """A span of time as people say it, in its two largest units."""
        if seconds < 60:
            return self("time.seconds", seconds=self.decimal(seconds))
        minutes, rest = divmod(round(seconds), 60)
        if minutes < 60:
            if not rest:
                return self("time.whole_minutes", minutes=minutes)
            return self("time.minutes", minutes=minutes, seconds=f"{rest:02}")
        hours, minutes = divmod(round(seconds / 60), 60)
        if hours < 24:
            whole = self("time.hours", hours=hours)
            return f"{whole} {self('time.whole_minutes', minutes=minutes)}" if minutes else whole
        days, hours = divmod(round(seconds / 3600), 24)
        whole = self.plural("time.days", days)
        return f"{whole} {self('time.hours', hours=hours)}" if hours else whole


@cache
def _plural_form(language: str, count: int) -> str:
    return str(Locale.parse(language).plural_form(count))


@cache
def say_in(language: str) -> Say:
    """The texts of one of LANGUAGES; read once."""
    return Say(language)


def say_for(locale: str) -> Say:
    """The texts for a locale as Discord writes it, such as `es-419`; English where unknown."""
    language = locale.split("-")[0].lower()
    return say_in(language if language in LANGUAGES else ENGLISH)
