"""Games on the local page in a real browser: a person plays with `cuatro` alone.

Games are begun and won by buttons and by typing, in each language and in a window of each size.
"""

from __future__ import annotations

import re
import sys

import pytest
from playwright.sync_api import Request, expect

from bot.i18n import Translator
from engine.core.game import Position, wins_with
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
    WATCH,
)
from tests.bot.present import needs
from tests.builders import ROOT

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform == "win32", reason="a child there gets no Ctrl-C of its own"),
]


@needs("statistics")
def test_a_newcomer_wins_by_typing_alone(arrive: Arrive) -> None:
    """A game is typed in Spanish to its end, a win, and then the statistics are shown."""
    person = arrive(NARROW)
    say = person.speak("es")
    start, drop, stats = (say(f"command.{name}.name") for name in ("start", "drop", "stats"))
    position = begin_by_typing(person, f"/conecta4 {start} 6x7 fácil", say)
    while position.outcome is None:
        person.enter(f"/conecta4 {drop} {good_move(position)}", delay=10)
        position = person.wait_for_turn(position.ply)
    assert position.outcome.winner == 1
    ask_for_statistics(person, f"/conecta4 {stats}", say)
    look(person, "es-typed")


def begin_by_typing(person: Person, line: str, say: Translator) -> Position:
    """Begin a game by a line; returns the position at the person's first turn."""
    before = person.store.games()
    person.enter(line)
    expect(person.button(say("button.resign"))).to_be_visible()
    assert person.store.games() == before + 1
    return person.wait_for_turn(-1)


def ask_for_statistics(person: Person, line: str, say: Translator) -> None:
    """Type the command for the statistics after a game, and wait for their picture."""
    expect(person.button(say("button.rematch"))).to_be_visible()
    person.enter(line)
    expect(person.queue).to_have_count(0)
    picture = f"img[alt*='{say('game.connect4')}']"
    expect(person.page.get_by_role("article").last.locator(picture)).to_be_visible()


@pytest.mark.parametrize(("language", "size"), [("es", NARROW), ("en", WIDE)])
def test_a_newcomer_plays_by_buttons_alone(
    arrive: Arrive, language: str, size: tuple[int, int]
) -> None:
    """From the welcome a person plays a game by mouse alone, and nothing blinks or jumps.

    In English the person wins, and in Spanish gives up after two moves.
    """
    person = arrive(size)
    say = person.speak(language)
    look(person, f"{language}-welcome")
    begin(person, say)
    look(person, f"{language}-begun")
    person.page.wait_for_function(IS_SHOWN)
    person.page.evaluate(WATCH)
    position = person.wait_for_turn(-1)
    while position.outcome is None and (language == "en" or position.ply < 4):
        column = person.button(good_move(position))
        expect(column).to_be_enabled()
        column.click()
        position = person.wait_for_turn(position.ply)
        assert all(person.page.evaluate("window.seen.splice(0)"))
    person.page.evaluate("window.seen = null")
    if position.outcome is None:
        person.give_up(say)
    else:
        assert position.outcome.winner == 1
    expect(person.button(say("button.rematch"))).to_be_visible()
    look(person, f"{language}-over")
    title = say("review.title", game=say("game.connect4"), variant="")
    picture = person.page.locator(f"img[alt*='{title}']").last
    person.press(say("button.review"), then=picture)
    expect(picture).to_be_visible()
    look(person, f"{language}-reviewed")


@needs("statistics")
def test_a_slow_typist_can_follow_the_readme(arrive: Arrive) -> None:
    """README's steps work for a slow typist, and Enter sends every line."""
    person = arrive(WIDE)
    say = person.speak("en")
    position = begin_by_typing(person, "/connect4 start 6x7 easy", say)
    # Only the first move is typed slowly, since that takes long.
    for delay in (SLOWLY, 10):
        person.enter(f"/connect4 drop {good_move(position)}", delay=delay)
        position = person.wait_for_turn(position.ply)
    person.leave(say)
    ask_for_statistics(person, "/connect4 stats", say)
    look(person, "en-typed")


README_LINES = (
    "/connect4 start size:5x4 level:medium",
    "/connect4 drop 3",
    "/connect4 hint",
    "/connect4 stats",
)


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


@needs("reviews")
def test_a_missed_move_is_found_after_the_game(arrive: Arrive) -> None:
    """The review of a game with a missed four leads to a wrong try, its reason and the four."""
    person = arrive(NARROW)
    say = person.speak("en")
    start = "/connect4 start level:easy"
    person.enter_until(start, then=person.button(say("button.resign")))
    position = person.wait_for_turn(-1)
    while len({wins_with(position, move) for move in position.legal_moves()}) < 2:
        position = person.move(position, good_move(position))
        if position.outcome is not None:
            # Every move that was left made a four, so none could be missed.
            person.enter_until(start, then=person.button(say("button.resign")))
            position = person.wait_for_turn(-1)
    missing = next(move for move in position.legal_moves() if not wins_with(position, move))
    position = person.move(position, position.game.label(missing))
    asked = person.said("Find something better.")
    if position.outcome is None:
        # Cuatro may have made a four of its own.
        person.give_up(say)
    expect(person.button(say("button.resign"))).to_be_hidden()
    person.press(say("button.review"), then=person.in_newest(say("button.learn")))
    person.press(say("button.learn"), then=asked)
    right, wrong = person.store.missed()
    person.press(wrong[-1], then=person.said(say("drill.wrong", why="")))
    look(person, "refuted")
    person.press(say("button.try_again"), then=asked)
    found = re.compile(r"^(Right|Four in a row)\.")
    person.press(right[0], then=person.page.get_by_text(found).last)
    look(person, "found")


def test_private_answers_leave_the_moves_in_sight(arrive: Arrive) -> None:
    """Buttons are below the picture, and stay in sight however long private answers are."""
    # After the games before, the statistics have a picture.
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
        person.enter("/help", "/connect4 hint", "/stats", "/help")
        expect(person.queue).to_have_count(0)
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
