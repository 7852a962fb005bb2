"""Blocks on the offline Discord: by the menu, under a challenge, and what both people read."""

from __future__ import annotations

from typing import Any

import pytest

from bot.i18n import say_in
from tests.bot.discord.forging import forge
from tests.bot.discord.stage import Stage
from tests.bot.features.blocks.refusals import MENU
from tests.bot.present import needs


def labels(message: Any) -> list[str]:
    """The labels of a message's buttons, as they are now."""
    return [item["label"] for row in message.components for item in row["components"]]


async def switch(venue: Any, actor: Any, other: Any) -> Any:
    """Use the entry in a person's menu; return the private answer."""
    answer = await actor.context_menu(venue.channel, MENU, other)
    assert answer.ephemeral
    return answer.response


async def challenge(venue: Any, actor: Any, other: Any) -> Any:
    """Challenge another person; return the result."""
    return await actor.slash(venue.channel, "connect4 start", opponent=other)


async def press(actor: Any, message: Any, start: str) -> Any:
    """Press the button of a public message whose id begins so."""
    present = getattr(message, "message", message)
    ids = [str(item.custom_id) for row in present.components for item in row.children]
    return await actor.click(message, custom_id=next(one for one in ids if one.startswith(start)))


def public(venue: Any) -> Any:
    """The public messages of the channel, the oldest first."""
    return [one for one in venue.channel.history() if not one.flags.ephemeral]


@pytest.mark.databases
async def test_the_menu_blocks_and_unblocks(venue: Any) -> None:
    """The menu blocks; the blocked person is not notified; the second use unblocks."""
    venue.speak("es")
    say = say_in("es")
    blocked = await switch(venue, venue.bea, venue.ana)
    assert blocked.content == say("blocks.blocked", name="Ana")
    assert labels(blocked) == [say("button.unblock")]
    await venue.restart()
    venue.speak("es")
    refused = await challenge(venue, venue.ana, venue.bea)
    assert refused.ephemeral
    assert refused.response.content == say("refusal.takes_no_challenges", person="**Bea**")
    assert labels(refused.response) == [say("button.play_now")]
    assert public(venue) == []
    lifted = await switch(venue, venue.bea, venue.ana)
    assert lifted.content == say("blocks.unblocked", name="Ana")
    assert not (await challenge(venue, venue.ana, venue.bea)).ephemeral


async def test_the_challenged_blocks_under_a_challenge(venue: Any) -> None:
    """The button under a challenge declines it and blocks; its private answer unblocks."""
    venue.speak("es")
    say = say_in("es")
    asked = (await challenge(venue, venue.ana, venue.bea)).response
    pressed = await press(venue.bea, asked, "cuatro:blocks:block")
    (shown,) = public(venue)
    assert shown.content == say("challenge.declined", challenger="Ana", challenged="Bea")
    (private,) = pressed.followups
    assert private.ephemeral
    assert private.content == say("blocks.blocked", name="Ana")
    assert (await challenge(venue, venue.ana, venue.bea)).ephemeral
    lifted = await venue.bea.click(private, label=say("button.unblock"))
    assert lifted.response.content == say("blocks.unblocked", name="Ana")
    assert not (await challenge(venue, venue.ana, venue.bea)).ephemeral


async def test_nobody_else_blocks_under_a_challenge(venue: Any) -> None:
    """Others who press the button under a challenge block no one, and it stays open."""
    asked = (await challenge(venue, venue.ana, venue.bea)).response
    refused = await press(venue.mod, asked, "cuatro:blocks:block")
    assert refused.response.content == "This challenge is for **Bea**. You can send your own."
    own = await press(venue.ana, asked, "cuatro:blocks:block")
    assert labels(own.response) == ["Withdraw"]
    await venue.bea.click(asked, label="Accept")
    assert await venue.services.sessions.games.current(venue.channel.id) is not None


