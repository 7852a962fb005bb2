"""Balanced openings of games and challenges."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0036"
down_revision: str | None = "0035"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    for table in ("games", "challenges"):
        op.add_column(
            table, sa.Column("balanced", sa.Boolean(), server_default=sa.false(), nullable=False)
        )


def downgrade() -> None:
    """Go back to the one before."""
    for table in ("challenges", "games"):
        op.drop_column(table, "balanced")
