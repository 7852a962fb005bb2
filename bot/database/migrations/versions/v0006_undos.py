"""Moves that were taken back, and requests for that."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0006"
down_revision: str | None = "0005"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    # Not in batch mode, which would copy the table and drop the old one: moves refer to its rows.
    op.add_column("games", sa.Column("undos", sa.Integer(), server_default="0", nullable=False))
    op.add_column("games", sa.Column("undone_at", sa.Double(), nullable=True))
    op.create_index("ix_games_channel", "games", ["channel_id"])
    op.create_table(
        "undos",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("asker", sa.BigInteger(), nullable=False),
        sa.Column("made", sa.Integer(), nullable=False),
        sa.Column("remaining", sa.Integer(), nullable=False),
        sa.Column("undos", sa.Integer(), nullable=False),
        sa.Column("asked_at", sa.Double(), nullable=False),
        sa.Column("answer", sa.String(length=16), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_undos_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_undos")),
    )
    op.create_index(
        "ix_undos_open",
        "undos",
        ["game_id"],
        sqlite_where=sa.text("answer IS NULL"),
        postgresql_where=sa.text("answer IS NULL"),
    )


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_table("undos")
    op.drop_index("ix_games_channel", "games")
    op.drop_column("games", "undone_at")
    op.drop_column("games", "undos")
