"""The local page in a real browser: a person plays and looks around with `cuatro` alone.

All tests use one page, in this order: those with few messages first, since a long conversation
takes a browser long, and those in one language one after the other.
"""

from __future__ import annotations

import re
import sys
import time

import pytest
from playwright.sync_api import Request, expect

from engine.core.game import Position, wins_with
from engine.study.puzzles import puzzle
from tests.bot.local.page_game import (
    NARROW,
    SLOWLY,
    WIDE,
    Arrive,
    Person,
    begin,
    good_move,
    look,
)
from tests.bot.local.page_scripts import (
    BUTTONS_ARE_BELOW,
    IS_SHOWN,
    LAST_WIDTHS,
    NOTE_WIDTHS,
    SHOWN_TEXTS,
    WATCH,
)
from tests.bot.present import needs
from tests.builders import ROOT

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform == "win32", reason="a child there gets no Ctrl-C of its own"),
]

README_LINES = (
    "/connect4 start size:5x4 level:medium",
    "/connect4 drop 3",
    "/connect4 hint",
    "/connect4 stats",
)


@needs("reviews")
def test_a_missed_move_is_found_after_the_game(resume: Arrive) -> None:
    """A game of an earlier run is won; its review leads to a missed four, and to its reason."""
    person = resume(NARROW)
    say = person.speak("en")
    position = person.store.position()
    missing = next(move for move in position.legal_moves() if not wins_with(position, move))
    position = person.move(position, position.game.label(missing))
    winning = next(move for move in position.legal_moves() if wins_with(position, move))
    position = play_without_a_blink(person, position, position.game.label(winning))
    assert position.outcome is not None
    assert position.outcome.winner == 1
    expect(person.button(say("button.rematch"))).to_be_visible()
    look(person, "won")
    person.press(say("button.review"), then=person.in_newest(say("button.learn")))
    look(person, "reviewed")
    asked = person.said("Find something better.")
    person.press(say("button.learn"), then=asked)
    right, wrong = person.store.missed()
    person.press(wrong[-1], then=person.said(say("drill.wrong", why="")))
    look(person, "refuted")
    person.press(say("button.try_again"), then=asked)
    found = re.compile(r"^(Right|Four in a row)\.")
    person.press(right[0], then=person.page.get_by_text(found).last)
    look(person, "found")


def play_without_a_blink(person: Person, position: Position, label: str) -> Position:
    """Press a move's button; its board's picture is visible all the time. Returns the next turn."""
    person.page.wait_for_function(IS_SHOWN)
    person.page.evaluate(WATCH)
    column = person.button(label)
    expect(column).to_be_enabled()
    column.click()
    position = person.wait_for_turn(position.ply)
    assert all(person.page.evaluate("window.seen"))
    person.page.evaluate("window.seen = null")
    return position


def test_private_answers_leave_the_moves_in_sight(arrive: Arrive) -> None:
    """Buttons are below the picture, and stay in sight however long private answers are."""
    person = arrive(WIDE)
    say = person.speak("en")
    person.enter("/connect4 start 5x4 easy", "/connect4 drop 2")
    expect(person.queue).to_have_count(0)
    board = person.page.locator("[data-message-id]", has=person.button("4")).last
    shown, column = board.locator("img.attachment-image").first, person.button("4")
    for size in (WIDE, NARROW):
        person.resize(size)
        expect(shown).to_be_visible()
        # Both are measured at once, since an edit can move them at any time, or put a new picture
        # in place of one that has not been loaded.
        person.wait_for_script(board, BUTTONS_ARE_BELOW)
        person.enter("/help", "/connect4 hint", "/stats", "/games")
        newest = person.page.get_by_role("article").last
        expect(newest.locator(".message-interaction-header")).to_contain_text("/games")
        expect(column).to_be_in_viewport(ratio=1)
        look(person, "moves-in-sight")
        expect(column).to_be_enabled()
        position = person.store.position()
        column.click(timeout=5000)
        person.wait_for_turn(position.ply)
        # The move and its answer are seen, and then the answer to the next question.
        expect(shown).to_be_in_viewport(ratio=0.9)
        person.press(say("button.hint"), then=person.said("you").last)
        expect(shown).not_to_be_in_viewport(ratio=0.9)
    person.leave(say)


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


