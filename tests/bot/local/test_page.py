"""The local page in a real browser: a person plays with `cuatro` alone.

The first minute is played in one process of `cuatro`, by buttons and by typing, in both languages,
in a wide and in a narrow window; games are won in each way. Set `CUATRO_SCREENSHOTS` to a folder to
keep pictures of the page.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from bot.i18n import Translator, say_in
from engine.core.game import wins_with
from engine.study.puzzles import puzzle
from tests.bot.local.page_game import SLOWLY, Person, Store, good_move
from tests.bot.present import FEATURES, needs
from tests.builders import ROOT
from tests.children import Child

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def browser_path() -> str:
    """A Chromium on this machine; skips the test if there is none, except under CI."""
    found = os.environ.get("CUATRO_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), "")
    if not found:
        assert not os.environ.get("CI"), "CI must have a Chromium: apt-get install chromium"
        pytest.skip("no Chromium found: install one or set CUATRO_CHROMIUM to its path")
    return found


pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform == "win32", reason="a child there gets no Ctrl-C of its own"),
]
WIDE, NARROW = (1100, 1000), (390, 844)
LOGGED = 4000
"""Characters of the log of `cuatro` in the report of a test that fails."""
Arrive = Callable[[tuple[int, int]], Person]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """The database of the games of `cuatro`."""
    return Store(tmp_path_factory.mktemp("page") / "page.db")


@pytest.fixture(scope="module")
def cuatro(store: Store) -> Iterator[Child]:
    """A running `cuatro`, which has printed its address; afterwards Ctrl-C must stop it cleanly."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("DISCORD_")},
        "CUATRO_PORT": "0",
        "DATABASE_URL": f"sqlite+aiosqlite:///{store.file.as_posix()}",
        "PYTHONPATH": str(ROOT),
    }
    folder = store.file.parent
    with Child(sys.executable, "-m", "bot", cwd=folder, env=environment, patience=60) as cuatro:
        cuatro.line(r"http://127\.0\.0\.1:\S+")
        yield cuatro
    ended = cuatro.wait()
    assert ended.status == 0, ended.err
    assert "Stopped." in ended.out
    assert "Traceback" not in ended.err, ended.err


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser."""
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


@pytest.fixture
def arrive(browser: Browser, cuatro: Child, store: Store) -> Iterator[Arrive]:
    """Open the page for a person in a window of some size; all windows are closed at the end.

    The report of a test that fails has what `cuatro` has logged.
    """
    address = re.findall(r"http://127\.0\.0\.1:\S+", cuatro.output)[0]
    with ExitStack() as windows:

        def open_window(size: tuple[int, int]) -> Person:
            person = Person(browser, address, store, size)
            windows.callback(person.page.close)
            return person

        yield open_window
    if store.is_playing():
        # The test has failed: its game would be in the way of the next ones.
        person = Person(browser, address, store, WIDE)
        person.leave(person.speak("en"))
        person.page.close()
    sys.stdout.write(cuatro.output[-LOGGED:])


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


@pytest.mark.parametrize(("language", "size"), [("en", WIDE), ("es", NARROW)])
def test_a_newcomer_wins_by_buttons_alone(
    arrive: Arrive, store: Store, language: str, size: tuple[int, int]
) -> None:
    """From the welcome a person wins a game by mouse alone, and nothing blinks or jumps."""
    person = arrive(size)
    say = person.speak(language)
    look(person, f"{language}-welcome")
    begin(person, say)
    look(person, f"{language}-begun")
    while not person.page.evaluate(IS_SHOWN):
        person.page.wait_for_timeout(50)
    person.page.evaluate(WATCH)
    position = person.wait_for_turn(-1)
    while position.outcome is None:
        column = person.button(good_move(position))
        expect(column).to_be_enabled()
        column.click()
        position = person.wait_for_turn(position.ply)
        assert all(person.page.evaluate("window.seen.splice(0)"))
    expect(person.button(say("button.rematch"))).to_be_visible()
    look(person, f"{language}-won")
    assert position.outcome.winner == 1
    title = say("review.title", game=say("game.connect4"), variant="")
    picture = person.page.locator(f"img[alt*='{title}']").last
    person.press(say("button.review"), then=picture)
    expect(picture).to_be_visible()
    look(person, f"{language}-reviewed")


IS_SHOWN = """() => {
  const message = [...document.querySelectorAll("[data-message-id]")].at(-1);
  const pictures = [...message.querySelectorAll("img.attachment-image")];
  return pictures.some((one) => one.naturalWidth && one.offsetParent);
}"""
"""Return whether the newest message's picture is visible."""
WATCH = f"""() => {{
  window.seen = [];
  const look = () => {{ window.seen.push(({IS_SHOWN})()); requestAnimationFrame(look); }};
  look();
}}"""
"""Note that at every frame."""

