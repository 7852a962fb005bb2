"""Matches: games between two people with alternating seats, which are played as one unit.

The score is written under each board, one press begins the next game, and the last board names the
winner. Each game is rated by itself.
"""

from __future__ import annotations

from bot.feature import Core, Feature, Parts, PersonalData
from bot.features.matches.discord import MatchHandler
from bot.features.matches.rules import LENGTHS, Matches
from bot.features.matches.store import MatchStore, count_matches, forget_person, note_end


def build(core: Core) -> Parts:
    """The lines and the button of boards, ending matches that wait, and the personal data."""
    matches = Matches(
        MatchStore(core.store.database),
        core.sessions,
        core.clock,
        core.settings.shards,
        core.challenges.objection,
    )
    handler = MatchHandler(core, matches)
    return Parts(
        match_lengths=LENGTHS,
        continuation=handler.continuation,
        board_lines=handler.lines,
        routes=handler.routes,
        tasks=(handler.task,),
        personal=PersonalData(order=36, count=count_matches, delete=forget_person),
    )


FEATURE = Feature("matches", build, at_end=(note_end,))
