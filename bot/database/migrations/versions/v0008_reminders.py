"""When the mover of a game was last reminded of the time that is left."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0008"
down_revision: str | None = "0007"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    # Not in batch mode, which would copy the table and drop the old one: moves refer to its rows.
    op.add_column("games", sa.Column("reminded_at", sa.Double(), nullable=True))


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_column("games", "reminded_at")
