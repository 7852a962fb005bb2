"""Pings about searches on the offline Discord: who gets them, of what, and how to stop them."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import update

from bot.board.messages import Button
from bot.feature import Search
from bot.features.search_pings.discord import CHOOSE, EVERY, LOOKED_AT, MOST_PINGED
from bot.features.search_pings.store import MOST, PingRow, PingStore, WishStore
from bot.i18n import say_in
from bot.store.records import Place
from tests.bot.present import needs


def sent(venue: Any) -> list[dict[str, Any]]:
    """The bodies of all messages sent to the channel beside answers, the oldest first."""
    path = f"/channels/{venue.channel.id}/messages"
    requests = venue.env.http_requests
    return [one.json for one in requests if one.method == "POST" and one.path == path]


def now(venue: Any, message: Any) -> Any:
    """A message as it is now."""
    return next(one for one in venue.channel.history() if one.id == message.id)


def controls(venue: Any, message: Any) -> list[str]:
    """The ids of a message's buttons, as they are now."""
    rows = now(venue, message).components
    return [str(item.custom_id) for row in rows for item in row.children]


async def wish(venue: Any, *actors: Any) -> WishStore:
    """Let people want to know about the server."""
    wishes = WishStore(venue.services.store.database)
    for actor in actors:
        await wishes.add(actor.id, venue.env.guild.id, 0.0)
    return wishes


async def seek(venue: Any, *buttons: Button) -> list[int]:
    """Let Ana look for a game, and return whom that has pinged."""
    before = len(sent(venue))
    place = Place(venue.env.guild.id, venue.channel.id, None)
    values = {"kind": "test", "id": 1, "user_id": venue.ana.id, "place": place, "locale": "en"}
    search = Search(**values, family="gato", variant="4x4", buttons=buttons)
    await venue.app.core.contributions.game_sought(search)
    pinged = [body["allowed_mentions"] for body in sent(venue)[before:]]
    assert all(one["parse"] == [] for one in pinged)
    return [user_id for one in pinged for user_id in one["users"]]


async def test_those_who_want_to_know_are_pinged_at_most_twice_a_day(venue: Any) -> None:
    """People who have chosen it are pinged, but not about their own searches, and twice at most."""
    await seek(venue)
    await wish(venue, venue.ana, venue.bea)
    assert [await seek(venue) for _ in range(MOST + 1)] == [[venue.bea.id], [venue.bea.id], []]
    (text, *_) = [body["content"] for body in sent(venue)]
    assert text == f"<@{venue.bea.id}>: somebody is looking for a game of **Gato 4x4**."


async def test_only_a_few_are_pinged(venue: Any) -> None:
    """Of many people five are pinged, with one message; people who have left are forgotten."""
    users = [venue.env.create_user(f"p{n}") for n in range(MOST_PINGED + 3)]
    people = [venue.env.guild.add_member(user) for user in users]
    wishes = await wish(venue, *people)
    await wishes.add(5, venue.env.guild.id, 0.0)
    assert len(people) < LOOKED_AT
    assert len(await seek(venue)) == MOST_PINGED
    assert not await wishes.has(5, venue.env.guild.id)
    assert len(await seek(venue)) == MOST_PINGED


@pytest.mark.parametrize("permission", ["view_channel", "send_messages"])
async def test_who_cannot_view_and_write_there_is_not_pinged(venue: Any, permission: str) -> None:
    """No one is pinged in a channel which they cannot view, or where they cannot write."""
    await wish(venue, venue.bea, venue.mod)
    channel = venue.env.bot.get_channel(venue.channel.id)
    member = await channel.guild.fetch_member(venue.bea.id)
    await channel.set_permissions(member, **{permission: False})
    assert await seek(venue) == [venue.mod.id]
    venue.env.inject_error("GET", "/guilds/*/roles", status=403, code=50013, times=None)
    assert await seek(venue) == []


@needs("blocks")
async def test_blocked_people_are_not_pinged(venue: Any) -> None:
    """People who block the person, or are blocked by them, are not pinged about their search."""
    await wish(venue, venue.bea, venue.mod)
    await venue.ana.context_menu(venue.channel, "Block challenges", venue.bea)
    await venue.mod.context_menu(venue.channel, "Block challenges", venue.ana)
    assert await seek(venue) == []


