"""Results of puzzles of the day can be shared."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0033"
down_revision: str | None = "0032"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column(
        "daily_tries", sa.Column("wrong", sa.String(255), server_default="", nullable=False)
    )
    op.add_column("daily_tries", sa.Column("done_at", sa.Double(), nullable=True))
    op.add_column(
        "daily_tries", sa.Column("shared", sa.Integer(), server_default="0", nullable=False)
    )


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_column("daily_tries", "shared")
    op.drop_column("daily_tries", "done_at")
    op.drop_column("daily_tries", "wrong")
