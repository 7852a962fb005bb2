"""Failed puzzles return."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0032"
down_revision: str | None = "0031"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("puzzle_tries", sa.Column("returns_at", sa.Double(), nullable=True))
    op.add_column(
        "puzzle_tries", sa.Column("returned", sa.Integer(), server_default="0", nullable=False)
    )


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_column("puzzle_tries", "returned")
    op.drop_column("puzzle_tries", "returns_at")
