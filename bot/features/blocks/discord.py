"""Blocks on Discord: the entry in people's menus, the button under a challenge, and Unblock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
from discord import Interaction, app_commands

from bot.board.challenge_form import MAX_ID
from bot.board.messages import Button
from bot.discord.commands import localized
from bot.discord.replies import answer_privately, confirm, replace
from bot.discord.routes import ROW, SNOWFLAKE, CustomId, Route, lasting_view
from bot.feature import Core
from bot.features.blocks.rules import Blocks
from bot.game.refusal import Refusal
from bot.i18n import Translator, say_for
from bot.sessions.people import Objection
from bot.show.board_text import short_name

BLOCK = CustomId("blocks:block", rf"(?P<challenge>{ROW})", challenge=int)
"""The ids of buttons under a challenge that decline it and block the challenger."""

UNBLOCK = CustomId("blocks:unblock", rf"(?P<person>{SNOWFLAKE})", person=int)
"""The ids of private buttons that unblock a person."""


def button_under_challenge(challenge_id: int, say: Translator) -> Button:
    """The button under an open challenge, below those that answer it."""
    return BLOCK.button(challenge_id, label=say("button.block"), row=1)


def unblock_view(user_id: int, say: Translator) -> discord.ui.View:
    """The button that unblocks a person."""
    view = lasting_view()
    view.add_item(UNBLOCK.button(user_id, label=say("button.unblock")))
    return view


@dataclass(frozen=True, slots=True)
class BlockHandler:
    """Lets people block and unblock each other, and refuses the challenges of those blocked."""

    core: Core
    blocks: Blocks

    @property
    def routes(self) -> tuple[Route, ...]:
        """The handlers of the buttons."""
        return BLOCK.route(self._block_challenger, repeatable=False), UNBLOCK.route(self._unblock)

    def menu(self) -> app_commands.ContextMenu:
        """The entry in people's context menus that blocks a person, or unblocks one."""

        async def block(interaction: Interaction[Any], user: discord.User) -> None:
            async with self.core.answering(interaction):
                await self._switch(interaction, user)

        return app_commands.ContextMenu(name=localized("button.block"), callback=block)

    async def objection(self, user_id: int, other_id: int) -> Objection | None:
        """Why the first of two people cannot ask the second one to play; None without a block."""
        found = await self.blocks.objection(user_id, other_id)
        if found is not None and found.by == user_id:
            found.refusal.details["offers"] = ((UNBLOCK(other_id), "button.unblock"),)
        return found

    async def _switch(self, interaction: Interaction[Any], user: discord.User) -> None:
        """Block a person, or unblock one who is blocked."""
        if user.bot:
            raise Refusal("block_bot")
        self.core.names.note(user)
        user_id, say = interaction.user.id, say_for(interaction.locale.value)
        if await self.blocks.unblock(user_id, user.id):
            text = say("blocks.unblocked", name=await self._name(user.id, say))
            await confirm(answer_privately(interaction, text))
            return
        await self._block(interaction, user.id)

    async def _block(self, interaction: Interaction[Any], other_id: int) -> None:
        await self.blocks.block(interaction.user.id, other_id)
        say = say_for(interaction.locale.value)
        text = say("blocks.blocked", name=await self._name(other_id, say))
        await confirm(answer_privately(interaction, text, unblock_view(other_id, say)))

    async def _block_challenger(self, interaction: Interaction[Any], challenge_id: int) -> None:
        """Decline a challenge and block its challenger; only the challenged person can."""
        challenge = await self.core.challenges.find(challenge_id)
        # This also answers people who were not challenged.
        await self.core.challenge_posts.decline(interaction, challenge_id)
        if challenge is not None and challenge.offer.challenged == interaction.user.id:
            await self._block(interaction, challenge.offer.challenger)

    async def _unblock(self, interaction: Interaction[Any], other_id: int) -> None:
        if not 0 < other_id < MAX_ID:
            raise Refusal("unknown_button")
        await self.blocks.unblock(interaction.user.id, other_id)
        say = say_for(interaction.locale.value)
        text = say("blocks.unblocked", name=await self._name(other_id, say))
        await confirm(replace(interaction, text))

    async def _name(self, user_id: int, say: Translator) -> str:
        return short_name((await self.core.names.of((user_id,), say))[user_id])
