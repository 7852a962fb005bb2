"""Lessons about a game, with problems to solve and a game at the end of each."""

from __future__ import annotations

from functools import partial

from bot.board.help import OVERVIEW, TRAINING, HelpButton
from bot.discord.commands import GlobalCommand
from bot.feature import Core, Feature, Parts, PersonalData
from bot.features.lessons.discord import LessonHandler, learn_button
from bot.features.lessons.rules import SOURCE, Lessons, lesson_files
from bot.features.lessons.store import LessonProgress, count_parts, delete_parts


def build(core: Core) -> Parts:
    """The command, its buttons, the drills of lessons, and the personal data."""
    progress = LessonProgress(core.store.database)
    practice = partial(core.contributions.practice, "lesson")
    lessons = Lessons(progress, core.workers, core.clock, practice)
    handler = LessonHandler(
        lessons,
        core.workers,
        core.limiter,
        core.chosen,
        core.contributions.position_buttons,
    )
    return Parts(
        global_commands=(GlobalCommand(50, handler.command()),),
        help_buttons=(HelpButton(30, (OVERVIEW, TRAINING), learn_button),),
        # Only the default game once had a command of its own.
        routes=handler.routes,
        drills={SOURCE: lessons},
        personal=PersonalData(
            order=20, count=count_parts, files=partial(lesson_files, progress), delete=delete_parts
        ),
    )


FEATURE = Feature("lessons", build)
