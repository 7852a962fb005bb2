"""Bringing a database to the newest tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

if TYPE_CHECKING:
    from alembic.config import Config

_SCRIPTS = Path(__file__).parent / "migrations"


def newest() -> str:
    """The revision of the last migration, taken from its file's name."""
    return max(file.name[1:5] for file in _SCRIPTS.glob("versions/v*.py"))


def is_current(connection: Connection) -> bool:
    """Whether a database needs no migration."""
    if not inspect(connection).has_table("alembic_version"):
        return False
    found = connection.execute(text("SELECT version_num FROM alembic_version"))
    return list(found.scalars()) == [newest()]


def upgrade(connection: Connection) -> None:
    """Run all missing migrations."""
    # Imported here because most starts need no migration.
    from alembic import command

    command.upgrade(config_for(connection), "head")


def config_for(connection: Connection) -> Config:
    """Alembic's configuration for migrations on this connection."""
    from alembic.config import Config

    config = Config()
    # A percent sign in the path would be read as an interpolation.
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
