"""The message that shows a game: its text, its picture and its buttons.

The core provides the lines and buttons that every game needs; features contribute theirs at
start-up, each with a position in the order. A button's custom id holds all of its state, so it
still works after the bot restarts.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeVar

import discord
from discord import ButtonStyle

from bot.database.errors import Unavailable
from bot.discord.names import NameBook
from bot.discord.replies import (
    NO_PINGS,
    gif_file,
    png_file,
)
from bot.discord.routes import GAME, MOVE, SMALL, CustomId, game_action, lasting_view
from bot.game.session import Session
from bot.i18n import Translator, say_for
from bot.ratings.levels import next_level
from bot.ratings.rated import keeps_rating
from bot.show.board_text import (
    next_step,
    partner_of,
    result_line,
    result_sentence,
    title,
    turn_line,
)
from bot.show.scenes import Names, alt_phrases, board_scene, explosion_scene
from bot.show.themes import theme_for
from bot.store.store import Store
from bot.workers.workers import Workers
from engine.core.game import Game, Move, Position
from engine.core.registry import package_of
from engine.strength.ladder import size_class
from renderers import BoardScene, Theme, board_alt_text, draw, draw_flash

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BoardMessage:
    """A game as a message: its text, its picture and its buttons. The file can be sent once."""

    content: str
    file: discord.File
    view: discord.ui.View

    @property
    def parts(self) -> dict[str, Any]:
        """The arguments of a new message except its text; the message notifies no one."""
        return {"file": self.file, "view": self.view, "allowed_mentions": NO_PINGS}


Button = discord.ui.Button[discord.ui.View]


RESULT = 50
"""The order of the line with the turn or the result."""


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A line of a board's text."""

    order: int
    """Smaller numbers come first; the core's lines are at 0 (who plays), 10 (the opening), 50
    (turn, result) and 90 (how many games are missing to a rating). Those after the result are one
    line together."""
    write: Callable[[Session, Names, Translator], Awaitable[str | None]]
    """Returns the line; None or an empty text for no line."""


@dataclass(frozen=True, slots=True)
class BoardButton:
    """A button under a board."""

    order: int
    """Smaller numbers come first in a row; rules are at 35, resign at 50, stop at 70, rematch at
    80, easier and harder at 85, details at 120."""
    make: Callable[[Session, Translator], Button | None]
    """Returns the button; None for no button."""
    row: int = 0
    """Rows with smaller numbers come first, all below the moves; empty ones take no place."""
    under: Literal["board", "review", "details"] = "board"
    """The message that has it: a game's board, its review, or the details of that review."""
    begins_game: bool = False
    """Whether it begins a game after the one of the board, and goes once that has begun."""
    is_rematch: bool = False
    """Whether it offers that game to the same person, and goes also once they have declined it."""


Continuation = Callable[[Session, Translator], Awaitable[Sequence[Button] | None]]
"""Returns the buttons that go on with what a finished game is a part of, in place of those that
begin a game of its own; None for a game that is no such part."""


