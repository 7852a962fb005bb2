"""What is stored about a person: showing, exporting and deleting it; the data of former servers."""

from __future__ import annotations

from bot.board.starting import LAB
from bot.discord.background import Task
from bot.discord.commands import GlobalCommand
from bot.feature import Core, Events, Feature, Parts
from bot.features.privacy.discord import FORGET, PRIVACY, DepartureHandler, PrivacyHandler
from bot.features.privacy.rules import Erasure

DAY = 86_400.0
"""Seconds between two checks for servers whose data are to be deleted."""


def build(core: Core) -> Parts:
    """The commands that show, export and delete, and the care for servers that leave."""
    erasure = Erasure(
        core.store.database,
        core.sessions,
        core.ratings,
        core.clock,
        lambda: core.contributions.personal,
        shards=core.settings.shards,
        meter=core.meter,
    )
    privacy = PrivacyHandler(core, erasure)
    departures = DepartureHandler(core.client, core.clock, erasure)
    return Parts(
        global_commands=(
            GlobalCommand(120, privacy.command(), anywhere=True),
            GlobalCommand(940, privacy.export_command(), LAB),
        ),
        routes=(FORGET.route(privacy.forget), PRIVACY.route(privacy.press)),
        tasks=(Task("departures", DAY, departures.check),),
        events=Events(
            guild_joined=departures.returned,
            guild_left=departures.left,
            connected=departures.check,
        ),
    )


FEATURE = Feature("privacy", build)
