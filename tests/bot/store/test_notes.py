"""Notes that the bot stores for itself."""

from __future__ import annotations

from bot.store.store import Store


async def test_notes_are_replaced(store: Store) -> None:
    """Writing a note replaces its text."""
    assert await store.notes.find("n") is None
    await store.notes.put("n", "one")
    await store.notes.put("n", "two")
    assert await store.notes.find("n") == "two"
