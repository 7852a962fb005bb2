"""The health of a running bot, over HTTP and by `cuatro health`."""

from __future__ import annotations

import asyncio
import io
import sqlite3
import sys
import time
from contextlib import redirect_stdout
from dataclasses import replace
from functools import partial
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

from bot.__main__ import main
from bot.ops import health
from bot.ops.health import Degraded, Link, Monitor, Reading, check_cluster, open_ports
from bot.ops.metrics import Metrics
from bot.run import online
from bot.settings import Settings
from bot.workers.remote import RemoteEngine
from bot.workers.workers import Workers
from engine.core.jobs import Job
from engine.core.limits import Stop
from engine.strength.roster import ChooseMove
from tests.bot.databases import address_of
from tests.bot.discord_server import DiscordServer
from tests.bot.engine_jobs import Slow, doing
from tests.bot.ops.stage import (
    Watched,
    eventually,
    free_port,
    get,
    settings_for,
    stop,
    watched_bot,
)
from tests.bot.running import run_services
from tests.bot.stand_in.faults import breaks

pytestmark = pytest.mark.long

VITALS = ["gateway", "database", "file", "answers", "loop"]


async def no_readings() -> tuple[Reading, ...]:
    """Health without any readings."""
    return ()


async def no_metrics() -> bytes:
    """Metrics without any figures."""
    return b""


async def cuatro_health(**environment: str) -> tuple[int, str]:
    """The exit status and output of `cuatro health`."""
    printed = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(printed):
        for name, value in environment.items():
            patch.setenv(name, value)
        status = await asyncio.to_thread(main, ["health"])
    return status, printed.getvalue()


def environment(bot: Watched, **others: str) -> dict[str, str]:
    """The environment variables of the bot."""
    port = str(bot.settings.health_port)
    url = bot.settings.database_url
    return {"CUATRO_HEALTH_PORT": port, "DATABASE_URL": url, **others}


async def test_a_healthy_bot_reports_it(bot: Watched) -> None:
    """A healthy bot is alive and ready, and has a good line for each vital."""
    assert await get(bot.settings.health_port, "/healthz") == (200, "alive\n")
    status, lines = await bot.ready()
    assert status == 200
    assert list(lines) == VITALS
    assert all(line.startswith("ok ") for line in lines.values())


async def test_cuatro_health_prints_the_vitals(bot: Watched) -> None:
    """`cuatro health` exits with 0 for a healthy bot and prints a line for each vital."""
    status, out = await cuatro_health(**environment(bot))
    assert status == 0
    assert [line.split()[1].rstrip(":") for line in out.splitlines()] == VITALS


