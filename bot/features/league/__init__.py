"""The league: the results of agents in games that a server has watched."""

from __future__ import annotations

from bot.board.messages import BoardButton
from bot.board.starting import LAB
from bot.discord.commands import GlobalCommand
from bot.feature import Core, Feature, Parts, ReportLine
from bot.features.league.discord import (
    FIGURES,
    LEAGUE,
    PAGE,
    WATCHED,
    LeagueHandler,
    league_button,
)
from bot.features.league.rules import League, LeagueQueue
from bot.features.league.store import LeagueGames, note_due


def build(core: Core) -> Parts:
    """The command, opening games, the line of a server's report, and judging finished games."""
    games = LeagueGames(core.store.database)
    judging = LeagueQueue(games, core.store.games, core.ownership, core.workers, meter=core.meter)
    handler = LeagueHandler(core, League(games, judging))
    return Parts(
        global_commands=(GlobalCommand(920, handler.command(), LAB),),
        routes=(
            WATCHED.route(handler.open),
            FIGURES.route(handler.details),
            PAGE.route(handler.turn, repeatable=False),
            LEAGUE.route(handler.of_game),
        ),
        board_buttons=(BoardButton(110, league_button),),
        report_lines=(ReportLine(10, handler.report_line),),
        queues=(judging.queue,),
    )


FEATURE = Feature("league", build, at_end=(note_due,))
