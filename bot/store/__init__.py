"""The database: records in, records out; knows nothing of Discord."""

from bot.store.records import (
    EndRecord,
    GameRecord,
    LevelTally,
    MoveRecord,
    NewGameRecord,
    PlayerSummary,
    ResultRecord,
    SeatRecord,
)
from bot.store.store import ChannelTaken, MoveTaken, Store

__all__ = [
    "ChannelTaken",
    "EndRecord",
    "GameRecord",
    "LevelTally",
    "MoveRecord",
    "MoveTaken",
    "NewGameRecord",
    "PlayerSummary",
    "ResultRecord",
    "SeatRecord",
    "Store",
]
