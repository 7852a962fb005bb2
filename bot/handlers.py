"""All handlers, built once for a client."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import discord

from bot import feature
from bot.board.boards import Boards
from bot.board.challenges import ChallengeHandler
from bot.board.convergence import Convergence, UnreadableNotices
from bot.board.messages import (
    MOVE_IDS,
    REMATCH,
    RESIGN,
    STOP,
    SURE,
    BoardButton,
    BoardLine,
    BoardMessages,
    Button,
)
from bot.board.moves import BoardHandler, GamesHandler, MoveHandler, ResignHandler, _at_board, _move
from bot.board.runner import GameRunner, Playback, TurnPings, TurnTimeouts, WaitingWord
from bot.board.starting import NewGameHandler, _beginning
from bot.board.welcome import WELCOME_BUTTONS, HelpHandler, JoinHandler
from bot.discord.answering import Answering, Arrivals, DiscordTime
from bot.discord.commands import (
    CommandFactory,
    GameCommand,
    command,
    name_of,
)
from bot.discord.names import NameBook
from bot.discord.presses import Presses
from bot.discord.routes import HISTORY, WATCHED, Route, game_action
from bot.drills.discord import DrillHandler
from bot.feature import Contributions, Core
from bot.features.league.discord import LeagueHandler, _league
from bot.features.statistics.cards import crown_won_line
from bot.features.statistics.discord import (
    LIST_CONTROLS,
    ListHandler,
    StatisticsHandler,
    statistics_commands,
)
from bot.features.voting.discord import (
    CHOICES,
    MOST_NAMED,
    GuessButton,
    GuessHandler,
    VoteHandler,
    choice_name,
    guesses_line,
    right_guesses,
    right_line,
    vote_line,
)
from bot.game.session import Session
from bot.i18n import Say
from bot.sessions.timer import Deadline
from bot.show.scenes import Names
from engine.core.package import GamePackage

Services = Any
"""The services of `bot.app`, which imports this module."""


def game_commands(handlers: Handlers, family: GamePackage) -> tuple[GameCommand, ...]:
    """The commands of one game that no feature registers yet."""
    return (
        *_beginning(handlers, family),
        *(_move(handlers, family.key, verb) for verb in family.commands),
        *_at_board(handlers, family.key),
        *statistics_commands(handlers, family),
        _league(handlers, family),
        _help(handlers, family.key),
    )


def _help(handlers: Handlers, family_key: str) -> GameCommand:
    """The command that explains the others."""

    @command("help")
    async def help_(interaction: discord.Interaction[Any]) -> None:
        await handlers.help.help(interaction, family_key)

    return help_


ORDER = {
    "start": 10,
    "watch": 20,
    "together": 30,
    "board": 230,
    "resign": 240,
    "games": 250,
    "stats": 500,
    "report": 510,
    "history": 520,
    "leaderboard": 530,
    "league": 600,
    "help": 830,
}
"""The order of the commands that no feature registers yet; moves are at 100."""


def own_commands(handlers: Handlers) -> tuple[CommandFactory, ...]:
    """Factories of the commands that no feature registers yet."""
    made: dict[str, tuple[GameCommand, ...]] = {}

    def of(game: GamePackage) -> tuple[GameCommand, ...]:
        return made.get(game.key) or made.setdefault(game.key, game_commands(handlers, game))

    def factory(order: int) -> CommandFactory:
        return CommandFactory(
            order,
            lambda game: [one for one in of(game) if ORDER.get(name_of(one), 100) == order],
        )

    return tuple(factory(order) for order in (100, *ORDER.values()))


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
        runner=handlers.runner,
        drills=handlers.drills,
        notices=handlers.notices,
        contributions=Contributions(),
    )


BUTTONS = (GuessButton,)
"""What the client registers so that buttons from earlier runs work."""


CLOSE_QUESTIONS_EVERY = 15.0
"""Seconds between two checks for challenges and undo requests that no longer stand."""

ITEMS = (
    *BUTTONS,
    *LIST_CONTROLS,
    *WELCOME_BUTTONS,
)
"""All buttons and menus that keep working after a restart."""


@dataclass(frozen=True, slots=True)
class Handlers:
    """The handlers, and below them what several of them share and the client starts."""

    moves: MoveHandler
    resigning: ResignHandler
    board: BoardHandler
    help: HelpHandler
    new_games: NewGameHandler
    guesses: GuessHandler
    challenges: ChallengeHandler
    drills: DrillHandler
    statistics: StatisticsHandler
    lists: ListHandler
    league: LeagueHandler
    games: GamesHandler
    joining: JoinHandler

    answering: Answering
    boards: Boards
    convergence: Convergence
    runner: GameRunner
    playback: Playback
    timeouts: TurnTimeouts
    names: NameBook
    messages: BoardMessages
    notices: UnreadableNotices


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
    boards = Boards(client, sessions, messages_of_boards, time)
    notices = UnreadableNotices(client, services.store, boards, time)
    pings = TurnPings(client, sessions, preferences, services.store, names)
    runner = GameRunner(sessions, boards, pings, playback, WaitingWord(client, sessions))
    challenges = ChallengeHandler(client, answering, services.challenges, names, runner)
    figures = StatisticsHandler(answering, statistics, workers, services.league, limiter)
    drills = DrillHandler(workers, limiter)
    return Handlers(
        moves=MoveHandler(
            answering,
            sessions,
            boards,
            runner,
            preferences,
            VoteHandler(answering, services.voting, boards),
        ),
        resigning=ResignHandler(answering, sessions, boards, runner),
        board=BoardHandler(answering, sessions, boards, runner, limiter),
        help=HelpHandler(answering),
        new_games=NewGameHandler(
            answering,
            sessions,
            names,
            runner,
            challenges,
            limiter,
            services.toss,
            services.settings.watch_vote,
        ),
        guesses=GuessHandler(answering, services.voting, boards, runner),
        challenges=challenges,
        drills=drills,
        statistics=figures,
        lists=ListHandler(answering, statistics, sessions, workers, boards, names, limiter),
        league=LeagueHandler(answering, services.league, sessions, workers, boards, limiter),
        games=GamesHandler(answering, sessions, names),
        joining=JoinHandler(),
        answering=answering,
        boards=boards,
        convergence=Convergence(
            services.store, sessions, services.ownership, boards, notices, services.clock
        ),
        runner=runner,
        playback=playback,
        timeouts=TurnTimeouts(services.timer, services.alarm, services.clock, runner, pings),
        names=names,
        messages=messages_of_boards,
        notices=notices,
    )


def core_routes(handlers: Handlers) -> tuple[Route, ...]:
    """The routes of the core, and of features that do not register theirs yet."""
    return (
        MOVE_IDS.route(handlers.moves.press),
        RESIGN.route(handlers.resigning.press_resign),
        SURE.route(handlers.resigning.press_sure),
        STOP.route(handlers.resigning.press_stop),
        REMATCH.route(handlers.new_games.press_rematch),
        *handlers.drills.routes,
        *handlers.challenges.routes(),
        game_action("go").route(handlers.guesses.begin),
    )


def unconverted_lines(services: Services, names: NameBook) -> tuple[BoardLine, ...]:
    """The lines of boards of features that do not contribute them yet."""

    async def votes(session: Session, _names: Names, say: Say) -> str | None:
        if session.awaits_guesses:
            return guesses_line(session, say)
        return vote_line(session, say) if session.awaits_channel else None

    async def crown(session: Session, _names: Names, say: Say) -> str | None:
        return crown_won_line(session, await services.statistics.crowns_on(session), say)

    async def right(session: Session, _names: Names, say: Say) -> str | None:
        known: list[int] = []
        for vote in right_guesses(session):
            if len(known) < MOST_NAMED and not await services.statistics.is_hidden(vote.user_id):
                known.append(vote.user_id)
        return right_line(session, list((await names.of(known, say)).values()), say)

    return (
        BoardLine(40, votes),
        BoardLine(60, crown),
        BoardLine(70, right),
    )


def unconverted_buttons() -> tuple[BoardButton, ...]:
    """The buttons of boards of features that do not contribute them yet."""

    def guess(choice: str) -> Callable[[Session, Say], Button | None]:
        def make(session: Session, say: Say) -> Button | None:
            if not session.awaits_guesses:
                return None
            return GuessButton(session.id, choice, label=choice_name(session, choice, say)).item

        return make

    def go(session: Session, say: Say) -> Button | None:
        if not session.awaits_guesses:
            return None
        return game_action("go").button(session.id, label=say("button.go"))

    return (
        *(BoardButton(10 * at, guess(choice), row=-1) for at, choice in enumerate(CHOICES)),
        BoardButton(60, go),
    )


def unconverted_deadlines(services: Services) -> tuple[Deadline, ...]:
    """What features do with due games that do not register it yet."""

    async def decide(session: Session, now: float) -> Session | None:
        ballot = session.ballot
        if ballot is None or ballot.until is None or ballot.until > now:
            return None
        decided: Session | None = await services.voting.decide(session)
        return decided

    return (decide,)


def presses_for(handlers: Handlers) -> Presses:
    """Which handler answers which button."""
    return Presses(
        turn_page=handlers.lists.turn,
        open_game={HISTORY: handlers.lists.open, WATCHED: handlers.league.open},
        guess=handlers.guesses.press,
        begin=handlers.new_games.begin,
        help=handlers.help.help,
    )
