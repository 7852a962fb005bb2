"""Play on the local page as a person does, and check the stored game."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, Locator, Page, expect

from bot.i18n import LANGUAGES, Translator, say_in
from engine.core.game import Game, Move, Player, Position, replay
from engine.core.registry import game_of
from engine.strength.agent import proven_choice
from engine.study.exercises import exercises
from engine.study.review import review
from tests.bot.present import FEATURES

SLOWLY, QUICKLY = 300, 10
"""Milliseconds between two keys, for a slow and a fast typist."""
PATIENCE, TRIES, NODES = 90.0, 9, 100_000_000
"""Seconds until an effect must be visible, and how often a person presses a button meanwhile."""

WIDE, NARROW = (1100, 1000), (390, 844)
"""The sizes of windows."""

# On a busy machine elements can take longer than the usual five seconds to appear.
expect.set_options(timeout=PATIENCE * 1000)


@dataclass(frozen=True, slots=True)
class Store:
    """The store of a running `cuatro`, as another process reads it."""

    file: Path

    def position(self) -> Position:
        """The position of the newest game."""
        return replay(*self.game())

    def missed(self) -> tuple[list[str], list[str]]:
        """The right and the wrong moves at the first player's worst move in that game."""
        game, moves = self.game()
        worst = exercises(review(game, moves), Player.FIRST)[0]
        legal = replay(game, moves[: worst.played.ply]).legal_moves()
        wrong = [move for move in legal if move not in worst.solutions]
        return [*map(game.label, worst.solutions)], [*map(game.label, wrong)]

    def game(self) -> tuple[Game, list[Move]]:
        """The newest game, and its moves."""
        with closing(sqlite3.connect(f"file:{self.file}?mode=ro", uri=True)) as database:
            number, family, variant = database.execute(
                "SELECT id, family, variant FROM games ORDER BY id DESC LIMIT 1"
            ).fetchone()
            rows = database.execute(
                "SELECT move FROM moves WHERE game_id = ? ORDER BY number", (number,)
            ).fetchall()
        game = game_of(family, variant)
        return game, [game.parse(move) for (move,) in rows]

    def is_playing(self) -> bool:
        """Whether a game is running."""
        with closing(sqlite3.connect(f"file:{self.file}?mode=ro", uri=True)) as database:
            running = "SELECT count(*) FROM games WHERE finished_at IS NULL"
            return bool(database.execute(running).fetchone()[0])

    def games(self) -> int:
        """The number of games."""
        with closing(sqlite3.connect(f"file:{self.file}?mode=ro", uri=True)) as database:
            return int(database.execute("SELECT count(*) FROM games").fetchone()[0])


