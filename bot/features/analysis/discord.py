"""Analyses on Discord: the command, and the buttons that explore and share a position.

A button's id holds where the exploration began and the moves from there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from typing import Any

import discord
from discord import Interaction

from bot.board.messages import Button, placed_moves, rows_of_moves
from bot.discord.commands import (
    ChosenGame,
    GameCommand,
    command,
    game_option,
    option,
    suggest_variants_by_game,
)
from bot.discord.locales import public_locale
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
from bot.discord.routes import CODE, WAY, CustomId, Route, lasting_view
from bot.drills.discord import button_from
from bot.drills.rules import ButtonSpec, PositionButtons
from bot.features.analysis.rules import (
    Analyses,
    Trail,
    trail_of,
    trail_of_game,
    typed_game,
    typed_trail,
)
from bot.features.analysis.view import (
    analysis_scene,
    analysis_summary,
    analysis_text,
    shared_text,
)
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.i18n import Translator, fitting, say_for
from bot.sessions.people import Limiter, RequireHelp
from bot.show.scenes import alt_phrases
from bot.show.themes import reader_theme, theme_for
from bot.show.threat_maps import has_threat_map, switch_words
from bot.store.preferences import CachedPreferences
from bot.workers.workers import Workers
from engine.core.registry import games, package_of
from engine.study.analysis import PositionAnalysis
from renderers import Theme, board_alt_text, draw

TRAIL = (f"(?P<code>{CODE})", f"(?P<way>{WAY})")
"""The fields of a trail: the code of its first position, and the moves from there."""

_WORD = "(?P<word>move|first|back|forward|last|details|further)"

EXPLORE = CustomId("explore", _WORD, *TRAIL)
"""The ids of buttons that analyse the end of a trail: in two lines, with all details, or longer."""

THREATS = CustomId("threats", _WORD, *TRAIL)
"""The same with the threats on the board."""

SHARE = CustomId("explore:share", *TRAIL)
"""The ids of buttons that post the analysis of the end of a trail."""

SHARE_THREATS = CustomId("threats:share", *TRAIL)
"""The same with the threats on the board."""


LAST_ROW = 4
"""The last row of buttons that Discord allows, counted from 0."""


def analysis_view(
    trail: Trail,
    found: PositionAnalysis | None,
    say: Translator,
    *,
    shared: bool = False,
    with_details: bool = False,
    with_threats: bool = False,
    more: Iterable[ButtonSpec] = (),
) -> discord.ui.View:
    """The buttons under an analysed position; without an analysis the game is over.

    `more` are those of features about the position. With threats, they stay while people explore.
    """
    view, ids = lasting_view(), THREATS if with_threats else EXPLORE

    def button(word: str, to: Trail, label: str, row: int, *, disabled: bool) -> Button:
        return ids.button(word, *to.place, label=label, disabled=disabled, row=row)

    for one in placed_moves(trail.position, say):
        # Buttons of moves that are not allowed need ids of their own as well.
        to = trail.on(one.move) if one.is_legal else Trail(trail.root, (*trail.moves, one.move))
        view.add_item(button("move", to, one.label, one.row, disabled=not one.is_legal))
    ahead = () if found is None else found.line.moves
    goals = {
        "first": trail.begin() if trail.moves else None,
        "back": trail.back() if trail.moves else None,
        "forward": trail.on(*ahead[:1]) if ahead else None,
        "last": trail.on(*ahead) if ahead else None,
    }
    last = rows_of_moves(trail.game)
    for word, goal in goals.items():
        label = say(f"button.{word}")
        view.add_item(button(word, goal or trail, label, last, disabled=goal is None))
    label = say("button.shared" if shared else "button.share")
    share = SHARE_THREATS if with_threats else SHARE
    view.add_item(share.button(*trail.place, label=label, row=last, disabled=shared))
    # Where the moves leave no row free, these are beside the last ones, one in each row.
    rows = repeat(last + 1) if last < LAST_ROW else iter(range(last - 1, -1, -1))
    if not with_details:
        view.add_item(button("details", trail, say("button.details"), next(rows), disabled=False))
    if found is not None and found.is_open:
        view.add_item(button("further", trail, say("button.further"), next(rows), disabled=False))
    if has_threat_map(trail.position):
        other, label = EXPLORE if with_threats else THREATS, switch_words(say, is_on=with_threats)
        view.add_item(other.button("move", *trail.place, label=label, row=next(rows)))
    for spec in more if found is not None else ():
        view.add_item(button_from(spec, row=next(rows)))
    return view


def games_with_positions() -> tuple[str, ...]:
    """The keys of the games whose positions can be analysed."""
    return tuple(key for key, game in games().items() if game.place is not None)


@dataclass(frozen=True, slots=True)
class AnalysisHandler:
    """Shows one person the values of a position, and lets them explore it and share it.

    Every press is checked: people who play a game learn nothing about it.
    """

    analyses: Analyses
    preferences: CachedPreferences
    workers: Workers
    limiter: Limiter
    chosen: ChosenGame
    position_buttons: PositionButtons
    require_help: RequireHelp

    def command(self) -> GameCommand:
        """The command for the games whose positions have codes.

        It analyses typed moves or a code, else the channel's game, else an empty board.
        """
        offered = games_with_positions()

        @command("analyze", "code")
        @option("moves", "played")
        @option("variant", "board")
        @game_option(offered)
        async def analyze(
            interaction: Interaction[Any],
            game: str | None = None,
            moves: str | None = None,
            code: str | None = None,
            variant: str | None = None,
        ) -> None:
            if moves is not None and code is not None:
                raise Refusal("analysis_both")
            family = await self.chosen(interaction, game, offered, variant=variant)
            trail: Trail | None = None
            if code is not None:
                trail = trail_of(code)
            elif moves is not None:
                trail = typed_trail(family, variant or family.usual, moves)
            elif variant is None:
                trail = await self._running(interaction, game)
            trail = trail or Trail(typed_game(family, variant or family.usual).start())
            await self._require(interaction, trail)
            await interaction.response.defer(ephemeral=True, thinking=True)
            await self._show_again(interaction, trail)

        suggest_variants_by_game(analyze)
        return analyze

    async def analyze_game(self, interaction: Interaction[Any], session: Session) -> None:
        """Analyse the final position of a game; the moves to it can be taken back."""
        if not session.is_over:
            raise Refusal("analysis_not_over")
        family = package_of(session.game)
        if family.place is None:
            raise Refusal("not_a_board")
        trail = trail_of_game(session)
        await self._require(interaction, trail)
        await interaction.response.defer(ephemeral=True, thinking=True)
        await self._show_again(interaction, trail)

    async def _running(self, interaction: Interaction[Any], game: str | None) -> Trail | None:
        """The channel's running game, if it is of the game that was given or of any."""
        for family in games_with_positions() if game is None else (game,):
            if found := await self.analyses.running(channel_of(interaction), family):
                return found
        return None

    @property
    def routes(self) -> tuple[Route, ...]:
        """The buttons under an analysis."""
        return (
            EXPLORE.route(self.explore),
            THREATS.route(partial(self.explore, with_threats=True)),
            SHARE.route(self.share, repeatable=False),
            SHARE_THREATS.route(partial(self.share, with_threats=True), repeatable=False),
        )

    async def explore(
        self,
        interaction: Interaction[Any],
        word: str,
        code: str,
        way: str,
        *,
        with_threats: bool = False,
    ) -> None:
        """Show the position of a button, with all details or analysed longer if asked for."""
        trail = trail_of(code, way)
        await self._require(interaction, trail)
        await acknowledge(interaction)
        analyse = self.analyses.further if word == "further" else self.analyses.of
        found = await analyse(trail.position, interaction.user.id, interaction.guild_id)
        await self._show(
            interaction, trail, found, with_details=word == "details", with_threats=with_threats
        )

    async def share(
        self, interaction: Interaction[Any], code: str, way: str, *, with_threats: bool = False
    ) -> None:
        """Post an analysis in the channel.

        The button is disabled before that, so that a second press posts nothing, and enabled again
        if posting fails.
        """
        trail = trail_of(code, way)
        await self.analyses.require_shareable(trail.position, channel_of(interaction))
        await self._require(interaction, trail)
        await acknowledge(interaction)
        found = await self.analyses.of(trail.position, interaction.user.id, interaction.guild_id)
        say = say_for(interaction.locale.value)
        shown = {"with_threats": with_threats}
        await change_buttons(interaction, self._view(trail, found, say, shared=True, **shown))
        public = say_for(public_locale(interaction))
        theme = await theme_for(self.preferences, (), interaction.guild_id)
        file = await self._picture(trail, found, public, theme, **shown)
        text = fitting(shared_text(trail, found, public, **shown))
        try:
            await interaction.followup.send(text, file=file, allowed_mentions=NO_PINGS, wait=True)
        except UNREACHABLE:
            await change_buttons(interaction, self._view(trail, found, say, **shown))
            raise

    async def _require(self, interaction: Interaction[Any], trail: Trail) -> None:
        """Refuse help with the person's own game, and too many requests in a short time."""
        user_id, channel_id = interaction.user.id, channel_of(interaction)
        await self.analyses.require_free(trail.position, user_id, channel_id)
        await self.require_help(user_id, (trail.position,))
        self.limiter.take("pictures", user_id)

    async def _show_again(self, interaction: Interaction[Any], trail: Trail) -> None:
        """Show an analysis, which goes on if the person has just seen that of this position."""
        position, user_id = trail.position, interaction.user.id
        found = await self.analyses.again(position, user_id, interaction.guild_id)
        await self._show(interaction, trail, found)

    async def _show(
        self,
        interaction: Interaction[Any],
        trail: Trail,
        found: PositionAnalysis | None,
        *,
        with_details: bool = False,
        with_threats: bool = False,
    ) -> None:
        say = say_for(interaction.locale.value)
        file = await self._picture(trail, found, say, reader_theme(), with_threats=with_threats)
        text = (analysis_text if with_details else analysis_summary)(
            trail, found, say, with_threats=with_threats
        )
        view = self._view(trail, found, say, with_details=with_details, with_threats=with_threats)
        await show_privately(interaction, PrivateMessage(fitting(text), [file], view))

    def _view(
        self, trail: Trail, found: PositionAnalysis | None, say: Translator, **shown: bool
    ) -> discord.ui.View:
        more = self.position_buttons(trail.root, trail.moves, say)
        return analysis_view(trail, found, say, more=more, **shown)

    async def _picture(
        self,
        trail: Trail,
        found: PositionAnalysis | None,
        say: Translator,
        theme: Theme,
        *,
        with_threats: bool = False,
    ) -> discord.File:
        """The picture of an analysis, which can be sent once."""
        scene = analysis_scene(trail, found, say, with_threats=with_threats)
        # Beside reports: boards of running games do not wait for it.
        drawing = package_of(trail.game).drawing
        png = await self.workers.draw_report(draw, drawing, scene, theme)
        name = f"{trail.game.key}-analysis-{trail.position.ply}"
        return png_file(png, name, board_alt_text(scene, alt_phrases(say)))
