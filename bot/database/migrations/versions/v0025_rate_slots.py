"""Requests to other people, counted for all processes."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0025"
down_revision: str | None = "0024"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "rate_slots",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("partner_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("slot", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint(
            "user_id", "partner_id", "kind", "slot", name=op.f("pk_rate_slots")
        ),
    )
    op.create_index("ix_rate_slots_expiry", "rate_slots", ["expires_at"])
    op.create_index("ix_rate_slots_partner", "rate_slots", ["partner_id"])


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_table("rate_slots")