async def test_the_blocker_reads_how_to_challenge(venue: Any) -> None:
    """Who challenges a blocked person by the form reads of the block, and unblocks there."""
    await switch(venue, venue.bea, venue.ana)
    form = await venue.bea.context_menu(venue.channel, "Challenge to Connect 4", venue.ana)
    sent = await venue.bea.click(form.response, label="Send")
    (refused,) = sent.followups
    assert refused.content == "You block challenges from **Ana**. Unblock to play each other."
    await venue.bea.click(refused, label="Unblock")
    await venue.bea.click(form.response, label="Send")
    assert public(venue)[-1].content.startswith(f"<@{venue.ana.id}>, **Bea** challenges you")


async def test_a_block_holds_for_challenges_that_wait(venue: Any) -> None:
    """A challenge that was sent before the block cannot be accepted by either person."""
    for challenger, challenged, said in (
        (venue.ana, venue.bea, "You block challenges from **Ana**. Unblock to play each other."),
        (venue.bea, venue.ana, "**Bea** is not taking challenges."),
    ):
        asked = (await challenge(venue, challenger, challenged)).response
        await switch(venue, venue.bea, venue.ana)
        refused = await challenged.click(asked, label="Accept")
        assert refused.response.content == said
        await challenged.click(asked, label="Decline")
        await switch(venue, venue.bea, venue.ana)


async def test_rematches_are_challenges(venue: Any) -> None:
    """After a block the two cannot ask each other for a rematch either."""
    asked = (await challenge(venue, venue.ana, venue.bea)).response
    await venue.bea.click(asked, label="Accept")
    stage = Stage(venue, "connect4", venue.channel)
    await stage.make("121212")
    await stage.play(venue.ana, "1")
    await switch(venue, venue.bea, venue.ana)
    refused = await venue.ana.click(venue.board(), label="Rematch")
    assert refused.response.content == "**Bea** is not taking challenges."


@needs("open_challenges")
async def test_blocked_people_cannot_join(venue: Any) -> None:
    """Who is blocked is offered to post an open challenge; who blocks is offered to unblock."""
    venue.speak("es")
    say = say_in("es")
    await switch(venue, venue.bea, venue.ana)
    posted = await venue.bea.slash(venue.channel, "connect4 start", open=True)
    refused = await press(venue.ana, posted.response, "cuatro:open:join")
    assert refused.ephemeral
    assert refused.response.content == say("refusal.open_barred")
    assert labels(refused.response) == [say("button.anyone")]
    form = await venue.ana.click(refused.response, label=say("button.anyone"))
    sent = await venue.ana.click(form.response, label=say("button.anyone.send"))
    own = await press(venue.bea, sent.followups[0], "cuatro:open:join")
    assert own.response.content == say("refusal.you_block", person="**Ana**")
    await venue.bea.click(own.response, label=say("button.unblock"))
    await press(venue.bea, sent.followups[0], "cuatro:open:join")
    game = await venue.services.sessions.games.current(venue.channel.id)
    assert game.people == (venue.ana.id, venue.bea.id)


async def test_an_id_that_is_none_unblocks_nobody(venue: Any) -> None:
    """A forged id beyond what a database stores is answered as unknown."""
    helped = await venue.ana.slash(venue.channel, "help")
    forge(venue, custom_id="cuatro:blocks:unblock:9999999999999999999")
    answer = await venue.ana.click(helped.response, label="Play")
    assert "This button is from an older version" in answer.response.content


@needs("privacy")
async def test_only_the_blocker_sees_a_block(venue: Any) -> None:
    """The privacy page counts whom one blocks, and says nothing of people who block one."""
    await challenge(venue, venue.ana, venue.bea)
    await switch(venue, venue.bea, venue.ana)
    for actor, count in ((venue.bea, 1), (venue.ana, 0)):
        shown = await actor.slash(venue.channel, "privacy")
        details = await actor.click(shown.response, label="Details")
        assert f"People whose challenges you block: {count}" in details.response.content
