"""Cards with figures: what players have done."""

from __future__ import annotations

import io
import time
from typing import TYPE_CHECKING, Any

import discord
from discord import Interaction

from bot.cards import stats_card
from bot.difficulty import current_rung
from bot.discord.answering import NO_PINGS
from bot.refusal import Refusal
from bot.store.history import summary
from bot.words import say_for
from engine.games import FAMILIES, game_of
from renderers import card_alt_text, draw_card

if TYPE_CHECKING:
    from bot.discord.desk import Desk


class Figures:
    """Answers requests for statistics."""

    def __init__(self, desk: Desk) -> None:
        """Answer at `desk`."""
        self._desk = desk

    async def stats(
        self, interaction: Interaction[Any], family: str, player: discord.User | None
    ) -> None:
        """Post a card with a player's statistics."""
        say = say_for(interaction.locale.value)
        async with self._desk.answering(interaction, family):
            person = player or interaction.user
            if person.bot:
                raise Refusal("no_stats_for_bots")
            store = self._desk.services.store
            history = await summary(store, person.id, family)
            variant = history.recent[0].variant if history.recent else FAMILIES[family].usual
            game = game_of(family, variant)
            rung = await current_rung(store, person.id, game, time.time())
            card = stats_card(history, person.display_name, game, rung.name, say)
            png = await self._desk.services.workers.draw(draw_card, card)
            file = discord.File(
                io.BytesIO(png), filename=f"{family}-stats.png", description=card_alt_text(card)
            )
            await interaction.response.send_message(file=file, allowed_mentions=NO_PINGS)
