"""From sessions to messages: a game's text, its picture and its buttons."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.discord.controls import board_view
from bot.discord.interactions import gif_file, png_file
from bot.discord.names import NameBook
from bot.play.statistics import Statistics
from bot.play.workers import Workers
from bot.show.crowns import crown_won_line
from bot.show.hint_pictures import hint_picture
from bot.show.pictures import review_picture
from bot.show.pie import pie_line
from bot.show.replays import replay_picture
from bot.show.reviews import review_scene, review_text
from bot.show.scenes import Names, alt_phrases, board_scene, final_lines, seat_name, status
from bot.show.votes import MOST_NAMED, guesses_line, right_guesses, right_line, vote_line
from bot.table.hints import Hint
from bot.table.session import Session
from bot.words import Say
from bot.words.plain import escaped, fitting
from engine.core.game import Player
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
