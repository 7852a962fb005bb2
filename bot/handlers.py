"""All handlers, built once for a client."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

import discord

from bot import feature
from bot.board.boards import Boards
from bot.board.challenges import ChallengeHandler
from bot.board.convergence import Convergence, UnreadableNotices
from bot.board.messages import (
    BoardLine,
    BoardMessages,
)
from bot.board.moves import BoardHandler, MoveHandler, ResignHandler
from bot.board.requests import BoardRequests, OldBoards
from bot.board.runner import GameRunner, Playback, TurnPings, TurnTimeouts, WaitingWord
from bot.board.starting import GameStarter, NewGameHandler
from bot.board.welcome import greet, help_commands, help_routes
from bot.discord.answering import Answering, Arrivals, DiscordTime
from bot.discord.commands import (
    CommandFactory,
    GameCommand,
    name_of,
)
from bot.discord.names import NameBook
from bot.discord.presses import Presses
from bot.discord.replies import Lifelines
from bot.discord.routes import HISTORY, WATCHED
from bot.drills.discord import DrillHandler
from bot.feature import Contributions, Core, Events, Parts
from bot.features.league.discord import LeagueHandler, _league
from bot.features.statistics.cards import crown_won_line
from bot.features.statistics.discord import (
    LIST_CONTROLS,
    ListHandler,
    StatisticsHandler,
    statistics_commands,
)
from bot.game.session import Session
from bot.i18n import Say
from bot.show.scenes import Names
from engine.core.package import GamePackage

Services = Any
"""The services of `bot.app`, which imports this module."""


def game_commands(handlers: Handlers, family: GamePackage) -> tuple[GameCommand, ...]:
    """The commands of one game that no feature registers yet."""
    return (
        *statistics_commands(handlers, family),
        _league(handlers, family),
    )


ORDER = {
    "stats": 500,
    "report": 510,
    "history": 520,
    "leaderboard": 530,
    "league": 600,
}
"""The order of the commands that no feature registers yet."""


def own_commands(handlers: Handlers) -> tuple[CommandFactory, ...]:
    """Factories of the commands that no feature registers yet."""
    made: dict[str, tuple[GameCommand, ...]] = {}

    def of(game: GamePackage) -> tuple[GameCommand, ...]:
        return made.get(game.key) or made.setdefault(game.key, game_commands(handlers, game))

    def factory(order: int) -> CommandFactory:
        return CommandFactory(
            order,
            lambda game: [one for one in of(game) if ORDER[name_of(one)] == order],
        )

    return tuple(factory(order) for order in ORDER.values())


def core_of(client: discord.Client, services: feature.Services, handlers: Handlers) -> Core:
    """What features build upon."""
    given = {one.name: getattr(services, one.name) for one in fields(feature.Services)}
    return Core(
        **given,
        client=client,
        answering=handlers.answering,
        names=handlers.names,
        messages=handlers.messages,
        boards=handlers.boards,
        lifelines=handlers.lifelines,
        runner=handlers.runner,
        drills=handlers.drills,
        notices=handlers.notices,
        contributions=handlers.contributions,
    )


CLOSE_QUESTIONS_EVERY = 15.0
"""Seconds between two checks for challenges and undo requests that no longer stand."""

ITEMS = (*LIST_CONTROLS,)
"""All buttons and menus that keep working after a restart."""


@dataclass(frozen=True, slots=True)
class Handlers:
    """The handlers, and below them what several of them share and the client starts."""

    challenges: ChallengeHandler
    drills: DrillHandler
    statistics: StatisticsHandler
    lists: ListHandler
    league: LeagueHandler

    answering: Answering
    boards: Boards
    lifelines: Lifelines
    convergence: Convergence
    runner: GameRunner
    playback: Playback
    timeouts: TurnTimeouts
    names: NameBook
    messages: BoardMessages
    notices: UnreadableNotices
    contributions: Contributions


def build_handlers(
    client: discord.Client, services: Services, arrivals: Arrivals | None = None
) -> Handlers:
    """Build the handlers of a client; each gets only what it uses.

    Without `arrivals` no interaction is too late.
    """
    sessions, workers, preferences = services.sessions, services.workers, services.preferences
    statistics, limiter = services.statistics, services.limiter
    names, playback = NameBook(client), Playback()
    time = DiscordTime()
    arrivals = arrivals or Arrivals(services.clock, is_measured=False)
    answering = Answering(client, sessions, names, time, arrivals, services.meter)
    messages_of_boards = BoardMessages(workers, names)
    lifelines, old = Lifelines(), OldBoards(client)
    requests = BoardRequests(client, messages_of_boards, lifelines)
    boards = Boards(sessions, requests, old, lifelines, time)
    notices = UnreadableNotices(client, services.store, old, time)
    pings = TurnPings(client, sessions, preferences, services.store, names)
    runner = GameRunner(sessions, boards, pings, playback, WaitingWord(client, sessions))
    challenges = ChallengeHandler(client, answering, services.challenges, names, runner)
    contributions = Contributions()
    figures = StatisticsHandler(
        answering, statistics, workers, services.league, limiter, contributions
    )
    drills = DrillHandler(workers, limiter)
    return Handlers(
        challenges=challenges,
        drills=drills,
        statistics=figures,
        lists=ListHandler(
            answering, statistics, sessions, workers, messages_of_boards, names, limiter
        ),
        league=LeagueHandler(
            answering, services.league, sessions, workers, messages_of_boards, limiter
        ),
        answering=answering,
        boards=boards,
        lifelines=lifelines,
        convergence=Convergence(
            services.store,
            sessions,
            services.ownership,
            boards,
            requests,
            old,
            notices,
            services.clock,
        ),
        runner=runner,
        playback=playback,
        timeouts=TurnTimeouts(services.timer, services.alarm, services.clock, runner, pings),
        names=names,
        messages=messages_of_boards,
        notices=notices,
        contributions=contributions,
    )


def core_parts(core: Core, challenges: ChallengeHandler, features: Iterable[Parts]) -> Parts:
    """The commands and buttons of the core itself, which build upon the parts of all features."""
    takers = [one.channel_moves for one in features if one.channel_moves is not None]
    if len(takers) > 1:
        raise ValueError("two features take the moves of channels")
    channel_moves = takers[0] if takers else None
    sessions, boards, runner = core.sessions, core.boards, core.runner
    new_games = NewGameHandler(
        core.answering,
        sessions,
        core.names,
        GameStarter(sessions, runner, core.limiter),
        challenges,
        core.limiter,
        core.toss,
        core.settings.watch_vote if takers else None,
    )
    moves = MoveHandler(
        core.answering, sessions, boards, runner, core.lifelines, core.preferences, channel_moves
    )
    resigning = ResignHandler(core.answering, sessions, boards, runner)
    board = BoardHandler(sessions, boards, runner, core.names, core.limiter)
    return Parts(
        commands=(
            *new_games.commands,
            *moves.commands,
            *resigning.commands,
            *board.commands,
            *help_commands(),
        ),
        menus=(new_games.menu(),),
        routes=(
            *new_games.routes,
            *moves.routes,
            *resigning.routes,
            *help_routes(),
            *challenges.routes(),
            *core.drills.routes,
        ),
        events=Events(guild_joined=greet),
    )


def unconverted_lines(services: Services) -> tuple[BoardLine, ...]:
    """The lines of boards of features that do not contribute them yet."""

    async def crown(session: Session, _names: Names, say: Say) -> str | None:
        return crown_won_line(session, await services.statistics.crowns_on(session), say)

    return (BoardLine(60, crown),)


def presses_for(handlers: Handlers) -> Presses:
    """Which handler answers which button."""
    return Presses(
        turn_page=handlers.lists.turn,
        open_game={HISTORY: handlers.lists.open, WATCHED: handlers.league.open},
    )
