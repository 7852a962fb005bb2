"""Messages that tell people of their turns, and who wants none."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0007"
down_revision: str | None = "0006"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    # Not in batch mode, which would copy the tables and drop the old ones: others refer to them.
    op.add_column(
        "players", sa.Column("pings", sa.Boolean(), server_default=sa.true(), nullable=False)
    )
    op.add_column("games", sa.Column("ping_id", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_column("games", "ping_id")
    op.drop_column("players", "pings")
