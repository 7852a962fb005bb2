"""Several processes on one database: who they are, and whose each game is.

When the bot was last at work was a note; it becomes the row of a process that is gone, to which the
running games belong.
"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0016"
down_revision: str | None = "0015"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

EARLIER = """
INSERT INTO processes (id, began_at, seen_at, until, draining)
SELECT 'earlier', 0.0, CAST(text AS DOUBLE PRECISION), 0.0, false FROM notes WHERE name = 'alive'
"""
THEIRS = """
UPDATE games SET owner = 'earlier'
WHERE finished_at IS NULL AND EXISTS (SELECT 1 FROM processes)
"""
NOTED = """
INSERT INTO notes (name, text)
SELECT 'alive', CAST(max(seen_at) AS VARCHAR(256)) FROM processes HAVING count(*) > 0
"""


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "processes",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("began_at", sa.Double(), nullable=False),
        sa.Column("seen_at", sa.Double(), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.Column("shards", sa.Text(), nullable=True),
        sa.Column("draining", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_processes")),
    )
    op.add_column("games", sa.Column("owner", sa.String(32), nullable=True))
    op.execute(EARLIER)
    op.execute(THEIRS)
    op.execute("DELETE FROM notes WHERE name = 'alive'")
    where = sa.text("finished_at IS NULL")
    op.create_index(
        "ix_games_owner", "games", ["owner"], sqlite_where=where, postgresql_where=where
    )


def downgrade() -> None:
    """Go back to the one before."""
    op.execute(NOTED)
    op.drop_index("ix_games_owner", table_name="games")
    op.drop_column("games", "owner")
    op.drop_table("processes")
