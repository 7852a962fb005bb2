"""The puzzle of the day: for people by command, and posted on the servers that want it."""

from __future__ import annotations

from functools import partial

from bot.discord.commands import GlobalCommand
from bot.feature import Core, Feature, Parts, PersonalData, PuzzlePosts
from bot.features.daily.discord import DailyHandler, DailyMessages, DailyPoster
from bot.features.daily.rules import SOURCE, Daily, daily_files
from bot.features.daily.store import (
    DailyPosts,
    DailyTries,
    delete_tries,
    forget_guild,
    guilds_query,
)
from bot.features.puzzles.rules import PuzzleDrills
from bot.features.puzzles.store import Puzzles


def build(core: Core) -> Parts:
    """The command, the drills, the messages on servers, and the personal data."""
    database = core.store.database
    tries, posts, puzzles = DailyTries(database), DailyPosts(database), Puzzles(database)
    drills = PuzzleDrills(puzzles, core.store.ratings, core.clock, core.rng)
    practice = partial(core.contributions.practice, "daily")
    daily = Daily(tries, posts, core.clock, drills, practice)
    messages = DailyMessages(tries, core.workers, core.names, core.store.preferences)
    poster = DailyPoster(core.client, posts, core.ownership, daily, messages, core.answering.time)
    handler = DailyHandler(core.drills, daily, messages, core.chosen)
    return Parts(
        global_commands=(GlobalCommand(40, handler.command()),),
        drills={SOURCE: daily},
        routes=(handler.route(),),
        tasks=(poster.task,),
        puzzle_posts=PuzzlePosts(daily.posting, daily.post_in, daily.stop_posting),
        personal=PersonalData(
            order=11,
            files=partial(daily_files, tries, puzzles),
            delete=delete_tries,
            guilds=guilds_query,
            forget_guild=forget_guild,
        ),
        visibility_changed=tries.outdate,
    )


FEATURE = Feature("daily", build, requires=("puzzles",))
