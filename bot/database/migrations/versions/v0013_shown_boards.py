"""What each game's message shows; that of running games is shown again, ended games are left."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

revision: str = "0013"
down_revision: str | None = "0012"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

RUNNING = """
UPDATE games SET
    shown = -1,
    show_at = 0.0,
    state = 4 * (1000 * undos + (SELECT count(*) FROM moves WHERE game_id = games.id))
WHERE finished_at IS NULL
"""


def upgrade() -> None:
    """Go to this revision."""
    columns: tuple[sa.Column[Any], ...] = (
        sa.Column("state", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("shown", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("show_at", sa.Double(), nullable=True),
    )
    for column in columns:
        op.add_column("games", column)
    op.execute(RUNNING)
    where = sa.text("shown < state")
    op.create_index(
        "ix_games_show", "games", ["show_at"], sqlite_where=where, postgresql_where=where
    )


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_index("ix_games_show", table_name="games")
    for column in ("show_at", "shown", "state"):
        op.drop_column("games", column)
