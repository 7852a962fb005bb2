"""Storms: as many puzzles as possible in three minutes, with a table for each server's day."""

from __future__ import annotations

from functools import partial

from bot.board.help import TRAINING, HelpButton
from bot.discord.commands import GlobalCommand
from bot.drills.rules import PracticeButton
from bot.feature import Core, Feature, Parts, PersonalData
from bot.features.storm.discord import StormHandler, storm_in_help, storm_practice
from bot.features.storm.rules import StormPlay, storm_files
from bot.features.storm.store import (
    Storms,
    count_storms,
    delete_storms,
    forget_guild,
    guilds_query,
)


def build(core: Core) -> Parts:
    """The command, the buttons, and the personal data."""
    storms = Storms(core.store.database)
    play = StormPlay(storms, core.clock)
    handler = StormHandler(play, core.workers, core.limiter, core.names, core.chosen)
    return Parts(
        help_buttons=(HelpButton(25, (TRAINING,), storm_in_help),),
        practice=(PracticeButton(10, "daily", storm_practice),),
        global_commands=(GlobalCommand(45, handler.command()),),
        routes=handler.routes,
        personal=PersonalData(
            order=12,
            count=count_storms,
            files=partial(storm_files, storms),
            delete=delete_storms,
            guilds=guilds_query,
            forget_guild=forget_guild,
        ),
    )


FEATURE = Feature("storm", build, requires=("puzzles",))
