"""The choice of the rung that `auto` plays."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.ratings.glicko import LOSS, NEWCOMER, WIN, Opposition, after_game, expected, newcomer
from bot.ratings.levels import (
    RecentResults,
    current_rung,
    fitting_rung,
    intended_score,
    recent_results,
    variants_on,
)
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

ANA, MONTH = 1, 30 * 86_400.0
LEVELS = {3: "easy", 8: "medium", 16: "perfect"}
LADDER = Ladder(
    tuple(Rung(n, LEVELS.get(n, ""), 400.0 + 100 * n, 20.0, Perfect()) for n in range(1, 17)), {}
)
"""Sixteen rungs from 500 to 2000."""
CLASSIC, WIDE, SMALL = (game_of("connect4", size) for size in ("6x7", "7x6", "5x4"))


def settled(value: float) -> Rating:
    """A rating backed by many games."""
    return Rating(value, 60.0, 0.06, 50)


def chosen(rating: Rating, last: str | None = None, losses: int = 0) -> int:
    """The number of the rung that is chosen."""
    return fitting_rung(LADDER, rating, RecentResults(last, losses)).number


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


def test_a_settled_player_meets_an_equal() -> None:
    """A settled player gets the rung against which the expected score is a half."""
    for value, number in ((500, 1), (1149, 7), (1151, 8), (1600, 12), (1960, 16)):
        assert chosen(settled(value)) == number


def test_the_first_games_are_slightly_easier() -> None:
    """In the first ten games the rung is the one nearest to an expected score of 0.55.

    Afterwards it is the even one, even if a rating becomes provisional again.
    """
    assert chosen(settled(1251)) == 9
    assert chosen(Rating(1249.0, 200.0, 0.06, 3)) == 8
    assert chosen(Rating(1251.0, 200.0, 0.06, 10)) == 9
    assert abs(expected(1249, 1200) - 0.55) < abs(expected(1249, 1300) - 0.55)


def test_losses_in_a_row_lead_to_a_weaker_opponent() -> None:
    """After three losses in a row the aim is 0.65, after four 0.75; in the first games one sooner.

    The next opponent may then be any number of rungs weaker.
    """
    assert [intended_score(settled(1000), losses) for losses in range(6)] == [
        0.5,
        0.5,
        0.5,
        0.65,
        0.75,
        0.75,
    ]
    new = Rating(1000.0, 200.0, 0.06, 4)
    assert [intended_score(new, losses) for losses in range(5)] == [0.55, 0.55, 0.65, 0.75, 0.75]
    assert [chosen(settled(1200), "rung-8", n) for n in (0, 2, 3, 4)] == [8, 8, 7, 6]
    assert chosen(settled(1200), "rung-14", 3) == 7


def test_losses_in_a_row_end_with_any_other_result() -> None:
    """A row of losses consists of the latest `auto` games, up to the last that was not lost."""
    lost, drawn, won = (ResultRecord("6x7", "easy", True, won) for won in (False, None, True))
    assert recent_results(()) == RecentResults(None, 0)
    assert recent_results((lost, lost, drawn, lost)) == RecentResults("easy", 2)
    assert recent_results((won, lost)) == RecentResults("easy", 0)


def test_a_player_who_moves_first_meets_a_stronger_rung() -> None:
    """Where moving first is an advantage, `auto` is stronger against a player who moves first."""
    ladder = replace(LADDER, head_start=(60.0, -0.05))
    first, either, second = (
        fitting_rung(ladder, settled(1200), seat=seat).number
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


def test_a_settled_player_climbs_two_rungs_at_most() -> None:
    """From one `auto` game to the next the rung changes by up to two, up or down."""
    assert chosen(settled(1800), "rung-5") == 7
    assert chosen(settled(600), "medium") == 6
    assert chosen(settled(1000), "rung-5") == 6
    assert chosen(settled(2500), "rung-15") == 16
    assert chosen(settled(100), "rung-2") == 1


def test_a_provisional_player_may_jump() -> None:
    """While a player's rating is provisional, the rung may change by any number."""
    assert chosen(Rating(1800.0, 111.0, 0.06, 9), "rung-1") == 14


def test_a_missing_rung_sets_no_limit() -> None:
    """If the last agent is no longer on the ladder, any rung may follow."""
    assert chosen(settled(1800), "rung-99") == 14
    assert chosen(settled(1800), "greedy") == 14


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
        rng, rating, last = Random(player), NEWCOMER, None
        for game in range(120):
            rung = fitting_rung(LADDER, rating, RecentResults(last))
            score = WIN if rng.random() < expected(strength, rung.elo) else LOSS
            rating, last = after_game(rating, Opposition(rung.elo), score), rung.name
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
    """A game counts for the rating of its size class and for no other."""
    strongest = ladder_of(CLASSIC).rungs[-1]
    await rate(services.store, settled(strongest.elo), 10.0, agent=strongest.name)
    for game in (CLASSIC, WIDE):
        assert await current_rung(services.store, ANA, game, 20.0) == strongest
    new = fitting_rung(ladder_of(SMALL), newcomer(ladder_of(SMALL)))
    assert await current_rung(services.store, ANA, SMALL, 20.0) == new


async def test_the_latest_auto_game_is_the_one_to_start_from(services: Any) -> None:
    """The limit of two rungs is counted from the last `auto` game, on any size of the ladder."""
    ladder = ladder_of(CLASSIC)
    rungs = ladder.rungs
    top = settled(rungs[-1].elo)
    await rate(services.store, top, 10.0, agent="rung-1")
    await rate(services.store, top, 20.0, agent="rung-2", variant="7x6")
    assert await current_rung(services.store, ANA, CLASSIC, 30.0) == ladder.named("rung-4")


async def test_a_returning_players_rating_is_less_certain(services: Any) -> None:
    """After a long absence a rating is provisional again, so the rung may change by any number."""
    ladder = ladder_of(CLASSIC)
    rungs = ladder.rungs
    await rate(services.store, settled(rungs[-1].elo + 100), 0.0, agent="rung-1")
    assert await current_rung(services.store, ANA, CLASSIC, MONTH / 4) == ladder.named("rung-3")
    assert await current_rung(services.store, ANA, CLASSIC, MONTH) == rungs[-1]
