"""How the two agents of a watched game played; games from before this are due."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0012"
down_revision: str | None = "0011"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

WATCHED = """
INSERT INTO league_due (game_id)
SELECT id FROM games
WHERE first_user IS NULL AND second_user IS NULL
AND ending IN ('line', 'stuck', 'draw', 'agreed', 'resigned', 'time')
ORDER BY id
"""


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "league_sides",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("side", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("nodes", sa.BigInteger(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("judged", sa.Integer(), nullable=False),
        sa.Column("loss", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_league_sides_game_id")),
        sa.PrimaryKeyConstraint("game_id", "side", name=op.f("pk_league_sides")),
    )
    op.create_table(
        "league_due",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_league_due_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league_due")),
        sqlite_autoincrement=True,
    )
    op.create_index("ux_league_due_game", "league_due", ["game_id"], unique=True)
    op.execute(WATCHED)


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_table("league_due")
    op.drop_table("league_sides")
