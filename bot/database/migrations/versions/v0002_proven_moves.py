"""Moves that were proven to be best."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0002"
down_revision: str | None = "0001"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    with op.batch_alter_table("moves") as batch:
        batch.add_column(
            sa.Column("proven", sa.Boolean(), server_default=sa.false(), nullable=False)
        )


def downgrade() -> None:
    """Go back to the one before."""
    with op.batch_alter_table("moves") as batch:
        batch.drop_column("proven")
