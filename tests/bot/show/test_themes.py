"""Which theme a picture has."""

from __future__ import annotations

import pytest

from bot.show.themes import reader_theme, theme_for, theme_key
from bot.store.store import Store
from renderers import THEMES
from tests.bot.builders import ANA, BEA

SERVER = 700


@pytest.mark.parametrize(
    ("people", "theirs", "servers", "expected"),
    [
        ((ANA,), "dark", "high-contrast", "dark"),
        ((ANA,), None, "high-contrast", "high-contrast"),
        ((ANA,), None, None, "classic"),
        ((ANA,), "classic", "high-contrast", "classic"),
        ((ANA, BEA), "dark", "high-contrast", "high-contrast"),
        ((ANA, BEA), "dark", None, "classic"),
        ((), "dark", "colour-blind-safe", "colour-blind-safe"),
        ((ANA,), "no longer a theme", "dark", "dark"),
        ((ANA,), None, "no longer a theme", "classic"),
    ],
)
async def test_the_only_person_decides_else_the_server(
    store: Store,
    people: tuple[int, ...],
    theirs: str | None,
    servers: str | None,
    expected: str,
) -> None:
    """A picture has the theme of its only person, else that of the server, else the classic one."""
    await store.players.set(ANA, 1.0, theme=theirs)
    await store.servers.set(SERVER, theme=servers)
    assert await theme_key(store.preferences, people, SERVER) == expected
    assert await theme_for(store.preferences, people, SERVER) is THEMES[expected]


async def test_in_private_only_the_reader_decides(store: Store) -> None:
    """Outside servers a picture has the reader's theme, else the classic one."""
    await store.players.set(ANA, 1.0, theme="dark")
    assert await theme_key(store.preferences, (ANA,), None) == "dark"
    assert await theme_key(store.preferences, (BEA,), None) == "classic"


def test_without_a_request_pictures_are_classic() -> None:
    """Work that answers no person draws in the classic theme."""
    assert reader_theme() is THEMES["classic"]
