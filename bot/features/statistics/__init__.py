"""Statistics: cards, reports, histories and leaderboards; all derived from what the core stores."""

from __future__ import annotations

from bot.board.help import DATA, OVERVIEW, HelpButton
from bot.board.messages import BoardLine
from bot.board.starting import LAB
from bot.discord.commands import CommandFactory, GlobalCommand
from bot.feature import Core, Feature, Parts
from bot.features.statistics.buttons import OPEN, PAGE, SHOW, STATS, stats_button
from bot.features.statistics.cards import crown_won_line
from bot.features.statistics.discord import ListHandler, StatisticsHandler
from bot.features.statistics.reports import FIGURES, ReportHandler
from bot.features.statistics.rules import Statistics
from bot.game.session import Session
from bot.i18n import Translator
from bot.show.scenes import Names


def build(core: Core) -> Parts:
    """The commands, the pages of lists, and the line of a board about a crown that was won."""
    statistics = Statistics(core.store, core.clock)
    results, lists = StatisticsHandler(core, statistics), ListHandler(core, statistics)
    reports = ReportHandler(core, statistics)

    async def crown_line(session: Session, _names: Names, say: Translator) -> str:
        return crown_won_line(session, await statistics.crowns_on(session), say)

    return Parts(
        commands=(CommandFactory(500, results.stats_of_game),),
        global_commands=(
            GlobalCommand(70, results.stats()),
            GlobalCommand(80, lists.history()),
            GlobalCommand(90, lists.leaderboard()),
            GlobalCommand(930, reports.report(), LAB),
        ),
        help_buttons=(HelpButton(40, (OVERVIEW, DATA), stats_button),),
        routes=(
            PAGE.route(lists.turn, repeatable=False),
            OPEN.route(lists.open),
            SHOW.route(results.show),
            STATS.route(results.show_own),
            FIGURES.route(reports.details),
        ),
        board_lines=(BoardLine(60, crown_line),),
    )


FEATURE = Feature("statistics", build)
