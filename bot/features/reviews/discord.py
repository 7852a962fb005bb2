"""Reviews on Discord: the button under a finished game, and the private messages behind it.

The first has a picture of the game's course and two lines; its buttons lead to exercises, to the
reason of the turning point, to the marked moves and to the numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import discord
from discord import Interaction

from bot.board.messages import BoardMessages, Button, picture_name, was_played
from bot.board.moves import require_seen
from bot.discord.replies import NO_PINGS, acknowledge, png_file
from bot.discord.routes import (
    GAME,
    SMALL,
    CustomId,
    Route,
    chosen,
    game_action,
    lasting_view,
    row_id,
)
from bot.drills.discord import OPEN, button_from
from bot.drills.rules import PositionButtons
from bot.features.reviews import view as words
from bot.features.reviews.rules import Reviews, first_drill
from bot.features.reviews.view import Reading
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.i18n import Translator, fitting, say_for
from bot.sessions.people import Limiter
from bot.show.scenes import card_picture
from bot.show.themes import reader_theme
from bot.show.threat_maps import has_threat_map, switch_words
from engine.core.registry import package_of
from renderers import card_alt_text, review_alt_text

REVIEW, BACK, WHY, LINES, MOVES, DETAILS = map(
    game_action,
    ("review", "review:back", "review:why", "review:lines", "review:moves", "review:details"),
)

PICK = CustomId("review:pick", GAME, game=int)
"""The menu of a reviewed game's marked moves."""

BOARD = CustomId(
    "review:board", GAME, rf"(?P<ply>{SMALL})", "(?P<marks>plain|threats)", game=int, ply=int
)
"""The ids of buttons that show the board before a marked move, with or without its threats."""

MAX_OPTIONS = 25
"""Discord's limit on the entries of a menu."""


def review_button(session: Session, say: Translator) -> Button | None:
    """The button under the board of a game that is over, was not cancelled and has moves."""
    if not was_played(session) or len(session.moves) <= session.setup.opening:
        return None
    return REVIEW.button(session.id, label=say("button.review"))


