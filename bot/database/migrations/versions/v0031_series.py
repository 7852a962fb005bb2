"""Series of games between two agents, and games whose first moves are random."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0031"
down_revision: str | None = "0030"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("games", sa.Column("opening", sa.Integer(), server_default="0", nullable=False))
    op.create_table(
        "series",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("family", sa.String(32), nullable=False),
        sa.Column("variant", sa.String(32), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("locale", sa.String(16), nullable=False),
        sa.Column("asker", sa.BigInteger(), nullable=True),
        sa.Column("first_agent", sa.String(64), nullable=False),
        sa.Column("second_agent", sa.String(64), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("began_at", sa.Double(), nullable=False),
        sa.Column("played", sa.Integer(), server_default="0", nullable=False),
        sa.Column("ended_at", sa.Double(), nullable=True),
        sa.Column("ending", sa.String(16), nullable=True),
        sa.Column("is_open", sa.Integer(), server_default="1", nullable=False),
        sa.Column("state", sa.Integer(), server_default="0", nullable=False),
        sa.Column("shown", sa.Integer(), server_default="0", nullable=False),
        sa.Column("show_at", sa.Double(), server_default="0", nullable=False),
        sa.Column("look_at", sa.Double(), server_default="0", nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("busy_until", sa.Double(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["asker"], ["players.id"], name=op.f("fk_series_asker")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_series")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_series_open", "series", ["is_open", "look_at"])
    op.create_index("ix_series_asker", "series", ["asker"])
    op.create_index("ix_series_guild", "series", ["guild_id"])
    op.create_table(
        "series_games",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("series_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_series_games_game_id")),
        sa.ForeignKeyConstraint(
            ["series_id"], ["series.id"], name=op.f("fk_series_games_series_id")
        ),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_series_games")),
    )
    op.create_index("ux_series_games_number", "series_games", ["series_id", "number"], unique=True)


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_table("series_games")
    op.drop_table("series")
    op.drop_column("games", "opening")