async def test_a_button_stops_the_pings(venue: Any) -> None:
    """The button under a ping turns pings off for the person who presses it; another undoes it."""
    wishes, say = await wish(venue, venue.bea), say_in("es")
    await seek(venue)
    venue.speak("es")
    ping = venue.channel.history()[-1]
    off = await venue.bea.click(ping, custom_id=CHOOSE("off"))
    assert off.response.content == say("searches.off")
    assert not await wishes.has(venue.bea.id, venue.env.guild.id)
    await venue.bea.click(off.response, custom_id=CHOOSE("on"))
    assert off.response.content == say("searches.on")
    assert await wishes.has(venue.bea.id, venue.env.guild.id)


@needs("settings")
async def test_a_box_in_the_settings_is_about_the_server(venue: Any) -> None:
    """The third box of Tell me shows and changes what one wants on this server."""
    from tests.bot.features.settings.entering import chosen, enter, open_mine

    wishes = WishStore(venue.services.store.database)
    shown = await open_mine(venue, venue.bea)
    assert chosen(shown)["tell"] == ["pings", "reminders"]
    await enter(venue.bea, shown, tell=["pings", "searches"])
    assert await wishes.servers_of(venue.bea.id) == [venue.env.guild.id]
    again = await open_mine(venue, venue.bea)
    assert chosen(again)["tell"] == ["pings", "searches"]
    await enter(venue.bea, again, tell=["pings"])
    assert await wishes.servers_of(venue.bea.id) == []


@needs("open_challenges")
async def test_an_open_challenge_is_a_search(venue: Any) -> None:
    """A person who wants to know and may join is pinged with the link to an open challenge."""
    from tests.bot.features.open_challenges.posting import rate

    await wish(venue, venue.bea, venue.mod)
    for actor, number in ((venue.ana, 1000.0), (venue.bea, 1040.0), (venue.mod, 1060.0)):
        await rate(venue.services.store, actor.id, number)
    posted = await venue.ana.slash(venue.channel, "connect4 start", open=True, range=50)
    (body,) = sent(venue)
    assert body["allowed_mentions"]["users"] == [venue.bea.id]
    assert body["content"].endswith(posted.response.message.jump_url)


@needs("open_challenges")
@pytest.mark.parametrize("crash", ["noted", "not noted", "not sent"])
async def test_a_ping_says_that_its_search_is_over(venue: Any, crash: str) -> None:
    """It does so once the challenge has expired, even after a crash and a failed edit."""
    await wish(venue, venue.bea)
    await venue.ana.slash(venue.channel, "connect4 start", open=True)
    ping, database = venue.channel.history()[-1], venue.services.store.database
    if crash != "noted":
        await database.change(update(PingRow).values(message_id=None))
    if crash == "not sent":
        await venue.env.bot.http.delete_message(venue.channel.id, ping.id)
    await venue.restart(1000.0)
    path = f"/channels/{venue.channel.id}/messages/{ping.id}"
    venue.env.inject_error("PATCH", path, status=500, code=0, times=1)
    for _ in range(3):
        await venue.let_pass(EVERY)
    if crash != "not sent":
        assert now(venue, ping).content == "Nobody is looking for that game any more."
    assert await PingStore(database).all(None) == []


@needs("queue")
async def test_a_place_in_the_queue_is_a_search(venue: Any) -> None:
    """A person who wants to know is pinged once; the button below has them wait too: they play."""
    from tests.bot.features.queue.waiting import find, press

    await wish(venue, venue.bea, venue.mod)
    await find(venue.ana, venue.channel)
    await find(venue.ana, venue.channel)
    (body,) = sent(venue)
    assert {*body["allowed_mentions"]["users"]} == {venue.bea.id, venue.mod.id}
    ping = venue.channel.history()[-1]
    await venue.let_pass(EVERY)
    assert len(controls(venue, ping)) == 2
    await press(venue.bea, ping, "find")
    await venue.let_pass(EVERY)
    assert now(venue, ping).content == "Nobody is looking for that game any more."
    assert controls(venue, ping) == [CHOOSE("off")]
    assert await venue.services.store.games.count_running(venue.bea.id) == 1
    assert await venue.services.store.games.count_running(venue.ana.id) == 1
    assert [one for one in sent(venue)[1:] if "looking" in one["content"]] == []
