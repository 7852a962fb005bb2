"""Whether a person's unaided play has improved."""

from __future__ import annotations

from random import Random

import pytest
from sqlalchemy import insert

from bot.features.statistics.rules import (
    BEFORE,
    FEWEST,
    RECENTLY,
    WEEK,
    Progress,
    progress_of,
    since,
)
from bot.features.statistics.store import UnaidedGames
from bot.store.records import GameSetup, SeatRecord, UnaidedMoves
from bot.store.store import Store
from bot.store.tables import UnaidedRow

NOW = 1_790_000_000.0
CLASSIC, SMALL = "connect4-classic", "connect4-small"


def game(weeks_ago: float, loss: float, judged: int = 10, ladder: str = CLASSIC) -> UnaidedMoves:
    """A game in which each move has this loss."""
    return UnaidedMoves(1, ladder, NOW - weeks_ago * WEEK, judged, judged * loss)


def games(then: float, now: float, ladder: str = CLASSIC) -> list[UnaidedMoves]:
    """Enough games of both periods, with small differences among themselves."""
    spread = [(n % 5 - 2) / 100 for n in range(FEWEST)]
    return [
        *(game(RECENTLY + 1, then + extra, ladder=ladder) for extra in spread),
        *(game(1, now + extra, ladder=ladder) for extra in spread),
    ]


def test_a_significant_difference_is_reported() -> None:
    """A significant difference is reported with both means and its margin of error."""
    found = progress_of(games(0.12, 0.05), NOW).change
    assert found is not None
    assert (found.before, found.now) == (pytest.approx(0.12), pytest.approx(0.05))
    assert found.difference == pytest.approx(-0.07)
    assert 0 < found.margin < 0.07
    assert found.is_certain
    close = progress_of(games(0.06, 0.055), NOW).change
    assert close is not None
    assert not close.is_certain


def test_too_few_games_say_nothing() -> None:
    """Too few games in either period give no statement, and older ones are ignored."""
    enough = games(0.1, 0.05)
    assert progress_of(enough[1:], NOW) == Progress(FEWEST - 1, FEWEST, None)
    assert progress_of(enough[:-1], NOW) == Progress(FEWEST, FEWEST - 1, None)
    old = [game(RECENTLY + BEFORE + 1, 0.5) for _ in range(FEWEST)]
    assert progress_of([*old, *enough], NOW) == progress_of(enough, NOW)
    assert progress_of([], NOW) == Progress(0, 0, None)
    assert since(NOW) == NOW - 12 * WEEK


def test_a_game_counts_by_its_moves() -> None:
    """The mean is taken over moves, so that a longer game weighs more."""
    short = [game(1, 0.4, judged=3) for _ in range(FEWEST)]
    long = [game(1, 0.0, judged=27) for _ in range(FEWEST)]
    before = [game(6, 0.1) for _ in range(FEWEST)]
    found = progress_of([*short, *long, *before], NOW).change
    assert found is not None
    assert found.now == pytest.approx(0.04)


def test_boards_are_compared_with_their_like() -> None:
    """Only equal boards are compared, so that moving to a harder board is no decline."""
    easy_then = [game(6, 0.02, ladder=SMALL) for _ in range(30)]
    hard_now = [game(1, 0.10, ladder=CLASSIC) for _ in range(30)]
    assert progress_of([*easy_then, *hard_now], NOW).change is None
    both = [*games(0.12, 0.10), *games(0.03, 0.01, SMALL), *easy_then, *hard_now]
    found = progress_of(both, NOW).change
    assert found is not None
    assert found.difference < 0


def test_false_reports_of_progress_are_rare() -> None:
    """Of a thousand people with unchanged play, about 19 in 20 are found unchanged."""
    rng, wrong = Random(5), 0
    for _ in range(1000):
        drawn = [
            UnaidedMoves(1, CLASSIC, NOW - weeks * WEEK, moves, sum(losses))
            for weeks in (1, 6)
            for _ in range(rng.randint(FEWEST, 25))
            for moves in (rng.randint(3, 18),)
            for skill in (rng.gammavariate(2, 0.5),)
            for losses in ([min(rng.expovariate(20 / skill), 0.5) for _ in range(moves)],)
        ]
        found = progress_of(drawn, NOW).change
        assert found is not None
        wrong += found.is_certain
    assert 25 <= wrong <= 75


@pytest.mark.databases
async def test_games_are_read_by_ladder_and_time(store: Store) -> None:
    """Games are read oldest first, only of the ladder, the person and the period."""
    rows = (
        (7, "here", 3.0),
        (7, "here", 2.0),
        (7, "there", 3.0),
        (8, "here", 3.0),
        (7, "here", 1.0),
    )
    seats = SeatRecord(7, None), SeatRecord(8, None)
    ids = [
        await store.games.add(GameSetup("connect4", "5x4", channel, None, "en", *seats), 0.0)
        for channel in range(len(rows))
    ]
    columns = ("user_id", "ladder", "at")
    stored = [
        {"game_id": id_, "judged": 9, "loss": 0.5, **dict(zip(columns, row, strict=True))}
        for id_, row in zip(ids, rows, strict=True)
    ]
    async with store.database.writing() as connection:
        await connection.execute(insert(UnaidedRow), stored)
    found = await UnaidedGames(store.database).of(7, {"here"}, 2.0)
    assert found == tuple(UnaidedMoves(7, "here", at, 9, 0.5) for at in (2.0, 3.0))
