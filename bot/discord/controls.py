"""The buttons under a board.

Each button's custom id holds all that it needs, so a button works after a restart of the bot:
nothing about it is kept in memory. A move's button names the game and the number of the move it
was made for, so a second click, or a click on an old picture, cannot play another move.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self, cast

import discord
from discord import ButtonStyle, Interaction

from bot.orders import Control
from bot.session import Session
from bot.words import Say
from engine.game import Move

if TYPE_CHECKING:
    from bot.discord.client import CuatroClient
    from bot.discord.desk import Desk

DANGER = ButtonStyle.danger
A_ROW = 5
"""Discord's limit of buttons in a row."""


def _desk(interaction: Interaction[Any]) -> Desk:
    return cast("CuatroClient", interaction.client).desk


class MoveButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=r"cuatro:move:(?P<game>[0-9]+):(?P<number>[0-9]+):(?P<move>[^:]+)",
):
    """Makes one move of one game."""

    def __init__(
        self, control: Control, move: str, *, disabled: bool = False, row: int | None = None
    ) -> None:
        """A button for a move, written as players write it."""
        super().__init__(
            discord.ui.Button(
                label=move,
                style=ButtonStyle.secondary,
                custom_id=f"cuatro:move:{control.game_id}:{control.number}:{move}",
                disabled=disabled,
                row=row,
            )
        )
        self.control = control
        self.move = move

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Read the button back from its id."""
        return cls(Control(int(match["game"]), int(match["number"])), match["move"])

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Play the move."""
        await _desk(interaction).press_move(interaction, self.control, self.move)


class GameButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=r"cuatro:(?P<action>hint|resign|sure|rematch):(?P<game>[0-9]+)",
):
    """Does something else with one game."""

    def __init__(
        self,
        action: str,
        game_id: int,
        *,
        label: str = "",
        disabled: bool = False,
        row: int | None = None,
    ) -> None:
        """A button for one of the actions that the template lists."""
        super().__init__(
            discord.ui.Button(
                label=label or action,
                style=DANGER if action in ("resign", "sure") else ButtonStyle.primary,
                custom_id=f"cuatro:{action}:{game_id}",
                disabled=disabled,
                row=row,
            )
        )
        self.action = action
        self.game_id = game_id

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Read the button back from its id."""
        return cls(match["action"], int(match["game"]))

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Do it."""
        desk = _desk(interaction)
        actions = {
            "hint": desk.press_hint,
            "resign": desk.press_resign,
            "sure": desk.press_sure,
            "rematch": desk.press_rematch,
        }
        await actions[self.action](interaction, self.game_id)


BUTTONS = (MoveButton, GameButton)
"""What the client registers so that buttons of earlier runs are understood."""


def board_view(session: Session, say: Say) -> discord.ui.View:
    """The controls for a session: its moves while a person is to move, a rematch at the end."""
    view = discord.ui.View(timeout=None)
    if session.is_over:
        view.add_item(GameButton("rematch", session.id, label=say("button.rematch")))
        return view
    control = Control(session.id, session.number)
    legal = session.position.legal_moves()
    rows = [part for row in session.game.buttons() for part in _fitting(row)]
    for number, row in enumerate(rows):
        for move in row:
            disabled = session.awaits_agent or move not in legal
            label = session.game.label(move)
            view.add_item(MoveButton(control, label, disabled=disabled, row=number))
    for action in ("hint", "resign"):
        view.add_item(
            GameButton(
                action,
                session.id,
                label=say(f"button.{action}"),
                disabled=session.awaits_agent and action == "hint",
                row=len(rows),
            )
        )
    return view


def sure_view(game_id: int, say: Say) -> discord.ui.View:
    """One button that confirms giving a game up."""
    view = discord.ui.View(timeout=None)
    view.add_item(GameButton("sure", game_id, label=say("button.sure")))
    return view


def _fitting(row: Sequence[Move]) -> list[Sequence[Move]]:
    """A row of controls in parts that Discord can show, as equal as possible."""
    parts = -(-len(row) // A_ROW)
    size = -(-len(row) // parts)
    return [row[at : at + size] for at in range(0, len(row), size)]
