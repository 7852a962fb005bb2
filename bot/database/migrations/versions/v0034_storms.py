"""Storms: as many puzzles as possible in three minutes."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0034"
down_revision: str | None = "0033"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "storms",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("family", sa.String(32), nullable=False),
        sa.Column("begun_at", sa.Double(), nullable=False),
        sa.Column("ended_at", sa.Double(), nullable=True),
        sa.Column("number", sa.Integer(), server_default="0", nullable=False),
        sa.Column("step", sa.Integer(), server_default="0", nullable=False),
        sa.Column("solved", sa.Integer(), server_default="0", nullable=False),
        sa.Column("shared", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["players.id"], name=op.f("fk_storms_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_storms")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_storms_person", "storms", ["user_id", "family", "solved"])
    op.create_index("ix_storms_guild", "storms", ["guild_id", "family", "begun_at"])


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_table("storms")
