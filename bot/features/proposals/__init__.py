"""Undo, draw and swap: what the two people of a game propose to each other."""

from __future__ import annotations

from bot.discord.background import Task
from bot.feature import Core, Feature, Parts, PersonalData
from bot.features.proposals.discord import BOARD_BUTTONS, BOARD_LINES, ProposalHandler
from bot.features.proposals.store import delete_proposals, forget_messages

LAPSE_EVERY = 15.0
"""Seconds between two checks for proposals that can no longer be answered."""


def build(core: Core) -> Parts:
    """The commands, buttons and questions, and what is stored of them."""
    handler = ProposalHandler(core)

    async def leave(_user_id: int) -> None:
        """The games of a person who leaves are over, so all that they have proposed lapses."""
        await handler.lapse()

    return Parts(
        commands=handler.commands(),
        routes=handler.routes(),
        board_lines=BOARD_LINES,
        board_buttons=BOARD_BUTTONS,
        tasks=(Task("proposals", LAPSE_EVERY, handler.lapse),),
        personal=PersonalData(leave=leave, delete=delete_proposals, forget_guild=forget_messages),
    )


FEATURE = Feature("proposals", build)
