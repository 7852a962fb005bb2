"""Friendly games, pings after silence, and undo requests by game."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0028"
down_revision: str | None = "0027"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    for table in ("games", "challenges"):
        op.add_column(
            table, sa.Column("friendly", sa.Boolean(), server_default=sa.false(), nullable=False)
        )
    op.add_column("games", sa.Column("pinged_at", sa.Double(), nullable=True))
    op.create_index("ix_undos_game", "undos", ["game_id"])


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_index("ix_undos_game", table_name="undos")
    op.drop_column("games", "pinged_at")
    for table in ("challenges", "games"):
        op.drop_column(table, "friendly")
