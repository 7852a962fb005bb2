"""From sessions to messages: a game's text, its picture and its buttons.

The buttons under a board.

A button's custom id holds everything it needs, so it still works after the bot restarts. A move's
button names the game and the number of the move it was made for, so that a second click, or a
click on an old picture, cannot play another move.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import discord
from discord import ButtonStyle, Interaction

from bot.discord.names import NameBook
from bot.discord.presses import presses_of
from bot.discord.replies import gif_file, png_file
from bot.discord.routes import MOVE, ROW, SMALL, lasting_view
from bot.features.hints.rules import Hint
from bot.features.hints.view import hint_picture
from bot.features.reviews.view import review_scene, review_text
from bot.features.statistics.cards import crown_won_line
from bot.features.statistics.rules import Statistics
from bot.game.session import Session, last_by_agent
from bot.game.setup import Control
from bot.i18n import Say, escaped, fitting
from bot.show.scenes import (
    Names,
    alt_phrases,
    board_scene,
    final_lines,
    review_picture,
    seat_name,
    status,
)
from bot.workers.workers import Workers
from engine.core.game import Game, Move, Player, Position
from engine.core.registry import package_of
from engine.study.review import Review
from renderers import BoardScene, board_alt_text, draw, review_alt_text


@dataclass(frozen=True, slots=True)
class BoardMessage:
    """A game as a message: its text, its picture and its buttons. The file can be sent once."""

    content: str
    file: discord.File
    view: discord.ui.View


@dataclass(frozen=True, slots=True)
class HintMessage:
    """A hint as a message; the file can be sent once."""

    content: str
    file: discord.File


@dataclass(frozen=True, slots=True)
class WholeGameMessage:
    """A finished game as a message: its result, and a picture of all of it, to be sent once."""

    content: str
    file: discord.File


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A line of a board's text."""

    order: int
    """Smaller numbers come first; the core's lines are at 0 (who plays) and 50 (clock, result)."""
    write: Callable[[Session, Say], Awaitable[str | None]]
    """The line; None for no line."""


@dataclass(frozen=True, slots=True)
class BoardButton:
    """A button under a board."""

    order: int
    """Smaller numbers come first in a row."""
    make: Callable[[Session, Say], discord.ui.Button[discord.ui.View] | None]
    """The button; None for no button."""
    row: int = 0
    """The row, counted from the first one below the buttons of moves."""


@dataclass(frozen=True, slots=True)
class BoardMessages:
    """Draws sessions."""

    workers: Workers
    names: NameBook
    statistics: Statistics

    async def message(self, session: Session, say: Say) -> BoardMessage:
        """The message that shows a session."""
        names = await self._names_in(session, say)
        scene = board_scene(session, names, say)
        content = await self.content(session, say)
        return BoardMessage(
            content, await self._file(session, scene, say), board_view(session, say)
        )

    async def content(self, session: Session, say: Say) -> str:
        """The text of the message that shows a session."""
        from bot.features.voting.discord import right_line

        names = await self._names_in(session, say)
        right = right_line(session, await self._right(session, say), say)
        crown = crown_won_line(session, await self.statistics.crowns_on(session), say)
        return "\n".join(part for part in (_content(session, names, say), crown, right) if part)

    async def picture(self, session: Session, say: Say) -> discord.File:
        """The picture alone, with alternative text."""
        names = await self._names_in(session, say)
        return await self._file(session, board_scene(session, names, say), say)

    async def hint(self, hint: Hint, say: Say) -> HintMessage:
        """What a hint says, and the board with its marks."""
        names = await self._names_in(hint.session, say)
        shown = await self.workers.draw(hint_picture, hint, names, say)
        name = _picture_name(hint.session)
        return HintMessage(shown.text, png_file(shown.png, name, shown.alt_text))

    async def replay(self, session: Session, say: Say) -> WholeGameMessage:
        """A finished game from its first move to its result."""
        from bot.features.replays import replay_picture

        names = await self._names_in(session, say)
        # Beside reports: boards of running games do not wait for it.
        gif, told = await self.workers.draw_report(replay_picture, session, names, say)
        name = f"{session.game.key}-{session.id}"
        return WholeGameMessage(_headline(session, names, say), gif_file(gif, name, told))

    async def review(self, session: Session, review: Review, say: Say) -> WholeGameMessage:
        """What the moves of a finished game did."""
        names = await self._names_in(session, say)
        scene = review_scene(session, names, review, say)
        png = await self.workers.draw_report(
            review_picture, package_of(session.game).drawing, scene
        )
        file = png_file(png, f"{session.game.key}-{session.id}-review", review_alt_text(scene))
        text = f"{_headline(session, names, say)}\n{review_text(session, names, review, say)}"
        return WholeGameMessage(fitting(text), file)

    async def _right(self, session: Session, say: Say) -> list[str]:
        """Who knew who would win, as far as they may be named."""
        from bot.features.voting.discord import MOST_NAMED, right_guesses

        named: list[int] = []
        for vote in right_guesses(session):
            if len(named) < MOST_NAMED and not await self.statistics.is_hidden(vote.user_id):
                named.append(vote.user_id)
        return list((await self.names.of(named, say)).values())

    async def _names_in(self, session: Session, say: Say) -> Names:
        return await self.names.of((seat.user_id for seat in session.seats), say)

    async def _file(self, session: Session, scene: BoardScene, say: Say) -> discord.File:
        png = await self.workers.draw(draw, package_of(session.game).drawing, scene)
        return png_file(png, _picture_name(session), board_alt_text(scene, alt_phrases(say)))


def _picture_name(session: Session) -> str:
    """The name of the file that shows a game as it stands."""
    return f"{session.game.key}-{session.id}-{len(session.moves)}"


def _headline(session: Session, names: Names, say: Say) -> str:
    """Who plays what, and how it stands."""
    first, second = (escaped(seat_name(session, player, names, say)) for player in Player)
    variant = say.variant(session.game.key, session.game.variant)
    standing = escaped(status(session, names, say))
    return say("board.content", first=first, second=second, variant=variant, status=standing)


def _content(session: Session, names: Names, say: Say) -> str:
    from bot.features.proposals.discord import pie_line
    from bot.features.voting.discord import guesses_line, vote_line

    text = _headline(session, names, say)
    if told := pie_line(session, names, say):
        text = f"{text}\n{told}"
    if session.is_over:
        return f"{text}\n{final_lines(session, names, say)}"
    if session.awaits_guesses:
        return f"{text}\n{guesses_line(session, say)}"
    if session.awaits_channel:
        return f"{text}\n{vote_line(session, say)}"
    deadline = session.board_deadline
    if deadline is None or session.clock is None:
        return text
    clock = say(f"clock.per_{session.clock.per}", time=say.duration(session.clock.seconds))
    until = f"<t:{deadline}:R>"
    return f"{text}\n{say('board.until', until=until, clock=clock)}"


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


def board_view(session: Session, say: Say) -> discord.ui.View:
    """The buttons for a session.

    With people at the board: its moves, a hint, an undo and resigning; with two, a draw as well,
    and swapping sides where the pie rule allows it.
    Where the channel plays: its moves, to vote for, and stopping the game. Between two agents: who
    wins, until they begin, and stopping them. After the end: a rematch, a review and a replay; of a
    game that was called off, which no history has either, a rematch alone. Where nobody plays any
    more, or only agents do: why the last agent moved as it did.
    """
    from bot.features.voting.discord import CHOICES, GuessButton, choice_name

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
