"""Running games as lines of text, each with a link to its board."""

from __future__ import annotations

from collections.abc import Sequence

from bot.discord.names import NameBook
from bot.show.scenes import seat_name, status
from bot.table.places import Place
from bot.table.session import Session
from bot.words import Say
from bot.words.plain import escaped
from engine.core.game import Player


def jump_url(place: Place) -> str:
    """The address that opens a message, or its channel, in Discord."""
    parts = (place.guild_id or "@me", place.channel_id, place.message_id)
    return "/".join(("https://discord.com/channels", *(str(part) for part in parts if part)))


async def game_lines(games: Sequence[Session], names: NameBook, say: Say) -> str:
    """A line for each game: which it is, who plays, how it stands and where it is."""
    lines = []
    for game in games:
        called = await names.of((seat.user_id for seat in game.seats), say)
        first, second, standing = (
            escaped(text)
            for text in (
                seat_name(game, Player.FIRST, called, say),
                seat_name(game, Player.SECOND, called, say),
                status(game, called, say),
            )
        )
        variant = say.variant(game.game.key, game.game.variant)
        title = say("game.variant", game=say(f"game.{game.game.key}"), variant=variant)
        link = jump_url(game.place)
        lines.append(
            say("games.line", game=title, first=first, second=second, status=standing, link=link)
        )
    return "\n".join(lines)
