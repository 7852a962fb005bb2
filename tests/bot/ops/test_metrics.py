"""The figures of `/metrics` while a real bot plays on the stand-in Discord."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from shutil import copyfile

import pytest
from discord.http import Route
from prometheus_client.parser import text_string_to_metric_families

from bot.ops import health
from bot.ops.health import Link, Monitor
from bot.ops.metrics import Metrics
from bot.settings import Settings
from bot.store.records import GameSetup, person
from bot.store.store import Store
from engine.core.jobs import Job
from engine.core.registry import game_of, games
from tests.bot.discord_server import DiscordServer
from tests.bot.engine_jobs import Slow, doing
from tests.bot.ops.rules import Scrape
from tests.bot.ops.stage import (
    TIMEOUT,
    Watched,
    eventually,
    free_port,
    get,
    watched_bot,
)
from tests.bot.present import needs
from tests.bot.running import run_services
from tests.bot.stand_in.faults import breaks, fails


def value(scrape: Scrape, name: str, **labels: str) -> float:
    """The sum of a metric's samples with these labels; 0 if there is none."""
    return sum(
        found
        for sample, given, found in scrape.samples
        if sample == name and labels.items() <= given.items()
    )


async def counts(bot: Watched, name: str, least: float, **labels: str) -> None:
    """Wait until a metric has at least this value."""

    async def so() -> bool:
        return value(await bot.scrape(), name, **labels) >= least

    await eventually(so)


async def play(bot: Watched) -> None:
    """Start a game, make a move, and wait for the answer and its board."""
    await bot.start_game(size="5x4", level="medium")
    await bot.drop(2)
    await counts(bot, "cuatro_moves_total", 1, by="agent")
    await bot.edited(1)


async def test_moves_and_games_are_counted(bot: Watched) -> None:
    """Moves are counted by family and player, games by their end, running games from the store."""
    await play(bot)
    scrape = await bot.scrape()
    assert value(scrape, "cuatro_games_started_total", family="connect4") == 1
    assert value(scrape, "cuatro_moves_total", family="connect4", by="person") == 1
    assert value(scrape, "cuatro_moves_total", family="connect4", by="agent") == 1
    running = {family: value(scrape, "cuatro_open_games", family=family) for family in games()}
    assert running == {"connect4": 1, "gato": 0, "boom": 0}
    await bot.server.resign()
    scrape = await bot.scrape()
    assert value(scrape, "cuatro_games_ended_total", family="connect4", reason="aborted") == 1
    assert value(scrape, "cuatro_open_games") == 0


async def test_searches_are_counted_by_level(bot: Watched) -> None:
    """Searches are counted by level, with their nodes, time and waiting time."""
    await play(bot)
    scrape, medium = await bot.scrape(), {"level": "medium"}
    assert value(scrape, "cuatro_searches_total", outcome="found", **medium) == 1
    assert value(scrape, "cuatro_search_nodes_total", **medium) > 0
    assert value(scrape, "cuatro_search_seconds_sum", **medium) > 0
    assert value(scrape, "cuatro_search_seconds_count", **medium) == 1
    assert value(scrape, "cuatro_search_wait_seconds_count", **medium) == 1
    assert value(scrape, "cuatro_search_failures_total") == 0


@needs("proposals")
async def test_an_unneeded_search_is_stopped(bot: Watched) -> None:
    """A search that an undo ends counts as stopped, not as finished or failed."""
    await bot.start_game(size="8x8", level="perfect")
    await bot.drop(4)
    await bot.server.answer(await bot.server.command("undo"))
    await counts(bot, "cuatro_searches_total", 1, level="perfect", outcome="stopped")
    scrape = await bot.scrape()
    assert value(scrape, "cuatro_searches_total") == 1
    assert value(scrape, "cuatro_search_failures_total") == 0


async def test_edits_are_counted_by_route_and_result(bot: Watched) -> None:
    """A board edit that the channel refuses and the token makes counts once for each route."""
    board = await bot.start_game(size="5x4", level="easy")
    bot.server.faults.on("PATCH", board["id"], fails(50001), times=None)
    await bot.drop(1)
    await counts(bot, "cuatro_edits_total", 1, route="token", result="200")
    scrape = await bot.scrape()
    assert value(scrape, "cuatro_edits_total", route="channel", result="403") >= 1
    assert value(scrape, "cuatro_edits_total", route="channel", result="200") == 0
    assert value(scrape, "cuatro_posts_total", route="answer", result="200") == 2


