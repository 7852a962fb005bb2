"""Puzzles: who tried which, ratings at puzzles, and the puzzle of the day."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0020"
down_revision: str | None = "0019"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

TABLES = ("puzzle_ratings", "puzzle_tries", "daily_tries", "daily_channels", "daily_posts")


def upgrade() -> None:
    """Go to this revision."""
    _people()
    _servers()


def downgrade() -> None:
    """Go back to the one before."""
    for table in reversed(TABLES):
        op.drop_table(table)


def _people() -> None:
    op.create_table(
        "puzzle_ratings",
        _person("puzzle_ratings"),
        sa.Column("ladder", sa.String(64), nullable=False),
        *(_real(name) for name in ("value", "deviation", "volatility", "surprise")),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
        _real("updated_at"),
        sa.PrimaryKeyConstraint("user_id", "ladder", name=op.f("pk_puzzle_ratings")),
    )
    op.create_table(
        "puzzle_tries",
        _person("puzzle_tries"),
        sa.Column("puzzle", sa.String(16), nullable=False),
        sa.Column("ladder", sa.String(64), nullable=False),
        *_try(),
        _real("had_at"),
        _real("value_before", empty=True),
        _real("value_after", empty=True),
        sa.PrimaryKeyConstraint("user_id", "puzzle", name=op.f("pk_puzzle_tries")),
    )
    op.create_index("ix_puzzle_tries_person", "puzzle_tries", ["user_id", "ladder", "had_at"])
    op.create_table(
        "daily_tries",
        _person("daily_tries"),
        sa.Column("family", sa.String(32), nullable=False),
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("puzzle", sa.String(16), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        *_try(),
        sa.PrimaryKeyConstraint("user_id", "family", "day", name=op.f("pk_daily_tries")),
    )
    op.create_index("ix_daily_tries_guild", "daily_tries", ["guild_id", "day"])


def _servers() -> None:
    op.create_table(
        "daily_channels",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("family", sa.String(32), nullable=False),
        sa.Column("locale", sa.String(16), nullable=False),
        sa.Column("hour", sa.Integer(), nullable=False),
        _real("since"),
        _real("closed_at", empty=True),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_daily_channels")),
    )
    op.create_table(
        "daily_posts",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("family", sa.String(32), nullable=False),
        sa.Column("puzzle", sa.String(16), nullable=False),
        sa.Column("locale", sa.String(16), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        _real("sent_at", empty=True),
        sa.Column("state", sa.Integer(), server_default="0", nullable=False),
        sa.Column("shown", sa.Integer(), server_default="0", nullable=False),
        _real("look_at"),
        sa.Column("busy_until", sa.Double(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "day", name=op.f("pk_daily_posts")),
    )
    op.create_index("ix_daily_posts_day", "daily_posts", ["day", "look_at"])


def _person(table: str) -> sa.Column[int]:
    key = sa.ForeignKey("players.id", name=op.f(f"fk_{table}_user_id"))
    return sa.Column("user_id", sa.BigInteger(), key, autoincrement=False, nullable=False)


def _try() -> tuple[sa.Column[float], sa.Column[float], sa.Column[bool]]:
    solved: sa.Column[bool] = sa.Column("solved", sa.Boolean(), nullable=True)
    return _real("begun_at"), _real("settled_at", empty=True), solved


def _real(name: str, *, empty: bool = False) -> sa.Column[float]:
    return sa.Column(name, sa.Double(), nullable=empty)
