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
    payload, present = await _translated(tree)
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
    await store.notes.put_all({**_notes_of_ids(tree, json.dumps(ids)), note: present})
    logger.info("the commands were registered with Discord")
    return True


async def _translated(tree: app_commands.CommandTree[Any]) -> tuple[list[dict[str, Any]], str]:
    """What Discord is sent about the commands, in all languages, and its digest."""
    assert tree.translator is not None
    plain = [one.to_dict(tree) for one in tree.get_commands()]
    key = json.dumps(plain, sort_keys=True, default=str)
    if key not in _known:
        # Translated once, for the comparison and for Discord; `tree.sync` would do it again.
        payload = [
            await one.get_translated_payload(tree, tree.translator) for one in tree.get_commands()
        ]
        text = json.dumps(payload, sort_keys=True, default=str)
        _known.clear()
        _known[key] = payload, hashlib.sha256(text.encode()).hexdigest()
    return _known[key]


_known: dict[str, tuple[list[dict[str, Any]], str]] = {}
"""The latest result of `_translated`, by the commands in English.

A process has one set of texts, so all of its clients with the same commands translate them alike.
discord.py asks for each text in each of Discord's 34 languages.
"""


async def command_ids(tree: app_commands.CommandTree[Any], store: Store) -> dict[str, int]:
    """The ids of the registered commands and groups by their names; empty if none are known."""
    parts: list[str] = []
    while part := await store.notes.find(_ids_note(tree, len(parts))):
        parts.append(part)
    ids: dict[str, int] = json.loads("".join(parts)) if parts else {}
    return ids


def _notes_of_ids(tree: app_commands.CommandTree[Any], text: str) -> dict[str, str]:
    """As many notes as the ids need, by name; an empty one ends them."""
    parts = [text[at : at + LONGEST_NOTE] for at in range(0, len(text), LONGEST_NOTE)]
    return {_ids_note(tree, number): part for number, part in enumerate((*parts, ""))}


def _ids_note(tree: app_commands.CommandTree[Any], number: int) -> str:
    return f"command_ids:{tree.client.application_id}:{number}"
