"""The database: records in, records out; knows nothing of Discord."""

from bot.store.board_rows import state_number
from bot.store.challenges import ChallengeAnswered
from bot.store.channel_seat import THE_CHANNEL
from bot.store.crowns import CrownRecord
from bot.store.damaged_games import DamagedGame, Notice
from bot.store.due_claims import Unsettled
from bot.store.erasure import PersonRecord, StillPlays
from bot.store.former import FORMER_PLAYER
from bot.store.games import ChannelTaken, MoveTaken
from bot.store.history_queries import ENDINGS, NO_RESULTS, UNREADABLE
from bot.store.history_records import (
    GameFigures,
    LevelFigures,
    LevelTally,
    PastGame,
    PlayerSummary,
    ResultRecord,
    Scope,
    streak,
)
from bot.store.league_records import (
    AgentFigures,
    LeagueScope,
    PairFigures,
    SideFigures,
    WatchedGame,
)
from bot.store.league_table import LeagueTable, Results, league_table
from bot.store.lessons import LessonPart, SolvedPart
from bot.store.owner_rows import Owner
from bot.store.owners import Former, Pause
from bot.store.processes import ProcessRecord
from bot.store.puzzle_records import (
    DailyChannel,
    DailyKey,
    DailyPost,
    DailyTry,
    PuzzleRecord,
    PuzzleTry,
    Settled,
    Solver,
    SolverBoard,
    Today,
)
from bot.store.rate_limits import LimitReached, Quota
from bot.store.rating_models import MAX_ATTEMPTS
from bot.store.rating_records import RatedEnd, Rating, RatingChange, RatingPoint, RatingRecord
from bot.store.records import (
    ChallengeRecord,
    DrawRecord,
    EndRecord,
    GameRecord,
    HintRecord,
    MoveRecord,
    NewChallengeRecord,
    NewDrawRecord,
    NewGameRecord,
    NewUndoRecord,
    SeatRecord,
    TimeControl,
    UndoRecord,
)
from bot.store.shown_boards import ShownBoard
from bot.store.store import Store
from bot.store.troubles import UNCONFIRMED, Unavailable, Unconfirmed, Unfit
from bot.store.unaided import UnaidedMoves
from bot.store.undo_requests import UndoAnswered
from bot.store.vote_models import THE_RESULT
from bot.store.vote_records import GivenVote, VoteRecord

__all__ = [
    "ENDINGS",
    "FORMER_PLAYER",
    "MAX_ATTEMPTS",
    "NO_RESULTS",
    "THE_CHANNEL",
    "THE_RESULT",
    "UNCONFIRMED",
    "UNREADABLE",
    "AgentFigures",
    "ChallengeAnswered",
    "ChallengeRecord",
    "ChannelTaken",
    "CrownRecord",
    "DailyChannel",
    "DailyKey",
    "DailyPost",
    "DailyTry",
    "DamagedGame",
    "DrawRecord",
    "EndRecord",
    "Former",
    "GameFigures",
    "GameRecord",
    "GivenVote",
    "HintRecord",
    "LeagueScope",
    "LeagueTable",
    "LessonPart",
    "LevelFigures",
    "LevelTally",
    "LimitReached",
    "MoveRecord",
    "MoveTaken",
    "NewChallengeRecord",
    "NewDrawRecord",
    "NewGameRecord",
    "NewUndoRecord",
    "Notice",
    "Owner",
    "PairFigures",
    "PastGame",
    "Pause",
    "PersonRecord",
    "PlayerSummary",
    "ProcessRecord",
    "PuzzleRecord",
    "PuzzleTry",
    "Quota",
    "RatedEnd",
    "Rating",
    "RatingChange",
    "RatingPoint",
    "RatingRecord",
    "ResultRecord",
    "Results",
    "Scope",
    "SeatRecord",
    "Settled",
    "ShownBoard",
    "SideFigures",
    "SolvedPart",
    "Solver",
    "SolverBoard",
    "StillPlays",
    "Store",
    "TimeControl",
    "Today",
    "UnaidedMoves",
    "Unavailable",
    "Unconfirmed",
    "UndoAnswered",
    "UndoRecord",
    "Unfit",
    "Unsettled",
    "VoteRecord",
    "WatchedGame",
    "league_table",
    "state_number",
    "streak",
]
