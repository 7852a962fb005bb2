"""The league of watched games on the offline Discord."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import insert

from bot.features.league.store import AgentFigures, LeagueGames, PairFigures, league_table
from bot.features.league.view import (
    ROWS_A_PAGE,
    error_words,
    interval,
    league_lines,
    league_scene,
    page_count,
)
from bot.i18n import say_in
from bot.show.scenes import card_picture
from bot.store.records import GameSetup, agent
from bot.store.tables import GameRow
from engine.core.registry import game_of, games
from engine.strength.roster import agents_for
from renderers import CLASSIC
from tests.bot.board.test_refusals import require_harmless
from tests.bot.discord.words_of import words_of

ENGLISH = say_in("en")


async def watch(venue: Any, family: str, *agents: str) -> int:
    """Let two agents play a game to its end and be judged; return its id."""
    sessions = venue.services.sessions
    variant = "5x4" if family == "connect4" else games()[family].usual
    channel, seats = venue.channel.id, (agent(name) for name in agents)
    order = GameSetup(family, variant, channel, venue.env.guild.id, "en", *seats, venue.ana.id)
    session = await sessions.start(order)
    while await sessions.reply(channel) is not None:
        pass
    league = LeagueGames(venue.services.store.database)
    async with asyncio.timeout(60):
        while await league.due(1):  # noqa: ASYNC110  # judging has no event
            await asyncio.sleep(0.01)
    return int(session.id)


async def league(venue: Any, family: str, **options: str) -> Any:
    """Ask for the league."""
    return await venue.bea.slash(venue.channel, "lab league", game=family, **options)


async def test_a_league_counts_watched_games(venue: Any) -> None:
    """The league is public, with the agents' names and results; their figures are details."""
    for first, second in (("easy", "medium"), ("medium", "easy"), ("medium", "medium")):
        await watch(venue, "connect4", first, second)
    shown = await league(venue, "connect4")
    assert not shown.ephemeral
    text = words_of(shown.response)
    found = [await venue.services.store.games.find(n) for n in (1, 2, 3)]
    pairs = {(g.setup.first.agent, g.setup.second.agent, g.end.winner) for g in found}
    easy = sum((f, w) in (("easy", 1), ("medium", 2)) for f, s, w in pairs if f != s)
    assert "League of this server. Connect 4 · 3 games watched." in text
    assert f"easy, W-D-L: {easy}-" in text
    assert "medium, W-D-L: " in text
    details = await venue.ana.click(shown.response, label="Details")
    assert details.ephemeral
    lines = details.response.content.splitlines()
    assert [line.split(" · ")[1].split(",")[0] for line in lines[:-1]] == [
        "2 games",
        "2 games",
        "1 game",
    ]
    assert "**medium against itself**" in lines[2]
    assert all("nodes and" in line for line in lines[:-1])
    assert all(" exactly in " in line for line in lines[:-1])
    lines = [
        await one.line("connect4", venue.env.guild.id, say_in("en"))
        for one in venue.app.core.contributions.report_lines
    ]
    assert "Watched games: 3 games. See the table with /lab league." in lines
    other = await league(venue, "connect4", size="6x7")
    assert other.ephemeral
    assert other.response.content == "Nobody has watched a game here yet."
    refused = await venue.ana.slash(venue.channel, "lab league", game="connect4", size="9x9")
    assert refused.ephemeral
    assert "from 4 to 8 rows" in refused.response.content


async def test_a_watched_game_leads_to_the_league_and_back(venue: Any) -> None:
    """Under a watched game that is over a button posts the league, which says whose it is.

    All members of the server can open a watched game, privately, with its study buttons.
    """
    game_id = await watch(venue, "gato", "easy", "easy")
    session = await venue.services.sessions.games.find(game_id)
    await venue.app.core.boards.show(session)
    led = await venue.bea.click(venue.board(), label="League")
    assert not led.ephemeral
    (posted,) = [one for one in (led.response, *led.followups) if one is not None]
    assert posted.content == "**League of this server** · 1 game watched."
    assert posted.attachments
    shown = await league(venue, "gato")
    opened = await venue.bea.select(shown.response, [str(game_id)], custom_id="cuatro:watched:gato")
    assert opened.ephemeral
    assert "Gato 4x4" in opened.response.content
    assert opened.response.components
    await venue.bea.slash(venue.channel, "gato start", level="easy")
    received = venue.env.bot._connection.parsers["INTERACTION_CREATE"]
    # The offline Discord sends only values of the menu; other clients can send anything.
    venue.env.bot._connection.parsers["INTERACTION_CREATE"] = lambda sent: received(
        {**sent, "data": {**sent["data"], "values": [str(game_id + 1)]}}
    )
    refused = await venue.bea.select(
        shown.response, [str(game_id)], custom_id="cuatro:watched:gato"
    )
    assert refused.ephemeral
    assert "was not watched here" in refused.response.content


