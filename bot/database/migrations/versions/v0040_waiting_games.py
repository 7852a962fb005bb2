"""Games that wait, since when."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0040"
down_revision: str | None = "0039"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("games", sa.Column("held_at", sa.Double(), nullable=True))
    waiting = sa.text("held_at IS NOT NULL")
    op.create_index(
        "ix_games_held",
        "games",
        ["held_at"],
        sqlite_where=waiting,
        postgresql_where=waiting,
    )


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_index("ix_games_held", table_name="games")
    op.drop_column("games", "held_at")
