"""Statistics without Discord: their visibility and pages."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import update

from bot.features.statistics.rules import (
    Coverage,
    HistoryPage,
    Progress,
    Rank,
    Report,
    Standing,
    Statistics,
)
from bot.ratings.levels import class_of
from bot.store.results import Scope
from bot.store.tables import GameRow, RatingChangeRow
from tests.bot.builders import ANA, BEA
from tests.bot.features.statistics.losing import SERVER, lose


@pytest.fixture
def statistics(services: Any) -> Statistics:
    """The statistics of the services' games."""
    return Statistics(services.store, services.clock)


async def test_statistics_are_hidden_until_they_are_shown_again(
    services: Any, statistics: Statistics
) -> None:
    """Statistics are visible until their owner hides them, and again when shown again."""
    players = services.store.players
    assert not await statistics.is_hidden(ANA)
    await players.set(ANA, 0.0, private=True)
    assert await statistics.is_hidden(ANA)
    await players.set(ANA, 0.0, private=False)
    assert not await statistics.is_hidden(ANA)


async def test_a_newcomer_has_statistics_too(services: Any, statistics: Statistics) -> None:
    """A newcomer's statistics are for the usual variant, without a rating."""
    found = await statistics.of_player(ANA, "connect4")
    assert found.history.games == 0
    assert found.game.variant == "6x7"
    assert found.standing == Standing()
    assert found.rung


async def test_statistics_in_placement_are_for_the_variant_played_last(
    services: Any, statistics: Statistics
) -> None:
    """Without a number, the rating and its course are those of the ladder of the latest variant."""
    await lose(services, ANA, size="6x7")
    await lose(services, ANA, size="5x4")
    found = await statistics.of_player(ANA, "connect4")
    assert (found.history.games, found.game.variant) == (2, "5x4")
    assert found.standing.rating is not None
    assert found.standing.size == class_of("connect4", "5x4")
    assert (found.standing.rating.games, len(found.standing.course)) == (1, 1)
    assert (found.standing.best_win, found.standing.rank) == (None, None)
    one = class_of("connect4", "6x7")
    found = await statistics.of_player(ANA, "connect4", one)
    assert (found.history.games, found.game.variant, found.standing.size) == (1, "6x7", one)
    assert found.coverage.size == one


@pytest.mark.databases
async def test_statistics_of_all_sizes_are_the_best_of_each(
    services: Any, statistics: Statistics
) -> None:
    """In all sizes the number, the rank and the best win are the best of any size.

    The rank is that of the leaderboard of all sizes.
    """
    for _ in range(6):
        await lose(services, ANA, size="6x7")
    for _ in range(5):
        await lose(services, BEA, size="6x7")
        await lose(services, BEA, size="5x4")
    numbers = {
        (user_id, size): (await statistics.of_player(user_id, "connect4", size)).standing
        for user_id in (ANA, BEA)
        for size in (class_of("connect4", "6x7"), class_of("connect4", "5x4"))
    }
    for user_id in (ANA, BEA):
        whole = (await statistics.of_player(user_id, "connect4")).standing
        own = [one for (whom, _), one in numbers.items() if whom == user_id and one.rating]
        best = max(own, key=lambda one: one.rating.shown)
        assert (whole.rating, whole.size) == (best.rating, best.size)
        page = await statistics.leaderboard("connect4", None, 0, 10, seen_by=user_id)
        assert whole.rank == page.own.rank
        assert whole.rank.of == 2
    async with services.store.database.writing() as connection:
        # A rated win on the small size counts for the best win of all sizes.
        await connection.execute(
            update(GameRow)
            .where(GameRow.first_user == BEA, GameRow.variant == "5x4")
            .values(winner=1)
        )
    small = (await statistics.of_player(BEA, "connect4", class_of("connect4", "5x4"))).standing
    assert small.best_win is not None
    assert (await statistics.of_player(BEA, "connect4")).standing.best_win == small.best_win


