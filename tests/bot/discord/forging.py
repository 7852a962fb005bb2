"""Forged button presses that no Discord client would send."""

from __future__ import annotations

import copy
import json
from typing import Any

from tests.bot.discord.stage import Stage


def forge(venue: Any, *, custom_id: str | None = None, by: Any = None, shown: bool = True) -> None:
    """Make every following press carry this custom id, or come from another user.

    With `shown` the message claims to have such a button.
    """
    connection = venue.env.bot._connection
    received = connection.parse_interaction_create

    def parse(data: Any) -> None:
        forged = copy.deepcopy(data)
        if custom_id is not None and "custom_id" in forged["data"]:
            old = forged["data"]["custom_id"]
            forged["data"]["custom_id"] = custom_id
            if shown:
                text = json.dumps(forged["message"])
                forged["message"] = json.loads(
                    text.replace(json.dumps(old), json.dumps(custom_id), 1)
                )
        if by is not None:
            forged["member"]["user"]["id"] = str(by.id)
        received({**forged, "locale": venue.locale})

    connection.parsers["INTERACTION_CREATE"] = parse


async def refused_stranger(venue: Any, action: str) -> int:
    """Require that Ana is refused a button of Bea's game in another channel.

    Return its custom id.
    """
    stage = Stage(venue, "connect4", venue.other_channel)
    await stage.begins(venue.bea)
    game = await stage.game()
    for _ in range(4):
        await stage.play(venue.bea)
    await stage.resign(venue.bea)
    helped = await venue.ana.slash(venue.channel, "help")
    forge(venue, custom_id=f"cuatro:{action}:{game.id}")
    refused = await venue.ana.click(helped.response, label="Play")
    assert refused.ephemeral
    assert "Only the people who played that game" in refused.response.content
    return int(game.id)
