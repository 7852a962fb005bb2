"""Statistics, reports, histories and leaderboards on the offline Discord."""

from __future__ import annotations

from typing import Any

from bot.feature import Parts, ReportLine
from bot.features.statistics.rules import BEFORE, FEWEST, RECENTLY
from bot.i18n import Translator, say_in
from tests.bot.asked import note_asked
from tests.bot.board.test_refusals import require_harmless
from tests.bot.discord.words_of import words_of
from tests.bot.features.statistics.losing import lose_in
from tests.bot.present import FEATURES


async def test_empty_lists_are_private_sentences(venue: Any) -> None:
    """Before any game, every card and list is a private sentence with a button that begins one."""
    for command, options in (
        ("stats", {}),
        ("stats", {"player": venue.bea}),
        ("history", {}),
        ("leaderboard", {}),
        ("lab report", {}),
        ("lab report", {"whose": "server"}),
    ):
        shown = await venue.ana.slash(venue.channel, command, game="gato", **options)
        assert shown.ephemeral, command
        assert not shown.response.attachments
        assert len(shown.response.content.splitlines()) == 1
    await note_asked(venue.services, venue.ana.id)
    begun = await venue.ana.click(shown.response, label="Play")
    assert not begun.ephemeral
    session = await venue.services.sessions.games.current(venue.channel.id)
    assert session.game.key == "gato"


async def test_a_report_counts_the_games(venue: Any) -> None:
    """A personal report is private and a server's public; both count the games by level.

    A personal report shows progress, not after a single game; a server's report does not.
    """
    say = say_in("es")
    await lose_in(venue, venue.ana)
    venue.speak("es")
    for whose, is_private in (("me", True), ("server", False)):
        shown = await venue.ana.slash(venue.channel, "lab report", game="connect4", whose=whose)
        assert shown.ephemeral is is_private
        text = shown.response.attachments[0].description
        assert say("level.easy") in text
        assert len(text) <= 1024
        early = say("progress.too_little", fewest=FEWEST, weeks=RECENTLY, earlier=BEFORE)
        assert (early == shown.response.content) == is_private


async def test_history_lists_games_and_opens_them(venue: Any) -> None:
    """Past games are listed privately page by page, and each can be opened and replayed.

    The buttons under the list keep its size class.
    """
    await lose_in(venue, venue.ana, 9)
    shown = await venue.ana.slash(venue.channel, "history", game="connect4", size="classic")
    assert shown.ephemeral
    assert "page 1 of 2" in shown.response.attachments[0].description
    opened = await venue.ana.select(shown.response, ["9"], custom_id="cuatro:open:connect4")
    assert opened.ephemeral
    assert "Ana resigned" in opened.response.content
    if {"replays", "reviews"} <= set(FEATURES):
        review = await venue.ana.click(opened.response, label="Review")
        replay = await venue.ana.click(review.response, label="Replay")
        assert replay.response.attachments[0].filename.endswith(".gif")
    await venue.ana.click(shown.response, label="Next page")
    seen = [m for m in venue.channel.history(viewer=venue.ana) if m.attachments]
    (turned,) = [text for m in seen if "page 2 of 2" in (text := m.attachments[0].description)]
    assert "Connect 4 (classic) · 9 games" in turned
    assert "1: You lost to Cuatro" in turned


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
    """A leaderboard leaves out players in placement, and tells its reader about theirs.

    A public one names the person who asked; a private one also says `you`. People who hide their
    statistics still see them, but no one else, no leaderboard and no older card does.
    """
    ana, bea, players = venue.ana, venue.bea, venue.services.store.players

    async def board() -> str:
        shown = await bea.slash(venue.channel, "leaderboard", game="connect4", where="everywhere")
        described = [file.description for file in shown.response.attachments]
        return "\n".join([shown.response.content, *described])

    await lose_in(venue, ana, 4)
    shown = await ana.slash(venue.channel, "leaderboard", game="connect4", where="everywhere")
    assert shown.ephemeral
    assert "Nobody has a rating here yet" in shown.response.content
    assert "**Ana**: game 4 of 5 before a rating." in shown.response.content
    await lose_in(venue, ana)
    text = await board()
    assert "1: Ana, " in text
    assert "?" not in text
    shown = await ana.slash(venue.channel, "leaderboard", game="connect4")
    assert not shown.ephemeral
    assert "(you)" not in words_of(shown.response)
    card = await ana.slash(venue.channel, "connect4 stats")
    private = await ana.click(card.response, label="Leaderboard")
    assert private.ephemeral
    assert "1: Ana (you), " in words_of(private.response)
    await players.set(ana.id, 0.0, private=True)
    refused = await bea.slash(venue.channel, "connect4 stats", player=ana)
    assert refused.ephemeral
    assert refused.response.content == "**Ana** keeps these private."
    mine = await bea.click(refused.response, label="My stats")
    assert mine.ephemeral
    assert mine.response.content.startswith("No finished games yet.")
    refused = await bea.click(card.response, label="Details")
    assert refused.ephemeral
    assert refused.response.content == "**Ana** keeps these private."
    own = await ana.click(card.response, label="Details")
    assert "Streak" in own.response.content
    assert (await ana.slash(venue.channel, "connect4 stats")).response.attachments
    assert "Ana" not in await board()
    await players.set(ana.id, 0.0, private=False)
    shown = await bea.slash(venue.channel, "connect4 stats", player=ana)
    assert shown.response.attachments


