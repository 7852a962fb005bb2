"""Answers requests for lists with pages: past games and leaderboards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import discord
from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.boards import Boards
from bot.discord.interactions import NO_PINGS, png_file
from bot.discord.list_controls import ListView
from bot.discord.names import NameBook, name_of
from bot.discord.pages import Page
from bot.play.limits import Limiter
from bot.play.sessions import Sessions
from bot.play.statistics import Statistics
from bot.play.workers import Workers
from bot.show.coverage import size_called
from bot.show.lists import (
    GAMES_A_PAGE,
    PLAYERS_A_PAGE,
    PageOf,
    history_card,
    history_lines,
    leaders_card,
    leaders_lines,
    option_text,
    own_line,
)
from bot.show.pictures import card_picture
from bot.store import PastGame
from bot.table.refusal import Refusal
from bot.words import Say, say_for
from renderers import CardScene, card_alt_text


@dataclass(frozen=True, slots=True)
class _Shown:
    """One page, ready to be sent."""

    card: CardScene
    lines: str
    """What the picture leaves to words; may be empty."""
    view: discord.ui.View


@dataclass(frozen=True, slots=True)
class ListHandler:
    """Shows lists, turns their pages and opens their games."""

    answering: Answering
    statistics: Statistics
    sessions: Sessions
    workers: Workers
    boards: Boards
    names: NameBook
    limiter: Limiter

    async def history(
        self, interaction: Interaction[Any], family: str, size: str | None = None
    ) -> None:
        """Show people their past games, privately."""
        async with self.answering(interaction, family):
            self.limiter.take("pictures", interaction.user.id)
            page = Page("history", family, 0, interaction.user.id, _size(family, size))
            await self._answer(interaction, page, ephemeral=True)

    async def leaderboard(
        self, interaction: Interaction[Any], family: str, where: str, size: str | None = None
    ) -> None:
        """Post the best players of the server or of all servers."""
        async with self.answering(interaction, family):
            self.limiter.take("pictures", interaction.user.id)
            kind = "server" if where == "server" and interaction.guild_id else "everywhere"
            guild_id, asker = interaction.guild_id or 0, interaction.user.id
            page = Page(kind, family, 0, guild_id, _size(family, size), asker)
            await self._answer(interaction, page, ephemeral=False)

    async def turn(self, interaction: Interaction[Any], page: Page) -> None:
        """Show another page in place of the present one."""
        async with self.answering(interaction, page.family):
            if not page.is_of(interaction.user.id, interaction.guild_id):
                raise Refusal("not_your_page" if page.kind == "history" else "not_your_list")
            self.limiter.take("pictures", interaction.user.id)
            await interaction.response.defer()
            shown = await self._page(interaction, page)
            await interaction.edit_original_response(
                content=shown.lines,
                attachments=[await self._picture(shown, page)],
                view=shown.view,
                allowed_mentions=NO_PINGS,
            )

    async def open(self, interaction: Interaction[Any], family: str, game_id: int) -> None:
        """Show the final board of a past game, privately; it has a button for a replay."""
        async with self.answering(interaction, family):
            session = await self.sessions.find(game_id)
            if session is None or interaction.user.id not in (*session.people, session.started_by):
                raise Refusal("not_in_that_game")
            self.limiter.take("pictures", interaction.user.id)
            say = say_for(interaction.locale.value)
            board = await self.boards.message(session, say)
            await interaction.response.send_message(
                board.content, file=board.file, view=board.view, ephemeral=True
            )

    async def _answer(self, interaction: Interaction[Any], page: Page, *, ephemeral: bool) -> None:
        await interaction.response.defer(ephemeral=ephemeral, thinking=True)
        shown = await self._page(interaction, page)
        await interaction.edit_original_response(
            content=shown.lines,
            attachments=[await self._picture(shown, page)],
            view=shown.view,
            allowed_mentions=NO_PINGS,
        )

    async def _picture(self, shown: _Shown, page: Page) -> discord.File:
        png = await self.workers.draw_report(card_picture, shown.card)
        name = f"{page.family}-{page.kind}-{page.number + 1}"
        return png_file(png, name, card_alt_text(shown.card))

    async def _page(self, interaction: Interaction[Any], page: Page) -> _Shown:
        say = say_for(interaction.locale.value)
        if page.kind == "history":
            return await self._history_page(interaction, page, say)
        return await self._leaders_page(interaction, page, say)

    async def _history_page(self, interaction: Interaction[Any], page: Page, say: Say) -> _Shown:
        size = size_called(page.family, page.size)
        found = await self.statistics.history(
            page.whom, page.family, page.number, GAMES_A_PAGE, size
        )
        names = await self.names.of((game.opponent for game in found.games), say)
        place = PageOf(page.number, found.pages, found.coverage)
        title = name_of(interaction.user)
        card = history_card(title, page.family, found.games, names, place, say)
        options = _options(page.family, found.games, names, say)
        lines = history_lines(found.games, names, say)
        return _Shown(card, lines, ListView(page, found.pages, say, options))

    async def _leaders_page(self, interaction: Interaction[Any], page: Page, say: Say) -> _Shown:
        guild_id = page.whom if page.kind == "server" else None
        size = size_called(page.family, page.size)
        found = await self.statistics.leaderboard(
            page.family, guild_id, page.number, PLAYERS_A_PAGE, size, seen_by=interaction.user.id
        )
        names = await self.names.of((player.user_id for player in found.players), say)
        place = PageOf(page.number, found.pages, found.coverage)
        card = leaders_card(page.kind, page.family, found.players, names, place, say)
        own = own_line(name_of(interaction.user), found.own.rank, found.own.rating, say)
        lines = leaders_lines(found.players, names, own, say)
        return _Shown(card, lines, ListView(page, found.pages, say))


def _size(family: str, typed: str | None) -> str:
    """The name of the size class that somebody asks for; empty for all sizes."""
    found = size_called(family, typed)
    return found.name if found else ""


def _options(
    family: str, games: Sequence[PastGame], names: dict[int, str], say: Say
) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=option_text(family, game, names, say)[:100], value=str(game.id))
        for game in games
    ]
