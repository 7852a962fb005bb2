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

from bot.table.orders import Control
from bot.table.session import Session
from bot.words import Say
from engine.game import Move

if TYPE_CHECKING:
    from bot.discord.client import CuatroClient
    from bot.discord.desk import Desk

STYLES = {
    "hint": ButtonStyle.primary,
    "rematch": ButtonStyle.primary,
    "accept": ButtonStyle.primary,
    "resign": ButtonStyle.danger,
    "sure": ButtonStyle.danger,
    "stop": ButtonStyle.danger,
}
"""What stands out, and what warns; everything else is quiet."""
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
        self,
        control: Control,
        move: str,
        *,
        label: str = "",
        disabled: bool = False,
        row: int | None = None,
    ) -> None:
        """A button for a move, written as players write it; the label may say it otherwise."""
        super().__init__(
            discord.ui.Button(
                label=label or move,
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
    template=r"cuatro:(?P<action>hint|resign|sure|stop|rematch|replay):(?P<game>[0-9]+)",
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
                style=STYLES.get(action, ButtonStyle.secondary),
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
            "stop": desk.press_stop,
            "rematch": desk.openings.press_rematch,
            "replay": desk.replays.press_replay,
        }
        await actions[self.action](interaction, self.game_id)


CHALLENGE, UNDO = "", "undo:"
"""What can be answered, as it stands in the ids of its buttons."""


class AnswerButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=r"cuatro:(?P<kind>undo:)?(?P<answer>accept|decline):(?P<request>[0-9]+)",
):
    """Answers one challenge, or one request to take something back."""

    def __init__(self, kind: str, answer: str, request_id: int, label: str = "") -> None:
        """A button for one of the answers that the template lists; `kind` is what it answers."""
        super().__init__(
            discord.ui.Button(
                label=label or answer,
                style=STYLES.get(answer, ButtonStyle.secondary),
                custom_id=f"cuatro:{kind}{answer}:{request_id}",
            )
        )
        self.kind = kind
        self.answer = answer
        self.request_id = request_id

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Read the button back from its id."""
        return cls(match["kind"] or CHALLENGE, match["answer"], int(match["request"]))

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Give the answer."""
        desk = _desk(interaction)
        asked = desk.undos if self.kind == UNDO else desk.openings
        answers = {"accept": asked.press_accept, "decline": asked.press_decline}
        await answers[self.answer](interaction, self.request_id)


BUTTONS = (MoveButton, GameButton, AnswerButton)
"""What the client registers so that buttons of earlier runs are understood."""


def board_view(session: Session, say: Say) -> discord.ui.View:
    """The controls for a session.

    While a person is to move its moves, with a hint and giving up; while two agents play, stopping
    them; at the end, playing again and seeing it again.
    """
    view = discord.ui.View(timeout=None)
    if session.is_over:
        _add_actions(view, session, say, "rematch", "replay")
    elif not session.people:
        _add_actions(view, session, say, "stop")
    else:
        rows = _add_moves(view, session, say)
        _add_actions(view, session, say, "hint", "resign", row=rows)
    return view


def _add_moves(view: discord.ui.View, session: Session, say: Say) -> int:
    """Add a button for every move there is; returns how many rows they take."""
    control = Control(session.id, session.number)
    game, legal = session.game, session.position.legal_moves()
    rows = [part for row in game.buttons() for part in _fitting(row)]
    for number, row in enumerate(rows):
        for move in row:
            text = game.label(move)
            button = MoveButton(
                control,
                text,
                label=say.move(game.key, text),
                disabled=session.awaits_agent or move not in legal,
                row=number,
            )
            view.add_item(button)
    return len(rows)


def _add_actions(
    view: discord.ui.View, session: Session, say: Say, *actions: str, row: int | None = None
) -> None:
    for action in actions:
        disabled = session.awaits_agent and action == "hint"
        label = say(f"button.{action}")
        view.add_item(GameButton(action, session.id, label=label, disabled=disabled, row=row))


def answer_view(kind: str, request_id: int, say: Say) -> discord.ui.View:
    """The two answers to a challenge or to a request to take something back."""
    view = discord.ui.View(timeout=None)
    for answer in ("accept", "decline"):
        view.add_item(AnswerButton(kind, answer, request_id, say(f"button.{answer}")))
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
