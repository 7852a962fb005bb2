"""Everything specific to SQLite."""

from sqlalchemy.dialects.sqlite import insert

from bot.store.sqlite.connections import (
    ENGINE_OPTIONS,
    NOW,
    PEEKING,
    READING,
    SHARED,
    address,
    begin,
    hold,
    in_byte_order,
    leave,
    lock,
    prepare,
    prepare_migrations,
    rest,
    resume,
    settle,
)
from bot.store.sqlite.faults import ADVICE, ERRORS, is_collision, reason
from bot.store.sqlite.files import DatabaseFile as Place
from bot.store.writer import Writer

__all__ = [
    "ADVICE",
    "ENGINE_OPTIONS",
    "ERRORS",
    "NOW",
    "PEEKING",
    "READING",
    "SHARED",
    "Place",
    "Writer",
    "address",
    "begin",
    "hold",
    "in_byte_order",
    "insert",
    "is_collision",
    "leave",
    "lock",
    "prepare",
    "prepare_migrations",
    "reason",
    "rest",
    "resume",
    "settle",
]
