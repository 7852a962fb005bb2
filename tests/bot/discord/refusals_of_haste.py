"""Scenes in which a person asks too often, or for something that no longer exists."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from typing import Any

from sqlalchemy import text

from bot.settings import Rate
from bot.store.records import FORMER_PLAYER
from tests.bot.asked import note_asked
from tests.bot.discord.stage import Stage, scene

PAUSE_SECONDS = 601.0


@contextmanager
def limited(stage: Stage, **rates: Rate) -> Iterator[None]:
    """Apply these limits until the block ends."""
    limiter = stage.venue.services.limiter
    usual = limiter.limits
    limiter.limits = replace(usual, **rates)
    yield
    limiter.limits = usual
    stage.venue.services.clock.forward(PAUSE_SECONDS)


@scene("often_challenges")
async def challenging_again_and_again(stage: Stage) -> None:
    """Repeated challenges of one person are refused; other opponents and a later challenge work."""
    ana, bea = stage.venue.ana, stage.venue.bea
    with limited(stage, challenges=Rate(1, 600.0)):
        offered = await stage.offers(ana, bea)
        await bea.click(offered, label="Decline")
        said = await stage.refuses(
            "often_challenges", lambda: stage.slash(ana, "start", opponent=bea)
        )
        assert said.startswith("You've asked **Bea** once. You can ask again <t:")
        other = await stage.offers(ana, stage.venue.mod)
        await ana.click(other, label="Decline")
        await (await stage.in_another_channel()).begins(ana)
        stage.venue.services.clock.forward(PAUSE_SECONDS)
        await stage.offers(ana, bea)


@scene("often_starts")
async def starting_again_and_again(stage: Stage) -> None:
    """Repeated starts are refused.

    Refusals do not count, others can start, and this person later.
    """
    ana, bea = stage.venue.ana, stage.venue.bea
    with limited(stage, starts=Rate(1, 60.0)):
        await stage.begins(ana)
        other = await stage.in_another_channel()
        for command in ("start", "watch"):
            await stage.refuses("often_starts", lambda command=command: other.slash(ana, command))
        for _ in range(2):
            assert (await stage.slash(bea, "start")).ephemeral
        await other.begins(bea)
        stage.venue.services.clock.forward(61.0)
        await (await stage.in_another_channel()).begins(ana)


@scene("rematch_former")
async def a_rematch_with_a_deleted_person(stage: Stage) -> None:
    """A rematch with a deleted person is refused; another game can begin."""
    venue = stage.venue
    await stage.pair(5)
    await stage.resign(venue.ana)
    async with venue.services.store.database.writing() as connection:
        # As after a person has had all their data deleted.
        nobody = "INSERT INTO players (id, joined_at) VALUES (:former, 0) ON CONFLICT DO NOTHING"
        await connection.execute(text(nobody), {"former": FORMER_PLAYER})
        gone = "UPDATE games SET second_user = :former WHERE second_user = :user"
        await connection.execute(text(gone), {"former": FORMER_PLAYER, "user": venue.bea.id})
    venue.services.sessions.games.forget()
    await stage.refuses("rematch_former", lambda: stage.press(venue.ana, "Rematch"))
    await stage.begins(venue.ana)


def keep_buttons(stage: Stage) -> Callable[[], None]:
    """Returns what gives the board the buttons that it has now, as for a client behind."""
    messages = stage.venue.env.backend.messages[stage.channel.id]
    shown = stage.board().id
    buttons = deepcopy(messages[shown].components)

    def give_back() -> None:
        messages[shown].components = deepcopy(buttons)

    return give_back


@scene("rematch_open", "rematch_declined")
async def rematches_twice(stage: Stage) -> None:
    """A second rematch is refused while one waits or after it was declined; other games begin."""
    ana, bea = stage.venue.ana, stage.venue.bea
    await stage.pair(5)
    await stage.resign(ana)
    board, give_back = stage.board(), keep_buttons(stage)
    asked = await bea.click(board, label="Rematch")

    async def again() -> Any:
        give_back()
        return await ana.click(board, label="Rematch")

    said = await stage.refuses("rematch_open", again)
    assert asked.response.message.jump_url in said
    await ana.click(asked.response, label="Decline")
    await stage.refuses("rematch_declined", again)
    refused = await again()
    await note_asked(stage.venue.services, ana.id)
    await ana.click(refused.response, label="Play")
    assert (await stage.game()).people == (ana.id,)
