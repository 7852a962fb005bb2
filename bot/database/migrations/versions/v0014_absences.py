"""Time in which the bot was away; and a column that databases of one day lack.

Revision 0004 was changed a day after it had come into use, so databases that were brought to it
before have no `ratings.surprise`. They get it here.
"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0014"
down_revision: str | None = "0013"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("games", sa.Column("paused", sa.Double(), server_default="0", nullable=False))
    columns = {column["name"] for column in sa.inspect(op.get_bind()).get_columns("ratings")}
    if "surprise" not in columns:
        missing: sa.Column[float] = sa.Column(
            "surprise", sa.Double(), server_default="0", nullable=False
        )
        op.add_column("ratings", missing)


def downgrade() -> None:
    """Go back to the one before, in which every database should have had the other column."""
    op.drop_column("games", "paused")
