"""Lists that are turned page by page: past games, and the best players."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import discord
from discord import Interaction

from bot.discord.answering import NO_PINGS
from bot.discord.controls import board_view
from bot.discord.pages import ListView, Page
from bot.show.lists import GAMES_A_PAGE, PLAYERS_A_PAGE, history_card, leaders_card, option_text
from bot.show.pictures import card_picture
from bot.store import PastGame
from bot.table.refusal import Refusal
from bot.words import Say, say_for
from engine.games import FAMILIES, game_of
from engine.ladder import size_class
from renderers import CardScene, card_alt_text

if TYPE_CHECKING:
    from bot.discord.desk import Desk


@dataclass(frozen=True, slots=True)
class _Shown:
    """One page, ready to be sent."""

    card: CardScene
    view: discord.ui.View


class Lists:
    """Answers requests for lists, and turns their pages."""

    def __init__(self, desk: Desk) -> None:
        """Answer at `desk`."""
        self._desk = desk
        self._store = desk.services.store

    async def history(self, interaction: Interaction[Any], family: str) -> None:
        """Show a person their past games, privately."""
        async with self._desk.answering(interaction, family):
            page = Page("history", family, 0, interaction.user.id)
            await self._answer(interaction, page, ephemeral=True)

    async def leaderboard(self, interaction: Interaction[Any], family: str, where: str) -> None:
        """Post the best players of the server, or of all."""
        async with self._desk.answering(interaction, family):
            kind = "server" if where == "server" and interaction.guild_id else "everywhere"
            page = Page(kind, family, 0, interaction.guild_id or 0)
            await self._answer(interaction, page, ephemeral=False)

    async def turn(self, interaction: Interaction[Any], page: Page) -> None:
        """Show another page in the message whose button was pressed."""
        async with self._desk.answering(interaction, page.family):
            await interaction.response.defer()
            shown = await self._page(interaction, page)
            await interaction.edit_original_response(
                attachments=[await self._picture(shown, page)], view=shown.view
            )

    async def open(self, interaction: Interaction[Any], family: str, game_id: int) -> None:
        """Show the final board of a past game privately, from where it can be replayed."""
        async with self._desk.answering(interaction, family):
            session = await self._desk.sessions.find(game_id)
            if session is None or interaction.user.id not in session.people:
                raise Refusal("not_your_game")
            say = say_for(interaction.locale.value)
            await interaction.response.send_message(
                await self._desk.boards.content(session, say),
                file=await self._desk.boards.picture(session, say),
                view=board_view(session, say),
                ephemeral=True,
            )

    async def _answer(self, interaction: Interaction[Any], page: Page, *, ephemeral: bool) -> None:
        await interaction.response.defer(ephemeral=ephemeral, thinking=True)
        shown = await self._page(interaction, page)
        await interaction.edit_original_response(
            attachments=[await self._picture(shown, page)],
            view=shown.view,
            allowed_mentions=NO_PINGS,
        )

    async def _picture(self, shown: _Shown, page: Page) -> discord.File:
        png = await self._desk.services.workers.draw(card_picture, shown.card)
        name = f"{page.family}-{page.kind}-{page.number + 1}.png"
        return discord.File(io.BytesIO(png), filename=name, description=card_alt_text(shown.card))

    async def _page(self, interaction: Interaction[Any], page: Page) -> _Shown:
        say = say_for(interaction.locale.value)
        if page.kind == "history":
            return await self._history_page(interaction, page, say)
        return await self._leaders_page(page, say)

    async def _history_page(self, interaction: Interaction[Any], page: Page, say: Say) -> _Shown:
        count = await self._store.history.count(page.whom, page.family)
        skip = page.number * GAMES_A_PAGE
        games = await self._store.history.past(page.whom, page.family, most=GAMES_A_PAGE, skip=skip)
        names = await self._desk.names.of((game.opponent for game in games), say)
        pages = -(-count // GAMES_A_PAGE)
        title = interaction.user.display_name
        card = history_card(title, page.family, games, names, (page.number, pages), say)
        return _Shown(card, ListView(page, pages, say, _options(page.family, games, names, say)))

    async def _leaders_page(self, page: Page, say: Say) -> _Shown:
        ladder = size_class(game_of(page.family, FAMILIES[page.family].usual))
        guild_id = page.whom if page.kind == "server" else None
        count = await self._store.ratings.count(ladder, guild_id=guild_id)
        players = await self._store.ratings.leaderboard(
            ladder,
            guild_id=guild_id,
            limit=PLAYERS_A_PAGE,
            offset=page.number * PLAYERS_A_PAGE,
        )
        names = await self._desk.names.of((player.user_id for player in players), say)
        pages = -(-count // PLAYERS_A_PAGE)
        card = leaders_card(page.kind, page.family, players, names, (page.number, pages), say)
        return _Shown(card, ListView(page, pages, say))


def _options(
    family: str, games: Sequence[PastGame], names: dict[int, str], say: Say
) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=option_text(family, game, names, say)[:100], value=str(game.id))
        for game in games
    ]
