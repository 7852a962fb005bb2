"""Scenes in which matches are refused."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from bot.features.matches.store import WAIT
from tests.bot.discord.stage import Stage, scene


def keep_buttons(stage: Stage) -> Callable[[], None]:
    """Returns what gives the board the buttons that it has now, as for a client behind."""
    messages, shown = stage.venue.env.backend.messages[stage.channel.id], stage.board().id
    buttons = deepcopy(messages[shown].components)

    def give_back() -> None:
        messages[shown].components = deepcopy(buttons)

    return give_back


async def play_one(stage: Stage) -> Callable[[Any], Callable[[], Any]]:
    """Play the first game of a match of two; return how its last button can be pressed by whom."""
    venue = stage.venue
    offered = await stage.slash(venue.ana, "start", match=2, opponent=venue.bea)
    await venue.bea.click(offered.response, label="Accept")
    await stage.resign(venue.ana)
    board, give_back = stage.board(), keep_buttons(stage)
    ids = (str(one.custom_id) for row in board.components for one in row.children)
    custom_id = next(one for one in ids if "match:next" in one)

    def pressing(actor: Any) -> Callable[[], Any]:
        async def press() -> Any:
            give_back()
            return await actor.click(board, custom_id=custom_id)

        return press

    return pressing


@scene("match_not_yours", "match_begun")
async def a_next_game(stage: Stage) -> None:
    """The next game is refused to others and once it has begun; others can play the bot."""
    venue, pressing = stage.venue, await play_one(stage)
    await stage.refuses("match_not_yours", pressing(venue.mod))
    refused = await pressing(venue.mod)()
    assert "Play" in str(refused.response.message.components)
    await (await stage.in_another_channel()).begins(venue.mod)
    await pressing(venue.ana)()
    said = await stage.refuses("match_begun", pressing(venue.bea))
    assert stage.board().jump_url in said


@scene("match_over")
async def a_match_that_was_not_continued(stage: Stage) -> None:
    """After half an hour the next game is refused, and a rematch can be offered instead."""
    venue, pressing = stage.venue, await play_one(stage)
    venue.services.clock.forward(WAIT + 1.0)
    await stage.refuses("match_over", pressing(venue.bea))
    refused = await pressing(venue.bea)()
    offered = await venue.bea.click(refused.response, label="Rematch")
    assert str(venue.ana.id) in offered.response.content


@scene("match_taken")
async def a_taken_channel(stage: Stage) -> None:
    """While another person plays in a thread, the next game waits; after that it begins."""
    thread, venue = await stage.in_another_channel(thread=True), stage.venue
    pressing = await play_one(thread)
    await thread.begins(venue.mod)
    said = await stage.refuses("match_taken", pressing(venue.bea))
    assert str((await thread.game()).message_id) in said
    await thread.resign(venue.mod)
    await pressing(venue.bea)()
    assert (await thread.game()).people == (venue.bea.id, venue.ana.id)
