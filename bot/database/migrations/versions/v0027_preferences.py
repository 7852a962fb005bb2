"""Preferences of people and servers: language, look, reminders, sharing, boards as text."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0027"
down_revision: str | None = "0026"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

ADDED = ("reminders", "shares", "as_text", "language", "theme")
"""The new columns of people."""


def upgrade() -> None:
    """Go to this revision."""
    for name, is_usual in (("reminders", True), ("shares", True), ("as_text", False)):
        default = sa.true() if is_usual else sa.false()
        op.add_column(
            "players", sa.Column(name, sa.Boolean(), server_default=default, nullable=False)
        )
    op.add_column("players", sa.Column("language", sa.String(16), nullable=True))
    op.add_column("players", sa.Column("theme", sa.String(32), nullable=True))
    # One setting each decided about these before.
    op.execute("UPDATE players SET reminders = pings WHERE NOT pings")
    op.execute("UPDATE players SET shares = NOT private WHERE private")
    op.create_table(
        "servers",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("games_channel_id", sa.BigInteger(), nullable=True),
        sa.Column("language", sa.String(16), nullable=True),
        sa.Column("theme", sa.String(32), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_servers")),
    )


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_table("servers")
    for name in reversed(ADDED):
        op.drop_column("players", name)
