"""What people's moves without a hint gave away, to see whether help teaches."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0019"
down_revision: str | None = "0018"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "unaided",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("ladder", sa.String(64), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("judged", sa.Integer(), nullable=False),
        sa.Column("loss", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_unaided_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["players.id"], name=op.f("fk_unaided_user_id")),
        sa.PrimaryKeyConstraint("game_id", "user_id", name=op.f("pk_unaided")),
    )
    op.create_index("ix_unaided_course", "unaided", ["user_id", "at"])


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_table("unaided")
