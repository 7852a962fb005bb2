"""Threads: a game for which its channel has no room begins in a thread of that channel.

The thread is named after the game. Five minutes after the end it gets the result in its name and is
archived. A game whose thread was deleted waits, with its clock, until it goes on in another one.
"""

from __future__ import annotations

from bot.feature import Core, Events, Feature, Parts, PersonalData
from bot.features.threads.discord import ThreadHandler
from bot.features.threads.rules import Threads
from bot.features.threads.store import ThreadStore, forget_guild, guilds_query, note_end


def build(core: Core) -> Parts:
    """Opening threads, and the task that archives and repairs them; nothing is about a person."""
    stored = ThreadStore(core.store.database)
    handler = ThreadHandler(core, Threads(stored, core.clock, core.settings.shards))
    return Parts(
        openings=handler,
        holds=(handler.hold,),
        waiting_lines=(handler.waiting,),
        routes=handler.routes,
        tasks=(handler.task,),
        events=Events(connected=handler.threads.check_all),
        personal=PersonalData(order=39, guilds=guilds_query, forget_guild=forget_guild),
    )


FEATURE = Feature("threads", build, at_end=(note_end,))
