"""Statistics: cards, reports, histories and leaderboards; all derived from what the core stores."""

from __future__ import annotations

from bot.board.messages import BoardLine
from bot.discord.commands import CommandFactory
from bot.feature import Core, Feature, Parts
from bot.features.statistics.cards import crown_won_line
from bot.features.statistics.discord import OPEN, PAGE, ListHandler, StatisticsHandler
from bot.features.statistics.rules import Statistics
from bot.game.session import Session
from bot.i18n import Translator
from bot.show.scenes import Names


def build(core: Core) -> Parts:
    """The commands, the pages of lists, and the line of a board about a crown that was won."""
    statistics = Statistics(core.store, core.clock)
    results, lists = StatisticsHandler(core, statistics), ListHandler(core, statistics)

    async def crown_line(session: Session, _names: Names, say: Translator) -> str:
        return crown_won_line(session, await statistics.crowns_on(session), say)

    return Parts(
        commands=(
            CommandFactory(500, results.stats),
            CommandFactory(510, results.report),
            CommandFactory(520, lists.history),
            CommandFactory(530, lists.leaderboard),
        ),
        routes=(PAGE.route(lists.turn), OPEN.route(lists.open)),
        board_lines=(BoardLine(60, crown_line),),
    )


FEATURE = Feature("statistics", build)
