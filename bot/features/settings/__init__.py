"""People's own settings: who sees their statistics, and which notifications they get."""

from __future__ import annotations

from typing import Any

from discord import Interaction, app_commands

from bot.discord.commands import GameCommand, GlobalCommand, Moved, choices, command
from bot.discord.replies import answer_privately
from bot.feature import Core, Feature, Parts
from bot.i18n import say_for

TO = ("settings",)
"""The command that replaces the former ones."""


def build(core: Core) -> Parts:
    """The command that shows and changes settings."""
    return Parts(
        global_commands=(GlobalCommand(110, _command(core)),),
        moved=(Moved("former_privacy", TO), Moved("pings", TO), Moved("spoken", TO)),
    )


def _command(core: Core) -> GameCommand:
    players, clock = core.store.players, core.clock

    @command("settings", "stats", "turns", "moves")
    @app_commands.choices(
        stats=choices("privacy", ("show", "hide")),
        turns=choices("pings", ("on", "off")),
        moves=choices("spoken", ("say", "hush")),
    )
    async def settings(
        interaction: Interaction[Any],
        stats: str | None = None,
        turns: str | None = None,
        moves: str | None = None,
    ) -> None:
        user_id = interaction.user.id
        chosen = {
            name: value == given
            for name, value, given in (
                ("private", stats, "hide"),
                ("pings", turns, "on"),
                ("spoken", moves, "say"),
            )
            if value is not None
        }
        # Each of the former settings covered what is now two.
        if stats is not None:
            chosen["shares"] = stats != "hide"
        if turns is not None:
            chosen["reminders"] = turns == "on"
        if chosen:
            await players.set(user_id, clock(), **chosen)
        if "private" in chosen:
            await core.contributions.visibility_changed(user_id)
        keys = (
            "privacy.hidden" if await players.is_private(user_id) else "privacy.shown",
            "pings.on_now" if await players.wants_pings(user_id) else "pings.off_now",
            "spoken.on" if (await players.preferences(user_id)).spoken else "spoken.off",
        )
        say = say_for(interaction.locale.value)
        await answer_privately(interaction, "\n".join(map(say, keys)))

    return settings


FEATURE = Feature("settings", build)