@pytest.mark.databases
async def test_the_change_is_that_of_seven_days(services: Any, statistics: Statistics) -> None:
    """A number's change is counted from seven days ago, or from the end of placement."""
    for _ in range(6):
        await lose(services, ANA)
    async with services.store.database.writing() as connection:
        for games, column in ((5, "shown_after"), (6, "shown_before")):
            row = RatingChangeRow.games_after == games
            await connection.execute(update(RatingChangeRow).where(row).values({column: 840.4}))
    standing = (await statistics.of_player(ANA, "connect4")).standing
    assert standing.change == round(standing.rating.shown) - 840
    board = await statistics.leaderboard("connect4", None, 0, 10)
    assert board.changes == {ANA: standing.change}
    services.clock.forward(8 * 86_400.0)
    assert (await statistics.of_player(ANA, "connect4")).standing.change is None
    await lose(services, ANA)
    points = (await statistics.of_player(ANA, "connect4")).standing
    before, after = (round(point.rating.shown) for point in points.course[-2:])
    assert points.change == after - before


async def test_a_course_includes_placement(services: Any, statistics: Statistics) -> None:
    """A rating's course begins with the first rated game and ends with the present value."""
    for _ in range(6):
        await lose(services, ANA)
    found = await statistics.of_player(ANA, "connect4")
    assert [point.rating.games for point in found.standing.course] == [1, 2, 3, 4, 5, 6]
    assert [point.rating.shown is None for point in found.standing.course].count(True) == 4
    assert found.standing.course[-1].rating.shown == found.standing.rating.shown
    assert found.standing.rank == Rank(1, 1)


async def test_a_history_comes_in_pages(services: Any, statistics: Statistics) -> None:
    """Pages go from the newest game to the oldest; those after the last are empty."""
    for _ in range(3):
        await lose(services, ANA)
    pages = [await statistics.history(ANA, "connect4", n, 2) for n in range(3)]
    assert [[one.game.id for one in page.games] for page in pages] == [[3, 2], [1], []]
    assert [[one.number for one in page.games] for page in pages] == [[3, 2], [1], []]
    assert all(one.session is not None for page in pages for one in page.games)
    assert [(page.pages, page.count) for page in pages] == [(2, 3)] * 3
    assert (await statistics.history(BEA, "connect4", 0, 2)).pages == 0


async def test_a_game_that_was_called_off_counts_nowhere(
    services: Any, statistics: Statistics
) -> None:
    """A game that was called off is only in its owner's export."""
    await lose(services, ANA, moves=2)
    found = await statistics.of_player(ANA, "connect4")
    assert (found.history.games, found.history.tallies, found.standing) == (0, (), Standing())
    assert await statistics.history(ANA, "connect4", 0, 5) == HistoryPage((), 0, Coverage())
    assert await statistics.report(Scope("connect4", user_id=ANA)) == Report(
        Coverage(), (), Progress(0, 0, None)
    )
    (kept,) = await services.store.results.finished_by(ANA)
    assert (kept.end.ending, kept.end.winner) == ("aborted", None)


@pytest.mark.databases
async def test_a_leaderboard_is_of_a_server_or_of_all(
    services: Any, statistics: Statistics
) -> None:
    """Players with a number are listed where they have played, and everywhere."""
    for user_id in (ANA, BEA):
        for _ in range(5):
            await lose(services, user_id, size="6x7")
    board = statistics.leaderboard
    everywhere = await board("connect4", None, 0, 10)
    assert {player.user_id for player in everywhere.players} == {ANA, BEA}
    assert (await board("connect4", SERVER, 0, 10)) == everywhere
    assert (await board("connect4", SERVER + 1, 0, 10)).players == ()
    assert len((await board("connect4", None, 1, 1)).players) == 1
    assert (await board("connect4", None, 0, 1)).pages == 2


async def test_a_report_and_an_export_hold_ones_own_games(
    services: Any, statistics: Statistics
) -> None:
    """Report and export have the person's own games; a server's report has those of all people."""
    await lose(services, ANA)
    await lose(services, BEA)
    own = await statistics.report(Scope("connect4", user_id=ANA))
    server = await statistics.report(Scope("connect4", guild_id=SERVER))
    assert [level.games for level in own.levels] == [1]
    assert [level.games for level in server.levels] == [2]
    assert [game.id for game in await services.store.results.finished_by(ANA)] == [1]
