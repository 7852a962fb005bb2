"""Telling Discord about the commands, only when they have changed.

Discord limits how often commands may be created, so a start does not send them again blindly.
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
    """A hash of all that Discord would be told, translations included."""
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
    """Send the commands if they differ from what was last sent; returns whether they were."""
    note = f"commands:{tree.client.application_id}"
    present = await digest(tree)
    if not force and await store.notes.find(note) == present:
        return False
    await tree.sync()
    await store.notes.put(note, present)
    logger.info("the commands were sent to Discord")
    return True
