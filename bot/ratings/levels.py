"""Size classes and their ladders, the rung that `auto` plays, and the strength of opponents."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import takewhile

from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.ratings.glicko import expected
from bot.ratings.start import rating_on
from bot.store.records import Rating
from bot.store.results import ResultRecord
from bot.store.store import Store
from engine.core.game import Game, Player, UnknownVariant
from engine.core.registry import game_of, package_of
from engine.core.registry import games as all_games
from engine.strength.ladder import Ladder, Rung, ladder_of, size_class
from engine.strength.roster import LEVELS, adapts_to_opponent

logger = logging.getLogger(__name__)


async def opponent_rating(store: Store, session: Session) -> float | None:
    """The rating of the opponent of the agent that is to move, if the agent takes it into account.

    None if the opponent has no rating yet, or if it cannot be read: moves do not wait for it.
    """
    agent = session.mover.agent
    if agent is None or not adapts_to_opponent(session.game, agent):
        return None
    opponent = session.seat(session.position.to_move.other)
    if opponent.user_id is None:
        return ladder_of(session.game).elo_of(opponent.agent or "")
    try:
        known = await store.ratings.of(opponent.user_id, size_class(session.game))
    except Exception:
        logger.exception("game %s: the opponent's rating cannot be read", session.id)
        return None
    return None if known is None else known.rating.value


def next_level(session: Session) -> str | None:
    """The level beside the one that a person has just met: easier after a defeat, else harder.

    None beyond the easiest and the hardest level, and for games that did not end with a result
    between one person and an agent.
    """
    agents = [player for player in Player if session.seat(player).agent is not None]
    if session.end is None or not session.end.ending.has_result:
        return None
    if len(agents) != 1 or session.is_channel_game:
        return None
    (side,) = agents
    met, names, has_lost = session.seat(side).agent or "", list(LEVELS), session.winner is side
    if met in names:
        at = names.index(met) + (-1 if has_lost else 1)
        return names[at] if 0 <= at < len(names) else None
    ladder = ladder_of(session.game)
    elo, known = ladder.elo_of(met), [(ladder.elo_of(name), name) for name in names]
    if elo is None:
        return None
    if has_lost:
        return next((name for of, name in reversed(known) if of is not None and of < elo), None)
    return next((name for of, name in known if of is not None and of > elo), None)


INTENDED = 0.52
"""The intended score per game: a little too easy is better than a little too hard."""

AFTER_LOSSES = (0.60, 0.70, 0.75)
"""The same after PATIENCE losses in a row, after one more, and after more than that."""

PATIENCE = 2
"""The number of losses in a row after which games become easier."""

STEP = 20
"""The Elo points between two strengths that `auto` can have: its agents' names are stored."""


async def current_rung(
    store: Store, user_id: int, game: Game, at: float, seat: Player | None = None
) -> Rung:
    """The rung of a game's ladder at which `auto` plays against a person at a given time.

    With `seat`, the person's side is taken into account.
    """
    ladder, known = ladder_of(game), await store.ratings.background(user_id)
    rating = rating_on(ladder, size_class(game), known, at)
    most = PATIENCE + len(AFTER_LOSSES) - 1
    results = await store.results.against_auto(user_id, game.key, variants_on(game), most=most)
    return fitting_rung(ladder, rating, losses_in_a_row(results), seat)


def losses_in_a_row(results: Sequence[ResultRecord]) -> int:
    """The number of losses since the last other result; results are given newest first."""
    return sum(1 for _ in takewhile(lambda result: result.won is False, results))


def fitting_rung(
    ladder: Ladder, rating: Rating, losses: int = 0, seat: Player | None = None
) -> Rung:
    """The rung against which a player's expected score is nearest to the intended one.

    It may lie between two measured rungs.

    Args:
        ladder: The rungs, weakest first.
        rating: The player's present rating.
        losses: The player's latest `auto` games that were lost in a row.
        seat: The player's seat; None if it is open.
    """
    target = intended_score(losses)

    def distance(rung: Rung) -> float:
        met = rung.elo
        if seat is not None:
            met = ladder.adjusted_for_seat(rung.elo, is_first=seat is not Player.FIRST)
        return abs(expected(rating.value, met) - target)

    # In a tie `min` takes the first, which is the weaker rung.
    return min(strengths_of_auto(ladder), key=distance)


def strengths_of_auto(ladder: Ladder) -> tuple[Rung, ...]:
    """The strengths that `auto` can have: the ends of a ladder, and every STEP points between."""
    low, high = ladder.rungs[0], ladder.rungs[-1]
    between = range(int(low.elo // STEP + 1) * STEP, math.ceil(high.elo), STEP)
    return (low, *(ladder.at(elo) for elo in between), high)


def intended_score(losses: int) -> float:
    """The intended score of a player after this number of losses in a row."""
    beyond = losses - PATIENCE
    return AFTER_LOSSES[min(beyond, len(AFTER_LOSSES) - 1)] if beyond >= 0 else INTENDED


def variants_on(game: Game) -> tuple[str, ...]:
    """All variants of a game's family that share its ladder."""
    variants = package_of(game).variants
    return tuple(v for v in variants if size_class(game_of(game.key, v)) == size_class(game))


ALL = "all"
"""The text for all sizes, which is also the default."""


@dataclass(frozen=True, slots=True)
class SizeClass:
    """The variants of one family that share a ladder."""

    family: str
    ladder: str
    variants: tuple[str, ...]

    @property
    def name(self) -> str:
        """Its name among the classes, such as `classic`; empty if there is only one."""
        return self.ladder.removeprefix(self.family).lstrip("-")

    @property
    def usual(self) -> str:
        """The variant that represents the class: the family's usual one, else the largest."""
        usual = all_games()[self.family].usual
        return usual if usual in self.variants else self.variants[-1]


@cache
def classes_of(family: str) -> tuple[SizeClass, ...]:
    """The size classes of a family, the smallest boards first."""
    groups: dict[str, list[str]] = {}
    for variant in all_games()[family].variants:
        groups.setdefault(size_class(game_of(family, variant)), []).append(variant)
    return tuple(SizeClass(family, ladder, tuple(found)) for ladder, found in groups.items())


def class_of(family: str, variant: str) -> SizeClass:
    """The size class of a variant."""
    ladder = size_class(game_of(family, variant))
    return next(found for found in classes_of(family) if found.ladder == ladder)


def known_game(family: str, variant: str) -> Game:
    """The game of a stored variant, or of the usual one if the variant does not exist any more.

    For lists of many games, in which a damaged or outdated game must not affect the others.
    """
    try:
        return game_of(family, variant)
    except UnknownVariant:
        return game_of(family, all_games()[family].usual)


def class_from_text(family: str, text: str | None) -> SizeClass | None:
    """The class with this name or size; None for all sizes. Raises Refusal for any other text."""
    typed = (text or ALL).strip().lower().replace("×", "x")
    if typed == ALL or not typed:
        return None
    for found in classes_of(family):
        if typed in (found.name, found.ladder):
            return found
    try:
        return class_of(family, game_of(family, typed).variant)
    except UnknownVariant as error:
        raise Refusal("unknown_size", typed=typed) from error
