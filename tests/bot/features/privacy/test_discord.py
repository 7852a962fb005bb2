"""People can see, export and delete what is stored about them."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from dataclasses import replace
from typing import Any

from sqlalchemy import text as sql

from bot.feature import PersonalData
from bot.features.privacy.rules import Erasure
from bot.features.privacy.view import details_text
from bot.i18n import say_in
from bot.store.people import Preferences
from bot.store.records import FORMER_PLAYER
from bot.store.rows import Transaction
from bot.telemetry import Meter
from tests.bot.discord.forging import forge
from tests.bot.discord.stage import Stage
from tests.bot.features.privacy.erasing import contributed, departures, erasure, people
from tests.bot.present import needs

MONTH = 30 * 86_400.0


async def delete(venue: Any, actor: Any) -> Any:
    """Ask for deletion and confirm it; return the question."""
    asked = await actor.slash(venue.channel, "privacy", action="delete")
    await actor.click(asked.response.message, label="Yes, delete")
    return asked.response.message


async def private(venue: Any, actor: Any) -> Any:
    """The latest private message."""
    return [m for m in venue.channel.history(viewer=actor) if m.flags.ephemeral][-1]


class CountedFailures(Meter):
    """Counts what failed."""

    count = 0

    def failed(self) -> None:
        """Count one."""
        self.count += 1


async def test_a_part_that_fails_does_not_fail_the_page(venue: Any, caplog: Any) -> None:
    """A feature whose part cannot be read has a line that says so; the rest of the page is there.

    A failure in the database, which ends its transaction, is such a failure too.
    """

    async def count_nothing(connection: Transaction, user_id: int) -> dict[str, int]:
        await connection.execute(sql("SELECT abs(-9223372036854775807 - 1)"))
        return {}

    async def fail(*_given: Any) -> str:
        raise LookupError

    failing = PersonalData(order=5, count=count_nothing, describe=fail)
    failures = CountedFailures()
    services = venue.services
    erased = Erasure(
        services.store.database,
        services.sessions,
        services.ratings,
        services.clock,
        lambda: (failing, *(replace(one, describe=None) for one in contributed())),
        meter=failures,
    )
    await Stage(venue, "connect4", venue.channel).begins(venue.ana)
    say = say_in("en")
    described = await erased.described(venue.ana.id, say)
    page = details_text(await erased.record(venue.ana.id), described, say)
    complete = await people(services.store).record(venue.ana.id)
    assert complete is not None
    lines = page.split("\n")
    assert lines.count(say("stored.unread")) == 2
    for key, count in complete.counts.items():
        assert say(key, count=count) in lines
    assert failures.count == 2
    logged = [one for one in caplog.records if "part of the privacy page 5" in one.getMessage()]
    assert len(logged) == 2


@needs("puzzles")
@needs("settings")
async def test_people_see_what_is_stored(venue: Any) -> None:
    """Two private lines say what is kept; the details count everything and name the settings."""
    stage = Stage(venue, "connect4", venue.channel)
    await stage.pair(5)
    await stage.resign(venue.bea)
    await venue.services.ratings.settled(venue.ana.id, 30)
    await venue.services.store.players.set(venue.ana.id, 0.0, pings=False)
    await stage.begins(venue.ana)
    for language, counts in (
        ("en", "Here for you: 2 games, 0 puzzles, since "),
        ("es", "Sobre ti: 2 partidas, 0 problemas, desde el "),
    ):
        venue.speak(language)
        say, shown = (
            say_in(language),
            await venue.ana.slash(venue.channel, "privacy"),
        )
        assert shown.ephemeral
        assert counts in shown.response.content
        details = await venue.ana.click(shown.response.message, label=say("button.details_stored"))
        assert details.ephemeral
        assert say("settings.tell.reminders") in details.response.content
        assert say("settings.tell.pings") not in details.response.content
    text = details.response.content
    assert "Partidas terminadas: 1 · en curso: 1 · jugadas tuyas, con sus tiempos: 3" in text
    assert "Juegos y tamaños con puntaje: 1" in text


async def test_a_deletion_can_be_called_off(venue: Any) -> None:
    """The buttons ask before they delete; a person who keeps everything loses nothing."""
    stage = Stage(venue, "connect4", venue.channel)
    await stage.begins(venue.ana)
    shown = await venue.ana.slash(venue.channel, "privacy")
    asked = await venue.ana.click(shown.response.message, label="Delete everything")
    assert asked.ephemeral
    assert asked.response.content.endswith("It can't be undone.")
    await venue.ana.click(asked.response.message, label="Keep it")
    assert (await private(venue, venue.ana)).content == "Everything stays as it is."
    assert await people(venue.services.store).record(venue.ana.id) is not None


@needs("settings")
async def test_preferences_are_exported_and_deleted(venue: Any) -> None:
    """An export holds the settings; after a deletion nothing of them is left."""
    store, ana = venue.services.store, venue.ana
    await store.preferences.set_person(ana.id, 0.0, theme="dark", language="es", as_text=True)
    shown = await ana.slash(venue.channel, "privacy")
    sent = await ana.click(shown.response.message, label="Descargar")
    (file,) = [one for one in sent.response.attachments if one.filename.endswith("settings.json")]
    exported = json.loads(await file.read())
    assert (exported["theme"], exported["language"], exported["as_text"]) == ("dark", "es", True)
    asked = await ana.click(shown.response.message, label="Borrar todo")
    await ana.click(asked.response.message, label="Sí, borrar")
    assert await store.players.preferences(ana.id) == Preferences()
    again = await ana.slash(venue.channel, "privacy")
    assert "nothing about you" in again.response.content


@needs("settings")
async def test_the_privacy_export_sends_the_same_files(venue: Any) -> None:
    """A person gets the same files as `export` sends, privately."""
    stage = Stage(venue, "gato", venue.channel)
    await stage.pair(5)
    await stage.resign(venue.bea)
    sent = await venue.ana.slash(venue.channel, "privacy", action="export")
    assert sent.ephemeral
    names = [file.filename for file in sent.response.attachments]
    assert names == ["cuatro-games.csv", "cuatro-games.jsonl", "cuatro-settings.json"]


async def test_deletion_ends_games_and_starts_as_new(venue: Any) -> None:
    """A deletion gives running games to the opponent, with a rating; the board says who left."""
    stage = Stage(venue, "connect4", venue.channel)
    await stage.pair(5)
    services = venue.services
    (running,) = await services.sessions.games.running_of(venue.ana.id)
    other = await stage.in_another_channel()
    await other.begins(venue.ana)
    third = await stage.in_another_channel()
    offer = await third.offers(venue.ana, venue.mod)
    await delete(venue, venue.ana)
    assert "Nothing about you is left here." in (await private(venue, venue.ana)).content
    ended = await services.sessions.games.find(running.id)
    assert ended.people == (FORMER_PLAYER, venue.bea.id)
    assert (ended.end.ending, ended.end.winner) == ("resigned", 2)
    assert [change.user_id for change in ended.changes] == [venue.bea.id]
    assert await services.store.games.running() == []
    assert await services.store.challenges.open() == []
    assert "taken back" in third.channel.history()[-1].content or offer is not None
    assert await people(services.store).record(venue.ana.id) is None
    if stage.has("history"):
        assert (await stage.slash(venue.bea, "stats")).response.attachments
        history = await stage.slash(venue.bea, "history")
        assert "a former player" in history.response.attachments[0].description
    await stage.begins(venue.ana)
    assert (await people(services.store).record(venue.ana.id)).games == 0


async def test_a_board_is_not_posted_again_for_a_deleted_game(venue: Any) -> None:
    """A pending update of a deleted game's board posts nothing."""
    stage = Stage(venue, "connect4", venue.channel)
    await stage.begins(venue.ana)
    session = await stage.game()
    await delete(venue, venue.ana)
    posted = len(venue.channel.history())
    await venue.app.core.boards.show(session)
    assert len(venue.channel.history()) == posted


