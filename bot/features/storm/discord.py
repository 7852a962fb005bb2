"""Storms on Discord: the command, and a private message with one puzzle after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
from discord import ButtonStyle, Interaction

from bot.board.messages import placed_moves, rows_of_moves
from bot.discord.commands import ChosenGame, GameCommand, command, game_option
from bot.discord.locales import public_locale
from bot.discord.names import NameBook
from bot.discord.replies import (
    NO_PINGS,
    UNREACHABLE,
    PrivateMessage,
    acknowledge,
    answer_privately,
    png_file,
    post,
    requester_of,
    show_privately,
)
from bot.discord.routes import FAMILY, MOVE, ROW, SMALL, CustomId, Route, lasting_view
from bot.drills.discord import drill_phrases, problem_scene
from bot.drills.rules import ButtonSpec, RouteTarget
from bot.features.puzzles.discord import games_with_puzzles
from bot.features.storm.rules import (
    LENGTH,
    Result,
    StormPlay,
    Turn,
    result_words,
    table_words,
    turn_words,
)
from bot.i18n import Translator, escaped, fitting, say_for
from bot.sessions.people import Limiter
from bot.show.themes import reader_theme
from bot.workers.workers import Workers
from engine.core.registry import package_of
from renderers import board_alt_text, draw

START = CustomId("storm:start", f"(?P<family>{FAMILY})")
"""Buttons that begin a storm in their message."""

OPEN = CustomId("storm:open", f"(?P<family>{FAMILY})")
"""Buttons that offer a storm in a new private message."""

ANSWER = CustomId(
    "storm:try", f"(?P<id>{ROW})", f"(?P<number>{SMALL})", f"(?P<step>{SMALL})",
    f"(?P<move>{MOVE})", id=int, number=int, step=int,
)  # fmt: skip
"""Buttons that answer a step of a puzzle with a move."""

STOP = CustomId("storm:stop", f"(?P<id>{ROW})", id=int)
"""Buttons that end a storm."""

TABLE = CustomId("storm:table", f"(?P<family>{FAMILY})")
"""Buttons that show today's table of a server."""

SHARE = CustomId("storm:share", f"(?P<id>{ROW})", id=int)
"""Buttons that post a result."""


def storm_in_help(family: str, say: Translator) -> discord.ui.Button[discord.ui.View]:
    """The button under help."""
    return OPEN.button(family, label=say("button.storm_open"))


def storm_practice(family: str, say: Translator) -> ButtonSpec:
    """The button after a puzzle of the day."""
    return ButtonSpec(say("button.storm_open"), RouteTarget(OPEN.name, (family,)))


