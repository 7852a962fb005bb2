"""Challenges between people, and who asked for a game."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0003"
down_revision: str | None = "0002"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    with op.batch_alter_table("games") as batch:
        batch.add_column(sa.Column("started_by", sa.BigInteger(), nullable=True))
        batch.create_foreign_key(op.f("fk_games_started_by"), "players", ["started_by"], ["id"])
        batch.create_index("ix_games_started_by", ["started_by", "finished_at"])
    op.create_table(
        "challenges",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("family", sa.String(length=32), nullable=False),
        sa.Column("variant", sa.String(length=32), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("locale", sa.String(length=16), nullable=False),
        sa.Column("challenger", sa.BigInteger(), nullable=False),
        sa.Column("challenged", sa.BigInteger(), nullable=False),
        sa.Column("challenger_first", sa.Boolean(), nullable=False),
        sa.Column("offered_at", sa.Double(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.Column("answer", sa.String(length=16), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_challenges")),
    )
    op.create_index(
        "ix_challenges_open",
        "challenges",
        ["expires_at"],
        sqlite_where=sa.text("answer IS NULL"),
        postgresql_where=sa.text("answer IS NULL"),
    )


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_table("challenges")
    with op.batch_alter_table("games") as batch:
        batch.drop_index("ix_games_started_by")
        batch.drop_constraint(op.f("fk_games_started_by"), type_="foreignkey")
        batch.drop_column("started_by")
