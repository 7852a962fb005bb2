"""The choice of the rung that `auto` plays."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.ratings.glicko import LOSS, NEWCOMER, WIN, Opposition, after_game, expected, newcomer
from bot.ratings.levels import (
    STEP,
    current_rung,
    fitting_rung,
    intended_score,
    losses_in_a_row,
    strengths_of_auto,
    variants_on,
)
from bot.ratings.start import starting_rating
from bot.store.records import (
    Ending,
    EndRecord,
    GameSetup,
    RatedEnd,
    Rating,
    RatingChange,
    SeatRecord,
)
from bot.store.results import ResultRecord
from bot.store.store import Store
from engine.core.game import Player
from engine.core.registry import game_of
from engine.strength.ladder import Ladder, Rung, ladder_of, size_class
from engine.strength.perfect import Perfect

ANA = 1
LEVELS = {3: "easy", 8: "medium", 16: "perfect"}
LADDER = Ladder(
    tuple(Rung(n, LEVELS.get(n, ""), 400.0 + 100 * n, 20.0, Perfect()) for n in range(1, 17)), {}
)
"""Sixteen rungs from 500 to 2000."""
CLASSIC, WIDE, SMALL = (game_of("connect4", size) for size in ("6x7", "7x6", "5x4"))


def settled(value: float) -> Rating:
    """A rating backed by many games."""
    return Rating(value, 60.0, 0.06, 50)


def chosen(rating: Rating, losses: int = 0) -> int:
    """The number of the rung that is chosen."""
    return fitting_rung(LADDER, rating, losses).number


async def rate(
    store: Store, rating: Rating, at: float, *, variant: str = "6x7", agent: str = "medium"
) -> None:
    """Let Ana finish an `auto` game after which she has this rating."""
    me, other = SeatRecord(ANA, None), SeatRecord(None, agent)
    game_id = await store.games.add(
        GameSetup("connect4", variant, 5, None, "en", me, other, auto=True), at
    )
    change = RatingChange(ANA, NEWCOMER, rating, 1200.0)
    ladder = size_class(game_of("connect4", variant))
    rated = RatedEnd(ladder, (ANA,), lambda _known: (change,))
    await store.games.finish(game_id, EndRecord(Ending.LINE, 1, at), counts=True)
    await store.ratings.rate(game_id, rated)


def test_a_player_meets_an_equal() -> None:
    """A player gets the rung against which the expected score is nearest to 0.52."""
    for value, number in ((500, 1), (1163, 7), (1165, 8), (1600, 12), (1980, 16)):
        assert chosen(settled(value)) == number
        assert chosen(Rating(value, 200.0, 0.06, 3)) == number


def test_auto_lies_between_two_rungs() -> None:
    """`auto` has any strength on the ladder that is a multiple of 20 points, and its ends."""
    for game in (CLASSIC, SMALL, game_of("boom", "7x7")):
        ladder = ladder_of(game)
        known = strengths_of_auto(ladder)
        assert (known[0], known[-1]) == (ladder.rungs[0], ladder.rungs[-1])
        assert all(rung.elo % STEP == 0 for rung in known if rung.is_between)
        top = next(rung for rung in ladder.rungs if rung.agent is known[-1].agent)
        for value in range(round(ladder.rungs[1].elo), round(ladder.named("medium").elo), 35):
            met = fitting_rung(ladder, settled(value))
            assert abs(expected(value, met.elo) - 0.52) < 0.02
            assert met is not top


def test_losses_in_a_row_lead_to_a_weaker_opponent() -> None:
    """After two losses in a row the aim is 0.60, after three 0.70, after more 0.75."""
    aims = [intended_score(losses) for losses in range(6)]
    assert aims == [0.52, 0.52, 0.60, 0.70, 0.75, 0.75]
    assert [chosen(settled(1215), losses) for losses in range(6)] == [8, 8, 7, 7, 6, 6]


def test_losses_in_a_row_end_with_any_other_result() -> None:
    """A row of losses consists of the latest `auto` games, up to the last that was not lost."""
    lost, drawn, won = (ResultRecord("6x7", "easy", True, won) for won in (False, None, True))
    assert losses_in_a_row(()) == 0
    assert losses_in_a_row((lost, lost, drawn, lost)) == 2
    assert losses_in_a_row((won, lost)) == 0


def test_a_player_who_moves_first_meets_a_stronger_rung() -> None:
    """Where moving first is an advantage, `auto` is stronger against a player who moves first."""
    ladder = replace(LADDER, head_start=(100.0, -0.05))
    first, either, second = (
        fitting_rung(ladder, settled(1215), seat=seat).number
        for seat in (Player.FIRST, None, Player.SECOND)
    )
    assert second < either < first
    weaker = [fitting_rung(ladder, settled(700), seat=seat).elo for seat in Player]
    stronger = [fitting_rung(ladder, settled(1900), seat=seat).elo for seat in Player]
    assert weaker[0] - weaker[1] > stronger[0] - stronger[1]


def test_the_ladder_has_ends() -> None:
    """The weakest players get the first rung, the strongest the last one, which is `perfect`."""
    assert chosen(settled(-200)) == 1
    assert fitting_rung(LADDER, settled(2900)).name == "perfect"


def test_sizes_of_one_class_share_a_ladder() -> None:
    """A ladder's variants are all those of its size class."""
    assert {"6x7", "7x6"} <= set(variants_on(CLASSIC))
    assert not set(variants_on(CLASSIC)) & set(variants_on(SMALL))
    assert set(variants_on(game_of("boom", "7x7"))) == {"7x7", "7x7-draw"}


@pytest.mark.parametrize("strength", [500.0, 900.0, 1350.0, 1800.0])
def test_auto_leads_to_even_games(strength: float) -> None:
    """Players of constant strength who keep playing `auto` meet their equals on average."""
    met: list[float] = []
    for player in range(10):
        rng, rating = Random(player), NEWCOMER
        for game in range(120):
            rung = fitting_rung(LADDER, rating)
            score = WIN if rng.random() < expected(strength, rung.elo) else LOSS
            rating = after_game(rating, Opposition(rung.elo), score)
            met += [rung.elo] if game >= 30 else []
        assert abs(rating.value - strength) < 3 * rating.deviation
    assert abs(sum(met) / len(met) - strength) < 50


async def test_a_new_player_begins_in_the_lower_half(services: Any) -> None:
    """Without a rating, `auto` plays the rung that fits a newcomer, in every game."""
    for key, variant in (("connect4", "8x8"), ("gato", "4x4"), ("boom", "7x7")):
        game = game_of(key, variant)
        rung = await current_rung(services.store, ANA, game, 0.0)
        assert rung == fitting_rung(ladder_of(game), newcomer(ladder_of(game)))


async def test_each_size_class_has_a_rating_of_its_own(services: Any) -> None:
    """A game counts for the rating of its size class; other classes begin where that is."""
    strongest = ladder_of(CLASSIC).rungs[-1]
    await rate(services.store, settled(strongest.elo), 10.0, agent=strongest.name)
    for game in (CLASSIC, WIDE):
        assert await current_rung(services.store, ANA, game, 20.0) == strongest
    assert [*(await services.store.ratings.background(ANA)).ratings] == [size_class(CLASSIC)]
    start = starting_rating(ladder_of(SMALL), await services.store.ratings.background(ANA))
    new = fitting_rung(ladder_of(SMALL), start)
    assert await current_rung(services.store, ANA, SMALL, 20.0) == new
