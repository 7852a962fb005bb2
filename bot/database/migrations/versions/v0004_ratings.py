"""Ratings of players, what each game changed in them, and what finds silent games."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0004"
down_revision: str | None = "0003"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "ratings",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("ladder", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("volatility", sa.Double(), nullable=False),
        sa.Column("surprise", sa.Double(), server_default="0", nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["players.id"], name=op.f("fk_ratings_user_id")),
        sa.PrimaryKeyConstraint("user_id", "ladder", name=op.f("pk_ratings")),
    )
    op.create_index("ix_ratings_ladder", "ratings", ["ladder", "value", "user_id"])
    op.create_table(
        "rating_changes",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("ladder", sa.String(length=64), nullable=False),
        sa.Column("value_before", sa.Double(), nullable=False),
        sa.Column("deviation_before", sa.Double(), nullable=False),
        sa.Column("volatility_before", sa.Double(), nullable=False),
        sa.Column("value_after", sa.Double(), nullable=False),
        sa.Column("deviation_after", sa.Double(), nullable=False),
        sa.Column("volatility_after", sa.Double(), nullable=False),
        sa.Column("games_after", sa.Integer(), nullable=False),
        sa.Column("opponent", sa.Double(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_rating_changes_game_id")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["players.id"], name=op.f("fk_rating_changes_user_id")
        ),
        sa.PrimaryKeyConstraint("game_id", "user_id", name=op.f("pk_rating_changes")),
    )
    op.create_index("ix_rating_changes_course", "rating_changes", ["user_id", "ladder", "at"])
    op.create_index("ix_games_guild_first", "games", ["guild_id", "first_user", "ending"])
    op.create_index("ix_games_guild_second", "games", ["guild_id", "second_user", "ending"])
    op.create_index(
        "ix_games_running",
        "games",
        ["started_at"],
        sqlite_where=sa.text("finished_at IS NULL"),
        postgresql_where=sa.text("finished_at IS NULL"),
    )


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_index("ix_games_running", "games")
    op.drop_index("ix_games_guild_second", "games")
    op.drop_index("ix_games_guild_first", "games")
    op.drop_table("rating_changes")
    op.drop_table("ratings")
