"""Time controls, when a running game is to be looked at next, and ends that are not rated yet."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0009"
down_revision: str | None = "0008"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    # Not in batch mode, which would copy the tables and drop the old ones: others refer to them.
    for table in ("games", "challenges"):
        op.add_column(table, sa.Column("clock_seconds", sa.Double(), nullable=True))
        op.add_column(table, sa.Column("clock_per", sa.String(length=8), nullable=True))
    op.add_column("games", sa.Column("look_at", sa.Double(), nullable=True))
    # Nobody knows when these games are due: each is looked at once.
    op.execute("UPDATE games SET look_at = 0.0 WHERE finished_at IS NULL")
    op.create_index(
        "ix_games_look",
        "games",
        ["look_at"],
        sqlite_where=sa.text("finished_at IS NULL"),
        postgresql_where=sa.text("finished_at IS NULL"),
    )
    op.create_table(
        "ratings_due",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_ratings_due_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ratings_due")),
        sqlite_autoincrement=True,
    )
    op.create_index("ux_ratings_due_game", "ratings_due", ["game_id"], unique=True)


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_table("ratings_due")
    op.drop_index("ix_games_look", "games")
    op.drop_column("games", "look_at")
    for table in ("challenges", "games"):
        op.drop_column(table, "clock_per")
        op.drop_column(table, "clock_seconds")
