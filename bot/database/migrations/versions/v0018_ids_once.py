"""No id is given twice: what a deleted game left in a channel must not act on a newer one."""

from collections.abc import Sequence

from alembic import op

revision: str = "0018"
down_revision: str | None = "0017"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

TABLES = ("games", "challenges", "undos", "draws")


def upgrade() -> None:
    """Go to this revision."""
    _copy({"sqlite_autoincrement": True})


def downgrade() -> None:
    """Go back to the one before."""
    _copy({"sqlite_autoincrement": False})


def _copy(options: dict[str, bool]) -> None:
    """Make the tables anew with these options, where the engine is SQLite; others do it already."""
    if op.get_bind().dialect.name != "sqlite":
        return
    for table in TABLES:
        with op.batch_alter_table(table, recreate="always", table_kwargs=options):
            pass