@pytest.mark.parametrize("locale", ["en", "es-419"])
def test_a_big_league_has_pages(locale: str) -> None:
    """A league of all agents has pages, on which each agent is once; each page fits."""
    names = tuple(agents_for("connect4"))
    pairs = tuple(PairFigures(a, b, 1000, 400, 350) for a in names for b in names)
    figures = tuple(
        AgentFigures(n, 10_000, 12_345_678_901, 99_000.0, 29_000, 900.0, 15_000, 450.0, alone=alone)
        for n in names
        for alone in (False, True)
    )
    table = league_table(pairs, figures, ())
    game, say = game_of("connect4", "6x7"), say_in(locale)
    assert page_count(table) == -(-2 * len(names) // ROWS_A_PAGE) > 2
    rows, lines = [], []
    for page in range(page_count(table)):
        scene = league_scene(game, None, table, say, page)
        assert scene.first == page * ROWS_A_PAGE + 1
        rows += [row.name for row in scene.rows]
        text = league_lines(game, table, say, page)
        assert len(text) <= 2000
        lines += text.splitlines()[:-1]
    assert len(set(rows)) == len(rows) == len(lines) == 2 * len(names)
    assert card_picture(scene, CLASSIC)
    few = league_scene(game, "6x7", league_table(pairs[1:3], (), ()), say)
    assert len(few.rows) == 3
    assert few.subtitle.startswith(f"{say('game.connect4')} · 6x7 · ")


def test_games_against_itself_are_apart() -> None:
    """Games of an agent against itself count in no share of wins, and come last."""
    pairs = (PairFigures("hard", "hard", 10, 7, 2), PairFigures("easy", "hard", 4, 1, 2))
    alone = AgentFigures("hard", 100, 900, 2.0, 50, 1.5, 40, 1.0, alone=True)
    table = league_table(pairs, (alone,), ())
    game = game_of("connect4", "6x7")
    scene = league_scene(game, None, table, ENGLISH)
    assert [(row.name, row.results) for row in scene.rows] == [
        ("hard", "2-1-1"),
        ("easy", "1-1-2"),
        ("hard against itself", "7-1-2"),
    ]
    lines = league_lines(game, table, ENGLISH).splitlines()
    assert "error not judged yet" in lines[0]
    assert lines[2] == (
        "**hard against itself** · 10 games, 7-1-2 · won 70 % (40 to 89) · 9 nodes and 0.02 s a "
        "move · error 0.025 exactly in 40 moves, 0.050 by search in 10 moves"
    )


def test_only_no_error_is_written_as_zero() -> None:
    """An error that is small but not zero is not written as zero."""
    assert error_words(200, 0.0, 200, 0.0, ENGLISH) == "0 exactly in 200 moves"
    assert error_words(4000, 0.6, 4000, 0.6, ENGLISH) == "0.00015 exactly in 4,000 moves"
    assert error_words(1, 0.25, 0, 0.0, ENGLISH) == "0.250 by search in 1 move"
    assert error_words(0, 0.0, 0, 0.0, ENGLISH) == "not judged yet"


async def test_pages_of_a_league_are_turned(venue: Any) -> None:
    """Who asked turns the page of the message; others get theirs privately."""
    names = tuple(agents_for("connect4"))[: ROWS_A_PAGE + 1]
    database = venue.services.store.database
    games = [
        {"family": "connect4", "variant": "6x7", "channel_id": 1, "guild_id": venue.env.guild.id,
         "locale": "en", "auto": False, "first_agent": name, "second_agent": "hard",
         "started_at": 1.0, "finished_at": 2.0, "ending": "line", "winner": 1}
        for name in names
    ]  # fmt: skip
    async with database.writing() as connection:
        await connection.execute(insert(GameRow), games)
    shown = (await league(venue, "connect4")).response
    assert "page 1 of 2" in words_of(shown)
    details = await venue.ana.click(shown, label="Details")
    assert len(details.response.content.splitlines()) == ROWS_A_PAGE + 1
    other = await venue.ana.click(shown, label="Next page")
    assert other.ephemeral
    assert "page 2 of 2" in words_of(other.response)
    assert "page 1 of 2" in words_of(venue.board())
    await venue.bea.click(shown, label="Next page")
    assert "page 2 of 2" in words_of(venue.board())
    details = await venue.ana.click(venue.board(), label="Details")
    assert len(details.response.content.splitlines()) < ROWS_A_PAGE
    await venue.bea.click(venue.board(), label="Previous page")
    assert "page 1 of 2" in words_of(venue.board())


def test_agents_are_in_the_order_of_their_wins() -> None:
    """The one that won the most of its games comes first, with the interval of its share."""
    pairs = (PairFigures("easy", "hard", 10, 1, 8), PairFigures("hard", "greedy", 10, 9, 1))
    scene = league_scene(game_of("connect4", "6x7"), None, league_table(pairs, (), ()), ENGLISH)
    assert [(row.name, row.results, row.text) for row in scene.rows] == [
        ("hard", "17-1-2", "85 %"),
        ("easy", "1-1-8", "10 %"),
        ("greedy", "1-0-9", "10 %"),
    ]
    low, high = scene.rows[0].bounds
    assert (round(low, 3), round(high, 3)) == (0.64, 0.948)


@pytest.mark.parametrize(("won", "games"), [(0, 1), (1, 1), (0, 50), (50, 50), (7, 9)])
def test_a_share_is_within_its_interval(won: int, games: int) -> None:
    """The interval of a share holds the share, stays within 0 and 1, and has a width."""
    low, high = interval(won, games)
    assert 0 <= low <= won / games <= high <= 1
    assert low < high


async def test_every_game_has_a_league(venue: Any) -> None:
    """Every game has a league, which before any game is a private sentence with a way to one."""
    for family in games():
        shown = await venue.ana.slash(venue.channel, "lab league", game=family)
        assert shown.ephemeral
        assert shown.response.content == "Nobody has watched a game here yet."
        assert not shown.response.attachments
        await venue.ana.click(shown.response.message, label="Watch one")
        session = await venue.services.sessions.games.current(venue.channel.id)
        assert session.is_watched
        assert session.game.key == family
        assert [seat.agent for seat in session.seats] == ["medium", "hard"]
        await venue.services.sessions.resign(venue.channel.id, venue.ana.id)


async def test_a_typed_size_is_repeated_briefly_and_harmlessly(venue: Any) -> None:
    """An unknown size is repeated in a short, harmless form."""
    await require_harmless(venue, "lab league", "size")
