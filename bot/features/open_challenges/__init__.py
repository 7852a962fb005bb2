"""Open challenges: a person offers a game to anyone in a channel, and the first who joins plays.

The board replaces the post. There is no notification.
"""

from __future__ import annotations

from functools import partial

from bot.board.help import FRIENDS, HelpButton
from bot.feature import Core, Feature, Parts, PersonalData
from bot.features.open_challenges.discord import (
    SEARCH,
    OpenChallengeHandler,
    anyone_button,
    button_in_form,
    button_in_help,
    end_button,
)
from bot.features.open_challenges.rules import OpenChallenges, challenge_files
from bot.features.open_challenges.store import (
    OpenChallengeStore,
    count_challenges,
    forget_guild,
    forget_person,
    guilds_query,
)


def build(core: Core) -> Parts:
    """The option of `start`, the buttons, closing what is over, and the personal data."""
    stored = OpenChallengeStore(core.store.database)
    challenges = OpenChallenges(
        core.store,
        stored,
        core.sessions,
        core.clock,
        seconds=60.0 * core.settings.open_minutes,
        shards=core.settings.shards,
        objection=core.challenges.objection,
    )
    handler = OpenChallengeHandler(core, challenges)
    return Parts(
        offer_to_anyone=handler.offer,
        searches={SEARCH: challenges.is_open},
        waiting_lines=(handler.waiting,),
        greeting_buttons=(anyone_button,),
        form_buttons=(button_in_form,),
        board_buttons=(end_button(core.sessions.default_clock),),
        help_buttons=(HelpButton(65, (FRIENDS,), button_in_help),),
        routes=handler.routes,
        tasks=(handler.task,),
        personal=PersonalData(
            order=37,
            count=count_challenges,
            files=partial(challenge_files, stored),
            leave=handler.withdraw_all,
            delete=forget_person,
            guilds=guilds_query,
            forget_guild=forget_guild,
        ),
    )


FEATURE = Feature("open_challenges", build)
