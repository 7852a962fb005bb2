"""The local page in a real browser: what is shown and where, in both languages and sizes."""

from __future__ import annotations

import re
import sys
import time

import pytest
from playwright.sync_api import expect

from engine.study.puzzles import puzzle
from tests.bot.local.page_game import (
    NARROW,
    WIDE,
    Arrive,
    look,
)
from tests.bot.local.page_scripts import (
    LAST_WIDTHS,
    NOTE_WIDTHS,
    SHOWN_TEXTS,
)
from tests.bot.present import needs
from tests.builders import ROOT

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform == "win32", reason="a child there gets no Ctrl-C of its own"),
]


def test_mistyped_lines_are_answered(arrive: Arrive) -> None:
    """A line that names no command is answered with advice, until the next one is right."""
    person = arrive(NARROW)
    person.speak("en")
    person.enter("/connect4 drop abc")
    expect(person.wrong).to_contain_text("abc")
    person.enter("/connect4 start level:foo")
    expect(person.wrong).to_contain_text("foo")
    look(person, "mistyped")
    person.enter("/conecta4 volar")
    expect(person.wrong).to_contain_text("no tiene")
    person.enter("/connect4 board")
    expect(person.wrong).to_be_hidden()


def test_the_channel_never_is_wider_than_the_window(arrive: Arrive) -> None:
    """A narrow window cuts nothing off, also while the page is loaded."""
    person = arrive(NARROW)
    person.page.add_init_script(NOTE_WIDTHS)
    person.page.reload()
    expect(person.page.get_by_role("article").last).to_be_visible()
    person.speak("en")
    widths = set(person.page.evaluate(LAST_WIDTHS))
    assert widths <= {0, NARROW[0]}
    assert NARROW[0] in widths


def test_times_are_counted_by_the_real_clock(arrive: Arrive) -> None:
    """A vote of 30 seconds shows at most 30 seconds, and counts down as real time passes."""
    person = arrive(WIDE)
    say = person.speak("en")
    shown = person.page.locator("time.discord-timestamp").last
    person.enter("/together 5x4 easy 30")
    began = time.monotonic()
    person.press("2", then=person.said("Voting ends"))
    first = shown.inner_text()
    expect(shown).not_to_have_text(first)
    second, passed = shown.inner_text(), time.monotonic() - began
    found = [re.fullmatch(r"in (\d+) seconds?", text) for text in (first, second)]
    assert all(found), (first, second)
    left = [int(one[1]) for one in found if one]
    assert 30 >= left[0] > left[1] >= 29 - passed
    person.enter("/connect4 resign")
    expect(person.button(say("button.stop"))).to_be_hidden()


def test_times_and_the_topic_follow_the_language(arrive: Arrive) -> None:
    """What was on the page before the language changed is in the new one, too, both ways."""
    person = arrive(WIDE)
    times, topic = person.page.locator("time.message-time"), person.page.locator("#channel-topic")
    before = person.speak("es")
    for language in ("en", "es"):
        expect(topic).to_contain_text(before("game.connect4"))
        expect(times.first).to_be_visible()
        say = before = person.speak(language)
        expect(topic).to_contain_text(say("game.connect4"))
        shown = r" [ap]\.m\." if language == "es" else r" [AP]M"
        for one in times.all():
            expect(one).to_have_text(re.compile(shown))
            expect(one).to_have_attribute("title", re.compile(shown))


def test_commands_and_options_are_completed(arrive: Arrive) -> None:
    """What is begun is completed by Tab, Enter or a tap, in the page's language."""
    person = arrive(NARROW)
    person.speak("es")
    offered = person.page.locator("#cuatro-completion li")
    person.line.click()
    person.page.keyboard.type("/conecta4 emp")
    expect(offered.first).to_contain_text("/conecta4 empezar")
    person.page.keyboard.press("Enter")
    expect(person.line).to_have_value("/conecta4 empezar ")
    person.page.keyboard.type("niv")
    person.page.keyboard.press("Tab")
    expect(person.line).to_have_value("/conecta4 empezar nivel:")
    look(person, "completion")
    offered.get_by_text("nivel:difícil").click()
    expect(person.line).to_have_value("/conecta4 empezar nivel:difícil ")
    expect(person.line).to_be_focused()
    person.page.keyboard.type("tamaño:5")
    expect(offered.get_by_text("tamaño:5x4")).to_be_visible()
    person.page.keyboard.press("ArrowDown")
    person.page.keyboard.press("Enter")
    expect(person.line).to_have_value(re.compile("^/conecta4 empezar nivel:difícil tamaño:5x. $"))
    person.page.keyboard.press("Escape")
    expect(person.page.locator("#cuatro-completion")).to_be_hidden()
    person.line.fill("")


