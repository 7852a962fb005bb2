"""Lessons on the offline Discord: the list, pages, positions, the final game, and progress."""

from __future__ import annotations

from typing import Any

import discord

from bot.features.lessons.store import LessonPart, LessonProgress
from bot.i18n import LANGUAGES, Translator, say_in
from engine.core.exact import ExactSolver
from engine.core.game import replay
from engine.core.registry import games
from tests.bot.discord.forging import forge
from tests.bot.discord.stage import Stage
from tests.bot.drills.drilling import Driller
from tests.bot.features.lessons.learner import Learner
from tests.bot.present import needs

FAMILY = games()["connect4"]
LESSONS = FAMILY.courses[0].lessons
LAST = len(LESSONS)
GAME = LESSONS[-1].shown
MAX_MOVES = 12
"""An upper limit on the number of moves that the learner needs to win."""


async def test_a_lesson_is_learnt(venue: Any) -> None:
    """A learner goes from the list to a page, its positions and the next lesson."""
    say, ana = say_in("es"), Learner(venue, venue.ana)
    title = say("lesson.connect4.line.title")
    venue.speak("es")
    await ana.learn()
    course = say("course.connect4.basics")
    lessons = say.count("short_lessons", LAST)
    begun = say("lesson.list", course=course, lessons=lessons, done=say.count("lessons_done", 0))
    assert ana.content.splitlines() == [begun, say("lesson.choose")]
    titles = [option.label for option in menu(ana)]
    assert all(
        say(f"lesson.connect4.{lesson.key}.title") in label
        for lesson, label in zip(LESSONS, titles, strict=True)
    )
    await ana.press(say("button.lesson.open", number=1))
    assert ana.content.splitlines() == [
        f"{say('lesson.title', number=1, title=title)} {say('lesson.connect4.line.text')}",
        say.count("to_solve", 3),
    ]
    assert say("examples.lines") in ana.alt_text
    await ana.press(say("button.lesson.begin"))
    head = say("lesson.drill", part=1, of=3)
    assert ana.content == f"{head} {say('lesson.connect4.line.ask')}"
    await ana.press("1")
    assert ana.content == say("drill.wrong", why=say("drill.why.missed"))
    assert [ana.labels()[0], ana.labels()[-1]] == [say("button.try_again"), say("button.solve")]
    await ana.press(say("button.try_again"))
    await ana.press("1")
    assert ana.content == "No es esa: tenías el cuatro en la columna 4."
    await ana.press(say("button.try_again"))
    await ana.press("4")
    assert ana.content.startswith(say("drill.four"))
    assert ana.labels() == [say("button.lesson.next")]
    for move in ("3", "5"):
        await ana.press(say("button.lesson.next"))
        await ana.press(move)
    left = say.count("lessons_left", LAST - 1)
    assert ana.content.endswith(say("lesson.done", number=1, left=left))
    assert ana.labels()[0] == say("button.lesson.following")
    assert ana.labels()[-1] == say("button.lesson.all")
    await ana.press(say("button.lesson.following"))
    assert say("lesson.connect4.block.text") in ana.content
    assert say("alt.marked", squares="")[:-2] in ana.alt_text
    await venue.restart()
    venue.speak("es")
    await ana.press(say("button.lesson.all"))
    first, second, *_ = menu(ana)
    assert first.label == f"✅ {say('lesson.name', number=1, title=title)}"
    assert second.label.startswith("➡️ 2")
    assert not ana.message.attachments
    await venue.ana.select(ana.message, ["1"], custom_id="cuatro:lessons:connect4")
    assert ana.content.endswith(say("lesson.connect4.line.text"))
    assert say("button.lesson.repeat") in ana.labels()


async def test_a_part_with_a_shown_solution_is_asked_again(venue: Any) -> None:
    """A part whose solution was shown is asked again before the lesson is done."""
    say, ana = say_in("en"), Learner(venue, venue.ana)
    await ana.learn(lesson=1)
    await ana.press("Start")
    await ana.press(say("button.solve"))
    assert ana.content == (
        "Column 4 completes the line.\n"
        "This one comes back at the end, so you can solve it yourself."
    )
    assert ana.labels() == ["Next", "Try again"]
    for move in ("3", "5"):
        await ana.press("Next")
        await ana.press(move)
    assert "done" not in ana.content
    await ana.press("Next")
    assert "1 of 3" in ana.content
    await ana.learn()
    assert menu(ana)[0].label.endswith("(2/3)")
    await ana.learn(lesson=1)
    assert ana.content.endswith("Solve 1 position to finish the lesson.")
    await ana.press("Continue")
    await ana.press(say("button.solve"))
    assert ana.labels() == ["All lessons", "Try again"]
    await ana.press("Try again")
    await ana.press("4")
    assert "**Lesson 1 done.** 11 to go." in ana.content