@dataclass(frozen=True, slots=True)
class ReviewHandler:
    """Shows one person the effect of each move of a finished game."""

    reviews: Reviews
    messages: BoardMessages
    limiter: Limiter
    position_buttons: PositionButtons

    @property
    def routes(self) -> tuple[Route, ...]:
        """The buttons under boards and under reviews, and the menu of moves."""
        return (
            REVIEW.route(self.review),
            BACK.route(self.back),
            WHY.route(self.why),
            LINES.route(self.lines),
            MOVES.route(self.moves),
            PICK.route(self.pick),
            BOARD.route(self.board),
            DETAILS.route(self.details),
        )

    async def review(self, interaction: Interaction[Any], game_id: int) -> None:
        """Review a game in a new private message."""
        await self._show(interaction, await self._read(interaction, game_id, is_new=True))

    async def back(self, interaction: Interaction[Any], game_id: int) -> None:
        """Return to the review."""
        await self._show(interaction, await self._read(interaction, game_id))

    async def why(self, interaction: Interaction[Any], game_id: int) -> None:
        """Explain the turning point in a new private message."""
        read = await self._read(interaction, game_id, is_new=True)
        say, view = read.say, lasting_view()
        if read.review.turned is None:
            await interaction.edit_original_response(content=say("review.steady"))
            return
        view.add_item(LINES.button(game_id, label=say("button.line")))
        for button in self._under_position(read, read.review.turned.ply):
            view.add_item(button)
        scene = words.why_scene(read)
        png = await self.messages.workers.draw_report(card_picture, scene, reader_theme())
        file = png_file(png, f"{picture_name(read.session)}-why", card_alt_text(scene))
        await interaction.edit_original_response(
            content=words.why_text(read),
            attachments=[file],
            view=view,
            allowed_mentions=NO_PINGS,
        )

    async def lines(self, interaction: Interaction[Any], game_id: int) -> None:
        """Show the moves that were to follow at the turning point, in place of its explanation."""
        read = await self._read(interaction, game_id)
        text = fitting(words.lines_text(read))
        await interaction.edit_original_response(content=text, view=None)

    async def details(self, interaction: Interaction[Any], game_id: int) -> None:
        """Show the numbers of a review in place of its summary."""
        read = await self._read(interaction, game_id)
        view = lasting_view()
        for button in self._contributed("details", read):
            view.add_item(button)
        view.add_item(BACK.button(game_id, label=read.say("button.review_back")))
        like = {}
        if read.has_accuracy:
            like = await self.reviews.strengths(read.session, interaction.user.id)
        text = fitting(words.details_text(read, like))
        await interaction.edit_original_response(content=text, view=view)

    async def moves(self, interaction: Interaction[Any], game_id: int) -> None:
        """List the marked moves in place of the summary."""
        read = await self._read(interaction, game_id)
        text = fitting(words.moves_text(read))
        await interaction.edit_original_response(content=text, view=_moves_view(read))

    async def pick(self, interaction: Interaction[Any], game_id: int) -> None:
        """Show the board before one of the marked moves."""
        ply = row_id(chosen(interaction))
        await self._show_move(interaction, await self._read(interaction, game_id), ply)

    async def board(
        self, interaction: Interaction[Any], game_id: int, ply: int, marks: str
    ) -> None:
        """Show the same board with its threats marked, or without."""
        read = await self._read(interaction, game_id)
        await self._show_move(interaction, read, ply, with_threats=marks == "threats")

    async def _show_move(
        self, interaction: Interaction[Any], read: Reading, ply: int, *, with_threats: bool = False
    ) -> None:
        found = [one for one in words.marked_moves(read.review) if one.ply == ply]
        if not found:
            raise Refusal("unknown_button")
        before = read.session.until(ply)
        text, revise = words.move_page(read, found[0], with_threats=with_threats)
        file = await self.messages.picture(
            before, read.names, read.say, reader_theme(), revise=revise
        )
        buttons = self._under_position(read, ply)
        if has_threat_map(before.position):
            other = "plain" if with_threats else "threats"
            label = switch_words(read.say, is_on=with_threats)
            buttons.append(BOARD.button(read.session.id, ply, other, label=label))
        await interaction.edit_original_response(
            content=fitting(text),
            attachments=[file],
            view=_moves_view(read, buttons),
            allowed_mentions=NO_PINGS,
        )

    def _under_position(self, read: Reading, ply: int) -> list[Button]:
        """The buttons of features under the position after this many moves."""
        game = read.session.game
        moves = [game.parse(one.move) for one in read.session.moves[:ply]]
        return [button_from(way) for way in self.position_buttons(game.start(), moves, read.say)]

    async def _read(
        self, interaction: Interaction[Any], game_id: int, *, is_new: bool = False
    ) -> Reading:
        """Acknowledge a press, in a new private message or in place, and review the game."""
        user_id = interaction.user.id
        session = await self.reviews.game(game_id, user_id)
        require_seen(session, interaction)
        self.limiter.take("pictures", user_id)
        if is_new:
            await interaction.response.defer(ephemeral=True, thinking=True)
        else:
            await acknowledge(interaction)
        review = await self.reviews.of(session, user_id)
        say = say_for(interaction.locale.value)
        names = await self.messages.names_in(session, say)
        reach = await self.reviews.reach(session, user_id)
        return Reading(session, review, names, user_id, say, reach)

    async def _show(self, interaction: Interaction[Any], read: Reading) -> None:
        session, scene = read.session, words.review_scene(read)
        drawing = package_of(session.game).drawing
        png = await self.messages.workers.draw_report(
            words.review_picture, drawing, scene, reader_theme()
        )
        name = f"{session.game.key}-{session.id}-review"
        await interaction.edit_original_response(
            content=fitting(words.summary(read)),
            attachments=[png_file(png, name, review_alt_text(scene))],
            view=self._view(read),
            allowed_mentions=NO_PINGS,
        )

    def _view(self, read: Reading) -> discord.ui.View:
        session, say, view = read.session, read.say, lasting_view()
        first = first_drill(session, read.review, read.reader, read.reach)
        if first is not None:
            style = discord.ButtonStyle.primary
            view.add_item(OPEN.button(*first, label=say("button.learn"), style=style))
        if words.has_reason(read.review):
            view.add_item(WHY.button(session.id, label=say("button.review_why")))
        for button in self._contributed("review", read):
            view.add_item(button)
        if words.marked_moves(read.review):
            view.add_item(MOVES.button(session.id, label=say("button.review_moves")))
        view.add_item(DETAILS.button(session.id, label=say("button.details")))
        return view

    def _contributed(self, message: str, read: Reading) -> list[Button]:
        """The buttons of other features under a kind of message about a game."""
        made = (one.make(read.session, read.say) for one in self.messages.buttons_under(message))
        return [button for button in made if button is not None]


def _moves_view(read: Reading, more: Iterable[Button] = ()) -> discord.ui.View:
    """The menu of the marked moves, buttons about the one shown, and the way back to the review."""
    game_id, say, view = read.session.id, read.say, lasting_view()
    options = [
        discord.SelectOption(label=words.option_text(read, one)[:100], value=str(one.ply))
        for one in words.marked_moves(read.review)[:MAX_OPTIONS]
    ]
    if options:
        view.add_item(PICK.menu(game_id, options=options, text=say("review.menu")))
    for button in more:
        view.add_item(button)
    view.add_item(BACK.button(game_id, label=say("button.review_back")))
    return view
