"""The queue: who waits for an opponent, and who was paired."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0041"
down_revision: str | None = "0040"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "queue_places",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("locale", sa.String(16), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("family", sa.String(32), nullable=False),
        sa.Column("variant", sa.String(32), nullable=True),
        sa.Column("clock", sa.String(8), nullable=True),
        sa.Column("joined_at", sa.Double(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.Column("ended_at", sa.Double(), nullable=True),
        sa.Column("answer", sa.String(16), nullable=True),
        sa.Column("partner", sa.BigInteger(), nullable=True),
        sa.Column("paired_in", sa.BigInteger(), nullable=True),
        sa.Column("asked_until", sa.Double(), nullable=True),
        sa.Column("agreed", sa.Boolean(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("is_open", sa.Integer(), server_default="1", nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["players.id"], name=op.f("fk_queue_places_user_id")),
        sa.ForeignKeyConstraint(["partner"], ["players.id"], name=op.f("fk_queue_places_partner")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_queue_places")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_queue_places_open", "queue_places", ["is_open", "guild_id"])
    op.create_index("ix_queue_places_user", "queue_places", ["user_id", "ended_at"])
    op.create_index("ix_queue_places_partner", "queue_places", ["partner"])
    op.create_index("ix_queue_places_guild", "queue_places", ["guild_id"])
    op.create_index("ix_queue_places_ended", "queue_places", ["ended_at"])


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_table("queue_places")
