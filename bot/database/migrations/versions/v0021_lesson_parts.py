"""What people have solved in lessons."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0021"
down_revision: str | None = "0020"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "lesson_parts",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("family", sa.String(32), nullable=False),
        sa.Column("lesson", sa.String(16), nullable=False),
        sa.Column("part", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["players.id"], name=op.f("fk_lesson_parts_user_id")),
        sa.PrimaryKeyConstraint(
            "user_id", "family", "lesson", "part", name=op.f("pk_lesson_parts")
        ),
    )


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_table("lesson_parts")
