"""Who wants to know when somebody on a server looks for a game."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0043"
down_revision: str | None = "0042"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "search_wishes",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["players.id"], name=op.f("fk_search_wishes_user_id")),
        sa.PrimaryKeyConstraint("guild_id", "user_id", name=op.f("pk_search_wishes")),
    )
    op.create_index("ix_search_wishes_user", "search_wishes", ["user_id"])


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_table("search_wishes")
