"""The local page in a real browser: a person plays from `cuatro` alone."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect, sync_playwright

ROOT = Path(__file__).parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def browser_path() -> str:
    """A Chromium on this machine; skips the test where there is none, except under CI."""
    found = os.environ.get("CUATRO_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), "")
    if not found:
        assert not os.environ.get("CI"), "CI must have a Chromium: apt-get install chromium"
        pytest.skip("no Chromium found: install one or set CUATRO_CHROMIUM to its path")
    return found


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The address that `cuatro` prints; stopped with Ctrl-C afterwards, which must be clean."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("DISCORD_")},
        "CUATRO_PORT": "0",
        "DATABASE_URL": f"sqlite+aiosqlite:///{(tmp_path / 'page.db').as_posix()}",
        "PYTHONPATH": str(ROOT),
    }
    cuatro = subprocess.Popen(
        [sys.executable, "-m", "bot"],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert cuatro.stdout is not None
        lines = (re.search(r"http://127\.0\.0\.1:\S+", line) for line in cuatro.stdout)
        found = next(filter(None, lines))
        yield found[0]
    finally:
        cuatro.send_signal(signal.SIGINT)
        rest, errors = cuatro.communicate(timeout=60)
    assert cuatro.returncode == 0, errors
    assert "Stopped." in rest
    assert "Traceback" not in errors


@pytest.fixture
def page(address: str) -> Iterator[Page]:
    """The page, open in a browser."""
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
        opened = browser.new_page(viewport={"width": 1100, "height": 1000})
        opened.goto(address)
        yield opened
        browser.close()


def enter(page: Page, line: str) -> None:
    """Type a line into the composer and send it.

    As on Discord, Enter on the name of a command picks it from the list, and Enter again sends it.
    """
    page.locator("#channel-composer-input").click()
    page.keyboard.type(line)
    page.wait_for_timeout(300)
    page.keyboard.press("Enter")
    if page.locator("[data-command-chip]").is_visible():
        page.keyboard.press("Enter")


def said(page: Page, text: str) -> Locator:
    """A paragraph of the conversation."""
    return page.get_by_role("region", name="Conversation").get_by_text(text)


def picture(page: Page) -> str:
    """The alternative text of the newest picture of a board."""
    shown = page.locator("img[alt*='0 is empty']").last
    expect(shown).to_be_visible(timeout=60_000)
    return shown.get_attribute("alt") or ""


@pytest.mark.skipif(sys.platform == "win32", reason="a child there gets no Ctrl-C of its own")
def test_a_person_plays_on_the_page(page: Page) -> None:
    """Start, a button, a typed drop, a hint, resigning and statistics all work on the page."""
    enter(page, "/connect4 start size:5x4 level:medium")
    assert "Rows 1 to 5: empty" in picture(page)
    before = page.locator("img[alt*='0 is empty']").last.screenshot()

    page.get_by_role("button", name="3", exact=True).click()
    expect(page.locator("img[alt*='Last move']").last).to_be_visible(timeout=60_000)
    assert re.search(r"Row 5: [0-9 ]*1", picture(page))
    assert page.locator("img[alt*='0 is empty']").last.screenshot() != before

    enter(page, "/connect4 drop 2")
    expect(said(page, "You played 2; Cuatro answered")).to_be_visible(timeout=60_000)

    enter(page, "/connect4 hint")
    expect(page.locator("img[alt*='Hint: column']").last).to_be_visible(timeout=60_000)

    enter(page, "/connect4 resign")
    expect(said(page, "wins: Ana resigned")).to_be_visible(timeout=60_000)

    enter(page, "/connect4 stats player:ana")
    expect(page.locator("img[alt*='Connect 4 statistics']").last).to_be_visible(timeout=60_000)
