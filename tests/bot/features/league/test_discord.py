"""The league of watched games on the offline Discord."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.features.league.discord import MAX_ROWS, in_order, interval, league_lines, league_scene
from bot.features.league.store import AgentFigures, LeagueGames, PairFigures, league_table
from bot.i18n import say_in
from bot.show.scenes import card_picture
from bot.store.records import GameSetup, agent
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
    for first, second in (("easy", "hard"), ("hard", "easy"), ("hard", "hard")):
        await watch(venue, "connect4", first, second)
    shown = await league(venue, "connect4")
    assert not shown.ephemeral
    text = words_of(shown.response)
    found = [await venue.services.store.games.find(n) for n in (1, 2, 3)]
    pairs = {(g.setup.first.agent, g.setup.second.agent, g.end.winner) for g in found}
    easy = sum((f, w) in (("easy", 1), ("hard", 2)) for f, s, w in pairs if f != s)
    assert "League of this server. Connect 4 · 3 games watched." in text
    assert f"easy, W-D-L: {easy}-" in text
    assert "hard, W-D-L: " in text
    details = await venue.ana.click(shown.response, label="Details")
    assert details.ephemeral
    assert "2 games" in details.response.content
    assert "4 games" in details.response.content
    assert "nodes and" in details.response.content
    assert "error 0." in details.response.content
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


async def test_a_league_opens_its_games(venue: Any) -> None:
    """All members of the server can open a watched game, privately, with its study buttons."""
    game_id = await watch(venue, "gato", "easy", "easy")
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
def test_a_big_league_fits(locale: str) -> None:
    """A league of all agents fits: those with most games in the picture, all in the details."""
    names = tuple(agents_for("connect4"))
    pairs = tuple(PairFigures(a, b, 100, 40, 35) for a in names for b in names)
    figures = tuple(AgentFigures(n, 10_000, 12_345_678, 99.0, 9_000, 900.0) for n in names)
    table = league_table(pairs, figures, ())
    game, say = game_of("connect4", "6x7"), say_in(locale)
    lines = league_lines(game, table, say)
    assert len(lines) <= 2000
    assert len(lines.splitlines()) == len(names) + 1
    scene = league_scene(game, None, table, say)
    assert len(scene.rows) == MAX_ROWS
    assert len({row.name for row in scene.rows}) == MAX_ROWS
    assert card_picture(scene, CLASSIC)
    few = league_scene(game, "6x7", league_table(pairs[1:3], (), ()), say)
    assert len(few.rows) == 3
    assert few.subtitle.startswith(f"{say('game.connect4')} · 6x7 · ")
    assert sorted(in_order(table)) == sorted(names)


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


async def test_an_empty_league_offers_a_game_to_watch(venue: Any) -> None:
    """Where nobody has watched a game, a private sentence says so, and its button begins one."""
    empty = await league(venue, "gato")
    assert empty.ephemeral
    assert empty.response.content == say_in("en")("league.none")
    await venue.bea.click(empty.response.message, label="Watch one")
    session = await venue.services.sessions.games.current(venue.channel.id)
    assert session.is_watched
    assert session.game.key == "gato"
    assert [seat.agent for seat in session.seats] == ["medium", "hard"]


async def test_a_watched_game_leads_to_the_league(venue: Any) -> None:
    """Under a watched game that is over a button posts the league, which says whose it is."""
    game_id = await watch(venue, "gato", "easy", "hard")
    session = await venue.services.sessions.games.find(game_id)
    await venue.app.core.boards.show(session)
    shown = await venue.bea.click(venue.board(), label="League")
    assert not shown.ephemeral
    (posted,) = [one for one in (shown.response, *shown.followups) if one is not None]
    assert posted.content == "**League of this server** · 1 game watched."
    assert posted.attachments


@pytest.mark.parametrize("family", games())
async def test_every_game_has_a_league(venue: Any, family: str) -> None:
    """Every game has a league, which before any game is a private sentence."""
    shown = await venue.ana.slash(venue.channel, "lab league", game=family)
    assert shown.ephemeral
    assert shown.response.content == "Nobody has watched a game here yet."
    assert not shown.response.attachments


async def test_a_typed_size_is_repeated_briefly_and_harmlessly(venue: Any) -> None:
    """An unknown size is repeated in a short, harmless form."""
    await require_harmless(venue, "lab league", "size")