async def test_cuatro_health_reports_an_unhealthy_bot(
    bot: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`cuatro health` exits with 1 if a vital fails, and its line gives the reason."""
    monkeypatch.setattr(health, "HEARTBEAT_GRACE", 0.5)
    bot.server.gateway.acknowledges = False
    await bot.becomes(503, "gateway", "FAILS")
    status, out = await cuatro_health(**environment(bot))
    assert status == 1
    assert "FAILS gateway: no heartbeat has been acknowledged" in out


async def test_a_cluster_that_is_away_is_a_warning(settings: Settings) -> None:
    """A cluster that is down is a warning in the line and the metric, and the bot stays healthy."""
    metrics = Metrics()
    ports = {"health_port": free_port(), "metrics_port": free_port()}
    alone = replace(settings, **ports, cluster="tcp://127.0.0.1:1", cluster_places=2)

    async def no_boards() -> int:
        return 0

    async with (
        run_services(alone, meter=metrics) as services,
        Monitor(services, metrics, lambda: [Link(True, True)], no_boards).open(),
    ):

        async def so() -> bool:
            found = await get(alone.health_port, "/readyz")
            line = "WARN  cluster: takes no jobs, they are done here"
            return found is not None and found[0] == 200 and line in found[1]

        await eventually(so)
        found = await get(alone.metrics_port, "/metrics")
    assert found is not None
    assert 'cuatro_vital{vital="cluster"} 0.0' in found[1]
    assert 'cuatro_vital{vital="database"} 1.0' in found[1]
    assert "cuatro_cluster_places_wanted 2.0" in found[1]


async def test_the_state_of_a_cluster_is_reported() -> None:
    """The line of a cluster says whether it is complete, too small, or has an open circuit."""

    class LosingCluster:
        """A cluster with two places that loses all jobs."""

        places = 2

        async def answer(self, job: Job, seconds: float, stop: Stop | None = None) -> Any:
            raise OSError("lost")

        async def probe(self, seconds: float) -> None:
            raise OSError("lost")

    found = RemoteEngine(LosingCluster(), wanted=3)
    found.changed(2)
    workers = Workers(1, remote=found)
    with pytest.raises(Degraded, match="takes only 2 jobs at a time, not 3"):
        await check_cluster(workers)
    job = Job("connect4", "5x4", (), ChooseMove("easy"))
    for _ in range(2):
        assert await workers.do(job)
    with pytest.raises(Degraded, match="they are done here until probes come back"):
        await check_cluster(workers)
    await found.close()
    workers.close()
    well = Workers(1, remote=RemoteEngine(LosingCluster(), wanted=2))
    assert await check_cluster(well) == "takes 2 jobs at a time"
    well.close()


@pytest.mark.parametrize("address", ["0.0.0.0", "127.0.0.3"])  # noqa: S104
async def test_the_port_opens_on_the_address_that_is_set(
    server: DiscordServer, tmp_path: Path, migrated: Path, address: str
) -> None:
    """The port opens on the configured address, where `cuatro health` finds it as well."""
    file = Path(copyfile(migrated, tmp_path / "open.db"))
    settings = replace(settings_for(server, file), health_address=address)
    async with open_ports(settings, no_readings, no_metrics):

        async def is_reached() -> bool:
            status, _ = await cuatro_health(
                CUATRO_HEALTH_PORT=str(settings.health_port),
                CUATRO_HEALTH_ADDRESS=address,
                DATABASE_URL=settings.database_url,
            )
            return status == 0

        await eventually(is_reached)
        other_address = await cuatro_health(
            CUATRO_HEALTH_PORT=str(settings.health_port), DATABASE_URL=settings.database_url
        )
    assert other_address[0] == (0 if address == "0.0.0.0" else 1)  # noqa: S104


async def test_cuatro_health_without_a_bot() -> None:
    """Without a running bot `cuatro health` exits with 1 and names the port and the setting."""
    port = str(free_port())
    status, out = await cuatro_health(CUATRO_HEALTH_PORT=port)
    assert status == 1
    assert f"No bot answers on port {port} (CUATRO_HEALTH_PORT)" in out


async def test_cuatro_health_knows_its_own_bot(bot: Watched, tmp_path: Path) -> None:
    """`cuatro health` ignores another bot on the port, which it recognises by the database."""
    other = address_of(tmp_path / "other.db")
    status, out = await cuatro_health(**environment(bot, DATABASE_URL=other))
    assert status == 1
    assert "Another bot answers here" in out


async def test_a_bot_that_has_not_connected_is_alive_and_not_ready(
    server: DiscordServer, tmp_path: Path, migrated: Path
) -> None:
    """Before it is connected to Discord a bot is alive but not ready, and its gateway fails."""
    # discord.py retries that for half a minute.
    server.faults.on("*", "@me", breaks(500), times=None)
    file = Path(copyfile(migrated, tmp_path / "early.db"))
    seen = Watched(server, settings_for(server, file), file)
    bot = asyncio.create_task(online.serve(seen.settings))
    try:
        await seen.becomes(503, "gateway", "FAILS not connected")
        assert await get(seen.settings.health_port, "/healthz") == (200, "alive\n")
    finally:
        await stop(bot)


async def test_a_disconnected_bot_is_reported(bot: Watched) -> None:
    """A bot without its gateway connection is unhealthy, and recovers by itself."""
    bot.server.gateway.close_code = 4000
    await bot.server.hang_up()
    await bot.becomes(503, "gateway", "FAILS")
    bot.server.gateway.close_code = None
    await bot.becomes(200, "gateway", "ok")


async def test_unanswered_heartbeats_are_no_connection(
    bot: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection on which no heartbeat is acknowledged counts as lost."""
    monkeypatch.setattr(health, "HEARTBEAT_GRACE", 0.5)
    bot.server.gateway.acknowledges = False
    await bot.becomes(503, "gateway", "FAILS no heartbeat has been acknowledged")
    assert bot.server.bots
    bot.server.gateway.acknowledges = True
    await bot.becomes(200, "gateway", "ok")


async def test_a_locked_database_takes_no_test_write(
    bot: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While another program locks the database the bot is unhealthy; afterwards it recovers."""
    monkeypatch.setattr(health, "CHECK_TIMEOUT", 0.2)
    holder = sqlite3.connect(bot.database, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    try:
        await bot.becomes(503, "database", "FAILS no answer within 0.2 s")
    finally:
        holder.execute("ROLLBACK")
        holder.close()
    monkeypatch.setattr(health, "CHECK_TIMEOUT", 30.0)
    await bot.becomes(200, "database", "ok")


async def test_a_test_write_is_made(bot: Watched) -> None:
    """A health check writes to the very database file that it reports on."""
    reader = sqlite3.connect(bot.database)
    reader.execute("DELETE FROM notes WHERE name = 'health'")
    reader.commit()
    await bot.ready()
    found = reader.execute("SELECT text FROM notes WHERE name = 'health'").fetchall()
    reader.close()
    assert found


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be moved there")
async def test_a_deleted_database_is_noticed(bot: Watched) -> None:
    """While its database file is missing the bot is unhealthy, until it or a copy is put back."""
    aside = bot.database.with_suffix(".aside")
    for give_back in (aside.rename, partial(copyfile, aside)):
        bot.database.rename(aside)
        await bot.becomes(503, "file", "is gone")
        await bot.becomes(503, "database", "is no longer there")
        give_back(bot.database)
        await bot.becomes(200, "file", "ok")


async def test_a_late_answer_is_overdue(bot: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot whose agent's answer is overdue is unhealthy until the answer is made."""
    monkeypatch.setattr(health, "OVERDUE", 0.0)
    engine = Slow()
    monkeypatch.setattr(Job, "run", doing(engine))
    await bot.start_game(size="5x4", level="easy")
    await bot.drop(1)
    await bot.becomes(503, "answers", "FAILS 1 overdue")
    engine.may.set()
    await bot.becomes(200, "answers", "ok none is overdue")


async def test_a_person_who_thinks_is_not_overdue(
    bot: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person's turn never counts as an overdue answer."""
    monkeypatch.setattr(health, "OVERDUE", -1.0)
    await bot.start_game(size="5x4", level="easy", clock="30s")
    assert (await bot.ready())[0] == 200


async def test_a_blocked_event_loop_is_reported(bot: Watched) -> None:
    """An event loop that was blocked for over a second is reported for a while."""
    await asyncio.sleep(0.3)
    time.sleep(1.5)  # noqa: ASYNC251 - that is the fault
    await bot.becomes(503, "loop", "FAILS held up for")


async def test_a_port_that_is_taken_is_opened_later(
    bot: Watched,
    tmp_path: Path,
    migrated: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A bot whose port is in use plays, logs it, and answers once the port is free."""
    monkeypatch.setattr(health, "RETRY_SECONDS", 0.1)
    listener = await asyncio.start_server(lambda _reader, _writer: None, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    file = Path(copyfile(migrated, tmp_path / "second.db"))
    settings = replace(settings_for(bot.server, file), health_port=port)
    second = asyncio.create_task(online.serve(settings))
    try:
        await bot.server.until(lambda: len(bot.server.bots) == 2)
        assert f"CUATRO_HEALTH_PORT {port} cannot be used yet" in caplog.text
        listener.close()
        await listener.wait_closed()

        async def answers() -> bool:
            return await get(port, "/healthz") == (200, "alive\n")

        await eventually(answers)
    finally:
        await stop(second)


async def test_the_ports_close_with_the_bot(
    server: DiscordServer, tmp_path: Path, migrated: Path
) -> None:
    """The ports of a bot that has ended are closed."""
    async with watched_bot(server, Path(copyfile(migrated, tmp_path / "short.db"))) as bot:
        settings = bot.settings
    assert await get(settings.health_port, "/healthz") is None
    assert await get(settings.metrics_port, "/metrics") is None