async def test_a_card_is_a_picture_with_buttons(venue: Any) -> None:
    """A card is public and only a picture; games, leaderboard and details are private."""
    for _ in range(2):
        await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="medium")
        for column in (2, 3):
            await venue.ana.slash(venue.channel, "connect4 drop", column=column)
        await venue.resign(venue.ana)
    card = await venue.bea.slash(venue.channel, "connect4 stats", player=venue.ana)
    assert not card.ephemeral
    assert card.response.content == ""
    text = words_of(card.response)
    assert "Ana. Connect 4" in text
    assert "0 wins, 0 draws, 2 losses. 2 games since" in text
    details = await venue.bea.click(card.response, label="Details")
    assert details.ephemeral
    assert "Streak **2 losses**" in details.response.content
    assert "In **auto**" in details.response.content
    games = await venue.ana.click(card.response, label="Games")
    assert games.ephemeral
    assert "2: You lost to Cuatro, medium · 5x4 · " in words_of(games.response)
    leaders = await venue.bea.click(card.response, label="Leaderboard")
    assert leaders.ephemeral
    assert leaders.response.content.startswith("Nobody has a rating here yet.")


async def test_statistics_can_be_those_of_one_size(venue: Any) -> None:
    """Card, report, history and leaderboard can be limited to a size class, which they name."""
    for size in ("6x7", "5x4"):
        await lose_in(venue, venue.ana, size=size)
    for command in ("stats", "lab report", "history"):
        for size, title in (("5x4", "(small)"), ("classic", "(classic)")):
            shown = await venue.ana.slash(venue.channel, command, game="connect4", size=size)
            assert f"Connect 4 {title}" in words_of(shown.response), (command, size)
            assert "1 game" in words_of(shown.response)
        shown = await venue.ana.slash(venue.channel, command, game="connect4", size="all")
        assert "2 games" in words_of(shown.response)
    large = await venue.ana.slash(venue.channel, "stats", game="connect4", size="grande")
    assert large.ephemeral
    refused = await venue.ana.slash(venue.channel, "history", game="connect4", size="9x9")
    assert refused.ephemeral
    assert 'the size "9x9"' in refused.response.content


async def test_games_against_auto_are_counted_at_the_strength_met(venue: Any) -> None:
    """Games against `auto` are listed at the strength met, not under a level's name."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4")
    for column in (2, 3):
        await venue.ana.slash(venue.channel, "connect4 drop", column=column)
    await venue.resign(venue.ana)
    for command in ("lab report", "history"):
        shown = await venue.ana.slash(venue.channel, command, game="connect4")
        assert "auto (~" in words_of(shown.response), command


async def test_another_players_card_counts_the_games_between_the_two(venue: Any) -> None:
    """Details of another's card have the games of the two, unless statistics are hidden."""
    offered = await venue.ana.slash(venue.channel, "connect4 start", opponent=venue.bea)
    await venue.bea.click(offered.response, label="Accept")
    for _ in range(3):
        for actor, column in ((venue.ana, 1), (venue.bea, 2)):
            await actor.slash(venue.channel, "connect4 drop", column=column)
    await venue.ana.slash(venue.channel, "connect4 drop", column=1)
    card = await venue.bea.slash(venue.channel, "connect4 stats", player=venue.ana)
    expected = "**Ana** against **Bea**: 1 win · 0 draws · 0 losses"
    seen = await venue.bea.click(card.response, label="Details")
    assert expected in seen.response.content
    own = await venue.ana.click(card.response, label="Details")
    assert "**Ana** against" not in own.response.content
    await venue.services.store.players.set(venue.bea.id, 0.0, private=True)
    hidden = await venue.bea.click(card.response, label="Details")
    assert expected not in hidden.response.content


async def test_bots_have_no_statistics(venue: Any) -> None:
    """Asking for a bot's statistics is refused privately."""
    robot = venue.env.guild.add_member(venue.env.create_user("robot", bot=True))
    answer = await venue.ana.slash(venue.channel, "connect4 stats", player=robot)
    assert answer.ephemeral
    assert "Pick a person" in answer.response.content


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
    await lose_in(venue, venue.ana)
    server = await venue.ana.slash(venue.channel, "lab report", game="connect4", whose="server")
    added = f"connect4 on {venue.env.guild.id}"
    assert server.response.content.splitlines()[-2:] == [added, added]
    own = await venue.ana.slash(venue.channel, "lab report", game="connect4")
    assert added not in own.response.content
