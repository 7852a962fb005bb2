"""The slash command that analyses positions.

The buttons under an analysis: every move, along the best line and back, and sharing it.

Answers requests to analyse a position, and the buttons under an analysis.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import discord
from discord import ButtonStyle, Interaction

from bot.board.messages import placed_moves, rows_of_moves
from bot.discord.answering import Answering
from bot.discord.commands import GameCommand, command, option, suggest_variants, variant_of
from bot.discord.presses import presses_of
from bot.discord.replies import (
    NO_PINGS,
    UNREACHABLE,
    PrivateMessage,
    acknowledge,
    change_buttons,
    channel_of,
    png_file,
    show_privately,
)
from bot.discord.routes import CODE, WAY, lasting_view
from bot.features.analysis.rules import Analyses, Trail, trail_of, typed_game, typed_trail
from bot.features.analysis.view import analysis_scene, analysis_text
from bot.game.refusal import Refusal
from bot.i18n import Say, fitting, say_for
from bot.sessions.people import Limiter
from bot.show.scenes import alt_phrases
from bot.workers.workers import Workers
from engine.core.package import GamePackage
from engine.core.position_code import code_of
from engine.core.registry import games, package_of
from engine.study.analysis import Analysed, Line
from renderers import board_alt_text, draw

if TYPE_CHECKING:
    from bot.handlers import Handlers


def analysis_commands(handlers: Handlers, family: GamePackage) -> tuple[GameCommand, ...]:
    """The command of one game; none where its positions have no codes."""
    if family.place is None:
        return ()

    @command("analyze", "code")
    @option("moves", "played")
    @variant_of(family)
    async def analyze(
        interaction: Interaction[Any],
        moves: str | None = None,
        code: str | None = None,
        variant: str | None = None,
    ) -> None:
        await handlers.analyses.analyze(interaction, family.key, variant, moves, code)

    if len(family.variants) > 1:
        suggest_variants(family, analyze)
    return (analyze,)


SHARE = "share"


class ExploreButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=r"cuatro:explore:(?P<word>move|first|back|forward|last|share)"
    rf":(?P<code>{CODE}):(?P<way>{WAY})",
):
    """Analyses another position: the id holds where the trail began, and the moves from there."""

    def __init__(
        self,
        word: str,
        code: str,
        way: str,
        label: str = "",
        *,
        disabled: bool = False,
        row: int | None = None,
    ) -> None:
        """A button for one of the words in the template, which goes to the end of a trail."""
        super().__init__(
            discord.ui.Button(
                label=label or word,
                style=ButtonStyle.secondary,
                custom_id=f"cuatro:explore:{word}:{code}:{way}",
                disabled=disabled,
                row=row,
            )
        )
        self.word = word
        self.code = code
        self.way = way

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the button from its custom id."""
        return cls(match["word"], match["code"], match["way"])

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Go there, or show everybody."""
        presses = presses_of(interaction)
        act = presses.share_analysis if self.word == SHARE else presses.explore
        await act(interaction, self.code, self.way)


def analysis_view(
    trail: Trail, line: Line | None, say: Say, *, shared: bool = False
) -> discord.ui.View:
    """The buttons under an analysed position with its best line; None where the game is over."""
    view = lasting_view()
    for one in placed_moves(trail.position, say):
        # What is not allowed has an id of its own as well.
        to = trail.on(one.move) if one.is_legal else Trail(trail.root, (*trail.moves, one.move))
        view.add_item(_button("move", to, one.label, one.row, disabled=not one.is_legal))
    ahead = () if line is None else line.moves
    goals = {
        "first": trail.begin() if trail.moves else None,
        "back": trail.back() if trail.moves else None,
        "forward": trail.on(*ahead[:1]) if ahead else None,
        "last": trail.on(*ahead) if ahead else None,
    }
    last = rows_of_moves(trail.game)
    for word, goal in goals.items():
        label = say(f"button.{word}")
        view.add_item(_button(word, goal or trail, label, last, disabled=goal is None))
    label = say("button.shared" if shared else "button.share")
    view.add_item(_button(SHARE, trail, label, last, disabled=shared))
    return view


def _button(word: str, to: Trail, label: str, row: int, *, disabled: bool) -> ExploreButton:
    """A button that goes to a trail's end."""
    return ExploreButton(word, code_of(to.root), to.way, label, disabled=disabled, row=row)


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
