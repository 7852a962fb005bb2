"""Series of games on Discord: the message of each, its button, and bringing it up to date."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import discord
from discord import ButtonStyle, Interaction

from bot.discord.background import Task, time_limit
from bot.discord.replies import NO_PINGS, UNREACHABLE, confirm, post, require_permissions
from bot.discord.routes import ROW, SMALL, CustomId, lasting_view
from bot.feature import Core
from bot.features.league.discord import LEAGUE, open_watched
from bot.features.league.store import WatchedGame
from bot.features.league.view import share_words, watched_text
from bot.features.series.rules import SeriesPlay
from bot.features.series.store import Series, SeriesStore, Tally
from bot.game.refusal import Refusal
from bot.i18n import Translator, escaped, say_for
from bot.ratings.levels import known_game
from bot.sessions.ownership import Ownership
from bot.show.texts import agent_title, game_title
from bot.store.records import GameSetup

logger = logging.getLogger(__name__)

EVERY = 2.0
"""Seconds between two checks for series that are to be played or shown."""

PAUSE = 5.0
"""Seconds between two edits of a message."""

SOON, LATER = 15.0, 900.0
"""Seconds until a retry: if Discord could not be reached, and if it refused."""

GIVE_UP = 86_400.0
"""Seconds after the end of a series for which its message is tried."""

STOP = CustomId("series", "stop", f"(?P<series>{ROW})", series=int)
"""Stops a series."""

OPEN = CustomId("series_open", f"(?P<series>{ROW})", f"(?P<start>{SMALL})", series=int, start=int)
"""Opens one of a series' games, of which a menu has those from a number on."""

IN_A_MENU = 25
"""The most games in a menu, which is the most that Discord allows."""


@dataclass(frozen=True, slots=True)
class SeriesHandler:
    """Begins series and stops them."""

    core: Core
    play: SeriesPlay

    async def begin(
        self, interaction: Interaction[Any], setup: GameSetup, games: int, seconds: int | None
    ) -> None:
        """Begin a series as the public answer to a request; refused with a time for guesses."""
        self.core.answering.require_in_time(interaction)
        if seconds is not None:
            raise Refusal("series_guesses")
        require_permissions(interaction, setup.family)
        with self.core.limiter.counting("series", interaction.user.id):
            series = await self.play.begin(setup, games)
        say = say_for(series.locale)
        try:
            posted = await post(
                interaction,
                series_text(series, Tally(), say),
                view=series_view(series, Tally(), say),
                allowed_mentions=NO_PINGS,
            )
        except BaseException:
            await self.play.remove(series.id)
            raise
        await self.play.posted(series.id, posted.id)

    async def stop(self, interaction: Interaction[Any], series_id: int) -> None:
        """Stop a series after a press of its button, and show that in its message."""
        series = await self.play.stop(
            series_id, interaction.user.id, moderator=interaction.permissions.manage_messages
        )
        tally, say = await self.play.tally(series), say_for(series.locale)
        # If this fails, the periodic work shows the end.
        await confirm(
            interaction.response.edit_message(
                content=series_text(series, tally, say), view=series_view(series, tally, say)
            )
        )

    async def open(self, interaction: Interaction[Any], series_id: int, _start: int) -> None:
        """Show the final board of one of a series' games privately, with its buttons."""
        series = await self.play.find(series_id)
        if series is None:
            raise Refusal("not_watched_here")
        await open_watched(self.core, interaction, series.family)


