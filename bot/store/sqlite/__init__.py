"""Everything specific to SQLite."""

from sqlalchemy.dialects.sqlite import insert

from bot.store.sqlite.connections import address, leave, prepare
from bot.store.sqlite.faults import reason
from bot.store.sqlite.files import DatabaseFile as Place

__all__ = ["Place", "address", "insert", "leave", "prepare", "reason"]
