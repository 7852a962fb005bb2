"""All handlers, built once for a client."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.discord.analysis_handler import AnalysisHandler
from bot.discord.answering import Answering
from bot.discord.arrivals import Arrivals
from bot.discord.board_handler import BoardHandler
from bot.discord.board_messages import BoardMessages
from bot.discord.boards import Boards
from bot.discord.challenge_handler import ChallengeHandler
from bot.discord.convergence import Convergence
from bot.discord.daily_messages import DailyMessages
from bot.discord.daily_poster import DailyPoster
from bot.discord.departure_handler import DepartureHandler
from bot.discord.discord_time import DiscordTime
from bot.discord.draw_handler import DrawHandler
from bot.discord.drill_controls import ASK, OPEN, SOLVE
from bot.discord.drill_handler import DrillHandler
from bot.discord.drill_messages import DrillMessages
from bot.discord.games_handler import GamesHandler
from bot.discord.guess_handler import GuessHandler
from bot.discord.help_handler import HelpHandler
from bot.discord.hint_handler import HintHandler
from bot.discord.join_handler import JoinHandler
from bot.discord.league_handler import LeagueHandler
from bot.discord.lesson_handler import LessonHandler
from bot.discord.lesson_messages import LessonMessages
from bot.discord.list_controls import HISTORY, WATCHED
from bot.discord.list_handler import ListHandler
from bot.discord.move_handler import MoveHandler
from bot.discord.names import NameBook
from bot.discord.new_game_handler import NewGameHandler
from bot.discord.playback import Playback
from bot.discord.presses import Presses
from bot.discord.privacy_handler import PrivacyHandler
from bot.discord.puzzle_handler import PuzzleHandler
from bot.discord.questions import CHALLENGE, DRAW, UNDO
from bot.discord.replay_handler import ReplayHandler
from bot.discord.resign_handler import ResignHandler
from bot.discord.review_handler import ReviewHandler
from bot.discord.runner import GameRunner
from bot.discord.settings_handler import SettingsHandler
from bot.discord.statistics_handler import StatisticsHandler
from bot.discord.strays import Strays
from bot.discord.swap_handler import SwapHandler
from bot.discord.turn_pings import TurnPings
from bot.discord.turn_timeouts import TurnTimeouts
from bot.discord.undo_handler import UndoHandler
from bot.discord.unreadable_notices import UnreadableNotices
from bot.discord.vote_handler import VoteHandler
from bot.discord.waiting_word import WaitingWord
from bot.discord.why_handler import WhyHandler
from bot.play import daily, learning, lessons, puzzle_drills
from bot.play.analyses import Analyses
from bot.play.daily import Daily, DailyDrills
from bot.play.drills import Drills, DrillSource
from bot.play.explanations import Explanations
from bot.play.learning import Learning
from bot.play.lesson_games import LessonGames
from bot.play.lessons import Lessons
from bot.play.puzzle_drills import PuzzleDrills
from bot.play.puzzling import Puzzling
from bot.play.reviews import Reviews
from bot.play.subscriptions import Subscriptions
from bot.services import Services


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
    swapping: SwapHandler
    challenges: ChallengeHandler
    undos: UndoHandler
    draws: DrawHandler
    replays: ReplayHandler
    reviews: ReviewHandler
    analyses: AnalysisHandler
    drills: DrillHandler
    lessons: LessonHandler
    puzzles: PuzzleHandler
    why: WhyHandler
    statistics: StatisticsHandler
    lists: ListHandler
    league: LeagueHandler
    settings: SettingsHandler
    games: GamesHandler
    joining: JoinHandler
    strays: Strays
    privacy: PrivacyHandler
    departures: DepartureHandler

    answering: Answering
    boards: Boards
    convergence: Convergence
    runner: GameRunner
    playback: Playback
    timeouts: TurnTimeouts
    daily: DailyPoster


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
    boards = Boards(client, sessions, BoardMessages(workers, names, statistics), time)
    notices = UnreadableNotices(client, services.store, boards, time)
    pings = TurnPings(client, sessions, preferences, services.store, names)
    runner = GameRunner(sessions, boards, pings, playback, WaitingWord(client, sessions))
    challenges = ChallengeHandler(client, answering, services.challenges, names, runner)
    undos = UndoHandler(client, answering, services.undos, sessions, names, boards, runner, notices)
    draws = DrawHandler(client, answering, services.draws, sessions, names, boards, runner, notices)
    figures = StatisticsHandler(answering, statistics, workers, services.league, limiter)
    reviews = Reviews(sessions, workers)
    puzzling = Puzzling(services.store, services.clock, services.rng)
    puzzles, days = PuzzleDrills(puzzling), Daily(services.store, services.clock)
    taught = Lessons(services.store, services.clock)
    sources: dict[str, DrillSource] = {
        learning.SOURCE: Learning(reviews),
        lessons.SOURCE: taught,
        puzzle_drills.SOURCE: puzzles,
        daily.SOURCE: DailyDrills(days, puzzling, puzzles),
    }
    drills = DrillHandler(answering, Drills(workers, sources), DrillMessages(workers), limiter)
    subscriptions = Subscriptions(services.store, services.clock)
    messages = DailyMessages(services.store, workers, names)
    return Handlers(
        moves=MoveHandler(
            answering,
            sessions,
            boards,
            runner,
            preferences,
            VoteHandler(answering, services.voting, boards),
        ),
        hints=HintHandler(answering, sessions, boards, limiter),
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
        swapping=SwapHandler(answering, services.swaps, boards, runner),
        challenges=challenges,
        undos=undos,
        draws=draws,
        replays=ReplayHandler(answering, sessions, boards, statistics, limiter),
        analyses=AnalysisHandler(
            answering, Analyses(sessions, services.store, workers), workers, limiter
        ),
        reviews=ReviewHandler(answering, reviews, boards, limiter),
        drills=drills,
        lessons=LessonHandler(
            answering, taught, LessonGames(taught, workers), LessonMessages(workers), limiter
        ),
        puzzles=PuzzleHandler(answering, drills, puzzles, days, subscriptions),
        why=WhyHandler(answering, Explanations(sessions, workers), limiter),
        statistics=figures,
        lists=ListHandler(answering, statistics, sessions, workers, boards, names, limiter),
        league=LeagueHandler(answering, services.league, sessions, workers, boards, limiter),
        settings=SettingsHandler(answering, preferences),
        games=GamesHandler(answering, sessions, names),
        joining=JoinHandler(),
        strays=Strays(answering),
        privacy=PrivacyHandler(
            answering, services.erasure, figures, challenges, undos, draws, runner, names
        ),
        departures=DepartureHandler(client, services.erasure),
        answering=answering,
        boards=boards,
        convergence=Convergence(
            services.store, sessions, services.ownership, boards, notices, services.clock
        ),
        runner=runner,
        playback=playback,
        timeouts=TurnTimeouts(services.timer, services.alarm, services.clock, runner, pings),
        daily=DailyPoster(client, services.store, services.ownership, days, messages, time),
    )


def presses_for(handlers: Handlers) -> Presses:
    """Which handler answers which button."""
    return Presses(
        move=handlers.moves.press,
        hint=handlers.hints.press_level,
        game={
            "hint": handlers.hints.press,
            "undo": handlers.undos.press,
            "takeback": handlers.undos.press_anyway,
            "draw": handlers.draws.press,
            "resign": handlers.resigning.press_resign,
            "sure": handlers.resigning.press_sure,
            "stop": handlers.resigning.press_stop,
            "swap": handlers.swapping.press,
            "go": handlers.guesses.begin,
            "rematch": handlers.new_games.press_rematch,
            "replay": handlers.replays.press,
            "play": handlers.replays.play,
            "share": handlers.replays.share,
            "why": handlers.why.press,
            "review": handlers.reviews.press,
        },
        question={
            (CHALLENGE, "accept"): handlers.challenges.press_accept,
            (CHALLENGE, "decline"): handlers.challenges.press_decline,
            (UNDO, "accept"): handlers.undos.press_accept,
            (UNDO, "decline"): handlers.undos.press_decline,
            (DRAW, "accept"): handlers.draws.press_accept,
            (DRAW, "decline"): handlers.draws.press_decline,
        },
        turn_page=handlers.lists.turn,
        attempt=handlers.drills.press_move,
        drill={
            OPEN: handlers.drills.press_open,
            ASK: handlers.drills.press_ask,
            SOLVE: handlers.drills.press_solve,
        },
        lesson=handlers.lessons.press,
        lesson_game=handlers.lessons.press_game,
        step=handlers.replays.step,
        explore=handlers.analyses.explore,
        share_analysis=handlers.analyses.share,
        open_game={HISTORY: handlers.lists.open, WATCHED: handlers.league.open},
        guess=handlers.guesses.press,
        begin=handlers.new_games.begin,
        forget=handlers.privacy.press,
        help=handlers.help.help,
    )
