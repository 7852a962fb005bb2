"""Where the migrations, written for SQLite first, need something else on PostgreSQL."""

from __future__ import annotations

from typing import Any

from alembic.ddl.postgresql import PostgresqlImpl
from sqlalchemy import inspect, text


class Impl(PostgresqlImpl):
    """Alembic's own for PostgreSQL; that it is defined puts it in the place of that."""

    __dialect__ = "postgresql"

    def rename_table(self, old_table_name: str, new_table_name: Any, schema: Any = None) -> None:
        """Rename a table and its primary key, whose name no two tables may share here."""
        super().rename_table(old_table_name, new_table_name, schema)
        assert self.connection is not None
        key = inspect(self.connection).get_pk_constraint(str(new_table_name))["name"]
        renamed = f"ALTER TABLE {new_table_name} RENAME CONSTRAINT {key} TO pk_{new_table_name}"
        self.connection.execute(text(renamed))
