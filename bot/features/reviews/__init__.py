"""Reviews of finished games: the effect of each move, and drills for finding better ones."""

from __future__ import annotations

from bot.board.messages import BoardButton
from bot.feature import Core, Feature, Parts
from bot.features.reviews.discord import REVIEW, ReviewHandler, review_button
from bot.features.reviews.rules import SOURCE, Reviews


def build(core: Core) -> Parts:
    """The button and its handler, and the drills of a reviewed game."""
    reviews = Reviews(core.sessions.games, core.workers)
    return Parts(
        routes=(REVIEW.route(ReviewHandler(reviews, core.messages, core.limiter).review),),
        board_buttons=(BoardButton(90, review_button),),
        drills={SOURCE: reviews},
    )


FEATURE = Feature("reviews", build)