@dataclass(frozen=True, slots=True)
class StormHandler:
    """Shows storms, each to one person alone. Their state is in the database."""

    play: StormPlay
    workers: Workers
    limiter: Limiter
    names: NameBook
    chosen: ChosenGame

    @property
    def routes(self) -> tuple[Route, ...]:
        """The handlers of all buttons."""
        return (
            START.route(self._start),
            OPEN.route(self._open),
            ANSWER.route(self._answer),
            STOP.route(self._stop),
            TABLE.route(self._table),
            SHARE.route(self._share),
        )

    def command(self) -> GameCommand:
        """The command for the games that have puzzles."""
        offered = games_with_puzzles()

        @command("storm")
        @game_option(offered)
        async def storm(interaction: Interaction[Any], game: str | None = None) -> None:
            await self._open(interaction, (await self.chosen(interaction, game, offered)).key)

        return storm

    async def _open(self, interaction: Interaction[Any], family: str) -> None:
        """Offer a storm: its time begins with a button."""
        say = requester_of(interaction).say
        view = lasting_view()
        label, style = say("button.storm_start"), ButtonStyle.primary
        view.add_item(START.button(family, label=label, style=style))
        minutes = say.count("storm_minutes", int(LENGTH // 60))
        await answer_privately(interaction, say("storm.ready", minutes=minutes), view)

    async def _start(self, interaction: Interaction[Any], family: str) -> None:
        self.limiter.take("pictures", interaction.user.id)
        await acknowledge(interaction)
        await self._show(interaction, await self.play.begin(requester_of(interaction), family))

    async def _answer(
        self, interaction: Interaction[Any], id: int, number: int, step: int, move: str
    ) -> None:
        await acknowledge(interaction)
        requester = requester_of(interaction)
        found = await self.play.answer(requester, id, number, step, move)
        if isinstance(found, Turn) and found.is_repeated:
            # Those that go on are few: a storm has an end.
            self.limiter.take("pictures", interaction.user.id)
        await self._show(interaction, found)

    async def _stop(self, interaction: Interaction[Any], id: int) -> None:
        await acknowledge(interaction)
        await self._show(interaction, await self.play.end(requester_of(interaction), id))

    async def _table(self, interaction: Interaction[Any], family: str) -> None:
        say = requester_of(interaction).say
        table = await self.play.table(interaction.guild_id, family)
        known = await self.names.of((one.user_id for one in table), say)
        names = {user_id: escaped(name) for user_id, name in known.items()}
        await answer_privately(interaction, fitting(table_words(table, names, say)))

    async def _share(self, interaction: Interaction[Any], id: int) -> None:
        """Post a result in the channel, once."""
        storm = await self.play.shared(requester_of(interaction), id)
        say = say_for(public_locale(interaction))
        name = f"**{escaped(interaction.user.display_name)}**"
        solved = say.count("storm_solved", storm.solved)
        view = lasting_view()
        view.add_item(OPEN.button(storm.family, label=say("button.storm_open")))
        text = fitting(say("storm.shared", name=name, solved=solved))
        try:
            await post(interaction, text, view=view, allowed_mentions=NO_PINGS)
        except UNREACHABLE:
            await self.play.unshare(id)
            raise

    async def _show(self, interaction: Interaction[Any], found: Turn | Result) -> None:
        say = requester_of(interaction).say
        if isinstance(found, Result):
            shown = PrivateMessage(fitting(result_words(found, say)), [], result_view(found, say))
        else:
            file = await self._picture(found, say)
            shown = PrivateMessage(fitting(turn_words(found, say)), [file], turn_view(found, say))
        await show_privately(interaction, shown)

    async def _picture(self, turn: Turn, say: Translator) -> discord.File:
        """The board on which a move is asked."""
        problem, storm = turn.puzzle.played, turn.storm
        scene = problem_scene(problem, problem.made(storm.step), say)
        drawing = package_of(problem.game).drawing
        png = await self.workers.draw(draw, drawing, scene, reader_theme())
        name = f"storm-{storm.number}-{storm.step}"
        return png_file(png, name, board_alt_text(scene, drill_phrases(say)))


def turn_view(turn: Turn, say: Translator) -> discord.ui.View:
    """The possible moves, and a button that ends the storm."""
    view, storm = lasting_view(), turn.storm
    at = (storm.id, storm.number, storm.step)
    for one in placed_moves(turn.puzzle.played.position(storm.step), say):
        button = ANSWER.button(
            *at, one.text, label=one.label, disabled=not one.is_legal, row=one.row
        )
        view.add_item(button)
    last = rows_of_moves(turn.puzzle.game)
    view.add_item(STOP.button(storm.id, label=say("button.storm_stop"), row=last))
    return view


def result_view(result: Result, say: Translator) -> discord.ui.View:
    """Another storm, the table of the server, and sharing the result."""
    view, storm = lasting_view(), result.storm
    again, style = say("button.storm_again"), ButtonStyle.primary
    view.add_item(START.button(storm.family, label=again, style=style))
    if storm.guild_id is not None:
        view.add_item(TABLE.button(storm.family, label=say("button.storm_table")))
    if storm.solved:
        view.add_item(SHARE.button(storm.id, label=say("button.storm_share")))
    return view
