"""Registering the commands with Discord, but only if they have changed.

Discord limits how often commands may be created, so they are not sent at every start.
"""

from __future__ import annotations

import hashlib
import json
import logging
from typing import Any

from discord import app_commands

from bot.store import Store

logger = logging.getLogger(__name__)


async def digest(tree: app_commands.CommandTree[Any]) -> str:
    """A hash of everything that would be registered, translations included."""
    assert tree.translator is not None
    payloads = [
        await command.get_translated_payload(tree, tree.translator)
        for command in tree.get_commands()
    ]
    text = json.dumps(payloads, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


async def sync_commands(
    tree: app_commands.CommandTree[Any], store: Store, *, force: bool = False
) -> bool:
    """Send the commands if they differ from those sent last; returns whether they were sent."""
    note = f"commands:{tree.client.application_id}"
    present = await digest(tree)
    if not force and await store.notes.find(note) == present:
        return False
    await tree.sync()
    await store.notes.put(note, present)
    logger.info("the commands were registered with Discord")
    return True
