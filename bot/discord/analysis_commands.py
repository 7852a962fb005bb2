"""The slash command that analyses positions."""

from __future__ import annotations

from typing import Any

from discord import Interaction

from bot.discord.command_parts import GameCommand, command, option, variant_of
from bot.discord.handlers import Handlers
from bot.discord.suggestions import suggest_variants
from engine.core.package import GamePackage


def analysis_commands(handlers: Handlers, family: GamePackage) -> tuple[GameCommand, ...]:
    """The command of one game; none where its positions have no codes."""
    if family.place is None:
        return ()

    @command("analyze", "code")
    @option("moves", "played")
    @variant_of(family)
    async def analyze(
        interaction: Interaction[Any],
        moves: str | None = None,
        code: str | None = None,
        variant: str | None = None,
    ) -> None:
        await handlers.analyses.analyze(interaction, family.key, variant, moves, code)

    if len(family.variants) > 1:
        suggest_variants(family, analyze)
    return (analyze,)
