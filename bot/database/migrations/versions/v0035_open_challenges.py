"""Games that people offer to everybody in a channel."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0035"
down_revision: str | None = "0034"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "open_challenges",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("family", sa.String(32), nullable=False),
        sa.Column("variant", sa.String(32), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("locale", sa.String(16), nullable=False),
        sa.Column("author", sa.BigInteger(), nullable=True),
        sa.Column("author_first", sa.Boolean(), nullable=False),
        sa.Column("joiner", sa.BigInteger(), nullable=True),
        sa.Column("clock_seconds", sa.Double(), nullable=True),
        sa.Column("clock_per", sa.String(8), nullable=True),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("within", sa.Integer(), nullable=True),
        sa.Column("posted_at", sa.Double(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.Column("ended_at", sa.Double(), nullable=True),
        sa.Column("answer", sa.String(16), nullable=True),
        sa.Column("is_open", sa.Integer(), server_default="1", nullable=False),
        sa.ForeignKeyConstraint(["author"], ["players.id"], name=op.f("fk_open_challenges_author")),
        sa.ForeignKeyConstraint(["joiner"], ["players.id"], name=op.f("fk_open_challenges_joiner")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_open_challenges")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_open_challenges_open", "open_challenges", ["is_open", "expires_at"])
    op.create_index("ix_open_challenges_author", "open_challenges", ["author"])
    op.create_index("ix_open_challenges_joiner", "open_challenges", ["joiner"])
    op.create_index("ix_open_challenges_guild", "open_challenges", ["guild_id"])
    op.create_index("ix_open_challenges_ended", "open_challenges", ["ended_at"])


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_table("open_challenges")
