"""Fixtures of the tests of the local page in a real browser.

The tests use one process of `cuatro` and one page. Set `CUATRO_SCREENSHOTS` to a folder to keep
pictures of the page.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile

import pytest
from playwright.sync_api import Browser, sync_playwright

from bot.app import open_services
from bot.local.local import open_world
from bot.settings import Settings
from bot.store.records import GameSetup, MoveRecord, agent, person
from tests.bot.databases import address_of
from tests.bot.local.page_game import WIDE, Arrive, Person, Store
from tests.builders import ROOT
from tests.children import Child

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
OPENING = "443322"
"""The moves of a game that is going on: the first player has three in a row and both ends open."""
LOGGED = 4000
"""Characters of the log of `cuatro` in the report of a test that fails."""


def browser_path() -> str:
    """A Chromium on this machine; skips the test if there is none, except under CI."""
    found = os.environ.get("CUATRO_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), "")
    if not found:
        assert not os.environ.get("CI"), "CI must have a Chromium: apt-get install chromium"
        pytest.skip("no Chromium found: install one or set CUATRO_CHROMIUM to its path")
    return found


@pytest.fixture(scope="module")
def page_store(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Store:
    """The database of `cuatro`, in which a game is going on."""
    file = Path(copyfile(migrated, tmp_path_factory.mktemp("page") / "page.db"))
    asyncio.run(begin_game(address_of(file)))
    return Store(file)


async def begin_game(address: str) -> None:
    """Store a game of the first person of the page, whose turn it is."""
    async with (
        open_services(Settings(database_url=address, workers=1)) as services,
        open_world(services) as world,
    ):
        channel, ana = world.channel, world.people[0].id
        seats = person(ana), agent("easy")
        opening = GameSetup("connect4", "6x7", channel.id, channel.guild.id, "en", *seats, ana)
        games = services.store.games
        game = await games.add(opening, time.time())
        for number, move in enumerate(OPENING, 1):
            player = 2 - number % 2
            who = ana if player == 1 else None
            record = MoveRecord(player, who, move, False, time.time(), 1.0)
            await games.append(game, number, record, look_at=None)


@pytest.fixture(scope="module")
def page_cuatro(page_store: Store) -> Iterator[Child]:
    """A running `cuatro`, which has printed its address; afterwards Ctrl-C must stop it cleanly."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("DISCORD_")},
        "CUATRO_PORT": "0",
        "DATABASE_URL": address_of(page_store.file),
        "PYTHONPATH": str(ROOT),
    }
    folder = page_store.file.parent
    with Child(sys.executable, "-m", "bot", cwd=folder, env=environment, patience=60) as cuatro:
        cuatro.line(r"http://127\.0\.0\.1:\S+")
        yield cuatro
    ended = cuatro.wait()
    assert ended.status == 0, ended.err
    assert "Stopped." in ended.out
    assert "Traceback" not in ended.err, ended.err


@pytest.fixture(scope="module")
def page_browser(page_store: Store) -> Iterator[Browser]:
    """A browser; the database is made before, since Playwright keeps an event loop running."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path(),
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ],
        )
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def open_pages() -> Iterator[list[Person]]:
    """The open page, if there is one; it is closed at the end."""
    pages: list[Person] = []
    yield pages
    for opened in pages:
        opened.page.close()


@pytest.fixture
def arrive(resume: Arrive, page_store: Store) -> Arrive:
    """Open the page for a person in a window of some size, while no game is going on."""
    if page_store.is_playing():
        # The test that goes on with the stored game has not run.
        arrived = resume(WIDE)
        arrived.leave(arrived.speak("en"))
    return resume


@pytest.fixture
def resume(
    page_browser: Browser, page_cuatro: Child, page_store: Store, open_pages: list[Person]
) -> Iterator[Arrive]:
    """Open the page for a person in a window of some size, also while a game is going on.

    All tests use one page, since loading it costs more than most of them, unless a test fails. The
    report of a test that fails has what `cuatro` has logged.
    """
    address = re.findall(r"http://127\.0\.0\.1:\S+", page_cuatro.output)[0]

    def open_window(size: tuple[int, int]) -> Person:
        if open_pages and open_pages[0].is_idle():
            open_pages[0].resize(size)
            return open_pages[0]
        if open_pages:
            # The last test has failed and has left something open.
            open_pages.pop().page.close()
        open_pages.append(Person(page_browser, address, page_store, size))
        return open_pages[0]

    yield open_window
    if page_store.is_playing():
        # The test has failed: its game would be in the way of the next ones.
        open_pages.pop().page.close()
        arrived = open_window(WIDE)
        arrived.leave(arrived.speak("en"))
    sys.stdout.write(page_cuatro.output[-LOGGED:])
