"""Bringing a database to the newest tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from bot.database.errors import Unfit

if TYPE_CHECKING:
    from alembic.config import Config

UNFINISHED = "unfinished_transfer"
"""The table of a database to which `cuatro migrate-data` has not copied everything yet."""

_SCRIPTS = Path(__file__).parent / "migrations"


def revisions() -> list[str]:
    """All revisions that this version knows, the newest last, taken from their files' names."""
    return sorted(file.name[1:5] for file in _SCRIPTS.glob("versions/v*.py"))


def newest() -> str:
    """The revision of the last migration."""
    return revisions()[-1]


def is_current(connection: Connection) -> bool:
    """Whether a database needs no migration."""
    return _revision(connection) == newest()


def require_ours(connection: Connection) -> str | None:
    """The revision of a database, or None if it is empty.

    Raises Unfit if it belongs to a newer version of this program or to another one, and while
    `cuatro migrate-data` has not copied everything to it.
    """
    tables = set(inspect(connection).get_table_names())
    if not tables:
        return None
    if UNFINISHED in tables:
        raise Unfit(
            "It is the unfinished target of `cuatro migrate-data`. Run that again until it ends."
        )
    found = _revision(connection) if "alembic_version" in tables else None
    if found in revisions() and "games" in tables:
        return found
    # A migration of the very first start, or a database that was emptied.
    if tables == {"alembic_version"} and found is None:
        return None
    if found is not None and found.isdecimal() and found > newest() and "games" in tables:
        raise Unfit(
            f"It was written by a newer version of Cuatro (revision {found}; this one knows "
            f"{newest()}). Install that version, or restore a backup from before."
        )
    raise Unfit(
        "It holds the tables of another program. Set another file or database for Cuatro's games."
    )


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


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version"))
    versions = list(found.scalars())
    return str(versions[0]) if len(versions) == 1 else None
