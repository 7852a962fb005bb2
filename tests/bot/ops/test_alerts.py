"""Every alert of docs/alerts.yml is raised by its own fault, and none by a healthy bot."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from shutil import copyfile

import pytest

from bot.ops import health
from bot.ops.health import Link, Monitor
from bot.ops.metrics import Metrics
from bot.settings import Settings
from bot.store.records import GameSetup, agent, person
from engine.core.analysis import SearchResult
from engine.core.jobs import Job
from engine.core.limits import Stop
from tests.bot.discord_server import DiscordServer
from tests.bot.engine_jobs import RUN, doing
from tests.bot.ops.rules import Scrape, is_raised, names_in, rules
from tests.bot.ops.stage import Watched, eventually, free_port, get, watched_bot
from tests.bot.running import run_services
from tests.bot.stand_in.faults import breaks
from tests.builders import ROOT
from tests.deploy import test_fleet_alerts as fleet_alerts

pytestmark = pytest.mark.long

OPERATIONS = (ROOT / "docs" / "operations.md").read_text("utf-8")
RULES = rules()
Patch = pytest.MonkeyPatch
Scene = Callable[[Watched, Patch], Awaitable[None]]


async def stop_acknowledging(bot: Watched, patch: Patch) -> None:
    """The gateway acknowledges no heartbeat."""
    patch.setattr(health, "HEARTBEAT_GRACE", 0.5)
    bot.server.gateway.acknowledges = False


async def be_locked_out(bot: Watched, patch: Patch) -> None:
    """Another program holds the database."""
    patch.setattr(health, "CHECK_TIMEOUT", 0.2)
    lock(bot.database, 2.0)


async def lose_the_file(bot: Watched, _patch: Patch) -> None:
    """The database is deleted."""
    bot.database.unlink()


async def let_an_agent_think(bot: Watched, patch: Patch) -> None:
    """An agent takes longer than allowed."""
    patch.setattr(health, "OVERDUE", 0.0)
    await bot.start_game(size="8x8", level="perfect")
    await bot.drop(4)


async def refuse_one_edit(bot: Watched, _patch: Patch) -> None:
    """Discord refuses to show a board, by any route."""
    board = await bot.start_game(size="5x4", level="easy")
    bot.server.faults.on("PATCH", board["id"], breaks(400), times=None)
    await bot.drop(1)


async def refuse_all_edits(bot: Watched, _patch: Patch) -> None:
    """Discord refuses edit after edit."""
    board = await bot.start_game(size="8x8", level="easy")
    bot.server.faults.on("PATCH", board["id"], breaks(400), times=None)
    for turn in range(6):
        await bot.drop(turn + 1)
        await bot.edited(turn + 1)


async def play_without_a_file(bot: Watched, _patch: Patch) -> None:
    """A person makes a move while the database is gone."""
    await bot.start_game(size="5x4", level="easy")
    bot.database.rename(bot.database.with_suffix(".aside"))
    await bot.drop(1)


async def break_a_table(bot: Watched, _patch: Patch) -> None:
    """An unforeseen error happens: a table is missing."""
    await bot.start_game(size="5x4", level="easy")
    database = sqlite3.connect(bot.database)
    database.execute("DROP TABLE moves")
    database.close()
    await bot.drop(1)


async def damage_a_game(bot: Watched, _patch: Patch) -> None:
    """A running game has a variant that does not exist."""
    await bot.start_game(size="5x4", level="easy")
    database = sqlite3.connect(bot.database)
    database.execute("UPDATE games SET variant = '99x99'")
    database.commit()
    database.close()
    await bot.server.answer(await bot.server.command("games"))


async def break_the_engine(bot: Watched, patch: Patch) -> None:
    """Searches crash."""

    def broken(*_: object) -> None:
        raise ArithmeticError("the search is broken")

    patch.setattr(Job, "run", doing(broken))
    await bot.start_game(size="5x4", level="easy")
    await bot.drop(1)


async def damage_a_rated_game(bot: Watched, _patch: Patch) -> None:
    """A stored move of a finished game cannot be read."""
    await bot.start_game(size="5x4", level="easy")
    for turn in (1, 2):
        await bot.drop(turn)
        # A board may be edited before Cuatro has answered; then the next move would be refused.
        await bot.stored(moves=2 * turn)

    def damage() -> None:
        with closing(sqlite3.connect(bot.database)) as database, database:
            database.execute("UPDATE moves SET move = '99' WHERE number = 1")

    # In a thread, because the bot may have to finish a change first.
    await asyncio.to_thread(damage)
    await bot.server.resign()


async def hold_up_the_loop(_bot: Watched, _patch: Patch) -> None:
    """A blocking call holds the event loop."""
    await asyncio.sleep(0.3)
    time.sleep(1.5)  # noqa: ASYNC251 - that is the fault


async def write_slowly(bot: Watched, _patch: Patch) -> None:
    """A write waits for another program for more than a second."""
    lock(bot.database, 1.5)
    await bot.start_game(size="5x4", level="easy")


SCENES: dict[str, Scene] = {
    "CuatroIsCutOff": stop_acknowledging,
    "CuatroCannotStore": be_locked_out,
    "CuatroLostItsFile": lose_the_file,
    "CuatroTurnsPeopleAway": play_without_a_file,
    "CuatroAnswersAreOverdue": let_an_agent_think,
    "CuatroBoardsDiffer": refuse_one_edit,
    "CuatroEditsFail": refuse_all_edits,
    "CuatroRequestsFail": break_a_table,
    "CuatroGamesAreUnreadable": damage_a_game,
    "CuatroSearchesFail": break_the_engine,
    "CuatroGamesUnsettled": damage_a_rated_game,
    "CuatroIsHeldUp": hold_up_the_loop,
    "CuatroWritesSlowly": write_slowly,
}
"""The faults by alert, except for two alerts that have tests of their own."""
OTHERS = {"CuatroIsDown", "CuatroSearchesQueue"} | fleet_alerts.ALERTS


def lock(database: Path, seconds: float) -> None:
    """Hold a database's lock for some time, as another program does."""
    holder = sqlite3.connect(database, isolation_level=None, check_same_thread=False)
    holder.execute("BEGIN IMMEDIATE")
    threading.Timer(seconds, holder.close).start()


