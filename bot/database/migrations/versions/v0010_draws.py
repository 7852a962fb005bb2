"""Offers of a draw, hints that outlive undos, and moves confirmed in words."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0010"
down_revision: str | None = "0009"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

KEPT = "game_id, number, user_id, move, at"
"""The columns of a hint that both revisions have."""


def upgrade() -> None:
    """Go to this revision."""
    op.add_column(
        "players", sa.Column("spoken", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.create_table(
        "draws",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("asker", sa.BigInteger(), nullable=False),
        sa.Column("made", sa.Integer(), nullable=False),
        sa.Column("undos", sa.Integer(), nullable=False),
        sa.Column("asked_at", sa.Double(), nullable=False),
        sa.Column("answer", sa.String(length=16), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_draws_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_draws")),
    )
    op.create_index("ix_draws_game", "draws", ["game_id"])
    _copy_hints(
        ("game_id", "number", "position"),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("seconds", sa.Double(), server_default="0", nullable=False),
        sa.Column("nodes", sa.BigInteger(), nullable=True),
        sa.Column("depth", sa.Integer(), nullable=True),
        sa.Column("score", sa.Integer(), nullable=True),
        sa.Column("proven", sa.Boolean(), server_default=sa.false(), nullable=False),
        # Nobody knows which positions these were for.
        copy=f"INSERT INTO hints ({KEPT}, position) SELECT {KEPT}, 0 FROM old_hints",  # noqa: S608
    )


def downgrade() -> None:
    """Go back to the one before."""
    _copy_hints(
        ("game_id", "number"),
        # One hint a move, whichever of those that were given in different positions.
        copy=f"INSERT INTO hints ({KEPT}) SELECT {KEPT} FROM old_hints AS one WHERE NOT EXISTS ("  # noqa: S608
        "SELECT 1 FROM old_hints AS other WHERE other.game_id = one.game_id "
        "AND other.number = one.number AND other.position < one.position)",
    )
    op.drop_table("draws")
    op.drop_column("players", "spoken")


def _copy_hints(key: Sequence[str], *more: "sa.Column[object]", copy: str) -> None:
    """Make the table of hints anew, with another key: SQLite cannot change that of a table."""
    op.rename_table("hints", "old_hints")
    op.create_table(
        "hints",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("move", sa.String(length=8), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        *more,
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_hints_game_id")),
        sa.PrimaryKeyConstraint(*key, name=op.f("pk_hints")),
    )
    op.execute(copy)
    op.drop_table("old_hints")
