"""The league of watched games on the offline Discord."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from discord import InteractionResponseType

from bot.features.league.discord import MAX_RESULT_LETTERS, in_order, league_card, league_lines
from bot.features.league.store import AgentFigures, LeagueGames, PairFigures, league_table
from bot.i18n import say_in
from bot.show.scenes import card_picture
from bot.store.records import GameSetup, agent
from engine.core.registry import game_of, games
from engine.strength.roster import agents_for
from tests.bot.board.test_refusals import require_harmless
from tests.bot.discord.words_of import words_of


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
    """The league is public, with a cross table in the picture and each agent's figures as text."""
    for first, second in (("easy", "hard"), ("hard", "easy"), ("hard", "hard")):
        await watch(venue, "connect4", first, second)
    shown = await league(venue, "connect4")
    assert not shown.ephemeral
    text = words_of(shown.response)
    found = [await venue.services.store.games.find(n) for n in (1, 2, 3)]
    pairs = {(g.setup.first.agent, g.setup.second.agent, g.end.winner) for g in found}
    hard = sum((f, w) in (("hard", 1), ("easy", 2)) for f, s, w in pairs if f != s)
    assert "Connect 4: watched games, every board" in text
    assert "Bot: 1 easy, 1: –" in text
    assert f"1: {hard}-" in text
    assert "2 games" in shown.response.content
    assert "4 games" in shown.response.content
    assert "nodes and" in shown.response.content
    assert "error 0." in shown.response.content
    lines = [
        await one.line("connect4", venue.env.guild.id, say_in("en"))
        for one in venue.app.core.contributions.report_lines
    ]
    assert "Watched games: 3 games. See the table with /lab league." in lines
    other = await league(venue, "connect4", size="6x7")
    assert "No watched games" in words_of(other.response)
    refused = await venue.ana.slash(venue.channel, "lab league", game="connect4", size="9x9")
    assert refused.ephemeral
    assert "9x9" in refused.response.content


async def test_a_league_opens_its_games(venue: Any) -> None:
    """All members of the server can open a watched game, privately, with its study buttons."""
    game_id = await watch(venue, "gato", "easy", "easy")
    shown = await league(venue, "gato")
    opened = await venue.bea.select(shown.response, [str(game_id)], custom_id="cuatro:watched:gato")
    assert opened.ephemeral
    assert "Cuatro 1 (easy)" in opened.response.content
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
    """A league of all agents fits: a cross table of some of them, and a line for every agent."""
    names = tuple(agents_for("connect4"))
    pairs = tuple(PairFigures(a, b, 100, 40, 35) for a in names for b in names)
    figures = tuple(AgentFigures(n, 10_000, 12_345_678, 99.0, 9_000, 900.0) for n in names)
    table = league_table(pairs, figures, ())
    game, say = game_of("connect4", "6x7"), say_in(locale)
    lines = league_lines(game, table, say)
    assert len(lines) <= 2000
    assert len(lines.splitlines()) == len(names) + 1
    card = league_card("Server", game, None, table, say)
    assert card.table is not None
    assert len(card.table.rows) == 4
    assert max(len(cell) for row in card.table.rows for cell in row) * 4 <= MAX_RESULT_LETTERS
    assert card_picture(card)
    few = league_card("Server", game, None, league_table(pairs[1:3], (), ()), say)
    assert few.table is not None
    assert len(few.table.rows) == 3
    assert sorted(in_order(game, table)) == sorted(names)


@pytest.mark.parametrize("family", games())
async def test_every_game_has_a_league(venue: Any, family: str) -> None:
    """Every game has a league, which before any game says that it is empty."""
    shown = await venue.ana.slash(venue.channel, "lab league", game=family)
    assert len(shown.response.attachments) == 1
    assert shown.response.attachments[0].description
    answered = [r.json for r in venue.env.http_requests if r.path.endswith("/callback")][-1]
    assert answered["type"] == InteractionResponseType.deferred_channel_message.value


async def test_a_typed_size_is_repeated_briefly_and_harmlessly(venue: Any) -> None:
    """An unknown size is repeated in a short, harmless form."""
    await require_harmless(venue, "lab league", "size")
