"""The message that shows a game: its text, its picture and its buttons.

The core has the lines and buttons without which nobody can play; features contribute theirs once,
at start-up, each with a place in the order. A button's custom id holds everything it needs, so it
still works after the bot restarts.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import discord
from discord import ButtonStyle

from bot.discord.names import NameBook
from bot.discord.replies import NO_PINGS, png_file
from bot.discord.routes import GAME, MOVE, SMALL, CustomId, game_action, lasting_view
from bot.game.session import Session
from bot.i18n import Say, escaped
from bot.show.scenes import (
    Names,
    alt_phrases,
    board_scene,
    final_lines,
    seat_name,
    status,
)
from bot.workers.workers import Workers
from engine.core.game import Game, Move, Player, Position
from engine.core.registry import package_of
from renderers import BoardScene, board_alt_text, draw


@dataclass(frozen=True, slots=True)
class BoardMessage:
    """A game as a message: its text, its picture and its buttons. The file can be sent once."""

    content: str
    file: discord.File
    view: discord.ui.View

    @property
    def parts(self) -> dict[str, Any]:
        """What a new message has besides its text; it notifies nobody."""
        return {"file": self.file, "view": self.view, "allowed_mentions": NO_PINGS}


Button = discord.ui.Button[discord.ui.View]


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A line of a board's text."""

    order: int
    """Smaller numbers come first; the core's lines are at 0 (who plays) and 50 (clock, result)."""
    write: Callable[[Session, Names, Say], Awaitable[str | None]]
    """The line; None or an empty text for no line."""


@dataclass(frozen=True, slots=True)
class BoardButton:
    """A button under a board."""

    order: int
    """Smaller numbers come first in a row; resign is at 50, stop at 70, rematch at 80."""
    make: Callable[[Session, Say], Button | None]
    """The button; None for no button."""
    row: int = 0
    """Rows with smaller numbers come first, all below the moves; empty ones take no place."""


class BoardMessages:
    """Draws sessions, with the lines and buttons of all features."""

    def __init__(self, workers: Workers, names: NameBook) -> None:
        """Draw in `workers`, and call people by `names`."""
        self.workers = workers
        self.names = names
        self._lines: tuple[BoardLine, ...] = LINES
        self._buttons: tuple[BoardButton, ...] = BUTTONS
        self._is_complete = False

    def contribute(self, lines: Iterable[BoardLine], buttons: Iterable[BoardButton]) -> None:
        """Take the lines and buttons of all features; nothing can be added later."""
        if self._is_complete:
            raise RuntimeError("the lines and buttons of boards are complete already")
        self._is_complete = True
        self._lines = tuple(sorted((*LINES, *lines), key=lambda one: one.order))
        self._buttons = tuple(sorted((*BUTTONS, *buttons), key=lambda one: one.order))

    async def message(self, session: Session, say: Say) -> BoardMessage:
        """The message that shows a session."""
        names = await self.names_in(session, say)
        content = await self._content(session, names, say)
        file = await self._file(session, board_scene(session, names, say), say)
        return BoardMessage(content, file, board_view(session, self._buttons, say))

    async def content(self, session: Session, say: Say) -> str:
        """The text of the message that shows a session."""
        return await self._content(session, await self.names_in(session, say), say)

    async def picture(self, session: Session, say: Say) -> discord.File:
        """The picture alone, with alternative text."""
        names = await self.names_in(session, say)
        return await self._file(session, board_scene(session, names, say), say)

    async def names_in(self, session: Session, say: Say) -> Names:
        """What the players of a session are called."""
        return await self.names.of((seat.user_id for seat in session.seats), say)

    async def _content(self, session: Session, names: Names, say: Say) -> str:
        written = [await line.write(session, names, say) for line in self._lines]
        return "\n".join(line for line in written if line)

    async def _file(self, session: Session, scene: BoardScene, say: Say) -> discord.File:
        png = await self.workers.draw(draw, package_of(session.game).drawing, scene)
        return png_file(png, picture_name(session), board_alt_text(scene, alt_phrases(say)))


