"""Blocks: people keep others from challenging them, without these being notified."""

from __future__ import annotations

from functools import partial

from bot.feature import Core, Feature, Parts, PersonalData
from bot.features.blocks.discord import BlockHandler, button_under_challenge
from bot.features.blocks.rules import Blocks, block_files
from bot.features.blocks.store import BlockStore, count_blocks, forget_person


def build(core: Core) -> Parts:
    """The entry in people's menus, the buttons, the objection, and the personal data."""
    stored = BlockStore(core.store.database)
    handler = BlockHandler(core, Blocks(stored, core.clock))
    return Parts(
        menus=(handler.menu(),),
        routes=handler.routes,
        challenge_buttons=(button_under_challenge,),
        objections=(handler.objection,),
        personal=PersonalData(
            order=38, count=count_blocks, files=partial(block_files, stored), delete=forget_person
        ),
    )


FEATURE = Feature("blocks", build)
