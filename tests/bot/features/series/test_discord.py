"""Series of games on the offline Discord."""

from __future__ import annotations

import asyncio
from typing import Any

from bot.features.series.store import SeriesStore
from bot.i18n import say_in
from bot.show.board_text import _reply
from bot.show.scenes import footer
from tests.bot.present import needs
from tests.builders import PATIENCE

ENGLISH = say_in("en")


def task(venue: Any) -> Any:
    """The periodic work on series."""
    (found,) = [one for one in venue.app.tasks if one.name == "series"]
    return found


async def begin(venue: Any, games: int = 4, **options: str) -> Any:
    """Ana asks for a series on a small board; returns its message."""
    given = {"first": "easy", "second": "medium", "game": "connect4", "size": "5x4", **options}
    shown = await venue.ana.slash(venue.channel, "lab watch", games=games, **given)
    assert not shown.ephemeral, shown.response.content
    return shown.response.message


def message(venue: Any, message_id: int) -> Any:
    """The message of a series as it is now; None if it is gone."""
    found = [one for one in venue.channel.history() if one.id == message_id]
    return found[0] if found else None


def labels(shown: Any) -> list[str]:
    """The labels of a message's buttons, and the texts of its menus."""
    items = [item for row in shown.components for item in row.children]
    return [getattr(item, "label", None) or item.placeholder for item in items]


async def series(venue: Any, series_id: int = 1) -> Any:
    """A series as it is stored."""
    return await SeriesStore(venue.services.store.database).find(series_id)


async def played(venue: Any, games: int) -> None:
    """Let the periodic work run until this many games are played and shown."""
    async with asyncio.timeout(PATIENCE):
        while True:
            found = await series(venue)
            if found.played >= games and found.shown == found.state:
                return
            venue.services.clock.forward(6.0)
            await task(venue).run()


async def test_a_series_updates_its_message(venue: Any) -> None:
    """The message counts the games while they are played, and at the end leads to the league."""
    sent = await begin(venue)
    assert sent.content.splitlines() == [
        "**easy** against **medium** · Connect 4 · 5x4 · 0 of 4 games",
        ENGLISH("series.going"),
    ]
    assert labels(sent) == ["Stop"]
    await played(venue, 1)
    assert "of 4 games" in message(venue, sent.id).content
    await played(venue, 4)
    first, results, nodes, last = message(venue, sent.id).content.splitlines()
    assert first.endswith("4 of 4 games")
    assert results.startswith("easy won ")
    assert "share won by easy: " in results
    assert last == ENGLISH("series.end_played")
    assert nodes.startswith("Nodes a move: easy ")
    assert labels(message(venue, sent.id)) == ["Open a game, 1 to 4", "League"]
    shown = await venue.bea.click(message(venue, sent.id), label="League")
    assert "4 games watched" in (shown.response or shown.followups[0]).content


@needs("reviews")
async def test_each_game_of_a_series_can_be_opened(venue: Any) -> None:
    """The menus of a series that is over open each of its games, with the buttons of boards."""
    sent = await begin(venue, games=27, first="greedy", second="greedy")
    await played(venue, 27)
    shown = message(venue, sent.id)
    assert labels(shown) == ["Open a game, 1 to 25", "Open a game, 26 to 27", "League"]
    menu = shown.components[1].children[0]
    assert [option.label.split(".")[0] for option in menu.options] == ["26", "27"]
    opened = await venue.bea.select(shown, ["27"], custom_id=menu.custom_id)
    assert opened.ephemeral
    assert opened.response.attachments
    buttons = [item for row in opened.response.components for item in row["components"]]
    assert "Review" in [button.get("label") for button in buttons]


async def test_a_series_says_which_games_failed(venue: Any) -> None:
    """Games that were skipped are counted in the message."""
    sent = await begin(venue, games=2)
    stored = SeriesStore(venue.services.store.database)
    assert [await stored.fail(1, 0.0, most=2) for _ in range(2)] == [1, 2]
    await played(venue, 2)
    assert "1 game failed and is left out." in message(venue, sent.id).content


async def test_a_series_goes_on_after_a_restart(venue: Any) -> None:
    """A restart loses no game that was played; the same message goes on."""
    sent = await begin(venue)
    await played(venue, 2)
    await venue.restart()
    await SeriesStore(venue.services.store.database).release(1, 0.0)
    await played(venue, 4)
    assert "4 of 4 games" in message(venue, sent.id).content