def test_a_form_is_filled_in_and_the_page_is_spanish(arrive: Arrive) -> None:
    """A command's form works, all of the page around it is in Spanish, and light if wished."""
    person = arrive(NARROW)
    say = person.speak("es")
    person.page.emulate_media(color_scheme="light")
    form = person.page.get_by_role("dialog")
    person.enter_until("/ajustes", form)
    look(person, "form")
    shown = set(person.page.evaluate(SHOWN_TEXTS))
    assert {"Cancelar", "Enviar", "Juegas como", "Más"} <= shown
    assert not shown & english_texts()
    form.get_by_role("radio", name="Español").check(force=True)
    form.get_by_role("button", name="Enviar").click()
    expect(form).to_be_hidden()
    person.enter("/conecta4 tablero")
    used = person.page.locator(".message-interaction-header").last
    expect(used).to_have_text("Ana usó /conecta4")
    background = "getComputedStyle(document.querySelector('.preview-app')).backgroundColor"
    assert person.page.evaluate(background) == "rgb(255, 255, 255)"
    assert person.page.evaluate("document.documentElement.lang").startswith("es")
    assert say.language == "es"


def english_texts() -> set[str]:
    """SimCord's texts that the page translates."""
    words = (ROOT / "bot" / "local" / "words.js").read_text("utf-8")
    pairs = re.findall(r'^  \["(.+?)", "(.+?)"\],$', words, re.MULTILINE)
    assert len(pairs) > 30
    return {english for english, _ in pairs}


@needs("puzzles")
def test_a_puzzle_is_solved(arrive: Arrive) -> None:
    """Solving a puzzle move by move ends with a message and a button for the next puzzle."""
    person = arrive(WIDE)
    say = person.speak("es")
    picture = person.page.get_by_role("button", name=re.compile(r"puzzle-[A-Z0-9]{6}-0\.png"))
    person.enter_until(f"/{say('command.puzzle.name')}", picture.first)
    shown = re.search(r"puzzle-([A-Z0-9]{6})-0", str(picture.first.get_attribute("aria-label")))
    found = puzzle(shown[1]) if shown else None
    assert found is not None
    look(person, "puzzle")
    solved = person.said(say("puzzle.first").strip("*"))
    for number, step in enumerate(found.played.steps, 1):
        asked = person.page.get_by_role("button", name=re.compile(rf"{found.id}-{number}\.png"))
        then = asked.first if number < found.clicks else solved
        person.press(found.game.label(step.answers[0]), then)
    expect(person.button(say("button.next_puzzle"))).to_be_visible()
    look(person, "solved")


def test_links_and_commands_stay_on_the_page(arrive: Arrive) -> None:
    """A link to a board scrolls to it, a command's name fills in the line, and no link leaves."""
    person = arrive(NARROW)
    say = person.speak("es")
    person.enter("/conecta4 empezar 5x4 fácil", "/ayuda", "/ayuda", "/partidas")
    expect(person.queue).to_have_count(0)
    person.page.locator(".cuatro-action", has_text="/jugar").last.click()
    expect(person.line).to_have_value("/jugar ")
    person.line.fill("")
    # Earlier games have links as well, so it is named by its board.
    board = person.page.locator("[data-message-id]", has=person.button("4")).last
    number = board.get_attribute("data-message-id")
    person.page.locator(f"[data-jump='{number}']", has_text=say("page.jump")).last.click()
    shown = person.page.locator(f"[data-message-id='{number}'] img.attachment-image")
    expect(shown).to_be_in_viewport()
    assert person.page.locator("a[href^=http]").count() == 0
    assert person.page.url.startswith("http://127.0.0.1")
    person.leave(say)
