"""How commands are registered with Discord: when, and in which languages."""

from __future__ import annotations

from typing import Any

import pytest
from discord.app_commands import CommandSyncFailure

from bot.app import make_client, open_services
from bot.discord.client import INTENTS
from bot.discord.registration import sync_commands
from engine.core.registry import games
from tests.bot.present import FEATURES


def sent_commands(venue: Any) -> list[list[dict[str, Any]]]:
    """The command lists that have been sent so far."""
    return [
        request.json
        for request in venue.env.http_requests
        if request.method == "PUT" and request.path.endswith("/commands")
    ]


def descriptions(payload: Any) -> list[str]:
    """All names and descriptions in a command payload."""
    if isinstance(payload, list):
        return [text for part in payload for text in descriptions(part)]
    if not isinstance(payload, dict):
        return []
    own = [payload[key] for key in ("name", "description") if key in payload]
    for key in ("name_localizations", "description_localizations"):
        own += list((payload.get(key) or {}).values())
    return own + descriptions(list(payload.values()))


async def test_commands_are_sent_only_when_they_have_changed(venue: Any) -> None:
    """The first start sends the commands, a restart does not, and force sends them again."""
    assert len(sent_commands(venue)) == 1
    await venue.restart()
    assert len(sent_commands(venue)) == 1
    tree, store = venue.env.bot.tree, venue.services.store
    assert not await sync_commands(tree, store)
    assert await sync_commands(tree, store, force=True)
    tree.get_command("connect4").get_command("resign").description = "Something new"
    assert await sync_commands(tree, store)


async def test_rejected_commands_are_reported_and_sent_again(venue: Any) -> None:
    """Commands that Discord rejects are an error about commands, and the next start sends them."""
    tree, store = venue.env.bot.tree, venue.services.store
    tree.get_command("connect4").get_command("resign").description = "Something new"
    venue.env.inject_error("PUT", "/applications/*/commands", status=400, code=50035, times=1)
    with pytest.raises(CommandSyncFailure):
        await sync_commands(tree, store)
    assert await sync_commands(tree, store)


async def test_names_and_descriptions_are_short_and_translated(venue: Any) -> None:
    """All names and descriptions fit Discord's limits and are translated to Spanish."""
    (payload,) = sent_commands(venue)
    texts = descriptions(payload)
    assert all(0 < len(text) <= 100 for text in texts)
    groups = {group["name"]: group for group in payload if "options" in group}
    assert set(groups) >= set(games())
    names = {option["name"] for option in groups["connect4"]["options"]}
    of_features = {"hints": "hint", "statistics": "stats"}
    expected = {name for feature, name in of_features.items() if feature in FEATURES}
    assert names >= {"start", "drop", "board", "resign"} | expected
    assert {"play", "games", "help", "lab"} <= set(groups)
    for option in (option for group in groups.values() for option in group["options"]):
        assert option["name"] == option["name"].lower()
        assert option["name_localizations"]["es-ES"]
        assert option["description_localizations"]["es-419"]


async def test_the_size_says_rows_and_columns_and_is_completed(venue: Any) -> None:
    """The size option explains its two numbers and suggests the sizes that match the input."""
    (payload,) = sent_commands(venue)
    group = next(group for group in payload if group["name"] == "connect4")
    start = next(o for o in group["options"] if o["name"] == "start")
    size = next(o for o in start["options"] if o["name"] == "size")
    assert "5x4 has 5 rows and 4 columns" in size["description"]
    every = await venue.ana.autocomplete(venue.channel, "connect4 start", "size", "")
    assert len(every) == 25
    assert every[0]["value"] == "6x7"
    some = await venue.ana.autocomplete(venue.channel, "connect4 start", "size", "5")
    assert {choice["value"] for choice in some} == {f"5x{columns}" for columns in range(4, 9)}


async def test_answers_come_in_the_askers_language(venue: Any) -> None:
    """A Spanish client gets Spanish refusals, a Spanish board and Spanish alternative texts."""
    parsers = venue.env.bot._connection.parsers
    received = parsers["INTERACTION_CREATE"]
    # The offline Discord has only English clients, so the locale of its interactions is replaced.
    parsers["INTERACTION_CREATE"] = lambda data: received({**data, "locale": "es-419"})
    refused = await venue.ana.slash(venue.channel, "connect4 drop", column=1)
    assert "todavía no hay partida" in refused.response.content
    started = await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="medium")
    assert "Te toca, Ana" in started.response.content
    assert "**Cuatro** (medio)" in started.response.content
    assert "0 es casilla vacía" in started.response.attachments[0].description
    parsers["INTERACTION_CREATE"] = received
    refused = await venue.bea.slash(venue.channel, "connect4 drop", column=1)
    assert "This game is between" in refused.response.content
    await venue.ana.click(venue.board(), label="1")
    assert "Te toca, Ana" in venue.board().content


async def test_the_bot_asks_for_no_privileged_intents(settings: Any) -> None:
    """The bot requests the list of servers, but no messages, members or presences."""
    async with open_services(settings) as services, make_client(services) as client:
        assert client.intents == INTENTS
    assert INTENTS.value == 1
    assert not INTENTS.members
    assert not INTENTS.presences
    assert not INTENTS.message_content