def picture_name(session: Session) -> str:
    """The name of the file that shows a game as it stands."""
    return f"{session.game.key}-{session.id}-{len(session.moves)}"


def headline(session: Session, names: Names, say: Say) -> str:
    """Who plays what, and how it stands."""
    first, second = (escaped(seat_name(session, player, names, say)) for player in Player)
    variant = say.variant(session.game.key, session.game.variant)
    standing = escaped(status(session, names, say))
    return say("board.content", first=first, second=second, variant=variant, status=standing)


async def _headline(session: Session, names: Names, say: Say) -> str:
    return headline(session, names, say)


async def _clock_or_result(session: Session, names: Names, say: Say) -> str | None:
    """How a game has ended, or how long the person to move has."""
    if session.is_over:
        return final_lines(session, names, say)
    deadline = session.board_deadline
    if deadline is None or session.clock is None:
        return None
    clock = say(f"clock.per_{session.clock.per}", time=say.duration(session.clock.seconds))
    return say("board.until", until=f"<t:{deadline}:R>", clock=clock)


LINES = (BoardLine(0, _headline), BoardLine(50, _clock_or_result))
"""The core's own."""

MOST_IN_ROW = 5
"""Discord's limit on buttons in a row."""

MOVE_IDS = CustomId(
    "move", GAME, rf"(?P<number>{SMALL})", rf"(?P<move>{MOVE})", game=int, number=int
)
"""The ids of buttons that play one move of one game: the game, its number of moves, the move.

A second click, or a click on an old picture, cannot play another move.
"""

RESIGN, SURE, STOP, REMATCH = map(game_action, ("resign", "sure", "stop", "rematch"))


def is_played_by_people(session: Session) -> bool:
    """Whether single people play a game that is not over."""
    return not (session.is_over or session.is_watched or session.is_channels)


def _resign(session: Session, say: Say) -> Button | None:
    if not is_played_by_people(session):
        return None
    return RESIGN.button(session.id, label=say("button.resign"), style=ButtonStyle.danger)


def _stop(session: Session, say: Say) -> Button | None:
    if session.is_over or is_played_by_people(session):
        return None
    return STOP.button(session.id, label=say("button.stop"), style=ButtonStyle.danger)


def _rematch(session: Session, say: Say) -> Button | None:
    if not session.is_over:
        return None
    return REMATCH.button(session.id, label=say("button.rematch"), style=ButtonStyle.primary)


BUTTONS = (BoardButton(50, _resign), BoardButton(70, _stop), BoardButton(80, _rematch))
"""The core's own."""


def board_view(session: Session, buttons: Iterable[BoardButton], say: Say) -> discord.ui.View:
    """The moves of a session that people or a channel play, and `buttons` in rows below them."""
    view, taken = lasting_view(), 0
    if not session.is_over and not session.is_watched:
        _add_moves(view, session, say)
        taken = rows_of_moves(session.game)
    made = ((one.row, one.make(session, say)) for one in buttons)
    shown = [(row, button) for row, button in made if button is not None]
    rows = sorted({row for row, _ in shown})
    for row, button in shown:
        button.row = taken + rows.index(row)
        view.add_item(button)
    return view


def _add_moves(view: discord.ui.View, session: Session, say: Say) -> None:
    """Add a button for every move of the game."""
    for one in placed_moves(session.position, say):
        disabled = session.awaits_agent or not one.is_legal
        ids = (session.id, session.number, one.text)
        view.add_item(MOVE_IDS.button(*ids, label=one.label, disabled=disabled, row=one.row))


def question_view(
    ids: CustomId, game_id: int, say: Say, style: ButtonStyle = ButtonStyle.secondary
) -> discord.ui.View:
    """A button that confirms something before it is done, such as `sure` for resigning."""
    view = lasting_view()
    view.add_item(ids.button(game_id, label=say(f"button.{ids.name}"), style=style))
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
