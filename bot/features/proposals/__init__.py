"""Undo, draw and swap: agreements between the two people of a game."""

from __future__ import annotations

from bot.board.messages import BoardLine
from bot.discord.background import Task
from bot.feature import Core, Feature, Parts, PersonalData
from bot.features.proposals.discord import BOARD_BUTTONS, ProposalHandler, pie_line
from bot.features.proposals.store import delete_proposals, forget_messages

LAPSE_EVERY = 15.0
"""Seconds between two checks for proposals that can no longer be answered."""


def build(core: Core) -> Parts:
    """The commands, buttons and questions, and their stored data."""
    handler = ProposalHandler(core)

    async def leave(_user_id: int) -> None:
        """Their games are over, so all proposals in them lapse."""
        await handler.lapse()

    return Parts(
        commands=handler.commands(),
        routes=handler.routes(),
        board_lines=(BoardLine(10, pie_line),),
        board_buttons=BOARD_BUTTONS,
        tasks=(Task("proposals", LAPSE_EVERY, handler.lapse),),
        personal=PersonalData(leave=leave, delete=delete_proposals, forget_guild=forget_messages),
    )


FEATURE = Feature("proposals", build)