async def test_only_the_person_can_delete_their_data(venue: Any) -> None:
    """A button for deletion works only for its owner."""
    stage = Stage(venue, "connect4", venue.channel)
    await stage.begins(venue.ana)
    asked = await venue.ana.slash(venue.channel, "privacy", action="delete")
    forge(venue, by=venue.bea)
    refused = await venue.ana.click(asked.response, label="Yes, delete")
    assert "from an older version" in refused.response.content
    assert await people(venue.services.store).record(venue.ana.id) is not None


async def test_a_server_that_left_is_forgotten_after_thirty_days(venue: Any) -> None:
    """Thirty days after it left a server's data go and its games end, unless it has come back."""
    stage, services = Stage(venue, "connect4", venue.channel), venue.services
    await stage.begins(venue.ana)
    game = await stage.game()
    guild_id, found = venue.env.guild.id, erasure(services)
    await found.departures.note(guild_id, venue.services.clock())
    services.clock.forward(MONTH - 60)
    await found.purge([])
    assert await services.sessions.games.find(game.id) is not None
    await found.departures.cancel(guild_id)
    services.clock.forward(120)
    await found.purge([guild_id])
    assert not (await services.sessions.games.find(game.id)).is_over
    await found.departures.note(guild_id, venue.services.clock())
    services.clock.forward(MONTH)
    await found.purge([])
    kept = await services.sessions.games.find(game.id)
    assert (kept.guild_id, kept.message_id, kept.end.winner) == (None, None, None)
    assert await departures(services.store).due(1e12) == []


async def test_departed_servers_are_reported_by_discord(venue: Any) -> None:
    """Leaving a server stores the time, and a start that finds the server again clears it."""
    await Stage(venue, "connect4", venue.channel).begins(venue.ana)
    guild = venue.client.get_guild(venue.env.guild.id)
    await venue.client.on_guild_remove(guild)
    async with asyncio.timeout(60):
        while await departures(venue.services.store).due(1e12) != [guild.id]:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    await venue.restart()
    async with asyncio.timeout(60):
        while await departures(venue.services.store).due(1e12):  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_an_export_holds_the_players_games(venue: Any) -> None:
    """An export sends CSV and JSON lines privately, with every finished game of the player."""
    for actor, family in ((venue.ana, "connect4"), (venue.ana, "gato"), (venue.bea, "connect4")):
        stage = Stage(venue, family, venue.channel)
        await stage.begins(actor)
        for _ in range(2):
            await stage.play(actor)
        await stage.resign(actor)
    shown = await venue.ana.slash(venue.channel, "lab export")
    assert shown.ephemeral
    table, lines, *_ = [(await a.read()).decode() for a in shown.response.attachments]
    rows = list(csv.DictReader(io.StringIO(table)))
    assert [row["family"] for row in rows] == ["connect4", "gato"]
    assert [row["result"] for row in rows] == ["loss", "loss"]
    assert [json.loads(line)["family"] for line in lines.splitlines()] == ["connect4", "gato"]
