"""Statistics without Discord: their visibility and pages."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.statistics.rules import (
    Coverage,
    HistoryPage,
    Progress,
    Rank,
    Report,
    Standing,
    Statistics,
)
from bot.game.refusal import Refusal
from bot.ratings.levels import class_of
from bot.store.results import Scope
from tests.bot.builders import ANA, BEA
from tests.bot.features.statistics.losing import SERVER, lose


@pytest.fixture
def statistics(services: Any) -> Statistics:
    """The statistics of the services' games."""
    return Statistics(services.store, services.clock)


async def test_hidden_statistics_are_visible_to_their_owner_only(
    services: Any, statistics: Statistics
) -> None:
    """Statistics are visible to all until their owner hides them, and again when shown again."""
    players = services.store.players
    await statistics.require_visible(ANA, to=BEA)
    await players.set(ANA, 0.0, private=True)
    await statistics.require_visible(ANA, to=ANA)
    with pytest.raises(Refusal) as caught:
        await statistics.require_visible(ANA, to=BEA)
    assert caught.value.key == "refusal.stats_are_private"
    await players.set(ANA, 0.0, private=False)
    await statistics.require_visible(ANA, to=BEA)


async def test_a_newcomer_has_statistics_too(services: Any, statistics: Statistics) -> None:
    """A newcomer's statistics are for the usual variant, without a rating."""
    found = await statistics.of_player(ANA, "connect4")
    assert found.history.games == 0
    assert found.game.variant == "6x7"
    assert found.standing == Standing()
    assert found.rung


@pytest.mark.databases
async def test_statistics_are_for_the_variant_played_last(
    services: Any, statistics: Statistics
) -> None:
    """The rating and its course are those of the ladder of the latest variant."""
    await lose(services, ANA, size="6x7")
    await lose(services, ANA, size="5x4")
    found = await statistics.of_player(ANA, "connect4")
    assert (found.history.games, found.game.variant) == (2, "5x4")
    assert found.standing.rating is not None
    assert (found.standing.rating.games, found.standing.course) == (1, ())
    assert (found.standing.best_win, found.standing.rank) == (None, None)
    assert [(size.name, rating.games) for size, rating in found.others] == [("classic", 1)]
    one = class_of("connect4", "6x7")
    found = await statistics.of_player(ANA, "connect4", one)
    assert (found.history.games, found.game.variant, found.others) == (1, "6x7", ())
    assert found.coverage.size == one


async def test_a_course_begins_with_the_number(services: Any, statistics: Statistics) -> None:
    """A rating's course begins after placement and ends with the present value."""
    for _ in range(6):
        await lose(services, ANA)
    found = await statistics.of_player(ANA, "connect4")
    assert [rating.games for rating in found.standing.course] == [5, 6]
    assert found.standing.course[-1].shown == found.standing.rating.shown
    assert found.standing.rank == Rank(1, 1)


async def test_a_history_comes_in_pages(services: Any, statistics: Statistics) -> None:
    """Pages go from the newest game to the oldest; those after the last are empty."""
    for _ in range(3):
        await lose(services, ANA)
    pages = [await statistics.history(ANA, "connect4", n, 2) for n in range(3)]
    assert [[game.id for game in page.games] for page in pages] == [[3, 2], [1], []]
    assert [page.pages for page in pages] == [2, 2, 2]
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
        Coverage(), (), (), Progress(0, 0, None)
    )
    (kept,) = await services.store.games.finished_by(ANA)
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
    assert (len(own.games), len(server.games)) == (1, 2)
    assert [game.id for game in await services.store.games.finished_by(ANA)] == [1]
