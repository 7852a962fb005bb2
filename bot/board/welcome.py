"""The greeting for servers.

Its buttons begin games at the levels of `GamePackage.welcome_levels`, challenge a friend and open
help; features add others. It is posted on a server that the bot has just joined and on the local
page.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable

import discord
from discord import ButtonStyle

from bot.discord.replies import NO_PINGS, UNREACHABLE, png_file
from bot.discord.routes import FAMILY, NAME, SIZE, CustomId, lasting_view
from bot.i18n import Translator, say_for
from bot.show.examples import games_scene, rules_scene
from bot.show.scenes import card_picture
from bot.show.themes import DEFAULT, reader_theme
from bot.store.records import AUTO
from engine.core.registry import default_game, games
from renderers import PanelsScene, Theme, card_alt_text

logger = logging.getLogger(__name__)

BEGIN = CustomId("begin", f"(?P<family>{FAMILY})", f"(?P<level>{NAME})(?::(?P<variant>{SIZE}))?")
"""The ids of buttons that begin a game against an agent, of the usual size unless one is named."""

DIRECT = CustomId("direct", f"(?P<family>{FAMILY})", f"(?P<level>{NAME})", f"(?P<variant>{SIZE})")
"""The ids of buttons that offer such a game in a direct message."""

HELP = CustomId("help", f"(?P<family>{FAMILY})")
"""The ids of buttons that ask for help; older ones asked for help with this game."""

FRIEND = CustomId("friend")
"""The id of buttons that open the form for a challenge."""

MAX_BEGINNINGS = 18
"""The most buttons that begin games, so that the others and a language fit too."""


GreetingButton = Callable[[Translator], discord.ui.Button[discord.ui.View]]
"""Makes a button of the greeting."""


def play_button(
    family: str, say: Translator, style: ButtonStyle = ButtonStyle.primary
) -> discord.ui.Button[discord.ui.View]:
    """The button that begins a game against the bot at a fitting level."""
    return BEGIN.button(family, AUTO, label=say("button.play_now"), style=style)


def friend_button(say: Translator) -> discord.ui.Button[discord.ui.View]:
    """The button that opens the form for a challenge."""
    return FRIEND.button(label=say("button.friend"))


async def greet(guild: discord.Guild, more: Iterable[GreetingButton] = ()) -> None:
    """Greet a server in its system channel, or in the first channel where the bot may write.

    `more` makes the buttons of features.
    """
    channel = greeting_channel(guild)
    if channel is None:
        logger.info("there is no channel to greet server %s in", guild.id)
        return
    say = say_for(guild.preferred_locale.value)
    files = []
    if channel.permissions_for(guild.me).attach_files:
        files = await games_pictures(say)
    text, view = welcome_text(say), welcome_view(say, more)
    try:
        await channel.send(text, view=view, files=files, allowed_mentions=NO_PINGS)
    except UNREACHABLE as error:
        logger.info("server %s could not be greeted: %s", guild.id, error)


async def games_pictures(say: Translator) -> list[discord.File]:
    """The picture of the greeting: a small board of each game."""
    return await _pictures(games_scene(say), "games", DEFAULT)


async def rules_pictures(family: str, say: Translator) -> list[discord.File]:
    """The picture of a game's rules for the reader; none for a game without examples."""
    return await _pictures(rules_scene(games()[family], say), f"{family}-rules", reader_theme())


async def _pictures(scene: PanelsScene | None, name: str, theme: Theme) -> list[discord.File]:
    if scene is None:
        return []
    png = await asyncio.to_thread(card_picture, scene, theme)
    return [png_file(png, name, card_alt_text(scene))]


def greeting_channel(guild: discord.Guild) -> discord.TextChannel | None:
    """The channel for greeting a server; None if the bot may not write in any."""
    system = [] if guild.system_channel is None else [guild.system_channel]
    for channel in (*system, *guild.text_channels):
        allowed = channel.permissions_for(guild.me)
        if allowed.view_channel and allowed.send_messages:
            return channel
    return None


def welcome_text(say: Translator) -> str:
    """The greeting in one language; its buttons answer each person in their own."""
    default = default_game()
    others = sum(bool(game.welcome_levels) for game in games().values() if game is not default)
    count = say.texts.get(f"number.{others}", str(others))
    form = say.locale.plural_form(others)
    return say(f"welcome.text.{form}", game=say(f"game.{default.key}"), count=count)


def welcome_view(say: Translator, more: Iterable[GreetingButton] = ()) -> discord.ui.View:
    """The buttons of the greeting, also for other messages that invite people to play.

    They begin each game, the default one first, challenge a friend, and open help; those that
    `more` makes come last.
    """
    view, default = lasting_view(), default_game()
    offered = [(key, level) for key, game in games().items() for level in game.welcome_levels]
    offered.sort(key=lambda one: one[0] != default.key)
    for number, one in enumerate(offered[:MAX_BEGINNINGS]):
        label = say(f"button.begin.{one[0]}.{one[1]}")
        # The first button is highlighted.
        style = ButtonStyle.primary if number == 0 else ButtonStyle.secondary
        view.add_item(BEGIN.button(*one, label=label, style=style))
    view.add_item(friend_button(say))
    view.add_item(HELP.button(default.key, label=say("button.help")))
    for make in more:
        view.add_item(make(say))
    return view
