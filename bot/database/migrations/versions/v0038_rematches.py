"""Which challenges are rematches of which games."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0038"
down_revision: str | None = "0037"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("challenges", sa.Column("rematch_of", sa.Integer(), nullable=True))
    rematches = sa.text("rematch_of IS NOT NULL")
    op.create_index(
        "ix_challenges_rematch",
        "challenges",
        ["rematch_of"],
        sqlite_where=rematches,
        postgresql_where=rematches,
    )


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_index("ix_challenges_rematch", table_name="challenges")
    op.drop_column("challenges", "rematch_of")
