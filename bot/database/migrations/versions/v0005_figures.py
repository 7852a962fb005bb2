"""Figures of finished games, kept for reports, and who does not show their statistics."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0005"
down_revision: str | None = "0004"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_FIGURES = """
INSERT INTO game_figures
SELECT games.id,
       COUNT(moves.number),
       COALESCE(SUM(CASE WHEN moves.user_id IS NOT NULL THEN 1 ELSE 0 END), 0),
       COALESCE(SUM(CASE WHEN moves.user_id IS NOT NULL AND moves.hinted THEN 1 ELSE 0 END), 0),
       COALESCE(SUM(CASE WHEN moves.user_id IS NULL AND moves.number IS NOT NULL
                         THEN 1 ELSE 0 END), 0),
       COALESCE(SUM(CASE WHEN moves.user_id IS NULL THEN moves.nodes END), 0),
       COALESCE(SUM(CASE WHEN moves.user_id IS NULL THEN moves.seconds END), 0.0)
FROM games LEFT JOIN moves ON moves.game_id = games.id
WHERE games.finished_at IS NOT NULL
GROUP BY games.id
"""


def upgrade() -> None:
    """Go to this revision."""
    # Not in batch mode, which would copy the table and drop the old one: games refer to its rows.
    op.add_column(
        "players",
        sa.Column("private", sa.Boolean(), server_default=sa.false(), nullable=False),
    )
    op.create_index("ix_games_guild", "games", ["guild_id", "family", "finished_at"])
    op.create_table(
        "game_figures",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("person_moves", sa.Integer(), nullable=False),
        sa.Column("hinted", sa.Integer(), nullable=False),
        sa.Column("engine_moves", sa.Integer(), nullable=False),
        sa.Column("engine_nodes", sa.BigInteger(), nullable=False),
        sa.Column("engine_seconds", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_game_figures_game_id")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_game_figures")),
    )
    op.execute(sa.text(_FIGURES))


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_table("game_figures")
    op.drop_index("ix_games_guild", "games")
    op.drop_column("players", "private")
