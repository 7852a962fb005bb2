"""What is said of a rating: a number, that it is provisional, or how far placement is."""

from __future__ import annotations

from bot.rating.numbers import PLACEMENT, is_unsure, number_of, placement
from bot.store import Rating, RatingChange
from bot.words import Say


def number_words(rating: Rating, say: Say, text: str = "") -> str:
    """A number, with a mark if it is provisional; `text` replaces its bare figures."""
    told = text or say.rating(number_of(rating))
    return say("leaders.provisional", rating=told) if is_unsure(rating) else told


def placement_words(rating: Rating | None, say: Say) -> str:
    """How far placement is, such as `game 3 of 5`; empty once there is a number."""
    found = placement(rating)
    if found is None:
        return ""
    return say("rating.placement", game=found.game, of=found.of)


def change_words(change: RatingChange, say: Say) -> str:
    """What one game changed."""
    before, after = change.before.shown, change.after.shown
    if after is None:
        return say("rating.placing", game=change.after.games, of=PLACEMENT)
    unsure = "_provisional" if is_unsure(change.after) else ""
    if before is None:
        return say(f"rating.placed{unsure}", value=say.rating(after))
    moved = round(after) - round(before)
    return say(f"rating.changed{unsure}", value=say.rating(after), change=f"{moved:+d}")