class SeriesPoster:
    """Has series played, and brings their messages up to date."""

    def __init__(
        self, client: discord.Client, stored: SeriesStore, play: SeriesPlay, ownership: Ownership
    ) -> None:
        """Edit through `client` the messages of series that `play` plays for `ownership`."""
        self._client = client
        self._stored = stored
        self._play = play
        self._ownership = ownership
        self.task = Task("series", EVERY, self._sweep)

    async def _sweep(self) -> None:
        if self._client.is_ready():
            await self._play.sweep(self._ownership, self._show)

    async def _show(self, series: Series) -> float:
        """Edit the message of a series; returns from when on it can be edited again."""
        now = self._play.now
        try:
            await self._edit(series)
        except discord.NotFound as error:
            # Deleting the message, or its channel, stops the series.
            logger.info("the message of series %s is gone: %s", series.id, error)
            await self._stored.give_up(series.id, now)
            return now
        except UNREACHABLE as error:
            logger.warning("the message of series %s is edited later: %r", series.id, error)
            if series.ended_at is not None and now - series.ended_at > GIVE_UP:
                await self._stored.give_up(series.id, now)
                return now
            is_refused = isinstance(error, discord.HTTPException) and error.status < 500
            later = now + (LATER if is_refused else SOON)
            await self._stored.show_later(series.id, later)
            return later
        await self._stored.showed(series, now + PAUSE)
        return now + PAUSE

    async def _edit(self, series: Series) -> None:
        assert series.message_id is not None, "only series with a message are played"
        tally, say = await self._play.tally(series), say_for(series.locale)
        channel = self._client.get_partial_messageable(series.channel_id)
        message = channel.get_partial_message(series.message_id)
        async with time_limit(self._client):
            await message.edit(
                content=series_text(series, tally, say),
                view=series_view(series, tally, say),
                allowed_mentions=NO_PINGS,
            )


def series_text(series: Series, tally: Tally, say: Translator) -> str:
    """Who plays, how many games have been played, their results, and how the series ended."""
    game = known_game(series.family, series.variant)
    title = partial(agent_title, game, say=say)
    first, second = (escaped(title(name)) for name in (series.first_agent, series.second_agent))
    played = say(
        "series.played", played=say.number(series.played), games=say.count("series", series.games)
    )
    heading = say("series.title", first=first, second=second, game=game_title(game, say))
    lines = [f"{heading} · {played}"]
    if tally.games:
        alone = series.first_agent == series.second_agent
        counts = {"wins": tally.first, "drawn": tally.drawn, "losses": tally.second}
        numbers = {
            **counts,
            "first_nodes": tally.first_nodes,
            "second_nodes": tally.second_nodes,
        }
        values = {name: say.number(number) for name, number in numbers.items()}
        values |= {"share": share_words(tally.first, tally.games, say)}
        for key in ("result", "nodes"):
            form = f"series.{key}_alone" if alone else f"series.{key}"
            lines.append(say(form, first=first, second=second, **values))
    if skipped := series.played - tally.games:
        lines.append(say.count("series_skipped", skipped))
    lines.append(say(f"series.end_{series.ending}" if series.ending else "series.going"))
    return "\n".join(lines)


def series_view(series: Series, tally: Tally, say: Translator) -> discord.ui.View:
    """A button that stops a series or, at its end, its games and the league they count in."""
    view = lasting_view()
    if series.ended_at is None:
        view.add_item(
            STOP.button("stop", series.id, label=say("button.series"), style=ButtonStyle.danger)
        )
    elif tally.played:
        for start in range(0, tally.games, IN_A_MENU):
            view.add_item(_menu(series, tally.played, start, say))
        view.add_item(LEAGUE.button(tally.played[-1].id, label=say("button.league")))
    return view


def _menu(
    series: Series, games: Sequence[WatchedGame], start: int, say: Translator
) -> discord.ui.Select[discord.ui.View]:
    """A menu that opens one of a series' games from number `start`, counted from 0, on."""
    options = [
        discord.SelectOption(
            label=f"{number}. {watched_text(series.family, game, say)}"[:100], value=str(game.id)
        )
        for number, game in enumerate(games[start : start + IN_A_MENU], start + 1)
    ]
    bounds = {"first": start + 1, "last": start + len(options)}
    text = say("series.open", **{name: say.number(number) for name, number in bounds.items()})
    return OPEN.menu(series.id, start, options=options, text=text)
