"""Series are played game by game, survive restarts and failures, and can be stopped."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.feature import Services
from bot.features.league.store import LeagueScope
from bot.features.series.rules import series_files
from bot.features.series.store import SeriesStore
from bot.game.refusal import Refusal
from bot.settings import Settings
from bot.store.tables import MAX_ATTEMPTS
from engine.core.jobs import Job
from engine.strength.roster import ChooseMove
from tests.bot.builders import ANA, BEA
from tests.bot.engine_jobs import RUN, doing
from tests.bot.features.league.judging import judging
from tests.bot.features.series.playing import (
    CHANNEL,
    GUILD,
    begun,
    finish,
    games_of,
    playing,
    stored,
    sweep,
)
from tests.bot.running import run_services


async def test_a_series_is_played_to_its_end(services: Services) -> None:
    """Each opening is played from both sides, and all games count in the league."""
    judged, play = judging(services), playing(services)
    series = await begun(services, play, games=4)
    ended = await finish(services, play, series.id)
    assert (ended.ending, ended.played) == ("played", 4)
    games = await games_of(services)
    assert [game.setup.first.agent for game in games] == ["easy", "medium", "easy", "medium"]
    openings = [tuple(move.move for move in game.moves[: game.setup.opening]) for game in games]
    assert openings[0] == openings[1] != openings[2] == openings[3]
    assert all(len(opening) == 4 for opening in openings)
    assert all(game.end is not None and game.end.ending.has_result for game in games)
    tally = await play.tally(ended)
    assert (tally.games, tally.played[-1].id) == (4, games[-1].id)
    services.ratings.wake()
    assert await judged.queue.settled(60)
    table = await judged.league.table(LeagueScope("connect4", GUILD, CHANNEL))
    assert table.games == 4
    made = sum(found.moves for found in table.figures.values())
    # The random moves of the openings count for no player.
    assert made == sum(len(game.moves) - game.setup.opening for game in games)


async def test_equal_agents_do_not_repeat_a_game(services: Services) -> None:
    """Two equal agents without chance play different games, because openings differ."""
    play = playing(services)
    series = await begun(services, play, games=6, first="greedy", second="greedy")
    await finish(services, play, series.id)
    games = await games_of(services)
    assert len({tuple(move.move for move in game.moves) for game in games[::2]}) == 3


@pytest.mark.databases
async def test_a_series_goes_on_after_a_restart(settings: Settings) -> None:
    """The next process goes on with the next game, and loses or repeats none."""
    async with run_services(settings, Random(7)) as services:
        play = playing(services)
        series = await begun(services, play, games=4)
        while (await stored(services, series.id)).played < 2:
            await sweep(services, play)
        before = await games_of(services)
    async with run_services(settings, Random(8)) as services:
        # A lease of the process that has ended would only delay it.
        await SeriesStore(services.store.database).release(series.id, 0.0)
        ended = await finish(services, playing(services), series.id)
        games = await games_of(services)
    assert ended.played == len(games) == 4
    assert games[:2] == before


async def test_a_game_that_is_begun_anew_is_the_same(services: Services) -> None:
    """A game that a killed process did not finish has the same opening and the same seeds."""
    results = []
    for asker in (ANA, BEA):
        play = playing(services)
        series = await begun(services, play, games=1, started_by=asker)
        results.append(play._begun(series))
        assert play._seed(series, results[-1]) == playing(services)._seed(series, results[-1])
        again = playing(services)._begun(series)
        assert [move.move for move in again.moves] == [move.move for move in results[-1].moves]
    assert results[0].setup.opening == results[1].setup.opening == 4


async def test_a_bad_series_does_not_stop_others(
    services: Services, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    """A series that fails is tried a limited number of times, while others go on."""

    def choose(job: Any, stop: Any) -> Any:
        if job.task.agent == "hard":
            raise RuntimeError("no move")
        return RUN(job, stop)

    monkeypatch.setattr(Job, "run", doing(choose, ChooseMove))
    play = playing(services)
    bad = await begun(services, play, games=4, first="hard", second="hard")
    good = await begun(services, play, games=2, started_by=BEA)
    assert (await finish(services, play, good.id)).ending == "played"
    assert (await stored(services, bad.id)).attempts >= 1
    for _ in range(2 * MAX_ATTEMPTS):
        services.clock.forward(3600.0)  # type: ignore[attr-defined]  # the tests' clock
        await sweep(services, play)
    ended = await stored(services, bad.id)
    assert (ended.ending, ended.played) == ("failed", 1)
    logged = [one for one in caplog.records if f"series {bad.id} failed" in one.getMessage()]
    assert len(logged) == 4


async def test_a_bad_game_does_not_stop_its_series(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game in which every attempt fails is skipped, and the others are played."""
    play = playing(services)
    series = await begun(services, play, games=3)
    bad = [move.move for move in play._begun(replace(series, played=2)).moves]

    def choose(job: Any, stop: Any) -> Any:
        if [str(move) for move in job.moves][: len(bad)] == bad:
            raise RuntimeError("no move")
        return RUN(job, stop)

    monkeypatch.setattr(Job, "run", doing(choose, ChooseMove))
    while (found := await stored(services, series.id)).ended_at is None:
        services.clock.forward(3600.0)  # type: ignore[attr-defined]  # the tests' clock
        await sweep(services, play)
    assert (found.ending, found.played) == ("played", 3)
    assert (await play.tally(found)).games == 2


