"""Votes on a channel's moves and on who wins, and the pie rule."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0022"
down_revision: str | None = "0021"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "votes",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("choice", sa.String(length=8), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_votes_game_id")),
        sa.PrimaryKeyConstraint("game_id", "number", "user_id", name=op.f("pk_votes")),
    )
    op.create_index("ix_votes_user", "votes", ["user_id"])
    op.add_column("games", sa.Column("asides", sa.Integer(), server_default="0", nullable=False))
    op.add_column("games", sa.Column("vote_seconds", sa.Double(), nullable=True))
    op.add_column("games", sa.Column("vote_until", sa.Double(), nullable=True))
    for table in ("games", "challenges"):
        op.add_column(
            table, sa.Column("pie", sa.Boolean(), server_default=sa.false(), nullable=False)
        )
    op.add_column("games", sa.Column("swapped_at", sa.Double(), nullable=True))


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_column("games", "swapped_at")
    for table in ("challenges", "games"):
        op.drop_column(table, "pie")
    op.drop_column("games", "vote_until")
    op.drop_column("games", "vote_seconds")
    op.drop_column("games", "asides")
    op.drop_table("votes")
