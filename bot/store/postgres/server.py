"""The server that holds a database: nothing of it is a file of ours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sqlalchemy import URL, Connection

from bot.store.troubles import CopyFailed

ELSEWHERE = (
    "The database is on a PostgreSQL server. Copy it with pg_dump, and put a copy back with "
    "pg_restore while the bot is stopped."
)


class DatabaseServer:
    """A database on a server; it is made and looked after there."""

    def __init__(self, url: URL) -> None:
        """The database at an SQLAlchemy address."""
        self._address = url.render_as_string(hide_password=True)
        hosts = url.query.get("host", url.host)
        host = hosts if isinstance(hosts, str) else ",".join(hosts or ())
        self._name = f"{host}:{url.port}/{url.database}" if url.port else f"{host}/{url.database}"

    def name(self) -> str:
        """The server and the database on it."""
        return self._name

    def make(self) -> None:
        """Nothing: whoever runs the server makes databases."""

    def require_openable(self) -> None:
        """Nothing: connecting tells."""

    def note(self) -> None:
        """Nothing: the address says which database it is."""

    def note_log(self) -> None:
        """Nothing: the server has its own log."""

    def tidy(self) -> None:
        """Nothing lies beside it."""

    def is_same(self) -> bool:
        """Always: whether it can be reached, each connection tells."""
        return True

    def identity(self) -> object | None:
        """Its address, without the password."""
        return self._address

    def keep_before_migrating(self, _revision: str) -> Path | None:
        """None: a migration is one transaction, and dumps are made with the server's tools."""
        return None

    def back_up(self, _target: Path) -> None:
        """Raise CopyFailed, which says what to use."""
        raise CopyFailed(ELSEWHERE)

    def restore(self, _source: Path, _check: Callable[[Connection], str | None]) -> Path | None:
        """Raise CopyFailed, which says what to use."""
        raise CopyFailed(ELSEWHERE)
