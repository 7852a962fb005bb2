"""The database: records in, records out; knows nothing of Discord."""

from bot.store.records import (
    ChallengeRecord,
    EndRecord,
    GameRecord,
    LevelTally,
    MoveRecord,
    NewChallengeRecord,
    NewGameRecord,
    PlayerSummary,
    RatedEnd,
    RatingChange,
    RatingRecord,
    ResultRecord,
    SeatRecord,
)
from bot.store.store import ChallengeAnswered, ChannelTaken, MoveTaken, Store

__all__ = [
    "ChallengeAnswered",
    "ChallengeRecord",
    "ChannelTaken",
    "EndRecord",
    "GameRecord",
    "LevelTally",
    "MoveRecord",
    "MoveTaken",
    "NewChallengeRecord",
    "NewGameRecord",
    "PlayerSummary",
    "RatedEnd",
    "RatingChange",
    "RatingRecord",
    "ResultRecord",
    "SeatRecord",
    "Store",
]
