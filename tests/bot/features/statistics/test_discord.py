"""Statistics, reports, histories and leaderboards on the offline Discord."""

from __future__ import annotations

from typing import Any

import pytest
from discord import InteractionResponseType

from bot.feature import Parts, ReportLine
from bot.i18n import Translator, say_in
from bot.ratings.glicko import newcomer
from bot.ratings.levels import fitting_rung
from bot.show.texts import agent_title
from engine.core.registry import game_of
from engine.core.registry import games as all_games
from engine.strength.ladder import ladder_of
from tests.bot.board.test_refusals import require_harmless
from tests.bot.discord.words_of import words_of
from tests.bot.features.statistics.losing import lose_in
from tests.bot.hinting import note_hint
from tests.bot.present import FEATURES


@pytest.mark.parametrize("family", all_games())
async def test_every_game_has_every_list(venue: Any, family: str) -> None:
    """Before any game, every card and list is answered in time and says that it is empty.

    The card explains how to begin, and names the rung that `auto` would choose.
    """
    shown = {}
    for command in ("stats", "report", "history", "leaderboard"):
        shown[command] = await venue.ana.slash(venue.channel, f"{family} {command}")
        assert len(shown[command].response.attachments) == 1
        assert shown[command].response.attachments[0].description
        answered = [r.json for r in venue.env.http_requests if r.path.endswith("/callback")][-1]
        assert answered["type"] == InteractionResponseType.deferred_channel_message.value
    assert shown["report"].ephemeral
    assert not shown["stats"].ephemeral
    card = words_of(shown["stats"].response)
    assert "No finished games" in card
    assert f"/{family} start" in card
    game = game_of(family, all_games()[family].usual)
    rung = fitting_rung(ladder_of(game), newcomer(ladder_of(game)))
    assert f"auto now plays at: {agent_title(game, rung.name, say_in('en'))}" in card


@pytest.mark.parametrize(
    ("language", "unknown"), [("en", "cannot be told yet"), ("es", "Aún no se puede saber")]
)
async def test_a_report_counts_the_games(venue: Any, language: str, unknown: str) -> None:
    """A personal report is private and a server's public; both count the games by level.

    A personal report shows progress, not after a single game; a server's report does not.
    """
    say = say_in(language)
    await lose_in(venue, venue.ana)
    venue.speak(language)
    for whose, is_private in (("me", True), ("server", False)):
        shown = await venue.ana.slash(venue.channel, "lab report", game="connect4", whose=whose)
        assert shown.ephemeral is is_private
        text = shown.response.attachments[0].description
        assert say("level.easy") in text
        assert len(text) <= 1024
        assert (unknown in text) == (unknown in shown.response.content) == is_private


async def test_history_lists_games_and_opens_them(venue: Any) -> None:
    """Past games are listed privately page by page, and each can be opened and replayed.

    The buttons under the list keep its size class.
    """
    await lose_in(venue, venue.ana, 9)
    shown = await venue.ana.slash(venue.channel, "history", game="connect4", size="classic")
    assert shown.ephemeral
    assert "Page 1 of 2" in shown.response.attachments[0].description
    opened = await venue.ana.select(shown.response, ["9"], custom_id="cuatro:open:connect4")
    assert opened.ephemeral
    assert "Ana resigned" in opened.response.content
    if "replays" in FEATURES:
        replay = await venue.ana.click(opened.response, label="Replay")
        assert replay.response.attachments[0].filename.endswith(".gif")
    await venue.ana.click(shown.response, label="Next page")
    seen = [m for m in venue.channel.history(viewer=venue.ana) if m.attachments]
    (turned,) = [text for m in seen if "Page 2 of 2" in (text := m.attachments[0].description)]
    assert "Classic boards" in turned


async def test_only_own_games_are_opened(venue: Any) -> None:
    """A menu opens no game in which the person did not play."""
    await lose_in(venue, venue.ana)
    await lose_in(venue, venue.bea)
    shown = await venue.bea.slash(venue.channel, "history", game="connect4")
    parsers = venue.env.bot._connection.parsers
    received = parsers["INTERACTION_CREATE"]
    # The offline Discord sends only values of the menu; other clients can send anything.
    parsers["INTERACTION_CREATE"] = lambda sent: received(
        {**sent, "data": {**sent["data"], "values": ["1"]}}
    )
    refused = await venue.bea.select(shown.response, ["2"], custom_id="cuatro:open:connect4")
    assert refused.ephemeral
    assert "Only the people who played" in refused.response.content


async def test_leaderboards_and_cards_respect_placement_and_privacy(venue: Any) -> None:
    """A leaderboard marks uncertain ratings, and leaves out players in placement.

    People who hide their statistics still see them, but no one else and no leaderboard does.
    """
    ana, bea, players = venue.ana, venue.bea, venue.services.store.players

    async def board() -> str:
        shown = await bea.slash(venue.channel, "leaderboard", game="connect4", where="everywhere")
        return words_of(shown.response)

    await lose_in(venue, ana, 4)
    shown = await ana.slash(venue.channel, "leaderboard", game="connect4", where="everywhere")
    assert "Nobody has a rating here yet" in words_of(shown.response)
    assert "**Ana**: placement, game 4 of 5" in words_of(shown.response)
    await lose_in(venue, ana)
    text = await board()
    assert "Ana" in text
    assert "?" in text
    assert "provisional" in text
    await players.set(ana.id, 0.0, private=True)
    refused = await bea.slash(venue.channel, "connect4 stats", player=ana)
    assert refused.ephemeral
    assert "does not show" in refused.response.content
    assert (await ana.slash(venue.channel, "connect4 stats")).response.attachments
    assert "Ana" not in await board()
    await players.set(ana.id, 0.0, private=False)
    shown = await bea.slash(venue.channel, "connect4 stats", player=ana)
    assert shown.response.attachments


