"""Reviews on Discord: the button under a finished game, and the private message.

The message has a picture of the game's course, and a summary in words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any

import discord
from discord import Interaction

from bot.board.messages import BoardMessages, Button, headline
from bot.board.moves import require_seen
from bot.discord.replies import NO_PINGS, png_file
from bot.discord.routes import game_action, lasting_view
from bot.drills.discord import OPEN
from bot.features.reviews.rules import Reviews, first_drill
from bot.game.session import Session
from bot.i18n import Translator, escaped, fitting, say_for
from bot.sessions.people import Limiter
from bot.show.scenes import Names, line_words, seat_name, status
from bot.show.texts import game_title
from bot.show.themes import reader_theme
from engine.core.game import Drawing, Move, Player
from engine.core.registry import package_of
from engine.core.values import moves_to_end
from engine.strength.judging import JudgedMove
from engine.study.move_class import MARKS, MoveClass, class_of
from engine.study.review import Review
from renderers import ReviewedPly, ReviewScene, Theme, draw_review, is_writable, review_alt_text

REVIEW = game_action("review")

UNKNOWN = "–"

KEPT = 64
"""Pictures that are kept: a few megabytes."""

AHEAD = 0.6
"""The expected score from which a player is called ahead."""


def review_button(session: Session, say: Translator) -> Button | None:
    """The button under the board of a game that was played to its end."""
    if not session.is_over or session.is_aborted:
        return None
    return REVIEW.button(session.id, label=say("button.review"))


@dataclass(frozen=True, slots=True)
class ReviewHandler:
    """Shows one person the effect of each move of a finished game."""

    reviews: Reviews
    messages: BoardMessages
    limiter: Limiter

    async def review(self, interaction: Interaction[Any], game_id: int) -> None:
        """Review a game in a private message."""
        session, user_id = await self.reviews.game(game_id), interaction.user.id
        require_seen(session, interaction)
        self.limiter.take("pictures", user_id)
        await interaction.response.defer(ephemeral=True, thinking=True)
        review = await self.reviews.of(session, user_id)
        say = say_for(interaction.locale.value)
        names = await self.messages.names_in(session, say)
        scene = review_scene(session, names, review, say)
        drawing = package_of(session.game).drawing
        png = await self.messages.workers.draw_report(
            review_picture, drawing, scene, reader_theme()
        )
        name = f"{session.game.key}-{session.id}-review"
        text = f"{headline(session, names, say)}\n{review_text(session, names, review, say)}"
        view, first = lasting_view(), first_drill(session, review, user_id)
        if first is not None:
            style = discord.ButtonStyle.primary
            view.add_item(OPEN.button(*first, label=say("button.learn"), style=style))
        await interaction.edit_original_response(
            content=fitting(text),
            attachments=[png_file(png, name, review_alt_text(scene))],
            view=view,
            allowed_mentions=NO_PINGS,
        )


@lru_cache(maxsize=KEPT)
def review_picture(drawing: Drawing, scene: ReviewScene, theme: Theme) -> bytes:
    """The PNG of a reviewed game; may be called from any thread."""
    return draw_review(drawing, scene, theme)


def review_scene(session: Session, names: Names, review: Review, say: Translator) -> ReviewScene:
    """The picture of a review."""
    # A name that the picture cannot write is replaced by the player's number.
    drawn = {
        seat.user_id: names[seat.user_id]
        if is_writable(names[seat.user_id])
        else say("name.player", number=number)
        for number, seat in enumerate(session.seats, 1)
        if seat.user_id is not None
    }
    first, second = (seat_name(session, player, drawn, say) for player in Player)
    own, other = (_accuracy(review, player, say) for player in Player)
    turned = review.turning_point
    return ReviewScene(
        title=say("review.title", game=game_title(session.game, say)),
        subtitle=status(session, drawn, say),
        names=(first, second),
        accuracies=(say("review.accuracy", accuracy=own), say("review.accuracy", accuracy=other)),
        plies=tuple(
            ReviewedPly(one.player, expected, class_of(one).mark, _weight(one))
            for one, expected in zip(review.moves, review.course, strict=True)
        ),
        turning=None if turned is None else turned.ply,
        footer=say("review.legend"),
        sentences=tuple(_sentences(session, names, review, say)),
    )


def review_text(session: Session, names: Names, review: Review, say: Translator) -> str:
    """The summary in Markdown: both sides, the turning point with its lines, and remarks."""
    lines = [_side(session, names, review, player, say) for player in Player]
    lines += _turning_point(session, names, review, say)
    unproven = [one for one in review.moves if not one.is_proven]
    if unproven:
        count = say.count("moves", len(unproven))
        lines.append(say("review.unproven", moves=count, depth=_depths(unproven, say)))
    return "\n".join([*lines, say("review.scale")])


def _accuracy(review: Review, player: Player, say: Translator) -> str:
    found = review.accuracy(player)
    return UNKNOWN if found is None else say.number(found)


def _weight(one: JudgedMove) -> int:
    return [*MARKS].index(class_of(one)) + 1 if class_of(one) in MARKS else 0


def _side(session: Session, names: Names, review: Review, player: Player, say: Translator) -> str:
    """A player, how well they moved, and how many moves of each class they made."""
    classes = [class_of(one) for one in review.moves if one.player is player]
    counts = [
        say.count(f"class_{kind}", classes.count(kind)) for kind in MoveClass if kind in classes
    ]
    return say(
        "review.side",
        name=escaped(seat_name(session, player, names, say)),
        accuracy=_accuracy(review, player, say),
        counts=", ".join(counts) or UNKNOWN,
    )


def _turning_point(
    session: Session, names: Names, review: Review, say: Translator
) -> Iterator[str]:
    """The turning point of the game, the better moves, and the lines that show why."""
    turned = review.turning_point
    if turned is None:
        yield say("review.steady")
        return
    one = review.moves[turned.ply]
    yield say(
        "review.turned",
        number=turned.ply + 1,
        name=escaped(seat_name(session, one.player, names, say)),
        move=_label(session, one.move, say),
        mark=class_of(one).mark,
        instead=_instead(session, one, say),
    )
    for key, line in (("played", turned.played), ("instead", turned.instead)):
        yield say(f"review.line_{key}", line=line_words(session.game, line, say))


def _instead(session: Session, one: JudgedMove, say: Translator) -> str:
    """The result that the best moves would have led to."""
    moves = say.any_of([_label(session, move, say) for move in one.best_moves])
    if one.best_value is None:
        return say("review.better", moves=moves, depth=_depths([one], say))
    if one.best_value.winner is None:
        return say("review.would_draw", moves=moves)
    if one.best_value.winner is not one.player:
        return say("review.would_last", moves=moves)
    wins_anyway = one.value is not None and one.value.winner is one.player
    key = "review.would_win_sooner" if wins_anyway else "review.would_win"
    count = say.count("moves", moves_to_end(one.analysis.top, one.ply))
    return say(key, moves=moves, count=count)


def _label(session: Session, move: Move, say: Translator) -> str:
    return say.move(session.game.key, session.game.label(move))


def _depths(moves: list[JudgedMove], say: Translator) -> str:
    """How deep the searches went: one number, or the least and the greatest."""
    depths = sorted(one.analysis.depth for one in moves)
    ends = dict.fromkeys(say.number(depth) for depth in (depths[0], depths[-1]))
    return "–".join(ends)


def _sentences(session: Session, names: Names, review: Review, say: Translator) -> Iterator[str]:
    """The marks, the turning point and the course in sentences, the most important first."""
    for kind in reversed([*MARKS]):
        marked = [one for one in review.moves if class_of(one) is kind]
        if marked:
            moves = ", ".join(
                f"{one.ply + 1} ({seat_name(session, one.player, names, say)})" for one in marked
            )
            yield say(f"review.told_{kind}", moves=moves)
    if review.turning_point is not None:
        yield say("review.told_turned", number=review.turning_point.ply + 1)
    for leader, group in groupby(enumerate(review.course, 1), lambda step: _leader(step[1])):
        number, _ = next(group)
        if leader is None:
            yield say("review.told_even", number=number)
        else:
            name = seat_name(session, leader, names, say)
            yield say("review.told_ahead", number=number, name=name)


def _leader(expected: float) -> Player | None:
    """Who is ahead where the first player expects this."""
    if expected >= AHEAD:
        return Player.FIRST
    return Player.SECOND if expected <= 1 - AHEAD else None
