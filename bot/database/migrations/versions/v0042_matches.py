"""Matches: games between two people that belong together, and until when the next one can begin."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0042"
down_revision: str | None = "0041"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    for table in ("games", "challenges"):
        op.add_column(table, sa.Column("match", sa.Integer(), server_default="0", nullable=False))
    op.add_column("games", sa.Column("match_of", sa.Integer(), nullable=True))
    later = sa.text("match_of IS NOT NULL")
    op.create_index(
        "ix_games_match", "games", ["match_of"], sqlite_where=later, postgresql_where=later
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("waits_until", sa.Double(), nullable=True),
        sa.Column("ended_at", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["id"], ["games.id"], name=op.f("fk_matches_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
    )
    op.create_index("ix_matches_waiting", "matches", ["waits_until"])


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_table("matches")
    op.drop_index("ix_games_match", table_name="games")
    op.drop_column("games", "match_of")
    for table in ("challenges", "games"):
        op.drop_column(table, "match")
