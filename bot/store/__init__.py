"""The database: records in, records out; knows nothing of Discord."""

from bot.store.records import (
    ChallengeRecord,
    EndRecord,
    GameFigures,
    GameRecord,
    LevelFigures,
    LevelTally,
    MoveRecord,
    NewChallengeRecord,
    NewGameRecord,
    PastGame,
    PlayerSummary,
    ResultRecord,
    Scope,
    SeatRecord,
)
from bot.store.store import ChallengeAnswered, ChannelTaken, MoveTaken, Store

__all__ = [
    "ChallengeAnswered",
    "ChallengeRecord",
    "ChannelTaken",
    "EndRecord",
    "GameFigures",
    "GameRecord",
    "LevelFigures",
    "LevelTally",
    "MoveRecord",
    "MoveTaken",
    "NewChallengeRecord",
    "NewGameRecord",
    "PastGame",
    "PlayerSummary",
    "ResultRecord",
    "Scope",
    "SeatRecord",
    "Store",
]