def test_times_and_the_topic_follow_the_language(arrive: Arrive) -> None:
    """What was on the page before the language changed is in the new one, too, both ways."""
    person = arrive(WIDE)
    times, topic = person.page.locator("time.message-time"), person.page.locator("#channel-topic")
    before = person.speak("en")
    for language in ("es", "en"):
        expect(topic).to_contain_text(before("game.connect4"))
        expect(times.first).to_be_visible()
        say = before = person.speak(language)
        expect(topic).to_contain_text(say("game.connect4"))
        shown = r" [ap]\.m\." if language == "es" else r" [AP]M"
        for one in times.all():
            expect(one).to_have_text(re.compile(shown))
            expect(one).to_have_attribute("title", re.compile(shown))


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


def test_lines_typed_without_a_pause_arrive_in_order(arrive: Arrive) -> None:
    """README's lines, typed at 40 ms a key without waiting for any answer, arrive as four."""
    text = (ROOT / "README.md").read_text("utf-8").replace("\n", " ")
    assert ", ".join(f"`{line}`" for line in README_LINES) in text
    person = arrive(WIDE)
    say = person.speak("en")
    before = person.store.games()
    old = person.page.locator(".message-interaction-header").count()
    asked: list[str] = []

    def note(request: Request) -> None:
        if "/line" in request.url:
            asked.append(request.post_data_json["line"])

    person.page.on("request", note)
    person.enter(*README_LINES, delay=40)
    expect(person.page.locator(".message-interaction-header")).to_have_count(old + 4)
    expect(person.queue).to_have_count(0)
    expect(person.wrong).to_be_hidden()
    person.page.remove_listener("request", note)
    assert asked == list(README_LINES)
    assert person.store.games() == before + 1
    game, moves = person.store.game()
    assert (game.key, game.variant) == ("connect4", "5x4")
    assert game.label(moves[0]) == "3"
    look(person, "four-lines")
    person.leave(say)


def test_a_newcomer_plays_by_buttons_alone(arrive: Arrive) -> None:
    """From the welcome a person begins a game and plays by mouse alone; nothing blinks or jumps."""
    person = arrive(NARROW)
    say = person.speak("es")
    look(person, "welcome")
    begin(person, say)
    look(person, "begun")
    position = person.wait_for_turn(-1)
    for _ in range(2):
        position = play_without_a_blink(person, position, good_move(position))
    person.give_up(say)
    expect(person.button(say("button.rematch"))).to_be_visible()
    look(person, "over")


@needs("statistics")
def test_a_slow_typist_plays_by_typing_alone(arrive: Arrive) -> None:
    """A game is typed in Spanish by a slow typist, with Enter after every line.

    Then its statistics are shown.
    """
    person = arrive(NARROW)
    say = person.speak("es")
    start, drop, stats = (say(f"command.{name}.name") for name in ("start", "drop", "stats"))
    before = person.store.games()
    person.enter(f"/conecta4 {start} 6x7 fácil")
    expect(person.button(say("button.resign"))).to_be_visible()
    assert person.store.games() == before + 1
    position = person.wait_for_turn(-1)
    # Only the first move is typed slowly, since that takes long.
    for delay in (SLOWLY, 10):
        person.enter(f"/conecta4 {drop} {good_move(position)}", delay=delay)
        position = person.wait_for_turn(position.ply)
    person.leave(say)
    expect(person.button(say("button.rematch"))).to_be_visible()
    person.enter(f"/conecta4 {stats}")
    expect(person.queue).to_have_count(0)
    picture = f"img[alt*='{say('game.connect4')}']"
    expect(person.page.get_by_role("article").last.locator(picture)).to_be_visible()
    look(person, "es-typed")


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
