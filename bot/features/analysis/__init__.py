"""Analysis of any position: the values of its moves, along lines that people explore."""

from __future__ import annotations

from bot.discord.commands import GlobalCommand
from bot.feature import Core, Feature, Parts
from bot.features.analysis.discord import AnalysisHandler
from bot.features.analysis.rules import Analyses


def build(core: Core) -> Parts:
    """The command, and the buttons under an analysis."""
    analyses = Analyses(core.sessions.games, core.store.games, core.workers)
    handler = AnalysisHandler(
        analyses,
        core.store.preferences,
        core.workers,
        core.limiter,
        core.chosen,
        core.contributions.position_buttons,
        core.contributions.require_help,
    )
    return Parts(
        global_commands=(GlobalCommand(60, handler.command()),),
        menus=(core.board_menus.entry("menu.analyze", handler.analyze_game),),
        routes=handler.routes,
    )


FEATURE = Feature("analysis", build)
