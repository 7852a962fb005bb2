"""All handlers, built once for a client."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

import discord
from discord import ButtonStyle

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
    is_played_by_people,
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
from bot.drills.rules import DrillSource
from bot.feature import Contributions, Core
from bot.features.analysis.discord import AnalysisHandler, ExploreButton, analysis_commands
from bot.features.analysis.rules import Analyses
from bot.features.hints.discord import HintButton, HintHandler
from bot.features.hints.rules import Hints
from bot.features.league.discord import LeagueHandler, _league
from bot.features.replays import ReplayHandler, StepButton
from bot.features.reviews import rules as learning
from bot.features.reviews.discord import ReviewHandler
from bot.features.reviews.rules import Learning, Reviews
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
from bot.features.why import Explanations, WhyHandler
from bot.game.session import Session, last_by_agent
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
        *analysis_commands(handlers, family),
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
    "hint": 200,
    "board": 230,
    "resign": 240,
    "games": 250,
    "analyze": 400,
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
    HintButton,
    StepButton,
    ExploreButton,
)
"""All buttons and menus that keep working after a restart."""


@dataclass(frozen=True, slots=True)
class Handlers:
    """The handlers, and below them what several of them share and the client starts."""

    moves: MoveHandler
    hints: HintHandler
    resigning: ResignHandler
    board: BoardHandler
    help: HelpHandler
    new_games: NewGameHandler
    guesses: GuessHandler
    challenges: ChallengeHandler
    replays: ReplayHandler
    reviews: ReviewHandler
    analyses: AnalysisHandler
    drills: DrillHandler
    why: WhyHandler
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
    sources: Mapping[str, DrillSource]


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
    reviews = Reviews(sessions, workers)
    sources: dict[str, DrillSource] = {learning.SOURCE: Learning(reviews)}
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
        hints=HintHandler(
            answering,
            Hints(
                sessions.games, services.store.games, services.ownership, workers, services.clock
            ),
            sessions.games,
            boards,
            limiter,
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
        replays=ReplayHandler(answering, sessions, boards, statistics, limiter),
        analyses=AnalysisHandler(
            answering, Analyses(sessions, services.store, workers), workers, limiter
        ),
        reviews=ReviewHandler(answering, reviews, boards, limiter),
        drills=drills,
        why=WhyHandler(answering, Explanations(sessions, workers), limiter),
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
        sources=sources,
    )


def core_routes(handlers: Handlers) -> tuple[Route, ...]:
    """The routes of the core, and of features that do not register theirs yet."""
    unconverted = {
        "hint": handlers.hints.press,
        "go": handlers.guesses.begin,
        "replay": handlers.replays.press,
        "play": handlers.replays.play,
        "share": handlers.replays.share,
        "why": handlers.why.press,
        "review": handlers.reviews.press,
    }
    return (
        MOVE_IDS.route(handlers.moves.press),
        RESIGN.route(handlers.resigning.press_resign),
        SURE.route(handlers.resigning.press_sure),
        STOP.route(handlers.resigning.press_stop),
        REMATCH.route(handlers.new_games.press_rematch),
        *handlers.drills.routes,
        *handlers.challenges.routes(),
        *(game_action(name).route(answer) for name, answer in unconverted.items()),
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

    def plain(
        action: str,
        condition: Callable[[Session], bool],
        *,
        is_idle: Callable[[Session], bool] = lambda _: False,
        style: ButtonStyle = ButtonStyle.secondary,
    ) -> Callable[[Session, Say], Button | None]:
        def make(session: Session, say: Say) -> Button | None:
            if not condition(session):
                return None
            label, disabled = say(f"button.{action}"), is_idle(session)
            ids = game_action(action)
            return ids.button(session.id, label=label, style=style, disabled=disabled)

        return make

    def guess(choice: str) -> Callable[[Session, Say], Button | None]:
        def make(session: Session, say: Say) -> Button | None:
            if not session.awaits_guesses:
                return None
            return GuessButton(session.id, choice, label=choice_name(session, choice, say)).item

        return make

    def is_told(session: Session) -> bool:
        return session.is_over and not session.is_called_off

    def has_why(session: Session) -> bool:
        is_open = session.is_watched and not session.awaits_guesses
        return (session.is_over or is_open) and last_by_agent(session) is not None

    return (
        BoardButton(20, plain("hint", is_played_by_people, is_idle=lambda one: one.awaits_agent)),
        *(BoardButton(10 * at, guess(choice), row=-1) for at, choice in enumerate(CHOICES)),
        BoardButton(60, plain("go", lambda one: one.awaits_guesses)),
        BoardButton(90, plain("review", is_told)),
        BoardButton(100, plain("replay", is_told)),
        BoardButton(110, plain("why", has_why)),
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
        hint=handlers.hints.press_level,
        turn_page=handlers.lists.turn,
        step=handlers.replays.step,
        explore=handlers.analyses.explore,
        share_analysis=handlers.analyses.share,
        open_game={HISTORY: handlers.lists.open, WATCHED: handlers.league.open},
        guess=handlers.guesses.press,
        begin=handlers.new_games.begin,
        help=handlers.help.help,
    )
