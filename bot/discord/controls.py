"""The buttons under a board.

A button's custom id holds everything it needs, so it still works after the bot restarts. A move's
button names the game and the number of the move it was made for, so that a second click, or a
click on an old picture, cannot play another move.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Self

import discord
from discord import ButtonStyle, Interaction

from bot.discord.custom_ids import MOVE, ROW, SMALL
from bot.discord.guess_controls import GuessButton
from bot.discord.presses import presses_of
from bot.discord.views import lasting_view
from bot.play.explanations import last_by_agent
from bot.show.votes import CHOICES, choice_name
from bot.table.orders import Control
from bot.table.session import Session
from bot.words import Say
from engine.core.game import Game, Move, Position

STYLES = {
    "rematch": ButtonStyle.primary,
    "swap": ButtonStyle.primary,
    "resign": ButtonStyle.danger,
    "sure": ButtonStyle.danger,
    "stop": ButtonStyle.danger,
}
"""The actions that stand out or warn; the others are quiet."""
MOST_IN_ROW = 5
"""Discord's limit on buttons in a row."""


class MoveButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"cuatro:move:(?P<game>{ROW}):(?P<number>{SMALL}):(?P<move>{MOVE})",
):
    """Plays one move of one game."""

    def __init__(
        self,
        control: Control,
        move: str,
        *,
        label: str = "",
        disabled: bool = False,
        row: int | None = None,
    ) -> None:
        """A button for a move in the players' notation, which is also the default label."""
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
        """Restore the button from its custom id."""
        return cls(Control(int(match["game"]), int(match["number"])), match["move"])

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Play the move."""
        await presses_of(interaction).move(interaction, self.control, self.move)


class GameButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=r"cuatro:(?P<action>hint|undo|takeback|draw|resign|sure|stop|rematch|replay|play"
    r"|share|why|review|go|swap)"
    rf":(?P<game>{ROW})",
):
    """Does something other than a move with one game."""

    def __init__(
        self,
        action: str,
        game_id: int,
        *,
        label: str = "",
        disabled: bool = False,
        row: int | None = None,
    ) -> None:
        """A button for one of the actions listed in the template."""
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
        """Restore the button from its custom id."""
        return cls(match["action"], int(match["game"]))

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Do it."""
        await presses_of(interaction).game[self.action](interaction, self.game_id)


BUTTONS = (MoveButton, GameButton, GuessButton)
"""What the client registers so that buttons from earlier runs work."""


def board_view(session: Session, say: Say) -> discord.ui.View:
    """The buttons for a session.

    With people at the board: its moves, a hint, an undo and resigning; with two, a draw as well,
    and swapping sides where the pie rule allows it.
    Where the channel plays: its moves, to vote for, and stopping the game. Between two agents: who
    wins, until they begin, and stopping them. After the end: a rematch, a review and a replay; of a
    game that was called off, which no history has either, a rematch alone. Where nobody plays any
    more, or only agents do: why the last agent moved as it did.
    """
    view = lasting_view()
    why = () if last_by_agent(session) is None else ("why",)
    if session.is_over:
        told = () if session.is_called_off else ("review", "replay")
        _add_actions(view, session, say, "rematch", *told, *why)
    elif session.awaits_guesses:
        for choice in CHOICES:
            label = choice_name(session, choice, say)
            view.add_item(GuessButton(session.id, choice, label=label, row=0))
        _add_actions(view, session, say, "go", "stop", row=1)
    elif session.is_watched:
        _add_actions(view, session, say, "stop", *why)
    elif session.is_channels:
        _add_actions(view, session, say, "stop", row=_add_moves(view, session, say))
    else:
        rows = _add_moves(view, session, say)
        actions = (*(("swap",) if session.may_swap else ()), "hint", "undo", "draw", "resign")
        shown = (a for a in actions if a != "draw" or len(session.people) > 1)
        _add_actions(view, session, say, *shown, row=rows)
    return view


def _add_moves(view: discord.ui.View, session: Session, say: Say) -> int:
    """Add a button for every move of the game; returns the number of rows they take."""
    control = Control(session.id, session.number)
    for one in placed_moves(session.position, say):
        disabled = session.awaits_agent or not one.is_legal
        view.add_item(
            MoveButton(control, one.text, label=one.label, disabled=disabled, row=one.row)
        )
    return rows_of_moves(session.game)


def _add_actions(
    view: discord.ui.View, session: Session, say: Say, *actions: str, row: int | None = None
) -> None:
    idle = {"hint": session.awaits_agent, "undo": not any(m.user_id for m in session.moves)}
    for action in actions:
        disabled = idle.get(action, False)
        label = say(f"button.{action}")
        view.add_item(GameButton(action, session.id, label=label, disabled=disabled, row=row))


def question_view(action: str, game_id: int, say: Say) -> discord.ui.View:
    """A button that confirms something before it is done, such as `sure` for resigning."""
    view = lasting_view()
    view.add_item(GameButton(action, game_id, label=say(f"button.{action}")))
    return view


class PlacedMove(NamedTuple):
    """A move of a game, and the button for it."""

    move: Move
    text: str
    """In the players' notation."""
    label: str
    row: int
    is_legal: bool


def placed_moves(position: Position, say: Say) -> Iterator[PlacedMove]:
    """Every move of a game, in rows of buttons that Discord allows, and which are possible now."""
    game, legal = position.game, position.legal_moves()
    for number, row in enumerate(_fitting_rows(game)):
        for move in row:
            text = game.label(move)
            yield PlacedMove(move, text, say.move(game.key, text), number, move in legal)


def rows_of_moves(game: Game) -> int:
    """How many rows of buttons the moves of a game take."""
    return len(_fitting_rows(game))


def _fitting_rows(game: Game) -> list[Sequence[Move]]:
    return [part for row in game.buttons() for part in _fitting(row)]


def _fitting(row: Sequence[Move]) -> list[Sequence[Move]]:
    """A row split into parts that fit into Discord's rows, of sizes as equal as possible."""
    parts = -(-len(row) // MOST_IN_ROW)
    size = -(-len(row) // parts)
    return [row[at : at + size] for at in range(0, len(row), size)]
