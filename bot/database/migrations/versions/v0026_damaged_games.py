"""Copies of games that could not be read."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0026"
down_revision: str | None = "0025"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "damaged_games",
        sa.Column("game_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("reason", sa.String(500), nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("rows", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_damaged_games_game_id")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_damaged_games")),
    )


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_table("damaged_games")
