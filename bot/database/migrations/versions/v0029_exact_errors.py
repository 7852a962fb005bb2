"""What moves gave away: exact figures apart from the search's; judged games are due again."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0029"
down_revision: str | None = "0028"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

TABLES = ("league_sides", "unaided")

DUE_AGAIN = """
INSERT INTO league_due (game_id)
SELECT DISTINCT game_id FROM {table}
WHERE NOT EXISTS (SELECT 1 FROM league_due WHERE league_due.game_id = {table}.game_id)
ORDER BY game_id DESC
"""
"""The newest games are judged first."""


def upgrade() -> None:
    """Go to this revision."""
    for table in TABLES:
        op.execute(DUE_AGAIN.format(table=table))
        op.execute(sa.delete(sa.table(table)))
        for name, kind in (("proven", sa.Integer()), ("proven_loss", sa.Double())):
            op.add_column(table, sa.Column(name, kind, server_default="0", nullable=False))


def downgrade() -> None:
    """Go back to the one before."""
    for table in reversed(TABLES):
        op.drop_column(table, "proven_loss")
        op.drop_column(table, "proven")
