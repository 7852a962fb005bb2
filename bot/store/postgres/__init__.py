"""Everything specific to PostgreSQL; imported only where the database is one."""

from sqlalchemy.dialects.postgresql import insert

from bot.store.postgres.connections import (
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
from bot.store.postgres.faults import ADVICE, ERRORS, is_collision, reason
from bot.store.postgres.server import DatabaseServer as Place
from bot.store.postgres.side_by_side import SideBySide as Writer

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