class BoardMessages:
    """Composes the messages of games, with the lines and buttons of all features."""

    def __init__(self, workers: Workers, names: NameBook, store: Store) -> None:
        """Draw in `workers`; `names` gives people's names, `store` their themes and games."""
        self.workers = workers
        self.names = names
        self._store = store
        self._first_games: dict[int, bool] = {}
        self._followed: dict[int, bool] = {}
        self._ratings: dict[int, Mapping[int, float]] = {}
        self.delays: dict[int, int] = {}
        """About how many seconds the engine takes to be ready, by the games that wait for it."""
        self._own_lines = (
            BoardLine(0, _title),
            BoardLine(10, _opening),
            BoardLine(RESULT, self._turn_or_result),
            BoardLine(90, _next_step),
        )
        self._lines: tuple[BoardLine, ...] | None = None
        self._continuation: Continuation | None = None
        self._buttons: tuple[BoardButton, ...] = BUTTONS

    def contribute(
        self,
        lines: Iterable[BoardLine],
        buttons: Iterable[BoardButton],
        continuation: Continuation | None = None,
    ) -> None:
        """Add the lines and buttons of all features; to be called once.

        `continuation` goes on with what finished games are parts of.
        """
        if self._lines is not None:
            raise RuntimeError("the lines and buttons of boards are complete already")
        self._lines = tuple(sorted((*self._own_lines, *lines), key=lambda one: one.order))
        self._buttons = tuple(sorted((*BUTTONS, *buttons), key=lambda one: one.order))
        self._continuation = continuation

    async def message(
        self, session: Session, say: Translator, theme: Theme | None = None
    ) -> BoardMessage:
        """The message that shows a session, by default in the theme of public boards."""
        names = await self.names_in(session, say)
        return BoardMessage(
            await self.content(session, names, say),
            await self.picture(session, names, say, theme),
            await self.view(session, say),
        )

    async def view(self, session: Session, say: Translator) -> discord.ui.View:
        """The buttons under the message that shows a session."""
        shown = self.buttons_under("board")
        following = None
        if session.is_over and self._continuation is not None:
            following = await self._continuation(session, say)
        if following is not None or session.id in self._followed:
            shown = [one for one in shown if not one.begins_game]
            shown = [*map(_as_it_is, following or ()), *shown]
        elif await self._is_declined(session):
            shown = [one for one in shown if not one.is_rematch]
        elif not await self._is_first(session):
            shown = [one for one in shown if one is not RULES_BUTTON]
        return board_view(session, shown, say)

    async def goes_on(self, session: Session) -> bool:
        """Whether what a finished game is a part of goes on by a button under its board."""
        if self._continuation is None:
            return False
        return bool(await self._continuation(session, say_for(session.locale)))

    def buttons_under(self, message: str) -> list[BoardButton]:
        """The buttons under a kind of message about a game."""
        return [one for one in self._buttons if one.under == message]

    def note_followed(self, game_id: int) -> None:
        """Note that the buttons that begin the next game have been used, so they are not shown.

        That is kept in memory. After a restart they may be shown again, which does no harm: they
        begin one more game, or are refused while the channel has one.
        """
        _note(self._followed, game_id, True)

    async def _is_declined(self, session: Session) -> bool:
        """Whether one of a finished game's two people has declined a rematch."""
        if not session.is_over or len(session.people) < 2:
            return False
        try:
            return await self._store.challenges.is_declined(session.id)
        except Unavailable:
            # A rematch that was declined is refused.
            return False

    async def names_in(self, session: Session, say: Translator) -> Names:
        """The names of a session's players."""
        return await self.names.of(session.user_ids, say)

    async def content(self, session: Session, names: Names, say: Translator) -> str:
        """The text of the message that shows a session."""
        lines = self._own_lines if self._lines is None else self._lines
        written = [(line.order, await line.write(session, names, say)) for line in lines]
        said = [text for order, text in written if text and order <= RESULT]
        after = " ".join(text for order, text in written if text and order > RESULT)
        return "\n".join((*said, after) if after else said)

    async def _turn_or_result(self, session: Session, names: Names, say: Translator) -> str | None:
        """Whose turn it is, or how the game ended."""
        if session.is_over:
            return result_line(session, names, say, await self._unchanged_rating(session))
        is_first, delay = await self._is_first(session), self.delays.get(session.id)
        return turn_line(session, names, say, is_first=is_first, delay=delay)

    async def _unchanged_rating(self, session: Session) -> float | None:
        """The rating of the player of a finished game who had help; None without one."""
        partner = partner_of(session)
        if partner is None or not keeps_rating(session):
            return None
        try:
            return await self._number(partner, session)
        except Unavailable:
            # The board is complete without this line.
            return None

    async def _number(self, user_id: int, session: Session) -> float | None:
        """A person's rating on the ladder of a session's game; None without one."""
        known = await self._store.ratings.of(user_id, size_class(session.game))
        return None if known is None else known.rating.shown

    async def ratings_in(self, session: Session) -> Mapping[int, float]:
        """The ratings of a running game's people; people with hidden statistics are left out.

        They are read once, so a board shows those from the beginning of its game.
        """
        if session.is_over or session.is_channel_game:
            return {}
        if session.id not in self._ratings:
            found: dict[int, float] = {}
            try:
                for user_id in session.people:
                    if (await self._store.preferences.of_person(user_id)).private:
                        continue
                    number = await self._number(user_id, session)
                    if number is not None:
                        found[user_id] = number
            except Unavailable:
                # The board is complete without them; the next one tries again.
                return {}
            _note(self._ratings, session.id, found)
        return self._ratings[session.id]

    async def _is_first(self, session: Session) -> bool:
        """Whether a running game is a person's first of its kind, against an agent.

        That does not change during a game, so it is looked up once.
        """
        partner = partner_of(session)
        if partner is None or session.is_over:
            return False
        if session.id not in self._first_games:
            family = session.game.key
            try:
                has_played = await self._store.results.has_played_before(
                    partner, family, session.id
                )
            except Unavailable:
                # The board is complete without the rules; the next one tries again.
                return False
            _note(self._first_games, session.id, not has_played)
        return self._first_games[session.id]

    async def picture(
        self,
        session: Session,
        names: Names,
        say: Translator,
        theme: Theme | None = None,
        *,
        revise: Callable[[BoardScene], BoardScene] = lambda scene: scene,
    ) -> discord.File:
        """The picture of a session, by default in the theme of public boards.

        `revise` may add to its scene.
        """
        ratings = await self.ratings_in(session)
        scene = revise(board_scene(session, names, say, ratings))
        theme = theme or await self.theme(session)
        style, name = package_of(session.game).drawing, picture_name(session)
        alt_text = board_alt_text(scene, alt_phrases(say))
        explosion = explosion_scene(session, scene)
        if explosion is None:
            return png_file(await self.workers.draw(draw, style, scene, theme), name, alt_text)
        gif = await self.workers.draw(draw_flash, style, scene, explosion, theme)
        return gif_file(gif, name, alt_text)

    async def as_text(self, session: Session, say: Translator) -> str:
        """A session's board in words, complete enough to play by."""
        scene = board_scene(session, await self.names_in(session, say), say)
        return board_alt_text(scene, alt_phrases(say))

    async def theme(self, session: Session) -> Theme:
        """The theme of a session's board in its channel."""
        return await theme_for(self._store.preferences, session.people, session.guild_id)


