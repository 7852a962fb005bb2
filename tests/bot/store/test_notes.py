"""The bot's notes to itself."""

from __future__ import annotations

from bot.store.store import Store


async def test_notes_are_replaced(store: Store) -> None:
    """A note has one text: the latest."""
    assert await store.notes.find("n") is None
    await store.notes.put("n", "one")
    await store.notes.put("n", "two")
    assert await store.notes.find("n") == "two"