async def test_a_wrong_answer_is_explained_without_a_line(venue: Any) -> None:
    """A wrong answer says why it misses the point, over a still board and without a line."""
    say, ana = say_in("es"), Learner(venue, venue.ana)
    venue.speak("es")
    await ana.learn(lesson=6)
    await ana.press(say("button.lesson.begin"))
    named = say("reason.missed_pair.two", places=say("place.columns.one", columns="5"))
    for why in (say("lesson.connect4.fork.missed"), named):
        await ana.press("1")
        assert ana.content == say("drill.wrong", why=why)
        assert ana.labels() == [say("button.try_again"), say("button.solve")]
        assert ana.message.attachments[0].filename.endswith(".png")
        await ana.press(say("button.try_again"))
    await ana.learn(lesson=2)
    await ana.press(say("button.lesson.begin"))
    await ana.press("5")
    assert ana.content == say("lesson.connect4.block.right.part1")
    await ana.learn(lesson=LAST)
    assert ana.content.endswith(say.count("to_solve_and_win", 3))


async def test_the_last_lesson_ends_in_a_game_that_is_won(venue: Any) -> None:
    """The last lesson ends with a game that the learner can win against perfect play."""
    say, ana = say_in("es"), Learner(venue, venue.ana)
    for lesson in LESSONS:
        for part in range(1, len(lesson.problems) + 1):
            await note(venue, lesson.key, part)
    venue.speak("es")
    await ana.learn(lesson=LAST)
    await ana.press(say("button.lesson.go_on"))
    assert say("lesson.game.begin") in ana.content
    assert ana.labels(disabled=True) == ["4", "7"]
    reply = GAME.game.label(GAME.moves[-1])
    for _ in range(MAX_MOVES):
        await ana.press(reply)
        if say("lesson.game.won") in ana.content:
            break
        reply = played(ana)[-1]
        assert turned(say, "turn", reply) in ana.content
    assert say("drill.won.you") in ana.alt_text
    every = say("lesson.all_done", count=LAST)
    assert ana.content.endswith(say("lesson.done", number=LAST, left=every))
    assert ana.labels()[0] == say("button.lesson.course")
    await ana.press(say("button.lesson.all"))
    assert ana.content.endswith(every)
    assert all(option.label.startswith("✅") for option in menu(ana))
    await ana.learn()
    begun = say("lesson.list", course=say("course.connect4.plans"),
        lessons=say.count("short_lessons", 8), done=say.count("lessons_done", 0))  # fmt: skip
    assert ana.content.splitlines()[0] == begun


async def test_a_menu_leads_to_the_other_courses(venue: Any) -> None:
    """The list of lessons has a menu of the other courses of all games."""
    say, ana = say_in("en"), Learner(venue, venue.ana)
    await ana.learn()
    courses = [f"{key}.{number}" for key, family in games().items()
        for number in range(1, len(family.courses) + 1)]  # fmt: skip
    assert [one.value for one in menu(ana, -1)] == [one for one in courses if one != "connect4.1"]
    for value in courses[1:]:
        family, number = value.split(".")
        await ana.learn()
        await venue.ana.select(ana.message, [value], custom_id="cuatro:courses")
        course = games()[family].courses[int(number) - 1]
        assert ana.content.startswith(f"**{say(f'course.{family}.{course.key}')} in ")
        await ana.press(ana.labels()[0])
        assert say(f"lesson.{family}.{course.lessons[0].key}.text") in ana.content
        await ana.press(say("button.lesson.all"))
        assert ana.content.startswith(f"**{say(f'course.{family}.{course.key}')} in ")


async def test_a_win_that_is_given_away_can_be_taken_back(venue: Any) -> None:
    """The learner learns at once that the win is given away, or the game, and can take it back."""
    say, ana = say_in("es"), Learner(venue, venue.ana)
    venue.speak("es")
    for part in range(1, len(LESSONS[-1].problems) + 1):
        await note(venue, LESSONS[-1].key, part)
    await ana.learn(lesson=LAST)
    await ana.press(say("button.lesson.go_on"))
    prover = FAMILY.solver(GAME.game)
    verdict = results(prover, "")
    assert list(verdict.values()).count(1) == 1 < len(verdict)
    for wrong in (move for move, share in verdict.items() if share < 1):
        await ana.press(wrong)
        assert game_status(ana, say) == "slipped"
        await ana.press(say("button.lesson.back"))
        assert not played(ana)
    while game_status(ana, say) != "lost":
        before = played(ana)
        verdict = results(prover, before)
        await ana.press(min(verdict, key=verdict.__getitem__))
    await ana.press(say("button.lesson.back"))
    assert played(ana) == before
    await venue.restart()
    venue.speak("es")
    await ana.press(say("button.lesson.over"))
    assert game_status(ana, say) == "begin"


