"""Playing on from a position: a game against any level that begins where something was studied.

Solved puzzles and exercises, analyses, reviews and lessons have its button. The person makes the
next move. The moves that lead to the position are the game's opening and count for no player. The
game is not rated, and hints are allowed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import discord
from discord import Interaction

from bot.board.messages import BoardLine
from bot.board.setups import setup_for
from bot.board.starting import GameStarter
from bot.discord.answering import Answering
from bot.discord.replies import answer_privately, channel_of
from bot.discord.routes import CustomId, Route, lasting_view
from bot.drills.rules import ButtonSpec, PositionButton, RouteTarget
from bot.feature import Core, Feature, Parts
from bot.features.analysis.discord import TRAIL
from bot.features.analysis.rules import Analyses, Trail, trail_of
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.i18n import Translator, say_for
from bot.sessions.people import RequireHelp
from bot.show.scenes import Names
from bot.show.texts import agent_title
from bot.store.records import agent, person
from engine.core.game import Move, Player, Position
from engine.core.registry import package_of
from engine.strength.roster import LEVELS

PLAY_ON = CustomId("play_on", *TRAIL)
"""The ids of buttons that ask against which level to play on from the end of a trail."""

AGAINST = CustomId("play_on:level", f"(?P<level>{'|'.join(LEVELS)})", *TRAIL)
"""The ids of buttons that begin that game."""


def build(core: Core) -> Parts:
    """The button under positions, those of the levels, and the line of such a game's board."""
    handler = PlayOnHandler(
        core.answering,
        Analyses(core.sessions.games, core.store.games, core.workers),
        GameStarter(core.sessions, core.runner, core.limiter),
        core.contributions.require_help,
    )
    return Parts(
        routes=handler.routes,
        position_buttons=(PositionButton(10, play_on_button),),
        board_lines=(BoardLine(10, board_line),),
    )


def play_on_button(root: Position, moves: Sequence[Move], say: Translator) -> ButtonSpec | None:
    """The button under the position after some moves; None where no game can go on from there.

    An empty board is no position to go on from.
    """
    trail = Trail(root).on(*moves)
    is_between = bool(trail.position.ply) and trail.position.outcome is None
    if package_of(root).place is None or not is_between:
        return None
    if opening_to(trail) is None:
        return None
    return ButtonSpec(say("button.play_on"), RouteTarget(PLAY_ON.name, trail.place))


def opening_to(trail: Trail) -> tuple[Move, ...] | None:
    """All moves that lead from the start to the end of a trail; None if they are not known.

    Where the trail begins later, the moves before that may be others than in its game.
    """
    root, package = trail.root, package_of(trail.root)
    if not root.ply:
        return trail.moves
    before = None if package.moves_to is None else package.moves_to(root)
    return None if before is None else (*before, *trail.moves)


@dataclass(frozen=True, slots=True)
class PlayOnHandler:
    """Asks for a level, and begins the game."""

    answering: Answering
    analyses: Analyses
    starter: GameStarter
    require_help: RequireHelp

    @property
    def routes(self) -> tuple[Route, ...]:
        """The button under positions, and those of the levels."""
        return PLAY_ON.route(self.ask), AGAINST.route(self.begin)

    async def ask(self, interaction: Interaction[Any], code: str, way: str) -> None:
        """Ask against which level to play on."""
        trail = trail_of(code, way)
        await self._opening(interaction, trail)
        say = say_for(interaction.locale.value)
        await answer_privately(interaction, say("play_on.ask"), levels_view(trail, say))

    async def begin(self, interaction: Interaction[Any], level: str, code: str, way: str) -> None:
        """Begin the game against a level; the person makes the next move."""
        self.answering.require_in_time(interaction)
        trail = trail_of(code, way)
        opening = await self._opening(interaction, trail)
        seats = person(interaction.user.id), agent(level)
        if trail.position.to_move is Player.SECOND:
            seats = seats[1], seats[0]
        setup = replace(setup_for(interaction, trail.game, *seats), friendly=True)
        await self.starter.begin(interaction, setup, opening)

    async def _opening(self, interaction: Interaction[Any], trail: Trail) -> tuple[Move, ...]:
        """The moves to the end of a trail; refused for a position of the person's own game."""
        opening = opening_to(trail)
        if trail.position.outcome is not None or opening is None:
            raise Refusal("unknown_button")
        user_id, channel_id = interaction.user.id, channel_of(interaction)
        await self.analyses.require_free(trail.position, user_id, channel_id)
        await self.require_help(user_id, (trail.position,))
        return opening


def levels_view(trail: Trail, say: Translator) -> discord.ui.View:
    """The buttons of all levels, from the weakest."""
    view = lasting_view()
    for level in LEVELS:
        label = agent_title(trail.game, level, say)
        view.add_item(AGAINST.button(level, *trail.place, label=label))
    return view


async def board_line(session: Session, _names: Names, say: Translator) -> str | None:
    """That a person's game goes on from a position; None for other games, and once it is over."""
    if session.is_over or not session.setup.goes_on:
        return None
    return say("play_on.line")


FEATURE = Feature("play_on", build, requires=("analysis",))
