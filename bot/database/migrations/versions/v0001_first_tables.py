"""The first tables."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0001"
down_revision: str | None = None
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "notes",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("text", sa.String(length=256), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_notes")),
    )
    op.create_table(
        "players",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("joined_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_players")),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("family", sa.String(length=32), nullable=False),
        sa.Column("variant", sa.String(length=32), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("locale", sa.String(length=16), nullable=False),
        sa.Column("first_user", sa.BigInteger(), nullable=True),
        sa.Column("first_agent", sa.String(length=64), nullable=True),
        sa.Column("second_user", sa.BigInteger(), nullable=True),
        sa.Column("second_agent", sa.String(length=64), nullable=True),
        sa.Column("auto", sa.Boolean(), nullable=False),
        sa.Column("started_at", sa.Double(), nullable=False),
        sa.Column("finished_at", sa.Double(), nullable=True),
        sa.Column("ending", sa.String(length=16), nullable=True),
        sa.Column("winner", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["first_user"], ["players.id"], name=op.f("fk_games_first_user")),
        sa.ForeignKeyConstraint(["second_user"], ["players.id"], name=op.f("fk_games_second_user")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
    )
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.create_index(
            "ix_games_first", ["first_user", "family", "finished_at"], unique=False
        )
        batch_op.create_index(
            "ix_games_second", ["second_user", "family", "finished_at"], unique=False
        )
        batch_op.create_index(
            "ux_games_running_channel",
            ["channel_id"],
            unique=True,
            sqlite_where=sa.text("finished_at IS NULL"),
            postgresql_where=sa.text("finished_at IS NULL"),
        )

    op.create_table(
        "hints",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("move", sa.String(length=8), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_hints_game_id")),
        sa.PrimaryKeyConstraint("game_id", "number", name=op.f("pk_hints")),
    )
    op.create_table(
        "moves",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("player", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("move", sa.String(length=8), nullable=False),
        sa.Column("hinted", sa.Boolean(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("nodes", sa.BigInteger(), nullable=True),
        sa.Column("depth", sa.Integer(), nullable=True),
        sa.Column("score", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_moves_game_id")),
        sa.PrimaryKeyConstraint("game_id", "number", name=op.f("pk_moves")),
    )


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_table("moves")
    op.drop_table("hints")
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.drop_index(
            "ux_games_running_channel",
            sqlite_where=sa.text("finished_at IS NULL"),
            postgresql_where=sa.text("finished_at IS NULL"),
        )
        batch_op.drop_index("ix_games_second")
        batch_op.drop_index("ix_games_first")

    op.drop_table("games")
    op.drop_table("players")
    op.drop_table("notes")
