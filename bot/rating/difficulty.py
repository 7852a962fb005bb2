"""Which rung of a game's ladder `auto` stands for."""

from __future__ import annotations

from bot.rating.ratings import NEWCOMER, expected, is_provisional, rating_at
from bot.store import Rating, Store
from engine.game import Game
from engine.games import FAMILIES, game_of
from engine.ladder import Ladder, Rung, ladder_of, size_class

EVEN = 0.5
"""The score per game that a player should make against the chosen rung."""
KINDLY = 0.55
"""The same while the player's rating is provisional: better a little too easy than too hard."""
MOST_STEPS = 2
"""How many rungs at most a settled player's opponent changes by between two games."""


async def current_rung(store: Store, user_id: int, game: Game, at: float) -> Rung:
    """The rung of a game's ladder that `auto` stands for, for a player at a time."""
    known = await store.ratings.of(user_id, size_class(game))
    if known is None:
        return fitting_rung(ladder_of(game), NEWCOMER, None)
    last = await store.history.last_auto(user_id, game.key, variants_on(game))
    return fitting_rung(ladder_of(game), rating_at(known, at), last)


def fitting_rung(ladder: Ladder, rating: Rating, last: str | None) -> Rung:
    """The rung against which a player's expected score is nearest to what it should be.

    Args:
        ladder: The rungs, weakest first.
        rating: The player's, as of now.
        last: The agent of the player's latest `auto` game on this ladder. A settled player's next
            opponent is at most MOST_STEPS rungs away; any is if this is None or not on the ladder.
    """
    target = KINDLY if is_provisional(rating) else EVEN
    rungs = ladder.rungs
    if not is_provisional(rating) and last is not None:
        rungs = _near(ladder, last)
    # `min` takes the first of equals, which is the weaker one.
    return min(rungs, key=lambda rung: abs(expected(rating.value, rung.elo) - target))


def variants_on(game: Game) -> tuple[str, ...]:
    """All variants of a game's family that share its ladder."""
    variants = FAMILIES[game.key].variants
    return tuple(v for v in variants if size_class(game_of(game.key, v)) == size_class(game))


def _near(ladder: Ladder, name: str) -> tuple[Rung, ...]:
    try:
        place = ladder.rungs.index(ladder.named(name))
    except KeyError:
        # Ladders are measured anew now and then: an old rung may no longer exist.
        return ladder.rungs
    return ladder.rungs[max(place - MOST_STEPS, 0) : place + MOST_STEPS + 1]
