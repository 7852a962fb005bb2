"""People's own settings: who sees their statistics, and which notifications they get."""

from __future__ import annotations

from typing import Any

from discord import Interaction, app_commands

from bot.discord.commands import CommandFactory, Commands, choices, command
from bot.discord.replies import answer_privately
from bot.feature import Core, Feature, Parts
from bot.i18n import say_for
from engine.core.package import GamePackage


def build(core: Core) -> Parts:
    """The commands that change settings; they are the same for all games."""
    players, clock = core.store.players, core.clock

    def statistics(_game: GamePackage) -> Commands:
        @command("privacy", "stats")
        @app_commands.choices(stats=choices("privacy", ("show", "hide")))
        async def privacy(interaction: Interaction[Any], stats: str) -> None:
            is_hidden, user_id = stats == "hide", interaction.user.id
            await players.set(user_id, clock(), private=is_hidden, shares=not is_hidden)
            await core.contributions.visibility_changed(user_id)
            await _confirm(interaction, "privacy.hidden" if is_hidden else "privacy.shown")

        return (privacy,)

    def notifications(_game: GamePackage) -> Commands:
        @command("pings", "turns")
        @app_commands.choices(turns=choices("pings", ("on", "off")))
        async def pings(interaction: Interaction[Any], turns: str) -> None:
            is_on = turns == "on"
            await players.set(interaction.user.id, clock(), pings=is_on, reminders=is_on)
            await _confirm(interaction, f"pings.{turns}_now")

        return (pings,)

    def confirmations(_game: GamePackage) -> Commands:
        @command("spoken", "moves")
        @app_commands.choices(moves=choices("spoken", ("say", "hush")))
        async def spoken(interaction: Interaction[Any], moves: str) -> None:
            is_wanted = moves == "say"
            await players.set(interaction.user.id, clock(), spoken=is_wanted)
            await _confirm(interaction, "spoken.on" if is_wanted else "spoken.off")

        return (spoken,)

    return Parts(
        commands=(
            CommandFactory(800, statistics),
            CommandFactory(810, notifications),
            CommandFactory(820, confirmations),
        )
    )


async def _confirm(interaction: Interaction[Any], key: str) -> None:
    """Confirm a changed setting privately, in the person's language."""
    await answer_privately(interaction, say_for(interaction.locale.value)(key))


FEATURE = Feature("settings", build)
