"""Telling people that a member looks for a game, and the button with which they stop that.

Once the search is over, the message says so.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any, cast

import discord
from discord import Interaction

from bot.board.challenges import bold_title
from bot.board.messages import Button
from bot.database.errors import isolated
from bot.discord.background import Task, time_limit
from bot.discord.names import jump_url
from bot.discord.replies import UNREACHABLE, answer_privately, confirm, pings_for, replace
from bot.discord.routes import CustomId, Route, lasting_view
from bot.discord.visibility import writable_channels
from bot.feature import Core, Search
from bot.features.search_pings.store import Ping, PingStore, WishStore
from bot.game.refusal import Refusal
from bot.i18n import Translator, say_for

logger = logging.getLogger(__name__)

EVERY = 10.0
"""Seconds between two looks for messages whose searches are over."""

REPAIR_AFTER = 60.0
"""Seconds after which a message that was not noted was left behind by a process that was killed."""

KEPT = 86_400.0
"""Seconds after which a message that cannot be edited is left as it is."""

MOST_PINGED = 5
"""The most people who are pinged about one search."""

LOOKED_AT = 15
"""The most people whose permissions are looked at for it, since each takes a request."""

CHOOSE = CustomId("searches", "(?P<choice>on|off)")
"""The ids of buttons that turn a person's own pings of this kind off, or on again."""


def choice_button(choice: str, say: Translator) -> Button:
    """The button that turns these pings off, or on again."""
    return CHOOSE.button(choice, label=say(f"button.mute.{choice}"))


@dataclass(frozen=True, slots=True)
class SearchPings:
    """Tells people of searches, as they have chosen for each server."""

    core: Core
    stored: WishStore
    pings: PingStore

    @property
    def task(self) -> Task:
        """Lets the messages say that their searches are over."""
        return Task("search pings", EVERY, self._sweep)

    @property
    def routes(self) -> tuple[Route, ...]:
        """The buttons under pings, and under the answer to those."""
        return (CHOOSE.route(self._press),)

    async def choose(self, user_id: int, guild_id: int, is_on: bool) -> None:
        """Store whether a person wants to know about a server."""
        if is_on:
            await self.stored.add(user_id, guild_id, self.core.clock())
        else:
            await self.stored.remove(user_id, guild_id)

    async def tell(self, search: Search) -> None:
        """Ping some of the people who want to know of a search and can join it.

        These can view its channel and write there, and neither of the two objects to the other.
        """
        try:
            people = await self._people_for(search)
            if people:
                await self._send(search, people)
        except UNREACHABLE as error:
            logger.info("nobody is told of a search in %s: %r", search.place.channel_id, error)

    async def _people_for(self, search: Search) -> list[int]:
        """Whom to tell, each of them counted."""
        now, objection = self.core.clock(), self.core.challenges.objection
        guild_id, channel_id = search.place.guild_id, search.place.channel_id
        guild = None if guild_id is None else self.core.client.get_guild(guild_id)
        if guild is None:
            return []
        found = [one for one in await self.stored.to_tell(guild.id, now) if one != search.user_id]
        some = self.core.rng.sample(found, min(LOOKED_AT, len(found)))
        if not some:
            return []
        writable, people = await writable_channels(self.core.client, guild, some), list[int]()
        for user_id in some:
            if user_id not in writable:
                # They are no longer on the server.
                await self.stored.remove(user_id, guild.id)
                continue
            pairs = ((user_id, search.user_id), (search.user_id, user_id))
            is_kept_apart = any([await objection(*pair) is not None for pair in pairs])
            if is_kept_apart or channel_id not in writable[user_id].channels:
                continue
            if search.may_join is not None and not await search.may_join(user_id):
                continue
            if len(people) < MOST_PINGED and await self.stored.count(user_id, now):
                people.append(user_id)
        return people

    async def _send(self, search: Search, people: list[int]) -> None:
        say, place = say_for(search.locale), search.place
        view = lasting_view()
        for button in search.buttons:
            view.add_item(button)
        view.add_item(choice_button("off", say))
        text = say(
            "searches.ping",
            people=", ".join(f"<@{user_id}>" for user_id in people),
            game=bold_title(search.family, search.variant, say),
            link="" if place.message_id is None else jump_url(place),
        )
        mentions = pings_for(people)
        channel = self.core.client.get_partial_messageable(place.channel_id)
        assert place.guild_id is not None, "people are told on servers"
        where = (place.guild_id, place.channel_id)
        id = await self.pings.add(search.key, *where, search.locale, self.core.clock())
        async with time_limit(self.core.client):
            sent = await channel.send(text.strip(), view=view, allowed_mentions=mentions)
        await self.pings.sent(id, sent.id)

    async def _sweep(self) -> None:
        if not self.core.client.is_ready():
            return
        for ping in await self.pings.all(self.core.settings.shards):
            with isolated("message about a search", ping.id):
                await self._settle(ping)

    async def _settle(self, ping: Ping) -> None:
        """Let a message say that its search is over, if it is; a failure is repeated."""
        age = self.core.clock() - ping.sent_at
        try:
            message_id = ping.message_id
            if message_id is None and age >= REPAIR_AFTER:
                message_id = await self._find(ping)
                if message_id is None:
                    await self.pings.remove(ping.id)
            if message_id is None or await self.core.contributions.is_sought(ping.search):
                return
            say, view = say_for(ping.locale), lasting_view()
            view.add_item(choice_button("off", say))
            channel = self.core.client.get_partial_messageable(ping.channel_id)
            async with time_limit(self.core.client):
                await channel.get_partial_message(message_id).edit(
                    content=say("searches.over"), view=view
                )
        except (discord.NotFound, discord.Forbidden) as error:
            logger.info("message %s about a search stays as it is: %s", ping.message_id, error)
        except UNREACHABLE as error:
            logger.info("message %s about a search is edited later: %r", ping.message_id, error)
            if age < KEPT:
                return
        await self.pings.remove(ping.id)

    async def _find(self, ping: Ping) -> int | None:
        """The message of a process that was killed before it could note it; None without one."""
        known = {one.message_id for one in await self.pings.all(self.core.settings.shards)}
        async with time_limit(self.core.client):
            found = await self.core.client.http.logs_from(ping.channel_id, limit=100)
        me = self.core.client.user
        assert me is not None, "it is connected"
        for message in found:
            ids = {
                part.get("custom_id")
                for row in message["components"]
                for part in cast("dict[str, Any]", row).get("components", ())
            }
            message_id = int(message["id"])
            is_mine = int(message["author"]["id"]) == me.id and CHOOSE("off") in ids
            if is_mine and message["mentions"] and message_id not in known:
                await self.pings.sent(ping.id, message_id)
                return message_id
        return None

    async def _press(self, interaction: Interaction[Any], choice: str) -> None:
        """Turn these pings off or on for the person who presses; the answer can undo that."""
        if interaction.guild_id is None:
            raise Refusal("unknown_button")
        is_on, say = choice == "on", say_for(interaction.locale.value)
        await self.choose(interaction.user.id, interaction.guild_id, is_on)
        view = lasting_view()
        view.add_item(choice_button("off" if is_on else "on", say))
        is_private = interaction.message is not None and interaction.message.flags.ephemeral
        answer = replace if is_private else answer_privately
        await confirm(answer(interaction, say(f"searches.{choice}"), view))
