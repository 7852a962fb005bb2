"""The queue of a server: people ask for an opponent, and are paired by rating.

The two are notified of their game, and before it if one of them plays another one.
"""

from __future__ import annotations

from functools import partial

from bot.board.help import FRIENDS, HelpButton
from bot.feature import Core, Feature, Parts, PersonalData
from bot.features.queue.buttons import END_BUTTON, button_in_form, button_in_help, find_button
from bot.features.queue.discord import SEARCH, QueueHandler
from bot.features.queue.rules import Queue, queue_files
from bot.features.queue.store import (
    QueueStore,
    count_places,
    forget_guild,
    forget_person,
    guilds_query,
)


def build(core: Core) -> Parts:
    """The buttons, the pairing of people who wait, and the personal data."""
    stored = QueueStore(core.store.database)
    queue = Queue(
        core.store,
        stored,
        core.sessions,
        core.clock,
        toss=core.toss,
        objection=core.challenges.objection,
        games_per_player=core.settings.games_per_player,
        shards=core.settings.shards,
    )
    handler = QueueHandler(core, queue, stored)
    return Parts(
        greeting_buttons=(find_button,),
        form_buttons=(button_in_form,),
        board_buttons=(END_BUTTON,),
        help_buttons=(HelpButton(66, (FRIENDS,), button_in_help),),
        routes=handler.routes,
        searches={SEARCH: queue.is_open},
        waiting_lines=(handler.waiting,),
        tasks=(handler.task,),
        personal=PersonalData(
            order=39,
            count=count_places,
            files=partial(queue_files, stored),
            leave=handler.leave_all,
            delete=forget_person,
            guilds=guilds_query,
            forget_guild=forget_guild,
        ),
    )


FEATURE = Feature("queue", build)
