"""Reviews of finished games: the effect of each move, and drills for finding better ones."""

from __future__ import annotations

from functools import partial
from typing import Any

from discord import Interaction

from bot.board.messages import BoardButton
from bot.feature import Core, Feature, Parts
from bot.features.reviews.discord import ReviewHandler, review_button
from bot.features.reviews.rules import SOURCE, Reviews
from bot.game.session import Session


def build(core: Core) -> Parts:
    """The button and its handler, and the drills of a reviewed game."""
    practice = partial(core.contributions.practice, "review")
    reviews = Reviews(
        core.sessions.games,
        core.workers,
        core.store.ratings,
        practice,
        core.contributions.require_help,
    )
    handler = ReviewHandler(
        reviews, core.messages, core.limiter, core.contributions.position_buttons
    )

    async def review(interaction: Interaction[Any], session: Session) -> None:
        await handler.review(interaction, session.id)

    return Parts(
        menus=(core.board_menus.entry("menu.review", review),),
        routes=handler.routes,
        board_buttons=(BoardButton(90, review_button),),
        drills={SOURCE: reviews},
    )


FEATURE = Feature("reviews", build)
