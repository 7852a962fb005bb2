"""The league on Discord: its command, cross table and figures, and opening watched games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import discord
from discord import Interaction

from bot.board.messages import Button
from bot.board.starting import WATCH
from bot.discord.commands import (
    GameCommand,
    command,
    game_option,
    option,
    suggest_variants_by_game,
)
from bot.discord.locales import answer_locale
from bot.discord.replies import NO_PINGS, answer_privately, channel_of, png_file
from bot.discord.routes import (
    FAMILY,
    SIZE,
    SMALL,
    SNOWFLAKE,
    CustomId,
    chosen,
    game_action,
    lasting_view,
    row_id,
)
from bot.feature import Core
from bot.features.league.rules import League
from bot.features.league.store import LeagueScope, WatchedGame
from bot.features.league.view import (
    league_lines,
    league_scene,
    page_count,
    title_line,
    watched_text,
)
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.i18n import Translator, say_for
from bot.show.scenes import card_picture
from bot.show.themes import reader_theme, theme_for
from engine.core.registry import game_of
from engine.core.registry import games as all_games
from renderers import card_alt_text

WATCHED = CustomId("watched", f"(?P<family>{FAMILY})")
"""Opens one of the latest games of a league."""

FIGURES = CustomId(
    "league",
    f"(?P<family>{FAMILY})(:(?P<variant>{SIZE}))??(:page:(?P<page>{SMALL}))?",
    page=int,
)
"""Gives the figures of the agents on a page, usually the first, of one variant or of all."""

PAGE = CustomId(
    "league_page",
    f"(?P<family>{FAMILY})(:(?P<variant>{SIZE}))?",
    f"page:(?P<page>{SMALL})",
    f"by:(?P<asker>{SNOWFLAKE})",
    page=int,
    asker=int,
)
"""Shows another page of a league: in the message of who asked for it, privately to others."""

LEAGUE = game_action("league_of")
"""Posts the league that a game counts in."""


@dataclass(frozen=True, slots=True)
class LeagueHandler:
    """Shows the results of agents against each other in a server's watched games."""

    core: Core
    league: League

    def command(self) -> GameCommand:
        """The command that posts the cross table of a server's watched games."""

        @command("league")
        @option("variant", "board")
        @game_option(all_games())
        async def league(
            interaction: Interaction[Any], game: str | None = None, variant: str | None = None
        ) -> None:
            family = await self.core.chosen(interaction, game, variant=variant)
            await self._post_table(interaction, family.key, variant)

        suggest_variants_by_game(league)
        return league

    async def _post_table(
        self, interaction: Interaction[Any], family: str, variant: str | None
    ) -> None:
        """Post the cross table of games of one variant or of all."""
        scope = LeagueScope(family, interaction.guild_id, channel_of(interaction), variant)
        self.league.require_variant(scope)
        self.core.limiter.take("pictures", interaction.user.id)
        say = say_for(interaction.locale.value)
        # Checked before the public answer begins: an empty league is a private sentence.
        if not await self.league.count(scope):
            # The channel's own games count in no table, but can be opened.
            view = _games_view(family, await self.league.latest(scope), say)
            view.add_item(WATCH.button(family, label=say("button.watch_one")))
            await answer_privately(interaction, say("league.none"), view)
            return
        await interaction.response.defer(thinking=True)
        await self._show(interaction, scope, 0, is_private=False)

    async def turn(
        self,
        interaction: Interaction[Any],
        family: str,
        variant: str | None,
        page: int,
        asker: int,
    ) -> None:
        """Show another page: in place of the present one to who asked, privately to others."""
        scope = LeagueScope(family, interaction.guild_id, channel_of(interaction), variant)
        self.league.require_variant(scope)
        self.core.limiter.take("pictures", interaction.user.id)
        is_own = interaction.user.id == asker
        message = interaction.message
        if is_own:
            await interaction.response.defer()
        else:
            await interaction.response.defer(ephemeral=True, thinking=True)
        is_private = not is_own or (message is not None and message.flags.ephemeral)
        await self._show(interaction, scope, page, is_private=is_private)

    async def _show(
        self, interaction: Interaction[Any], scope: LeagueScope, page: int, *, is_private: bool
    ) -> None:
        """Show a page in the answer of a deferred interaction."""
        say = say_for(answer_locale(interaction, is_private=is_private))
        table = await self.league.table(scope)
        page = min(page, page_count(table) - 1)
        game = game_of(scope.family, scope.variant or all_games()[scope.family].usual)
        card = league_scene(game, scope.variant, table, say, page)
        theme = reader_theme()
        if not is_private:
            theme = await theme_for(self.core.store.preferences, (), scope.guild_id)
        png = await self.core.workers.draw_report(card_picture, card, theme)
        view = _games_view(scope.family, table.latest, say)
        which = (scope.family,) if scope.variant is None else (scope.family, scope.variant)
        at_page = ("page", page) if page else ()
        view.add_item(FIGURES.button(*which, *at_page, label=say("button.league_details")))
        for number, key in ((page - 1, "league_back"), (page + 1, "league_next")):
            if 0 <= number < page_count(table):
                values = (*which, "page", number, "by", interaction.user.id)
                view.add_item(PAGE.button(*values, label=say(f"button.{key}")))
        await interaction.edit_original_response(
            content=title_line(scope.guild_id, table, say),
            attachments=[png_file(png, f"{scope.family}-league", card_alt_text(card))],
            view=view,
            allowed_mentions=NO_PINGS,
        )

    async def of_game(self, interaction: Interaction[Any], game_id: int) -> None:
        """Post the cross table that a watched game counts in."""
        session = await self.core.sessions.games.require(game_id)
        await self._post_table(interaction, session.game.key, None)

    async def details(
        self,
        interaction: Interaction[Any],
        family: str,
        variant: str | None,
        page: int | None = None,
    ) -> None:
        """Give the figures of the agents on a page privately."""
        scope = LeagueScope(family, interaction.guild_id, channel_of(interaction), variant)
        self.league.require_variant(scope)
        say = say_for(interaction.locale.value)
        await interaction.response.defer(ephemeral=True, thinking=True)
        table = await self.league.table(scope)
        game = game_of(family, variant or all_games()[family].usual)
        text = say("league.none")
        if table.games:
            text = league_lines(game, table, say, min(page or 0, page_count(table) - 1))
        await interaction.edit_original_response(content=text, allowed_mentions=NO_PINGS)

    async def open(self, interaction: Interaction[Any], family: str) -> None:
        """Show the final board of a watched game privately, with its buttons."""
        await open_watched(self.core, interaction, family)

    async def report_line(self, family: str, guild_id: int | None, say: Translator) -> str:
        """A line in a server's report that refers to its watched games; empty without any."""
        games = await self.league.count(LeagueScope(family, guild_id, None))
        if not games:
            return ""
        counted, game = say.count("watched_games", games), say(f"command.{family}.name")
        return say("league.report", games=counted, game=game)


