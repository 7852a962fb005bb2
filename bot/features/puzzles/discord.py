"""The slash commands about puzzles.

Answers requests for puzzles, and lets servers say where they want their puzzle of the day.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import discord
from discord import Interaction, app_commands

from bot.discord.answering import Answering
from bot.discord.commands import (
    MOST_CHOICES,
    Choices,
    GameCommand,
    _begins_a_word,
    choices,
    command,
    option,
    without,
)
from bot.discord.replies import channel_of, missing_in, missing_permissions, tell
from bot.drills.discord import DrillHandler
from bot.features.daily.rules import Daily, Subscriptions
from bot.features.puzzles.rules import PuzzleDrills, classes_with_puzzles
from bot.game.refusal import Refusal
from bot.i18n import say_for
from bot.show.names import size_called

if TYPE_CHECKING:
    from bot.handlers import Handlers


def puzzle_commands(handlers: Handlers, key: str) -> tuple[GameCommand, ...]:
    """The commands of one game; none where there are no puzzles for it."""
    sizes = classes_with_puzzles(key)
    return (_puzzle(handlers, key, len(sizes) > 1), _daily(handlers, key)) if sizes else ()


def _puzzle(handlers: Handlers, key: str, has_sizes: bool) -> GameCommand:
    sized = option("size", "puzzle_size") if has_sizes else without("size")

    @command("puzzle")
    @sized
    async def puzzle(interaction: Interaction[Any], size: str | None = None) -> None:
        await handlers.puzzles.puzzle(interaction, key, size)

    if has_sizes:
        suggest_puzzle_sizes(key, puzzle)
    return puzzle


def _daily(handlers: Handlers, key: str) -> GameCommand:
    @command("daily", "channel", "hour", "post")
    @app_commands.choices(post=choices("post", ("on", "off")))
    async def daily(
        interaction: Interaction[Any],
        channel: discord.TextChannel | None = None,
        hour: app_commands.Range[int, 0, 23] | None = None,
        post: str | None = None,
    ) -> None:
        if post == "off":
            await handlers.puzzles.unsubscribe(interaction, key)
        elif (channel, hour, post) == (None, None, None):
            await handlers.puzzles.solve_daily(interaction, key)
        else:
            await handlers.puzzles.subscribe(interaction, key, channel, hour)

    return daily


@dataclass(frozen=True, slots=True)
class PuzzleHandler:
    """Puts puzzles to people, privately."""

    answering: Answering
    drills: DrillHandler
    puzzles: PuzzleDrills
    daily: Daily
    subscriptions: Subscriptions

    async def puzzle(self, interaction: Interaction[Any], family: str, size: str | None) -> None:
        """Put a puzzle to somebody that fits their rating at puzzles."""
        async with self.answering(interaction, family):
            chosen = size_called(family, size)
            at = await self.puzzles.first(interaction.user.id, family, chosen)
            await self.drills.begin(interaction, at)

    async def solve_daily(self, interaction: Interaction[Any], family: str) -> None:
        """Put today's puzzle to somebody."""
        async with self.answering(interaction, family):
            await self.drills.begin(interaction, self.daily.step(family))

    async def subscribe(
        self,
        interaction: Interaction[Any],
        family: str,
        channel: discord.TextChannel | None,
        hour: int | None,
    ) -> None:
        """Post the puzzle of the day on a server from now on: in this channel, if none is named."""
        async with self.answering(interaction, family):
            guild_id = _managed(interaction)
            missing = missing_in(channel) if channel else missing_permissions(interaction)
            channel_id = channel.id if channel else channel_of(interaction)
            if missing:
                raise Refusal("daily_closed", channel=channel_id, missing=missing)
            locale = interaction.locale.value
            promise = await self.subscriptions.begin(guild_id, channel_id, family, locale, hour)
            key = "daily.on_today" if promise.comes_today else "daily.on"
            where, time = f"<#{channel_id}>", f"<t:{int(promise.time)}:t>"
            await tell(interaction, say_for(locale)(key, channel=where, time=time))

    async def unsubscribe(self, interaction: Interaction[Any], family: str) -> None:
        """Post no puzzle of the day on a server any more."""
        async with self.answering(interaction, family):
            await self.subscriptions.end(_managed(interaction))
            say = say_for(interaction.locale.value)
            await tell(interaction, say("daily.off", game=say(f"command.{family}.name")))


def _managed(interaction: Interaction[Any]) -> int:
    """The server of an interaction; refused for who may not manage it, and in private."""
    if interaction.guild_id is None:
        raise Refusal("daily_in_private")
    if not interaction.permissions.manage_guild:
        raise Refusal("daily_not_yours")
    return interaction.guild_id


def suggest_puzzle_sizes(family_key: str, command: GameCommand) -> None:
    """Suggest the size classes for which there are puzzles."""

    async def suggest(interaction: Interaction[Any], current: str) -> Choices:
        say = say_for(interaction.locale.value)
        typed = current.strip().lower().replace("×", "x")
        sizes = classes_with_puzzles(family_key)
        names = {s.name: say.texts.get(f"covers.{s.name}", s.name) for s in sizes}
        matching = [v for v, name in names.items() if _begins_a_word(typed, f"{v} {name}")]
        return [app_commands.Choice(name=names[v], value=v) for v in matching[:MOST_CHOICES]]

    command.autocomplete("size")(suggest)
