"""Answers requests for statistics, reports and exports."""

from __future__ import annotations

import io
import time
from dataclasses import dataclass
from typing import Any

import discord
from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.interactions import NO_PINGS, png_file
from bot.play.workers import Workers
from bot.rating.difficulty import current_rung
from bot.rating.ratings import rating_at
from bot.show.cards import Standing, stats_card
from bot.show.exports import as_csv, as_json_lines
from bot.show.pictures import card_picture, report_picture
from bot.show.reports import Heading, report_scene
from bot.store import Scope, Store
from bot.table.refusal import Refusal
from bot.words import say_for
from engine.game import Game
from engine.games import FAMILIES, game_of
from engine.ladder import size_class
from renderers import card_alt_text, report_alt_text

MOST_SHOWN = 200
"""Of the latest rated games, so many at most are shown in the course of a rating."""
MOST_GAMES = 1000
"""Of the latest games, so many at most are shown one by one in a report."""


@dataclass(frozen=True, slots=True)
class StatisticsHandler:
    """Shows what players and servers have done, and hands out people's own games."""

    answering: Answering
    store: Store
    workers: Workers

    async def stats(
        self, interaction: Interaction[Any], family: str, player: discord.User | None
    ) -> None:
        """Post a card with a player's statistics, as far as they show them."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction, family):
            person = player or interaction.user
            if person.bot:
                raise Refusal("no_stats_for_bots")
            if person.id != interaction.user.id and await self.store.players.is_private(person.id):
                raise Refusal("stats_are_private")
            history = await self.store.history.summary(person.id, family)
            variant = history.recent[0].variant if history.recent else FAMILIES[family].usual
            game = game_of(family, variant)
            now = time.time()
            rung = await current_rung(self.store, person.id, game, now)
            standing = await self._standing(person.id, game, now)
            card = stats_card(history, standing, person.display_name, game, rung.name, say)
            png = await self.workers.draw(card_picture, card)
            await interaction.response.send_message(
                file=png_file(png, f"{family}-stats", card_alt_text(card)),
                allowed_mentions=NO_PINGS,
            )

    async def _standing(self, user_id: int, game: Game, now: float) -> Standing:
        ladder = size_class(game)
        known = await self.store.ratings.of(user_id, ladder)
        if known is None:
            return Standing()
        points = await self.store.ratings.course(user_id, ladder)
        best = await self.store.ratings.best_win(user_id, ladder)
        return Standing(
            rating_at(known, now), [point.rating for point in points][-MOST_SHOWN:], best
        )

    async def report(self, interaction: Interaction[Any], family: str, whose: str) -> None:
        """Post the report of one's own games, privately, or of the server's."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction, family):
            own = whose == "me" or interaction.guild_id is None
            guild = interaction.guild
            title = interaction.user.display_name if own else guild.name if guild else ""
            scope = Scope(
                family,
                user_id=interaction.user.id if own else None,
                guild_id=None if own else interaction.guild_id,
            )
            await interaction.response.defer(ephemeral=own, thinking=True)
            levels = await self.store.history.level_figures(scope)
            games = await self.store.history.game_figures(scope, most=MOST_GAMES)
            heading = Heading(title or say("report.server"), family)
            scene = report_scene(heading, levels, games, say)
            png = await self.workers.draw(report_picture, scene)
            await interaction.edit_original_response(
                attachments=[png_file(png, f"{family}-report", report_alt_text(scene))],
                allowed_mentions=NO_PINGS,
            )

    async def export(self, interaction: Interaction[Any], family: str) -> None:
        """Send a person their own games, privately, as CSV and as JSON lines."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction, family):
            await interaction.response.defer(ephemeral=True, thinking=True)
            user_id = interaction.user.id
            games = await self.store.games.finished_by(user_id)
            texts = {"csv": as_csv(games, user_id), "jsonl": as_json_lines(games, user_id)}
            files = [
                discord.File(io.BytesIO(text.encode()), filename=f"cuatro-games.{ending}")
                for ending, text in texts.items()
            ]
            content = say("export.done", games=say.number(len(games)))
            await interaction.edit_original_response(content=content, attachments=files)