TYPED = {
    "en": ("/connect4 start 6x7 easy", "/connect4 drop {}", "/connect4 stats"),
    "es": ("/conecta4 {start} 6x7 fácil", "/conecta4 {drop} {{}}", "/conecta4 {stats}"),
}


@needs("statistics")
@pytest.mark.parametrize(("language", "size"), [("en", NARROW), ("es", WIDE)])
def test_a_newcomer_plays_by_typing_alone(
    arrive: Arrive, store: Store, language: str, size: tuple[int, int]
) -> None:
    """README's steps work for a slow typist, and Enter sends every line.

    In Spanish the game is typed to its end, a win.
    """
    person = arrive(size)
    say = person.speak(language)
    names = {name: say(f"command.{name}.name") for name in ("start", "drop", "stats")}
    start, drop, stats = TYPED[language]
    if language == "es":
        start, drop, stats = (line.format(**names) for line in (start, drop, stats))
    before = store.games()
    person.enter(start)
    expect(person.button(say("button.resign"))).to_be_visible()
    assert store.games() == before + 1
    # The English person types the first move slowly, and makes two.
    is_slow = language == "en"
    position = person.wait_for_turn(-1)
    while position.outcome is None and not (is_slow and position.ply > 3):
        is_first = position.ply < 2
        person.enter(drop.format(good_move(position)), delay=SLOWLY if is_slow and is_first else 10)
        position = person.wait_for_turn(position.ply)
    if is_slow:
        person.leave(say)
    expect(person.button(say("button.rematch"))).to_be_visible()
    if not is_slow:
        assert position.outcome is not None
        assert position.outcome.winner == 1
    person.enter(stats)
    title = say("game.connect4")
    expect(person.page.locator(f"img[alt*='{title}']").last).to_be_visible()
    look(person, f"{language}-typed")


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


README_LINES = (
    "/connect4 start size:5x4 level:medium",
    "/connect4 drop 3",
    "/connect4 hint",
    "/connect4 stats",
)


def test_lines_typed_without_a_pause_arrive_in_order(arrive: Arrive, store: Store) -> None:
    """README's lines, typed at 40 ms a key without waiting for any answer, arrive as four."""
    text = (ROOT / "README.md").read_text("utf-8").replace("\n", " ")
    assert ", ".join(f"`{line}`" for line in README_LINES) in text
    person = arrive(WIDE)
    say = person.speak("en")
    before = store.games()
    old = person.page.locator(".message-interaction-header").count()
    asked: list[str] = []
    person.page.on(
        "request",
        lambda one: asked.append(one.post_data_json["line"]) if "/line" in one.url else None,
    )
    person.enter(*README_LINES, delay=40)
    expect(person.page.locator(".message-interaction-header")).to_have_count(old + 4)
    expect(person.queue).to_have_count(0)
    expect(person.wrong).to_be_hidden()
    assert asked == list(README_LINES)
    assert store.games() == before + 1
    game, moves = store.game()
    assert (game.key, game.variant) == ("connect4", "5x4")
    assert game.label(moves[0]) == "3"
    look(person, "four-lines")
    person.leave(say)


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


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_private_answers_leave_the_moves_in_sight(arrive: Arrive, size: tuple[int, int]) -> None:
    """Buttons are below the picture, and stay in sight however long private answers are."""
    person = arrive(size)
    say = person.speak("en")
    person.enter("/connect4 start 5x4 easy", "/connect4 drop 2")
    expect(person.queue).to_have_count(0)
    board = person.page.locator("[data-message-id]", has=person.button("4")).last
    shown = board.locator("img.attachment-image").first
    expect(shown).to_be_visible()
    # Both are measured at once, since an edit can move them at any time, or put a new picture in
    # place of one that has not been loaded.
    person.wait_for_script(board, BUTTONS_ARE_BELOW)
    column = person.button("4")
    person.enter("/help", "/connect4 hint", "/stats", "/help")
    expect(person.queue).to_have_count(0)
    expect(column).to_be_in_viewport(ratio=1)
    look(person, "moves-in-sight")
    expect(column).to_be_enabled()
    column.click(timeout=5000)
    # The move and its answer are seen, and then the answer to the next question.
    expect(shown).to_be_in_viewport(ratio=0.9)
    person.press(say("button.hint"), then=person.said("you").last)
    expect(shown).not_to_be_in_viewport(ratio=0.9)
    person.leave(say)


BUTTONS_ARE_BELOW = """(message) => {
  const [picture, buttons] = ["img.attachment-image", ".message-components"]
    .map((part) => message.querySelector(part)?.getBoundingClientRect());
  return Boolean(picture && buttons && picture.bottom <= buttons.top);
}"""
"""Return whether a message's buttons are below its picture; false while either is missing."""