async def open_watched(core: Core, interaction: Interaction[Any], family: str) -> None:
    """Show privately the final board, with its buttons, of the game chosen in a menu."""
    session = await core.sessions.games.find(row_id(chosen(interaction)))
    if session is None or session.people or not session.is_over:
        raise Refusal("not_watched_here")
    here = LeagueScope(family, interaction.guild_id, channel_of(interaction))
    if not here.holds(session.guild_id, session.channel_id):
        raise Refusal("not_watched_here")
    core.limiter.take("pictures", interaction.user.id)
    say = say_for(interaction.locale.value)
    board = await core.messages.message(session, say, reader_theme())
    await interaction.response.send_message(
        board.content, file=board.file, view=board.view, ephemeral=True
    )


def league_button(session: Session, say: Translator) -> Button | None:
    """The button under a watched game that was played to its end."""
    if not (session.is_watched and session.end is not None and session.end.ending.has_result):
        return None
    return LEAGUE.button(session.id, label=say("button.league"))


def _games_view(family: str, games: Sequence[WatchedGame], say: Translator) -> discord.ui.View:
    """A menu that opens one of these games; empty without any."""
    view = lasting_view()
    options = [
        discord.SelectOption(label=watched_text(family, one, say)[:100], value=str(one.id))
        for one in games
    ]
    if options:
        view.add_item(WATCHED.menu(family, options=options, text=say("history.open")))
    return view