async def test_a_stopped_series_ends_at_once(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A series that is stopped while a move is searched for stores no more games."""
    play = playing(services)
    series = await begun(services, play, games=50)

    def choose(job: Any, stop: Any) -> Any:
        play._stopped.add(series.id)
        return RUN(job, stop)

    await sweep(services, play)
    with pytest.raises(Refusal, match="series_not_yours"):
        await play.stop(series.id, BEA, moderator=False)
    monkeypatch.setattr(Job, "run", doing(choose, ChooseMove))
    played = (await stored(services, series.id)).played
    await sweep(services, play)
    stopped = await play.stop(series.id, BEA, moderator=True)
    assert (stopped.ending, stopped.played) == ("stopped", played)
    with pytest.raises(Refusal, match="series_over"):
        await play.stop(series.id, ANA, moderator=False)
    await sweep(services, play)
    assert len(await games_of(services)) == played
    assert play._under_way == {}


async def test_series_are_played_in_turn(services: Services) -> None:
    """Of several series each has its turn."""
    play = playing(services)
    askers = (ANA, BEA, 3)
    each = [
        await begun(services, play, games=3, started_by=asker, guild_id=90 + asker)
        for asker in askers
    ]
    for _ in range(60):
        await sweep(services, play)
        played = [(await stored(services, one.id)).played for one in each]
        assert max(played) - min(played) <= 2
        if sum(played) == 9:
            break
    assert played == [3, 3, 3]


async def test_refused_series_store_nothing(services: Services) -> None:
    """Unknown agents, numbers out of range and a second series of a person are refused."""
    play = playing(services)
    for setup, games, key in (
        ({"first": "nobody"}, 4, "no_such_agent"),
        ({}, 0, "series_length"),
        ({}, 101, "series_length"),
    ):
        with pytest.raises(Refusal, match=key):
            await begun(services, play, games=games, **setup)
    assert await SeriesStore(services.store.database).find(1) is None
    await begun(services, play)
    with pytest.raises(Refusal, match="series_yours"):
        await begun(services, play)


async def test_a_series_asks_for_its_opponents_strength(services: Services) -> None:
    """`auto` becomes the agent that fits who asks, and the perfect agent knows its opponent."""
    play = playing(services)
    series = await begun(services, play, games=1, first="auto", second="perfect")
    assert series.first_agent.startswith("elo-")
    assert (await finish(services, play, series.id)).ending == "played"


async def test_people_get_their_series_as_a_file(services: Services) -> None:
    """An export has a line for each series that the person asked for, and none for others."""
    play, found = playing(services), SeriesStore(services.store.database)
    assert await series_files(found, ANA) == {}
    await begun(services, play, games=2)
    (text,) = (await series_files(found, ANA)).values()
    assert text.splitlines()[1].startswith("1,connect4,5x4,easy,medium,2,0,")
