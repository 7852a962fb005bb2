"""Registering the bot's commands with Discord."""

from __future__ import annotations

import hashlib
import json
import logging
from typing import Any

from discord import HTTPException, app_commands

from bot.store.store import Store

logger = logging.getLogger(__name__)

LONGEST_NOTE = 256
"""Characters of one stored note."""

INVALID_FORM = 50035
"""Discord's error code for a request whose content it rejects."""


async def sync_commands(
    tree: app_commands.CommandTree[Any], store: Store, *, force: bool = False
) -> bool:
    """Send the commands if they differ from those sent last; returns whether they were sent.

    The ids that Discord gives them are stored for `command_ids`. Raises CommandSyncFailure, which
    names the commands, if Discord rejects them.
    """
    application_id, commands = tree.client.application_id, tree.get_commands()
    assert application_id is not None
    assert tree.translator is not None
    # Translated once, for the comparison and for Discord; `tree.sync` would do it again.
    payload = [await one.get_translated_payload(tree, tree.translator) for one in commands]
    text = json.dumps(payload, sort_keys=True, default=str)
    present = hashlib.sha256(text.encode()).hexdigest()
    note = f"commands:{application_id}"
    is_known = await store.notes.find(note) == present and await command_ids(tree, store)
    if is_known and not force:
        return False
    try:
        registered = await tree.client.http.bulk_upsert_global_commands(
            application_id, payload=payload
        )
    except HTTPException as error:
        if error.code == INVALID_FORM:
            raise app_commands.CommandSyncFailure(error, commands) from None
        raise
    ids = {one["name"]: int(one["id"]) for one in registered}
    await _store_ids(tree, store, json.dumps(ids))
    await store.notes.put(note, present)
    logger.info("the commands were registered with Discord")
    return True


async def command_ids(tree: app_commands.CommandTree[Any], store: Store) -> dict[str, int]:
    """The ids of the registered commands and groups by their names; empty if none are known."""
    parts: list[str] = []
    while part := await store.notes.find(_ids_note(tree, len(parts))):
        parts.append(part)
    ids: dict[str, int] = json.loads("".join(parts)) if parts else {}
    return ids


async def _store_ids(tree: app_commands.CommandTree[Any], store: Store, text: str) -> None:
    """Store the ids in as many notes as they need; an empty one ends them."""
    parts = [text[at : at + LONGEST_NOTE] for at in range(0, len(text), LONGEST_NOTE)]
    for number, part in enumerate((*parts, "")):
        await store.notes.put(_ids_note(tree, number), part)


def _ids_note(tree: app_commands.CommandTree[Any], number: int) -> str:
    return f"command_ids:{tree.client.application_id}:{number}"
