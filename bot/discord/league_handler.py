"""Answers requests for the league of a server's agents, and opens the games it has watched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.boards import Boards
from bot.discord.interactions import NO_PINGS, channel_of, png_file
from bot.discord.list_controls import league_view
from bot.play.league import League
from bot.play.limits import Limiter
from bot.play.sessions import Sessions
from bot.play.workers import Workers
from bot.show.league import league_card, league_lines, watched_text
from bot.show.pictures import card_picture
from bot.store import LeagueScope
from bot.table.refusal import Refusal
from bot.words import say_for
from bot.words.plain import cleaned
from engine.core.registry import game_of
from engine.core.registry import games as all_games
from renderers import card_alt_text


@dataclass(frozen=True, slots=True)
class LeagueHandler:
    """Shows how the agents that a server has watched did against each other."""

    answering: Answering
    league_of: League
    sessions: Sessions
    workers: Workers
    boards: Boards
    limiter: Limiter

    async def league(
        self, interaction: Interaction[Any], family: str, variant: str | None = None
    ) -> None:
        """Post the cross table of the server's watched games, of one variant or of all."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction, family):
            scope = league_scope(interaction, family, variant)
            self.league_of.require_variant(scope)
            self.limiter.take("pictures", interaction.user.id)
            await interaction.response.defer(thinking=True)
            table = await self.league_of.table(scope)
            game = game_of(family, variant or all_games()[family].usual)
            guild = interaction.guild
            title = cleaned(guild.name) if guild else say("league.here")
            card = league_card(title, game, variant, table, say)
            png = await self.workers.draw_report(card_picture, card)
            options = [
                discord.SelectOption(
                    label=watched_text(family, watched, say)[:100], value=str(watched.id)
                )
                for watched in table.latest
            ]
            await interaction.edit_original_response(
                content=league_lines(game, table, say),
                attachments=[png_file(png, f"{family}-league", card_alt_text(card))],
                view=league_view(family, options, say("history.open")),
                allowed_mentions=NO_PINGS,
            )

    async def open(self, interaction: Interaction[Any], family: str, game_id: int) -> None:
        """Show the final board of a watched game, privately; it has buttons to look closer."""
        async with self.answering(interaction, family):
            session = await self.sessions.find(game_id)
            here = league_scope(interaction, family)
            if session is None or session.people or not session.is_over:
                raise Refusal("not_watched_here")
            if not here.holds(session.guild_id, session.channel_id):
                raise Refusal("not_watched_here")
            self.limiter.take("pictures", interaction.user.id)
            say = say_for(interaction.locale.value)
            board = await self.boards.message(session, say)
            await interaction.response.send_message(
                board.content, file=board.file, view=board.view, ephemeral=True
            )


def league_scope(
    interaction: Interaction[Any], family: str, variant: str | None = None
) -> LeagueScope:
    """The watched games of the server, or of the channel where there is no server."""
    return LeagueScope(family, interaction.guild_id, channel_of(interaction), variant)
