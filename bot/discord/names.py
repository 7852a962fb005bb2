"""Display names of people, and running games as lines of text with links to their boards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import discord

from bot.game.session import Session
from bot.i18n import Translator, cleaned, escaped
from bot.show.scenes import seat_name, status
from bot.show.texts import game_title
from bot.store.records import FORMER_PLAYER, THE_CHANNEL, Place
from engine.core.game import Player


def jump_url(place: Place) -> str:
    """The address that opens a message, or its channel, in Discord."""
    parts = (place.guild_id or "@me", place.channel_id, place.message_id)
    return "/".join(("https://discord.com/channels", *(str(part) for part in parts if part)))


async def game_lines(
    games: Sequence[Session], places: Sequence[Place], names: NameBook, say: Translator
) -> str:
    """A line for each game: its name, its players, the score and a link to where it is found."""
    lines = []
    for game, place in zip(games, places, strict=True):
        called = await names.of(game.user_ids, say)
        first, second, standing = (
            escaped(text)
            for text in (
                seat_name(game, Player.FIRST, called, say),
                seat_name(game, Player.SECOND, called, say),
                status(game, called, say),
            )
        )
        title = game_title(game.game, say)
        link = jump_url(place)
        lines.append(
            say("games.line", game=title, first=first, second=second, status=standing, link=link)
        )
    return "\n".join(lines)


SPECIAL_NAMES = {FORMER_PLAYER: "name.former", THE_CHANNEL: "name.channel"}
"""The texts for ids that are not Discord's."""

MAX_KEPT = 10_000
"""The most names kept in memory; those not seen for the longest time are dropped."""


def name_of(user: discord.User | discord.Member) -> str:
    """A person's display name, cleaned: one line that can be shown anywhere."""
    # A name that consists of invisible characters would leave a gap.
    return cleaned(user.display_name) or cleaned(user.name) or str(user.id)


class NameBook:
    """Display names as last seen; they are kept in memory only."""

    def __init__(self, client: discord.Client) -> None:
        """Ask Discord through `client` for people not seen since the start."""
        self._client = client
        self._names: dict[int, str] = {}

    def note(self, user: discord.User | discord.Member) -> None:
        """Remember the name of a person just seen."""
        self._names.pop(user.id, None)
        self._names[user.id] = name_of(user)
        if len(self._names) > MAX_KEPT:
            del self._names[next(iter(self._names))]

    def forget(self, user_id: int) -> None:
        """Forget a person's name."""
        self._names.pop(user_id, None)

    async def of(self, user_ids: Iterable[int | None], say: Translator) -> dict[int, str]:
        """Names by user id; a neutral word for users Discord no longer knows."""
        found = {}
        for user_id in user_ids:
            if user_id in SPECIAL_NAMES:
                found[user_id] = say(SPECIAL_NAMES[user_id])
            elif user_id is not None:
                found[user_id] = self._names.get(user_id) or await self._ask(user_id, say)
        return found

    async def _ask(self, user_id: int, say: Translator) -> str:
        try:
            user = await self._client.fetch_user(user_id)
        except discord.HTTPException:
            return say("name.unknown")
        self.note(user)
        return name_of(user)
