"""How often settling a due game has failed, and when it is tried next."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0024"
down_revision: str | None = "0023"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

TABLES = ("ratings_due", "league_due")


def upgrade() -> None:
    """Go to this revision."""
    for table in TABLES:
        op.add_column(
            table, sa.Column("attempts", sa.Integer(), server_default="0", nullable=False)
        )
        op.add_column(
            table, sa.Column("next_attempt_at", sa.Double(), server_default="0", nullable=False)
        )


def downgrade() -> None:
    """Go back to the one before."""
    for table in TABLES:
        op.drop_column(table, "next_attempt_at")
        op.drop_column(table, "attempts")