def picture_name(session: Session) -> str:
    """The name of the file with a session's picture."""
    return f"{session.game.key}-{session.id}-{len(session.moves)}"


def headline(session: Session, names: Names, say: Translator) -> str:
    """A finished game in two lines: the players, and the result."""
    return f"{title(session, names, say)}\n{result_sentence(session, names, say)}"


async def _title(session: Session, names: Names, say: Translator) -> str | None:
    """Who plays what; a finished game is named by its result."""
    return None if session.is_over else title(session, names, say)


async def _opening(session: Session, _names: Names, say: Translator) -> str | None:
    """That a game began from a balanced opening; None for other games and once it is over."""
    if session.is_over or not session.setup.balanced:
        return None
    return say("opening.line", n=session.setup.opening)


async def _next_step(session: Session, names: Names, say: Translator) -> str | None:
    """What a finished game means for its players' ratings."""
    return next_step(session, names, say) if session.is_over else None


Kept = TypeVar("Kept")

MAX_KEPT = 10_000
"""The most games of which something is kept in memory."""


def _note(kept: dict[int, Kept], game_id: int, value: Kept) -> None:
    """Keep a value for a game; the oldest is dropped."""
    kept[game_id] = value
    if len(kept) > MAX_KEPT:
        del kept[next(iter(kept))]


MAX_IN_ROW = 5
"""Discord's limit on buttons in a row."""

MOVE_IDS = CustomId(
    "move", GAME, rf"(?P<number>{SMALL})", rf"(?P<move>{MOVE})", game=int, number=int
)
"""Ids of buttons that play a move: the game, its number of moves so far, and the move.

So a second click, or a click on an outdated board, cannot play another move.
"""

RESIGN, SURE, STOP, REMATCH = map(game_action, ("resign", "sure", "stop", "rematch"))

SHOW = CustomId("show")
"""The id of a button that shows the board of its channel's game again."""

RULES, EASIER, HARDER, DETAILS = map(game_action, ("rules", "easier", "harder", "details"))


def is_played_by_people(session: Session) -> bool:
    """Whether a running game is played by people rather than by a channel or only by agents."""
    return not (session.is_over or session.is_watched or session.is_channel_game)


