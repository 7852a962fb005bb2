"""Bringing a database to the newest tables."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

_SCRIPTS = Path(__file__).parent / "migrations"


def config_for(connection: Connection) -> Config:
    """Alembic's configuration for migrations on this connection."""
    config = Config()
    # A percent sign in the path would be read as an interpolation.
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def upgrade(connection: Connection) -> None:
    """Run every migration that the database has not had."""
    command.upgrade(config_for(connection), "head")
