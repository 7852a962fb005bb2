"""Answers requests to analyse a position, and the buttons under an analysis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
from discord import Interaction

from bot.discord.analysis_controls import analysis_view
from bot.discord.answering import Answering
from bot.discord.interactions import NO_PINGS, UNREACHABLE, channel_of, png_file
from bot.discord.late import acknowledge, change_buttons
from bot.discord.private_messages import PrivateMessage, show_privately
from bot.play.analyses import Analyses
from bot.play.limits import Limiter
from bot.play.workers import Workers
from bot.show.analyses import analysis_scene, analysis_text
from bot.show.scenes import alt_phrases
from bot.table.refusal import Refusal
from bot.table.trail import Trail, trail_of, typed_game, typed_trail
from bot.words import Say, say_for
from bot.words.plain import fitting
from engine.core.registry import games, package_of
from engine.study.analysis import Analysed, Line
from renderers import board_alt_text, draw


@dataclass(frozen=True, slots=True)
class AnalysisHandler:
    """Shows one person what a position is worth, and lets them explore it and share it.

    Whatever is shown is checked anew at each press: whoever plays a game learns nothing about it.
    """

    answering: Answering
    analyses: Analyses
    workers: Workers
    limiter: Limiter

    async def analyze(
        self,
        interaction: Interaction[Any],
        family: str,
        variant: str | None,
        moves: str | None,
        code: str | None,
    ) -> None:
        """Analyse what somebody typed: moves, a board or a code.

        With none of them it is the channel's game, or else an empty board.
        """
        async with self.answering(interaction, family):
            if moves is not None and code is not None:
                raise Refusal("analysis_both")
            trail = await self._wanted(interaction, family, variant, moves, code)
            await self._require(interaction, trail)
            await interaction.response.defer(ephemeral=True, thinking=True)
            await self._show(interaction, trail)

    async def explore(self, interaction: Interaction[Any], code: str, way: str) -> None:
        """Show where a button leads."""
        async with self.answering(interaction):
            trail = trail_of(code, way)
            await self._require(interaction, trail)
            await acknowledge(interaction)
            await self._show(interaction, trail)

    async def share(self, interaction: Interaction[Any], code: str, way: str) -> None:
        """Post an analysis for everybody in the channel.

        The button is gone before that, so that a second press posts nothing; it comes back where
        the analysis could not be posted.
        """
        async with self.answering(interaction):
            trail = trail_of(code, way)
            await self.analyses.require_shareable(trail.position, channel_of(interaction))
            await self._require(interaction, trail)
            await acknowledge(interaction)
            found = await self._found(interaction, trail)
            say, line = say_for(interaction.locale.value), _line(found)
            await change_buttons(interaction, analysis_view(trail, line, say, shared=True))
            text, file = await self._message(trail, found, say)
            try:
                await interaction.followup.send(
                    text, file=file, allowed_mentions=NO_PINGS, wait=True
                )
            except UNREACHABLE:
                await change_buttons(interaction, analysis_view(trail, line, say))
                raise

    async def _wanted(
        self,
        interaction: Interaction[Any],
        family: str,
        variant: str | None,
        moves: str | None,
        code: str | None,
    ) -> Trail:
        """The position that a command asks for."""
        usual = games()[family].usual
        if code is not None:
            return trail_of(code)
        if moves is not None:
            return typed_trail(games()[family], variant or usual, moves)
        if variant is None:
            running = await self.analyses.running(channel_of(interaction), family)
            if running is not None:
                return running
        return Trail(typed_game(games()[family], variant or usual).start())

    async def _require(self, interaction: Interaction[Any], trail: Trail) -> None:
        """Refuse help with somebody's own game, and too much in a short time."""
        user_id, channel_id = interaction.user.id, channel_of(interaction)
        await self.analyses.require_free(trail.position, user_id, channel_id)
        self.limiter.take("pictures", user_id)

    async def _found(self, interaction: Interaction[Any], trail: Trail) -> Analysed | None:
        return await self.analyses.of(trail.position, interaction.user.id, interaction.guild_id)

    async def _show(self, interaction: Interaction[Any], trail: Trail) -> None:
        found = await self._found(interaction, trail)
        say = say_for(interaction.locale.value)
        text, file = await self._message(trail, found, say)
        view = analysis_view(trail, _line(found), say)
        await show_privately(interaction, PrivateMessage(text, [file], view))

    async def _message(
        self, trail: Trail, found: Analysed | None, say: Say
    ) -> tuple[str, discord.File]:
        """An analysis in words, and its picture, which can be sent once."""
        scene = analysis_scene(trail, found, say)
        # Beside reports: boards of running games do not wait for it.
        png = await self.workers.draw_report(draw, package_of(trail.game).drawing, scene)
        name = f"{trail.game.key}-analysis-{trail.position.ply}"
        file = png_file(png, name, board_alt_text(scene, alt_phrases(say)))
        return fitting(analysis_text(trail, found, say)), file


def _line(found: Analysed | None) -> Line | None:
    return None if found is None else found.line
