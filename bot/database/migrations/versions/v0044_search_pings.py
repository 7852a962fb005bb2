"""Messages that tell people of a search, until the search is over."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0044"
down_revision: str | None = "0043"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "search_pings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("locale", sa.String(length=16), nullable=False),
        sa.Column("search", sa.String(length=32), nullable=False),
        sa.Column("sent_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_search_pings")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_search_pings_guild", "search_pings", ["guild_id"])


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_table("search_pings")