async def test_a_card_counts_results_moves_and_hints(venue: Any) -> None:
    """The card shows games, losses, streak, mean moves, hints and the level."""
    for hints in (1, 0):
        await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="medium")
        for _ in range(hints):
            await note_hint(venue.services, venue.channel.id, venue.ana.id)
        for column in (2, 3):
            await venue.ana.slash(venue.channel, "connect4 drop", column=column)
        await venue.ana.slash(venue.channel, "connect4 resign")
    card = await venue.bea.slash(venue.channel, "connect4 stats", player=venue.ana)
    text = words_of(card.response)
    for figure in (
        "Ana.",
        "Games: 2",
        "Losses: 2",
        "Streak: 2 losses",
        "Moves per game: 4.0",
        "Hints used: 1",
        "Opponent: medium, Games: 2",
    ):
        assert figure in text


async def test_statistics_can_be_those_of_one_size(venue: Any) -> None:
    """Card, report, history and leaderboard can be limited to a size class."""
    for size in ("6x7", "5x4"):
        await lose_in(venue, venue.ana, size=size)
    sizes = {"": "All sizes", "5x4": "Small boards"}
    more = {"all": "All sizes", "classic": "Classic boards", "grande": "Large boards"}
    for command in ("stats", "report", "history", "leaderboard"):
        for size, title in (sizes | more if command == "stats" else sizes).items():
            options = {"size": size} if size else {}
            shown = await venue.ana.slash(venue.channel, f"connect4 {command}", **options)
            assert title in words_of(shown.response), (command, size)
    small = words_of((await venue.ana.slash(venue.channel, "connect4 stats", size="4x4")).response)
    assert "Games: 1" in small
    refused = await venue.ana.slash(venue.channel, "history", game="connect4", size="9x9")
    assert refused.ephemeral
    assert 'the size "9x9"' in refused.response.content


async def test_games_against_auto_are_counted_at_the_strength_met(venue: Any) -> None:
    """Games against `auto` are listed at the strength met, not under a level's name."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4")
    for column in (2, 3):
        await venue.ana.slash(venue.channel, "connect4 drop", column=column)
    await venue.ana.slash(venue.channel, "connect4 resign")
    for command in ("stats", "report", "history"):
        shown = words_of((await venue.ana.slash(venue.channel, f"connect4 {command}")).response)
        assert "auto (~" in shown, command


async def test_another_players_card_counts_the_games_between_the_two(venue: Any) -> None:
    """Another's card has the games of the two, unless statistics are hidden; one's own has not."""
    offered = await venue.ana.slash(venue.channel, "connect4 start", opponent=venue.bea)
    await venue.bea.click(offered.response, label="Accept")
    for _ in range(3):
        for actor, column in ((venue.ana, 1), (venue.bea, 2)):
            await actor.slash(venue.channel, "connect4 drop", column=column)
    await venue.ana.slash(venue.channel, "connect4 drop", column=1)
    card = await venue.bea.slash(venue.channel, "connect4 stats", player=venue.ana)
    expected = "**Ana** against **Bea**: 1 win · 0 draws · 0 losses"
    assert expected in card.response.content
    own = await venue.ana.slash(venue.channel, "connect4 stats")
    assert "against" not in own.response.content
    await venue.services.store.players.set(venue.bea.id, 0.0, private=True)
    card = await venue.bea.slash(venue.channel, "connect4 stats", player=venue.ana)
    assert expected not in card.response.content


async def test_bots_have_no_statistics(venue: Any) -> None:
    """Asking for a bot's statistics is refused privately."""
    robot = venue.env.guild.add_member(venue.env.create_user("robot", bot=True))
    answer = await venue.ana.slash(venue.channel, "connect4 stats", player=robot)
    assert answer.ephemeral
    assert "Choose a person" in answer.response.content


async def test_a_typed_size_is_repeated_briefly_and_harmlessly(venue: Any) -> None:
    """An unknown size is repeated in a short, harmless form."""
    await require_harmless(venue, "connect4 stats", "size")


async def test_other_features_add_lines_to_a_servers_report(venue: Any) -> None:
    """A server's report has the lines of other features in their order; a personal one has none."""
    contributions = venue.app.core.contributions

    async def place(family: str, guild_id: int | None, _say: Translator) -> str:
        return f"{family} on {guild_id}"

    async def nothing(_family: str, _guild_id: int | None, _say: Translator) -> None:
        return None

    lines = ReportLine(1001, place), ReportLine(1000, nothing), ReportLine(999, place)
    contributions._parts = (*contributions.parts, Parts(report_lines=lines))
    server = await venue.ana.slash(venue.channel, "lab report", game="connect4", whose="server")
    added = f"connect4 on {venue.env.guild.id}"
    assert server.response.content.splitlines()[-2:] == [added, added]
    own = await venue.ana.slash(venue.channel, "lab report", game="connect4")
    assert added not in own.response.content