async def no_board() -> int:
    """The number of differing boards without Discord."""
    return 0


def raised(before: Scrape, now: Scrape) -> set[str]:
    """The alerts that are raised now."""
    return {name for name, rule in RULES.items() if is_raised(rule["expr"], before, now)}


def test_every_alert_has_a_test() -> None:
    """Every alert has a fault that raises it."""
    assert {*SCENES, *OTHERS} == set(RULES)


HELD_UP = "CuatroIsHeldUp"
"""An alert that other programs on the machine can raise."""


async def test_a_healthy_bot_fires_no_alert(bot: Watched) -> None:
    """A healthy bot that plays a game raises no alert of its own."""
    before = await bot.scrape()
    await bot.start_game(size="5x4", level="easy")
    await bot.drop(1)
    await bot.edited(1)
    # The board with the answer may still be on its way, which is why the rule has a `for`.

    async def is_none_raised() -> bool:
        return raised(before, await bot.scrape()) <= {HELD_UP}

    await eventually(is_none_raised)


@pytest.mark.parametrize("alert", SCENES)
async def test_an_alert_is_raised(alert: str, bot: Watched, monkeypatch: Patch) -> None:
    """The fault of an alert raises it, by the metrics that the real bot answers to Prometheus."""
    before = await bot.scrape()
    # A busy machine may delay the event loop during startup, but nothing else may be wrong.
    assert raised(before, before) - ({HELD_UP} - {alert}) == set()
    await SCENES[alert](bot, monkeypatch)

    async def is_raised_now() -> bool:
        return alert in raised(before, await bot.scrape())

    await eventually(is_raised_now)


async def test_a_bot_that_is_down_raises_its_alert(
    server: DiscordServer, tmp_path: Path, migrated: Path
) -> None:
    """A bot that has ended raises the alert for a bot that is down."""
    async with watched_bot(server, Path(copyfile(migrated, tmp_path / "games.db"))) as bot:
        before = await bot.scrape()
    assert raised(before, await bot.scrape()) == {"CuatroIsDown", "CuatroIsMissing"}


async def test_a_queue_of_searches_raises_its_alert(settings: Settings, monkeypatch: Patch) -> None:
    """Ten players with a single busy search thread raise the alert for queued searches."""
    goes_on, metrics, port = threading.Event(), Metrics(), free_port()

    def slow(job: Job, stop: Stop | None = None) -> SearchResult:
        goes_on.wait(60)
        return RUN(job, stop)

    monkeypatch.setattr(Job, "run", doing(slow))
    busy = replace(settings, workers=1, health_port=0, metrics_port=port)
    async with (
        run_services(busy, meter=metrics) as services,
        Monitor(services, metrics, lambda: [Link(True, True)], no_board).open(),
    ):
        replies = []
        for channel in range(1, 11):
            order = GameSetup(
                "connect4", "5x4", channel, None, "en", agent("easy"), person(channel), channel
            )
            await services.sessions.start(order)
            replies.append(asyncio.create_task(services.sessions.reply(channel)))

        async def is_raised_now() -> bool:
            found = await get(port, "/metrics")
            now = Scrape(found[1] if found else None)
            return "CuatroSearchesQueue" in raised(now, now)

        try:
            await eventually(is_raised_now)
        finally:
            goes_on.set()
            await asyncio.gather(*replies)
        found = await get(port, "/metrics")
    assert found is not None
    assert "cuatro_searches_waiting 0.0" in found[1]


async def test_rules_and_documents_name_existing_metrics(bot: Watched) -> None:
    """Metrics in rules and in the manual exist, and every metric is in the manual."""
    scrape = await bot.scrape()
    answered = {name for name, _, _ in scrape.samples} | scrape.families
    for name, rule in RULES.items():
        assert names_in(rule["expr"]) <= answered, name
    families = set(re.findall(r"# TYPE (cuatro_\w+?)(?:_total)? ", scrape.text or ""))
    families = {name for name in families if not name.endswith("_created")}
    documented = {name.removesuffix("_total") for name in re.findall(r"\bcuatro_\w+", OPERATIONS)}
    assert documented == families


@pytest.mark.parametrize("alert", RULES)
def test_an_alert_leads_to_the_manual(alert: str) -> None:
    """The runbook link of each alert leads to a heading of docs/operations.md that names it."""
    document, anchor = RULES[alert]["annotations"]["runbook"].split("#")
    assert document == "docs/operations.md"
    headings = re.findall(r"^#+ (.+)$", OPERATIONS, re.MULTILINE)
    assert anchor in {re.sub(r"[^a-z0-9]+", "-", head.lower()).strip("-") for head in headings}
    assert alert in OPERATIONS
