"""What people said about how often they play, when they first began a game."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0030"
down_revision: str | None = "0029"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("players", sa.Column("experience", sa.String(16), nullable=True))


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_column("players", "experience")