async def test_undeliverable_messages_are_counted(
    bot: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A message whose connection fails is counted."""
    monkeypatch.setattr(Route, "BASE", f"http://127.0.0.1:{free_port()}")
    await bot.server.command("start", size="5x4", level="easy")
    await counts(bot, "cuatro_posts_total", 1, route="answer", result="unreachable")


async def test_refusals_are_counted_by_key(bot: Watched) -> None:
    """Refusals are counted by the key of their text."""
    await bot.drop(1)
    await bot.drop(1)
    await bot.start_game(size="5x4", level="easy")
    await bot.drop(9)
    scrape = await bot.scrape()
    assert value(scrape, "cuatro_refusals_total", key="no_game") == 2
    assert value(scrape, "cuatro_refusals_total") == 3
    assert value(scrape, "cuatro_failures_total") == 0


async def test_writes_and_the_loop_are_timed(bot: Watched) -> None:
    """Every transaction is timed, and the delay of the event loop is measured all the time."""
    before = value(await bot.scrape(), "cuatro_write_seconds_count")
    await bot.start_game(size="5x4", level="easy")
    assert value(await bot.scrape(), "cuatro_write_seconds_count") > before
    await counts(bot, "cuatro_loop_lag_seconds_count", 2)


async def test_answers_that_are_due_are_counted(
    bot: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer is due from the move until the agent has answered; due is not yet overdue."""
    engine = Slow()
    monkeypatch.setattr(Job, "run", doing(engine))
    await bot.start_game(size="5x4", level="easy")
    await bot.drop(1)
    await counts(bot, "cuatro_answers_due", 1)
    scrape = await bot.scrape()
    assert value(scrape, "cuatro_answers_overdue") == 0
    engine.may.set()

    async def answered() -> bool:
        return value(await bot.scrape(), "cuatro_answers_due") == 0

    await eventually(answered)


async def test_a_figure_that_has_to_wait_delays_no_other(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A figure that cannot be looked up at once does not delay the others."""
    monkeypatch.setattr(health, "CHECK_TIMEOUT", 0.2)
    goes_on, metrics, port = asyncio.Event(), Metrics(), free_port()

    async def held_up() -> int:
        await goes_on.wait()
        return 7

    async def figures() -> Scrape:
        found = await asyncio.wait_for(get(port, "/metrics"), TIMEOUT)
        return Scrape(found[1] if found else None)

    alone = replace(settings, health_port=0, metrics_port=port)
    async with (
        run_services(alone, meter=metrics) as services,
        Monitor(services, metrics, lambda: [Link(True, True)], held_up).open(),
    ):
        game = game_of("connect4", "5x4")
        await services.sessions.start(
            GameSetup(game.key, game.variant, 1, None, "en", person(1), person(2), 1)
        )

        async def counted() -> bool:
            return value(await figures(), "cuatro_open_games", family="connect4") == 1

        async def made_up() -> bool:
            return value(await figures(), "cuatro_boards_differing") == 7

        try:
            await eventually(counted)
        finally:
            goes_on.set()
        await eventually(made_up)


async def test_changes_that_are_stored_together_count_one_by_one(settings: Settings) -> None:
    """Changes that are committed together are counted one by one when they are on disk."""
    metrics = Metrics()
    store = Store(settings.database_url, metrics)
    await store.open()
    await asyncio.gather(*(store.notes.put(f"note {one}", "there") for one in range(10)))
    with pytest.raises(ZeroDivisionError):
        async with store.database.writing():
            raise ZeroDivisionError
    await store.close()
    assert metrics.registry.get_sample_value("cuatro_write_seconds_count") == 10


async def test_a_shown_board_no_longer_differs(bot: Watched) -> None:
    """A board that could not be shown counts as differing until it is shown."""
    board = await bot.start_game(size="5x4", level="easy")
    bot.server.faults.on("PATCH", board["id"], breaks(400), times=None)
    await bot.drop(1)
    await counts(bot, "cuatro_boards_differing", 1)
    await counts(bot, "cuatro_moves_total", 1, by="agent")
    bot.server.faults.clear()
    await bot.drop(2)

    async def shown() -> bool:
        return value(await bot.scrape(), "cuatro_boards_differing") == 0

    await eventually(shown)


async def test_two_bots_count_for_themselves(bot: Watched, tmp_path: Path, migrated: Path) -> None:
    """Two bots in one process have separate figures."""
    async with DiscordServer() as server:
        file = Path(copyfile(migrated, tmp_path / "second.db"))
        async with watched_bot(server, file) as second:
            await play(second)
            assert value(await second.scrape(), "cuatro_moves_total") == 2
            assert value(await bot.scrape(), "cuatro_moves_total") == 0


async def test_the_text_is_prometheus_own(bot: Watched) -> None:
    """The text is valid for Prometheus, every metric has a help text, and process figures exist."""
    found = await get(bot.settings.metrics_port, "/metrics")
    assert found is not None
    families = {family.name: family for family in text_string_to_metric_families(found[1])}
    assert "process_resident_memory_bytes" in families
    assert all(family.documentation for family in families.values())
    assert all(family.type != "unknown" for family in families.values())


async def test_a_token_is_in_no_figure(bot: Watched) -> None:
    """Neither the bot's token nor an interaction's is in a label."""
    board = await bot.start_game(size="5x4", level="easy")
    bot.server.faults.on("PATCH", board["id"], fails(50001), times=None)
    await bot.drop(1)
    await counts(bot, "cuatro_edits_total", 1, route="token", result="200")
    text = (await bot.scrape()).text or ""
    assert bot.settings.token not in text
    assert "interaction-" not in text