async def test_a_series_can_be_stopped(venue: Any) -> None:
    """Who asked stops it by its button, and so does a moderator; other people cannot."""
    sent = await begin(venue, games=50)
    await played(venue, 1)
    refused = await venue.bea.click(message(venue, sent.id), label="Stop")
    assert refused.ephemeral
    await venue.mod.click(message(venue, sent.id), label="Stop")
    shown = message(venue, sent.id)
    assert shown.content.endswith(ENGLISH("series.end_stopped"))
    assert labels(shown)[-1] == "League"
    count = (await series(venue)).played
    for _ in range(3):
        await task(venue).run()
    assert (await series(venue)).played == count < 50


async def test_deleting_the_message_stops_the_series(venue: Any) -> None:
    """A series whose message is deleted is stopped."""
    sent = await begin(venue, games=50)
    await played(venue, 1)
    await message(venue, sent.id).delete()
    async with asyncio.timeout(PATIENCE):
        while (await series(venue)).ended_at is None:
            venue.services.clock.forward(6.0)
            await task(venue).run()
    assert (await series(venue)).ending == "stopped"


async def test_a_message_that_cannot_be_edited_is_edited_later(venue: Any) -> None:
    """While Discord refuses edits the series goes on; a later edit shows all of it."""
    sent = await begin(venue)
    refused = {"status": 403, "code": 50001, "message": "Missing Access"}
    venue.env.inject_error("PATCH", "/channels/*/messages/*", **refused, times=1)
    async with asyncio.timeout(PATIENCE):
        while (await series(venue)).ended_at is None:
            venue.services.clock.forward(6.0)
            await task(venue).run()
    assert "0 of 4 games" in message(venue, sent.id).content
    venue.services.clock.forward(1000.0)
    await task(venue).run()
    assert "4 of 4 games" in message(venue, sent.id).content


async def test_a_series_that_cannot_be_announced_is_not_kept(venue: Any) -> None:
    """If the first message cannot be sent, there is no series."""
    venue.env.inject_error("POST", "/interactions/*/callback", status=404, code=10062, times=1)
    given = {"first": "easy", "second": "medium", "game": "connect4", "size": "5x4"}
    await venue.ana.slash(venue.channel, "lab watch", games=4, **given)
    assert await series(venue) is None
    venue.expected_errors = 1


async def test_one_game_is_watched_as_ever(venue: Any) -> None:
    """A single game is shown move by move."""
    shown = await venue.ana.slash(
        venue.channel, "lab watch", first="easy", second="medium", game="connect4", games=1
    )
    assert not shown.ephemeral
    session = await venue.services.sessions.games.current(venue.channel.id)
    assert session.is_watched
    assert await series(venue) is None


async def test_an_agent_plays_itself(venue: Any) -> None:
    """Of an agent against itself, the message says how often who moved first won."""
    sent = await begin(venue, games=2, first="easy", second="easy")
    await played(venue, 2)
    assert "Whoever moved first won " in message(venue, sent.id).content


@needs("privacy")
async def test_a_person_who_leaves_stops_their_series(venue: Any) -> None:
    """Deleting one's data stops one's series, which then names no one; its games stay."""
    await begin(venue, games=50)
    await played(venue, 1)
    asked = await venue.ana.slash(venue.channel, "privacy", action="delete")
    await venue.ana.click(asked.response.message, label="Yes, delete")
    found = await series(venue)
    assert (found.ending, found.asker) == ("stopped", None)
    assert (await SeriesStore(venue.services.store.database).tally(found)).games == found.played


async def test_random_moves_are_no_failed_searches(venue: Any) -> None:
    """Nothing says of the random moves of an opening that the engine failed at them."""
    await begin(venue, games=2)
    await played(venue, 1)
    session = await venue.services.sessions.games.find(1)
    unsearched = ENGLISH("board.footer_unsearched")
    for moves in range(len(session.moves) + 1):
        past = session.until(moves)
        assert footer(past, ENGLISH) != unsearched
        assert ENGLISH("turn.unsearched") not in " ".join(_reply(past, ENGLISH))
    opened = await venue.bea.slash(venue.channel, "lab league", game="connect4")
    shown = await venue.bea.select(opened.response, ["1"], custom_id="cuatro:watched:connect4")
    assert shown.ephemeral
    assert shown.response.attachments
