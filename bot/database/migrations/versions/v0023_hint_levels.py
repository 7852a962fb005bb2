"""Hints that say more by and by, and what they say of every move."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0023"
down_revision: str | None = "0022"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision; hints from before had said all at once."""
    op.add_column("hints", sa.Column("exact", sa.String(255), server_default="", nullable=False))
    op.add_column("hints", sa.Column("level", sa.Integer(), server_default="3", nullable=False))
    op.add_column("hints", sa.Column("given", sa.Integer(), server_default="1", nullable=False))


def downgrade() -> None:
    """Go back to the one before."""
    for column in ("given", "level", "exact"):
        op.drop_column("hints", column)