async def test_a_missing_lesson_is_refused(venue: Any) -> None:
    """An unknown lesson is refused with a list; forged buttons do nothing and store nothing."""
    stage, ana = Stage(venue, "connect4", venue.channel), Learner(venue, venue.ana)
    for number in (-1, 0, len(FAMILY.lessons) + 1):
        await stage.refuses(
            "no_such_lesson",
            lambda number=number: stage.slash(venue.ana, "learn", lesson=number),
            LANGUAGES,
        )
    venue.speak("en-US")
    await ana.learn(lesson=LAST)
    page = ana.message
    for forged in (
        "lesson:connect4:99",
        "course:connect4:0",
        "course:connect4:9",
        "lesson:gato:99",
        "lesson:chess:1",
        "lessongame:connect4:1:",
        "lessongame:connect4:12:8",
        "lessongame:connect4:12:4",
        "lessongame:connect4:12:x",
        "drill:ask:lesson:connect4.12.4:0",
        "drill:ask:lesson:gato.1.9:0",
        "drill:ask:lesson:connect4:0",
        "drill:ask:lesson:connect4.1.1:1",
    ):
        forge(venue, custom_id=f"cuatro:{forged}")
        answer = await venue.ana.click(page, label="Start")
        answers = [m for m in (answer.response, *answer.followups) if m is not None]
        assert "This button is from an older version" in answers[-1].content, forged
    assert not await LessonProgress(venue.services.store.database).all_of(venue.ana.id)


async def test_a_turn_of_boom_is_learnt_move_by_move(venue: Any) -> None:
    """In BOOM a lesson asks for both moves of a turn, and explains a wrong one by the turn."""
    say, ana = say_in("en"), Learner(venue, venue.ana)
    await ana.learn(game="boom", lesson=1)
    await ana.press("Start")
    await ana.press("1")
    assert ana.content == say("drill.wrong", why=say("drill.why.missed_turn"))
    await ana.press("Try again")
    await ana.press("4")
    assert ana.content == say("drill.step", why=say("drill.correct"))
    await ana.press("4")
    assert ana.content == say("drill.four")
    await ana.learn(game="boom", lesson=2)
    await ana.press("Start")
    await ana.press("1")
    assert ana.content == say("drill.wrong", why=say("drill.why.four_turn"))
    await ana.press(say("button.solve"))
    assert ana.content.startswith("Column 7 stops the four.")
    await ana.press("Try again")
    await ana.press("7")
    assert ana.content == say("lesson.boom.stop.right")
    solved = await LessonProgress(venue.services.store.database).all_of(venue.ana.id)
    assert {(one.family, *one.solved) for one in solved} == {
        ("boom", "turn", 1),
        ("boom", "stop", 1),
    }


async def test_games_with_lessons_are_offered(venue: Any) -> None:
    """The command offers the games that have lessons."""
    tree = venue.env.bot.tree
    (game,) = [one for one in tree.get_command("learn").parameters if one.choices]
    taught = [key for key, family in games().items() if family.lessons]
    assert [one.value for one in game.choices] == taught


async def note(venue: Any, key: str, part: int) -> None:
    """Record that Ana has solved a part."""
    progress = LessonProgress(venue.services.store.database)
    await progress.note(venue.ana.id, FAMILY.key, LessonPart(key, part), 1.0)


def played(learner: Learner) -> str:
    """The moves in the learner's game, read from the id of its first move's button."""
    (found, *_) = [one for one in learner.ids() if one.startswith("cuatro:lessongame:")] or [":"]
    return found.rsplit(":", 1)[1][:-1]


def game_status(learner: Learner, say: Translator) -> str:
    """The text on the state of a learner's game."""
    reply = played(learner)[-1:]
    keys = ("begin", "turn", "slipped", "won", "lost", "drawn")
    return next(key for key in keys if turned(say, key, reply) in learner.content)


def turned(say: Translator, key: str, reply: str) -> str:
    """A text on the state of a game after this reply."""
    places = say("place.columns.one", columns=reply)
    return say(f"lesson.game.{key}", places=places)


def menu(learner: Learner, which: int = 0) -> list[discord.SelectOption]:
    """The entries of the menu of lessons, or of the last menu, which has courses."""
    items = [item for row in learner.message.components for item in row.children]
    return [item.options for item in items if isinstance(item, discord.SelectMenu)][which]


def results(prover: ExactSolver, moves: str) -> dict[str, float]:
    """The result of each of the learner's moves after others: 1 for a win, 0 for a loss."""
    game = GAME.game
    position = replay(game, [*GAME.moves, *game.moves(moves)])
    proof = prover.values(position, nodes=10**8, seconds=60)
    assert proof is not None
    return {game.label(move): share for move, share in proof.verdict.items()}


@needs("puzzles")
async def test_a_lesson_leads_to_puzzles(venue: Any) -> None:
    """After the last position of a lesson, a button gives a puzzle of its game."""
    say, ana = say_in("en"), Driller(venue, venue.ana)
    asked = await venue.ana.slash(venue.channel, "learn", game="connect4", lesson=1)
    assert asked.ephemeral
    await ana.press("Start")
    for move in "43":
        await ana.press(move)
        await ana.press("Next")
    await ana.press("5")
    assert ana.labels() == ["Next lesson", "Practise with puzzles", "All lessons"]
    await ana.press("Practise with puzzles")
    assert ana.content.endswith(say("puzzle.first_try"))