def game_button(
    order: int,
    ids: CustomId,
    is_shown: Callable[[Session], bool],
    style: ButtonStyle = ButtonStyle.secondary,
) -> BoardButton:
    """A button for one action on a game, under the boards for which `is_shown` returns true."""

    def make(session: Session, say: Translator) -> Button | None:
        if not is_shown(session):
            return None
        return ids.button(session.id, label=say(f"button.{ids.name}"), style=style)

    return BoardButton(order, make)


def was_played(session: Session) -> bool:
    """Whether a game is over and was not cancelled."""
    return session.is_over and not session.is_aborted


def _as_it_is(button: Button) -> BoardButton:
    """A button that has been made already."""
    return BoardButton(80, lambda _session, _say: button)


def _rematch_button(session: Session, say: Translator) -> Button | None:
    if not session.is_over:
        return None
    key = "button.watch_again" if session.is_watched else "button.rematch"
    return REMATCH.button(session.id, label=say(key), style=ButtonStyle.primary)


def _level_button(session: Session, say: Translator) -> Button | None:
    """A game at the neighbouring level: an easier one after a defeat, else a harder one."""
    if next_level(session) is None:
        return None
    has_lost = session.winner is not None and session.seat(session.winner).agent is not None
    ids = EASIER if has_lost else HARDER
    return ids.button(session.id, label=say(f"button.{ids.name}"))


RULES_BUTTON = game_button(35, RULES, is_played_by_people)
"""Shown in a person's first game of its kind only."""

BUTTONS = (
    RULES_BUTTON,
    game_button(50, RESIGN, is_played_by_people, ButtonStyle.danger),
    game_button(
        70, STOP, lambda game: not (game.is_over or is_played_by_people(game)), ButtonStyle.danger
    ),
    BoardButton(80, _rematch_button, begins_game=True, is_rematch=True),
    BoardButton(85, _level_button, begins_game=True),
    game_button(120, DETAILS, was_played),
)
"""The core's own."""


def board_view(
    session: Session, buttons: Iterable[BoardButton], say: Translator
) -> discord.ui.View:
    """The moves of a session that awaits people or a channel, and `buttons` in rows below them.

    While an agent thinks, its opponent's buttons stay in their places, disabled; while the game
    waits, the moves do.
    """
    view, taken = lasting_view(), 0
    if not session.is_over and not session.is_watched:
        for one in placed_moves(session.position, say):
            disabled = session.awaits_agent or session.is_held or not one.is_legal
            ids = (session.id, session.number, one.text)
            view.add_item(MOVE_IDS.button(*ids, label=one.label, disabled=disabled, row=one.row))
        taken = rows_of_moves(session.game)
    made = ((one.row, one.make(session, say)) for one in buttons)
    shown = [(row, button) for row, button in made if button is not None]
    rows = sorted({row for row, _ in shown})
    for row, button in shown:
        button.row = taken + rows.index(row)
        if session.awaits_agent and is_played_by_people(session):
            button.disabled = True
        view.add_item(button)
    return view


def question_view(
    ids: CustomId, game_id: int, say: Translator, style: ButtonStyle = ButtonStyle.secondary
) -> discord.ui.View:
    """A button that confirms an action, such as `sure` for resigning."""
    view = lasting_view()
    view.add_item(ids.button(game_id, label=say(f"button.{ids.name}"), style=style))
    return view


class PlacedMove(NamedTuple):
    """A move of a game, and the position of its button."""

    move: Move
    text: str
    """In the players' notation."""
    label: str
    row: int
    is_legal: bool


def placed_moves(position: Position, say: Translator) -> Iterator[PlacedMove]:
    """Every move of a game in rows that Discord allows, and whether it is possible now."""
    game, legal = position.game, position.legal_moves()
    for number, row in enumerate(_fitting_rows(game)):
        for move in row:
            text = game.label(move)
            yield PlacedMove(move, text, say.label(game.key, text), number, move in legal)


def rows_of_moves(game: Game) -> int:
    """The number of button rows for the moves of a game."""
    return len(_fitting_rows(game))


def _fitting_rows(game: Game) -> list[Sequence[Move]]:
    """The moves in rows as long as Discord allows; longer ones are split as evenly as possible."""
    rows = []
    for row in game.buttons():
        size = -(-len(row) // -(-len(row) // MAX_IN_ROW))
        rows += [row[at : at + size] for at in range(0, len(row), size)]
    return rows
