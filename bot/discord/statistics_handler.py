"""Answers requests for statistics, reports and exports."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import discord
from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.interactions import NO_PINGS, png_file
from bot.discord.league_handler import league_scope
from bot.discord.names import name_of
from bot.play.league import League
from bot.play.limits import Limiter
from bot.play.statistics import PlayerStatistics, Statistics
from bot.play.workers import Workers
from bot.show.cards import Shown, between_line, stats_card, stats_lines
from bot.show.coverage import size_called
from bot.show.exports import (
    as_csv,
    as_json_lines,
    days_as_csv,
    lessons_as_csv,
    puzzles_as_csv,
    votes_as_csv,
)
from bot.show.pictures import card_picture, report_picture
from bot.show.progress import progress_line
from bot.show.reports import Heading, report_lines, report_scene
from bot.store import Scope
from bot.table.refusal import Refusal
from bot.words import Say, say_for
from bot.words.plain import cleaned
from renderers import CardScene, card_alt_text, report_alt_text


@dataclass(frozen=True, slots=True)
class StatisticsHandler:
    """Shows what players and servers have done, and hands out people's own games."""

    answering: Answering
    statistics: Statistics
    workers: Workers
    league: League
    limiter: Limiter

    async def stats(
        self,
        interaction: Interaction[Any],
        family: str,
        player: discord.User | None,
        size: str | None = None,
    ) -> None:
        """Post the card with a player's statistics; those who hide theirs see them privately."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction, family):
            person = player or interaction.user
            # Checked before the public answer begins: after that a refusal would be public too.
            if person.bot:
                raise Refusal("no_stats_for_bots")
            chosen = size_called(family, size)
            await self.statistics.require_visible(person.id, to=interaction.user.id)
            self.limiter.take("pictures", interaction.user.id)
            hidden = await self.statistics.is_hidden(person.id)
            await interaction.response.defer(ephemeral=hidden, thinking=True)
            found = await self.statistics.of_player(
                person.id, family, chosen, seen_by=interaction.user.id
            )
            card, lines = _card(found, name_of(person), name_of(interaction.user), say)
            png = await self.workers.draw_report(card_picture, card)
            await interaction.edit_original_response(
                content=lines,
                attachments=[png_file(png, f"{family}-stats", card_alt_text(card))],
                allowed_mentions=NO_PINGS,
            )

    async def report(
        self, interaction: Interaction[Any], family: str, whose: str, size: str | None = None
    ) -> None:
        """Show people the report of their own games, privately, or post the server's."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction, family):
            own = whose == "me" or interaction.guild_id is None
            chosen = size_called(family, size)
            self.limiter.take("pictures", interaction.user.id)
            await interaction.response.defer(ephemeral=own, thinking=True)
            scope = (
                Scope(family, user_id=interaction.user.id)
                if own
                else Scope(family, guild_id=interaction.guild_id)
            )
            found = await self.statistics.report(scope, chosen)
            guild = interaction.guild
            title = name_of(interaction.user) if own else cleaned(guild.name) if guild else ""
            heading = Heading(title or say("report.server"), family, found.coverage)
            watched = "" if own else await self._watched(interaction, family, say)
            learned = progress_line(found.progress, say) if found.progress else ""
            scene = report_scene(heading, found.levels, found.games, say, learned)
            png = await self.workers.draw_report(report_picture, scene)
            await interaction.edit_original_response(
                content=report_lines(heading, scene, say) + watched,
                attachments=[png_file(png, f"{family}-report", report_alt_text(scene))],
                allowed_mentions=NO_PINGS,
            )

    async def _watched(self, interaction: Interaction[Any], family: str, say: Say) -> str:
        """A line that leads from a server's report to its watched games; empty without any."""
        games = await self.league.count(league_scope(interaction, family))
        told = say.count("watched_games", games)
        game = say(f"command.{family}.name")
        return "\n" + say("league.report", games=told, game=game) if games else ""

    async def export(self, interaction: Interaction[Any], family: str) -> None:
        """Send people their own games, privately, as CSV and as JSON lines; and their votes."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction, family):
            self.limiter.take("pictures", interaction.user.id)
            await interaction.response.defer(ephemeral=True, thinking=True)
            user_id = interaction.user.id
            games = await self.statistics.finished_games(user_id)
            votes = await self.statistics.votes(user_id)
            texts = {
                "games.csv": as_csv(games, user_id),
                "games.jsonl": as_json_lines(games, user_id),
            }
            tries, days = await self.statistics.tries(user_id)
            if tries:
                texts |= {"puzzles.csv": puzzles_as_csv(tries), "days.csv": days_as_csv(days)}
            if parts := await self.statistics.lessons(user_id):
                texts["lessons.csv"] = lessons_as_csv(parts)
            if votes:
                texts["votes.csv"] = votes_as_csv(votes)
            files = [
                discord.File(io.BytesIO(text.encode()), filename=f"cuatro-{name}")
                for name, text in texts.items()
            ]
            written = texts["games.jsonl"].count("\n")
            content = say("export.done", games=say.number(written))
            if missing := await self.statistics.finished(user_id) - written:
                content += " " + say("export.missing", games=say.number(missing))
            await interaction.edit_original_response(content=content, attachments=files)


def _card(found: PlayerStatistics, name: str, viewer: str, say: Say) -> tuple[CardScene, str]:
    """Somebody's card, and what stands beside it."""
    told = found.puzzles, found.crowns
    shown = Shown(found.game, found.rung, found.coverage, found.others, *told)
    lines = stats_lines(found.history, found.standing, name, shown, say)
    if found.against is not None:
        lines += "\n" + between_line(found.against, name, viewer, say)
    return stats_card(found.history, found.standing, name, shown, say), lines