class Person:
    """A person at the page, with a language and a window size."""

    def __init__(self, browser: Browser, address: str, store: Store, size: tuple[int, int]) -> None:
        self.page: Page = browser.new_page(viewport={"width": size[0], "height": size[1]})
        self.page.set_default_timeout(PATIENCE * 1000)
        self.store = store
        self._language = ""
        self.page.goto(address)

    def resize(self, size: tuple[int, int]) -> None:
        """Give the window another size."""
        self.page.set_viewport_size({"width": size[0], "height": size[1]})

    def is_idle(self) -> bool:
        """Whether nothing is typed, queued or asked."""
        asked = self.page.get_by_role("dialog").filter(visible=True).count()
        return not asked and not self.queue.count() and self.line.input_value() == ""

    def speak(self, language: str) -> Translator:
        """Switch the page to a language if necessary; returns the language's texts."""
        say = say_in(language)
        if language == self._language:
            return say
        # Only the first message has these buttons; each names the language that it switches to.
        switch = self.button(say("button.language"))
        others = [say_in(one)("button.language") for one in LANGUAGES if one != language]
        done = self.button(others[0])
        older = self.page.locator("#history-older")
        usable = done.or_(switch).or_(older).filter(visible=True)
        for _ in range(TRIES):
            expect(usable.first).to_be_visible()
            if done.is_visible():
                break
            # After some games the first message is not among those that are loaded. The page
            # ignores presses while it is busy.
            is_loaded = switch.is_visible()
            (switch if is_loaded else older).click()
            with suppress(AssertionError):
                then = done if is_loaded else done.or_(switch)
                expect(then).to_be_visible(timeout=PATIENCE * 1000 / TRIES)
        expect(done).to_be_visible()
        self._language = language
        return say

    def button(self, label: str) -> Locator:
        """The newest button with a label."""
        return self.page.get_by_role("button", name=label, exact=True).last

    def press(self, label: str, then: Locator) -> None:
        """Press the newest button with a label until the expected element appears.

        The page ignores presses while it is busy.
        """
        for _ in range(TRIES):
            if self.button(label).is_visible():
                self.button(label).click()
            self.load_newest()
            with suppress(AssertionError):
                expect(then).to_be_visible(timeout=PATIENCE * 1000 / TRIES)
                return
        expect(then).to_be_visible()

    def press_until_gone(self, label: str, gone: Locator) -> None:
        """Press the newest button with a label until an element has disappeared."""
        for _ in range(TRIES):
            if self.button(label).is_visible():
                self.button(label).click()
            with suppress(AssertionError):
                expect(gone).to_be_hidden(timeout=PATIENCE * 1000 / TRIES)
                return
        expect(gone).to_be_hidden()

    def in_newest(self, label: str) -> Locator:
        """The button with a label under the newest message.

        Older messages are unloaded as new ones come, so buttons cannot be counted.
        """
        newest = self.page.get_by_role("article").last
        return newest.get_by_role("button", name=label, exact=True)

    def load_newest(self) -> None:
        """Load the newest messages, where older ones are shown without them."""
        newer = self.page.locator("#history-newer")
        for _ in range(TRIES):
            if not newer.is_visible():
                return
            newer.click()
            with suppress(AssertionError):
                expect(newer).to_be_hidden(timeout=PATIENCE * 1000 / TRIES)

    @property
    def line(self) -> Locator:
        """The line in which people type."""
        return self.page.locator("#cuatro-input")

    @property
    def wrong(self) -> Locator:
        """What is wrong with the last line."""
        return self.page.locator("#cuatro-notice")

    @property
    def queue(self) -> Locator:
        """The lines that were typed and not run yet."""
        return self.page.locator("#cuatro-queue li")

    def enter(self, *lines: str, delay: int = QUICKLY) -> None:
        """Type lines without a pause, each sent with Enter."""
        self.line.click()
        for line in lines:
            self.page.keyboard.type(line, delay=delay)
            self.page.keyboard.press("Enter", delay=delay)
            expect(self.line).to_have_value("", timeout=1000)

    def enter_until(self, line: str, then: Locator) -> None:
        """Enter a line until the expected element appears.

        On a busy machine a form can be too late to be opened, and the page asks to try again.
        """
        for _ in range(TRIES):
            self.enter(line)
            expect(self.queue).to_have_count(0)
            with suppress(AssertionError):
                expect(then).to_be_visible(timeout=PATIENCE * 1000 / TRIES)
                return
        expect(then).to_be_visible()

    def leave(self, say: Translator) -> None:
        """End the running game, and answer yes to the question whether to."""
        self.enter(f"/{say('command.connect4.name')} {say('command.resign.name')}")
        self.button(say("button.sure")).or_(self.button(say("button.cancel"))).last.click()
        expect(self.button(say("button.resign"))).to_be_hidden()

    def give_up(self, say: Translator) -> None:
        """Resign the running game by its buttons."""
        self.press(say("button.resign"), then=self.button(say("button.sure")))
        self.press_until_gone(say("button.sure"), self.button(say("button.resign")))

    def said(self, text: str) -> Locator:
        """The newest paragraph of the conversation with this text."""
        return self.page.locator("#channel-timeline").get_by_text(text).last

    def move(self, position: Position, label: str) -> Position:
        """Make a move by its button, and return the position at the next turn or the end.

        The page ignores presses while it is busy, so the button is pressed until a move is stored.
        """
        for _ in range(TRIES):
            with suppress(AssertionError):
                expect(self.button(label)).to_be_enabled(timeout=PATIENCE * 1000 / TRIES)
                # After a press that was only slow, the button makes another move, or the game ends.
                if self.store.position().ply == position.ply:
                    self.button(label).click()
            with suppress(AssertionError):
                return self.wait_for_turn(position.ply, PATIENCE / TRIES)
        return self.wait_for_turn(position.ply)

    def wait_for_turn(self, ply: int, seconds: float = PATIENCE) -> Position:
        """Wait until the game has passed `ply` and is over or at the person's turn."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            position = self.store.position()
            if position.outcome is not None or (
                position.ply > ply and position.to_move is Player.FIRST
            ):
                return position
            time.sleep(0.1)
        raise AssertionError(f"nothing happened after {ply} moves")

    def wait_for_script(self, element: Locator, script: str) -> None:
        """Wait until a function of the newest such element returns true."""
        deadline = time.monotonic() + PATIENCE
        while not element.evaluate(script):
            assert time.monotonic() < deadline, f"still false: {script}"
            self.page.wait_for_timeout(50)


def good_move(position: Position) -> str:
    """The best move in the players' notation; with it the first player wins on 6x7."""
    found = proven_choice(position, NODES, Random(1))
    assert found is not None, "the book knows the beginning, and the rest is quick"
    return position.game.label(found.move)


Arrive = Callable[[tuple[int, int]], Person]
"""Opens the page for a person in a window of some size."""


def look(person: Person, name: str) -> None:
    """Keep a screenshot of the page if a folder is set."""
    folder = os.environ.get("CUATRO_SCREENSHOTS")
    if folder:
        person.page.wait_for_timeout(500)
        size = person.page.viewport_size or {"width": 0}
        person.page.screenshot(path=Path(folder, f"{size['width']}-{name}.png"))


def begin(person: Person, say: Translator) -> None:
    """Press Play, and if asked how much one plays, the button that says nothing."""
    play, resign = say("button.begin.connect4.auto"), person.button(say("button.resign"))
    if "experience" not in FEATURES:
        person.press(play, then=resign)
        return
    answer = say("experience.answer.unknown")
    person.press(play, then=person.button(answer).or_(resign).last)
    if not resign.is_visible():
        person.press(answer, then=resign)