def test_times_are_counted_by_the_real_clock(arrive: Arrive) -> None:
    """A vote of 30 seconds shows at most 30 seconds, and counts down while one looks at it."""
    person = arrive(WIDE)
    say = person.speak("en")
    person.enter("/together 5x4 easy 30")
    person.press("2", then=person.said("Voting ends"))
    left = []
    for pause in (0, 3000):
        person.page.wait_for_timeout(pause)
        text = person.page.locator("time.discord-timestamp").last.inner_text()
        found = re.fullmatch(r"in (\d+) seconds", text)
        assert found, text
        left.append(int(found[1]))
    assert 30 >= left[0] > left[1] >= 10
    person.enter("/connect4 resign")
    expect(person.button(say("button.stop"))).to_be_hidden()


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


def test_the_channel_never_is_wider_than_the_window(arrive: Arrive) -> None:
    """A narrow window cuts nothing off, also while the page is loaded."""
    person = arrive(NARROW)
    person.page.add_init_script(NOTE_WIDTHS)
    person.page.reload()
    person.speak("en")
    assert set(person.page.evaluate("window.widths")) <= {0, NARROW[0]}


NOTE_WIDTHS = """
  window.widths = [];
  const look = () => {
    const channel = document.getElementById("channel-timeline");
    if (channel) window.widths.push(channel.getBoundingClientRect().width);
    requestAnimationFrame(look);
  };
  look();
"""
"""Note the width of the conversation at every frame."""


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


@pytest.mark.parametrize("language", ["es", "en"])
def test_times_and_the_topic_follow_the_language(arrive: Arrive, language: str) -> None:
    """What was on the page before the language changed is in the new one, too."""
    person = arrive(WIDE)
    other, say = person.speak("en" if language == "es" else "es"), say_in(language)
    times, topic = person.page.locator("time.message-time"), person.page.locator("#channel-topic")
    expect(topic).to_contain_text(other("game.connect4"))
    expect(times.first).to_be_visible()
    person.speak(language)
    expect(topic).to_contain_text(say("game.connect4"))
    shown = r" [ap]\.m\." if language == "es" else r" [AP]M"
    for time in times.all():
        expect(time).to_have_text(re.compile(shown))
        expect(time).to_have_attribute("title", re.compile(shown))


SHOWN_TEXTS = """() => [...document.querySelectorAll("body *")]
  .filter((element) => element.checkVisibility())
  .flatMap((element) => [
    ...[...element.childNodes].filter((one) => one.nodeType === Node.TEXT_NODE)
      .map((one) => one.data.trim()),
    ...["aria-label", "title", "placeholder"].map((name) => element.getAttribute(name)),
  ]).filter(Boolean)"""
"""Return all texts on the page that can be seen or heard."""


def english_texts() -> set[str]:
    """SimCord's texts that the page translates."""
    words = (ROOT / "bot" / "local" / "words.js").read_text("utf-8")
    pairs = re.findall(r'^  \["(.+?)", "(.+?)"\],$', words, re.MULTILINE)
    assert len(pairs) > 30
    return {english for english, _ in pairs}


@needs("reviews")
def test_a_missed_move_is_found_after_the_game(arrive: Arrive, store: Store) -> None:
    """The review of a game with a missed four leads to a wrong try, its reason and the four."""
    person = arrive(NARROW)
    say = person.speak("en")
    begin(person, say)
    position = person.wait_for_turn(-1)
    while len({wins_with(position, move) for move in position.legal_moves()}) < 2:
        position = person.move(position, good_move(position))
        if position.outcome is not None:
            # Every move that was left made a four, so none could be missed.
            person.enter_until("/connect4 start", then=person.button(say("button.resign")))
            position = person.wait_for_turn(-1)
    missing = next(move for move in position.legal_moves() if not wins_with(position, move))
    position = person.move(position, position.game.label(missing))
    asked = person.said("Find something better.")
    if position.outcome is None:
        # Cuatro may have made a four of its own.
        person.press(say("button.resign"), then=person.button(say("button.sure")))
        person.press_until_gone(say("button.sure"), person.button(say("button.resign")))
    expect(person.button(say("button.resign"))).to_be_hidden()
    person.press(say("button.review"), then=person.in_newest(say("button.learn")))
    person.press(say("button.learn"), then=asked)
    right, wrong = store.missed()
    person.press(wrong[-1], then=person.said(say("drill.wrong", why="")))
    look(person, "refuted")
    person.press(say("button.try_again"), then=asked)
    found = re.compile(r"^(Right|Four in a row)\.")
    person.press(right[0], then=person.page.get_by_text(found).last)
    look(person, "found")


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
