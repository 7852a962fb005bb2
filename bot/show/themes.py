"""Which theme a picture has."""

from __future__ import annotations

from collections.abc import Collection
from contextvars import ContextVar

from bot.store.people import Preferences, ServerPreferences
from bot.store.preferences import CachedPreferences
from renderers import THEMES, Theme

CLASSIC = "classic"

DEFAULT = THEMES[CLASSIC]


async def theme_key(
    preferences: CachedPreferences, people: Collection[int], guild_id: int | None
) -> str:
    """The key of a picture's theme: what its only person has chosen, else what the server has.

    `people` are the players on a public board, or the reader of a private picture alone. No
    person's choice decides a picture for several people.
    """
    if len(people) != 1:
        return chosen_theme(await preferences.of_server(guild_id))
    (person,) = people
    return chosen_theme(*await preferences.of_both(person, guild_id))


def chosen_theme(*chosen: Preferences | ServerPreferences) -> str:
    """The key of the first theme that has been chosen and exists, else of the classic one."""
    return next(
        (one.theme for one in chosen if one.theme is not None and one.theme in THEMES), CLASSIC
    )


async def theme_for(
    preferences: CachedPreferences, people: Collection[int], guild_id: int | None
) -> Theme:
    """The theme of a picture; for the arguments see `theme_key`."""
    return THEMES[await theme_key(preferences, people, guild_id)]


_READER: ContextVar[str] = ContextVar("theme of the reader", default=CLASSIC)


def note_reader(key: str) -> None:
    """Note the key of the theme of the person whose request this task answers."""
    _READER.set(key)


def reader_theme() -> Theme:
    """The theme of private pictures for the person whose request this task answers."""
    return THEMES[_READER.get()]
