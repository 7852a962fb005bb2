"""Which games some statistics are about, in words."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime

from babel.dates import format_date

from bot.rating.size_classes import ALL, SizeClass, class_called, classes_of
from bot.rating.standing import Coverage
from bot.words import LANGUAGES, Say, say_in


def day(time: float, say: Say) -> str:
    """A date as the region writes it."""
    return format_date(datetime.fromtimestamp(time, UTC).date(), format="short", locale=say.locale)


def has_sizes(family: str) -> bool:
    """Whether a game has several size classes, so that statistics have to tell them apart."""
    return len(classes_of(family)) > 1


def size_called(family: str, typed: str | None) -> SizeClass | None:
    """The class that somebody asks for, in any of the bot's languages; None for all sizes.

    Raises Refusal for what is no size.
    """
    wanted = _plain(typed or ALL)
    for say in map(say_in, LANGUAGES):
        for name in (ALL, *(size.name for size in classes_of(family))):
            if wanted in (
                _plain(say.texts.get(f"{kind}.{name}", "")) for kind in ("size", "covers")
            ):
                return class_called(family, name)
    return class_called(family, typed)


def _plain(text: str) -> str:
    """A text without capitals and accents, which not everybody types."""
    kept = (c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return "".join(kept).casefold().strip()


def size_title(size: SizeClass, say: Say) -> str:
    """One word for a size class, such as `classic`; its only size for a game without classes."""
    return say.texts.get(f"size.{size.name}", size.usual)


def covered(coverage: Coverage, family: str, say: Say) -> str:
    """The size class and the period, such as `All sizes · since 9/21/26`."""
    size = coverage.size
    if size is None and not has_sizes(family):
        (size,) = classes_of(family)
    sizes = say("covers.all") if size is None else say.texts.get(f"covers.{size.name}", size.usual)
    if coverage.since is None:
        return f"{sizes} · {say('covers.always')}"
    return f"{sizes} · {say('covers.since', date=day(coverage.since, say))}"
