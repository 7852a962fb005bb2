"""Threads: those that the bot has opened for games."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0039"
down_revision: str | None = "0038"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "threads",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("parent_id", sa.BigInteger(), nullable=False),
        sa.Column("thread_id", sa.BigInteger(), nullable=True),
        sa.Column("is_played", sa.Integer(), server_default="0", nullable=False),
        sa.Column("opened_at", sa.Double(), nullable=False),
        sa.Column("look_at", sa.Double(), nullable=True),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("closed_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_threads")),
        sqlite_autoincrement=True,
    )
    op.create_index("ux_threads_thread", "threads", ["thread_id"], unique=True)
    op.create_index("ix_threads_look", "threads", ["look_at"])
    op.create_index("ix_threads_closed", "threads", ["closed_at"])
    op.create_index("ix_threads_guild", "threads", ["guild_id"])


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_table("threads")
